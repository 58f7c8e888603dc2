import type { Backend } from "../redis/backend.ts";
import { createClusterBackend } from "../redis/cluster/cluster.ts";
import { createSentinelBackend } from "../redis/sentinel/sentinel.ts";
import { createRedisBackend } from "../redis/server-backend.ts";
import type { Servers } from "../redis/url.ts";

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
