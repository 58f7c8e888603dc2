import { createApp } from "./app.ts";
import { createClusterBackend } from "./cluster.ts";
import { createRedisBackend } from "./redis.ts";
import { parseRedisUrl } from "./server-url.ts";

export interface GatewayOptions {
  /**
   * The Redis or Valkey behind: `redis://user:password@host:port/database`, or `rediss://` for TLS. A Redis Cluster is
   * `redis+cluster://user:password@host:port,host2:port2` or `rediss+cluster://`, with one of its nodes or several. It need not
   * be there yet.
   */
  readonly redis: string;
  /** The bearer token that every request must carry. */
  readonly token: string;
  /** How long Redis may take to answer, WAIT included, before a request ends with 504. Milliseconds, 5 000 by default, at least 1. */
  readonly timeoutMs?: number;
  /** The largest request body; a larger one ends with 413. Bytes, 10 MiB by default, at least 1. */
  readonly maxBodyBytes?: number;
}

export interface Gateway {
  /** Answers one request. It never throws and never rejects. */
  fetch(request: Request): Promise<Response>;
  /** Resolves when the first attempt to reach Redis has ended, well or not; requests before it end with 503. It never rejects. */
  readonly opened: Promise<void>;
  /** Ends the connection to Redis; requests in flight end with 504, later ones with 503. */
  close(): void;
}

const DEFAULTS = Object.freeze({ timeoutMs: 5_000, maxBodyBytes: 10 * 1024 * 1024 });

function atLeastOne(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 1 && value < 2 ** 31) return value;
  throw new RangeError(`${name} must be a whole number from 1 to 2147483647`);
}

/**
 * The Upstash REST protocol in front of a Redis or Valkey server, as a handler of web-standard requests.
 *
 * It sends each command once or not at all: 503 means that nothing was sent, 504 that it was sent and no answer came.
 *
 * @throws {TypeError} for a URL that is not a Redis URL, or an empty token
 * @throws {RangeError} for a limit out of range
 */
export function createGateway(options: GatewayOptions): Gateway {
  if (typeof options.token !== "string" || options.token === "")
    throw new TypeError("token must be a non-empty string");
  const servers = parseRedisUrl(options.redis);
  const timeoutMs = atLeastOne("timeoutMs", options.timeoutMs ?? DEFAULTS.timeoutMs);
  const maxBodyBytes = atLeastOne("maxBodyBytes", options.maxBodyBytes ?? DEFAULTS.maxBodyBytes);
  const backend =
    "seeds" in servers ? createClusterBackend(servers.seeds, timeoutMs) : createRedisBackend(servers, timeoutMs);
  return {
    fetch: createApp(backend, { token: options.token, maxBodyBytes }),
    opened: backend.opened,
    close: () => backend.close(),
  };
}
