import { Cluster, Redis, type RedisOptions } from "ioredis";
import { type RedisUrl, readRedisUrl } from "../../gateway/src/redis/redis-url.ts";
import { type ConnectionSettings, connect } from "../../src/redis/connect.ts";
import { ioredis } from "../../src/tcp/ioredis.ts";
import { UsageError } from "./command.ts";
import type { OpenTarget } from "./operations/target.ts";

const SHAPE =
  "--redis must be a URL like redis://user:password@host:6379/0, rediss://… for TLS, " +
  "redis+cluster://host:6379,host2:6379, or redis+sentinel://host:26379,host2:26379/name/0";

type ValidUrl = Exclude<RedisUrl, { kind: "invalid" }>;

/** Nothing is queued without a connection, and the library resends nothing. */
const CAREFUL = {
  lazyConnect: true,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
} satisfies RedisOptions;

function openClient(read: ValidUrl): Redis | Cluster {
  const common = { ...CAREFUL, ...(read.kind !== "socket" && read.isTls && { tls: {} }), ...read.login };
  switch (read.kind) {
    case "socket":
      return new Redis({ ...common, path: read.path, db: read.db });
    case "server":
      return new Redis({ ...common, ...read.at, db: read.db });
    case "cluster":
      return new Cluster([...read.hosts], { lazyConnect: true, enableOfflineQueue: false, redisOptions: common });
    case "sentinel":
      return new Redis({ ...common, sentinels: [...read.hosts], name: read.name, db: read.db });
  }
}

/** The address in a Redis URL, without user and password. */
function shownAddress(url: string): string {
  const [, scheme = "redis", rest = ""] = /^([\w+]+):\/\/(.*)$/s.exec(url) ?? [];
  return `${scheme}://${rest.slice(rest.lastIndexOf("@") + 1).replace(/[?#].*$/s, "")}`;
}

/**
 * Opens a Redis over TCP by ioredis.
 *
 * @throws UsageError for a URL that is none of these.
 */
export function openTcp(url: string, settings: ConnectionSettings): OpenTarget {
  const read = readRedisUrl(url);
  // Without the value, which may contain a password.
  if (read.kind === "invalid") throw new UsageError(read.reason === undefined ? SHAPE : `${SHAPE}: ${read.reason}`);
  const client = openClient(read);
  // Without a listener, ioredis prints its errors. Requests report theirs.
  client.on("error", () => {});
  const login = /:\/\/([^/]*)@/.exec(url)?.[1] ?? "";
  return {
    target: {
      connection: connect({ ...settings, redis: ioredis(client) }),
      address: shownAddress(url),
      rest: undefined,
    },
    secrets: [url, login, ...login.split(":"), read.login.password ?? ""],
    close: () => client.disconnect(),
  };
}
