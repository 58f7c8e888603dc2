import type { Backend } from "./backend.ts";
import { createClusterBackend } from "./cluster.ts";
import { createRedisBackend } from "./redis.ts";
import { createSentinelBackend } from "./sentinel.ts";
import type { Servers } from "./server-url.ts";

/** The backend for what a URL names. */
export function createBackend(servers: Servers, timeoutMs: number): Backend {
  switch (servers.kind) {
    case "server":
      return createRedisBackend(servers.server, timeoutMs);
    case "cluster":
      return createClusterBackend(servers.seeds, timeoutMs);
    case "sentinel":
      return createSentinelBackend(servers, timeoutMs);
  }
}
