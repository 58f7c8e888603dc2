import type { Duplex } from "node:stream";
import type { MemoryServer } from "./server.ts";

/**
 * Makes a Redis in memory, and returns a function that opens a connection to it. It is loaded with the first
 * connection, so that a gateway for servers never loads it.
 */
export function createMemory(): () => Promise<Duplex> {
  let server: Promise<MemoryServer> | undefined;
  return async () => {
    server ??= import("./server.ts").then(({ createMemoryServer }) => createMemoryServer());
    return (await server).connect();
  };
}
