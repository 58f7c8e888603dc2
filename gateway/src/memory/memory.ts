import { randomUUID } from "node:crypto";
import type { Duplex } from "node:stream";
import type { MemoryServer } from "./server.ts";

/** A Redis in memory. */
export interface Memory {
  /** Opens a connection to it. */
  open(): Promise<Duplex>;
  /**
   * The command that makes so many commands after it one request, which may take about a second in all. No caller can
   * know its name.
   */
  together(count: number): readonly [name: string, count: string];
}

/**
 * Makes a Redis in memory. It is loaded with the first connection, so that a gateway for servers never loads it.
 */
export function createMemory(): Memory {
  const name = `TOGETHER.${randomUUID()}`;
  let server: Promise<MemoryServer> | undefined;
  return {
    async open() {
      server ??= import("./server.ts").then(({ createMemoryServer }) => createMemoryServer());
      return (await server).connect(name);
    },
    together: (count) => [name, String(count)],
  };
}
