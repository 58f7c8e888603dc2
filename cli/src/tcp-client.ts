import { Cluster, Redis, type RedisOptions } from "ioredis";
import { type ConnectionSettings, connect } from "../../src/redis/connect.ts";
import { ioredis } from "../../src/tcp/ioredis.ts";
import { UsageError } from "./command.ts";
import type { OpenTarget } from "./operations/target.ts";

const SHAPE =
  "--redis must be a URL like redis://user:password@host:6379/0, rediss://… for TLS, " +
  "redis+cluster://host:6379,host2:6379, or redis+sentinel://host:26379,host2:26379/name/0";

/** `redis` or `rediss`, optionally `+cluster` or `+sentinel`; then login, hosts and path. */
const URL_PATTERN = /^(redis|rediss)(?:\+(cluster|sentinel))?:\/\/(?:([^/?#@]*)@)?([^/?#@]+)(?:\/([^?#]*))?$/i;
const SOCKET_PATTERN = /^(?:redis\+)?unix:\/\/(?:([^/?#@]*)@)?(\/[^?#]+)(?:\?db=(\d+))?$/i;
const HOST_PATTERN = /^(\[[\da-f:.]+\]|[^:[\]\s]+)(?::(\d{1,5}))?$/i;
const REDIS_PORT = 6379;
const SENTINEL_PORT = 26_379;

type Address = Readonly<Record<"host", string> & Record<"port", number>>;

interface Login {
  readonly username?: string;
  readonly password?: string;
}

/** @throws UsageError without the value, which may contain a password. */
function refuse(): never {
  throw new UsageError(SHAPE);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return refuse();
  }
}

function loginOf(text: string): Login {
  const colon = text.indexOf(":");
  const username = decoded(colon < 0 ? text : text.slice(0, colon));
  const password = decoded(colon < 0 ? "" : text.slice(colon + 1));
  return { ...(username && { username }), ...(password && { password }) };
}

function addressOf(text: string, usualPort: number): Address {
  const [, host = "", port = String(usualPort)] = HOST_PATTERN.exec(text) ?? refuse();
  return { host: host.replace(/^\[(.*)\]$/, "$1"), port: Number(port) };
}

function databaseOf(text: string | undefined): number {
  return /^\d{0,9}$/.test(text ?? "") ? Number(text ?? "") : refuse();
}

/** Nothing is queued without a connection, and the library resends nothing. */
const CAREFUL = {
  lazyConnect: true,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
} satisfies RedisOptions;

function openNetwork(match: readonly string[]): Redis | Cluster {
  const [, scheme = "", kind = "", login = "", hosts = "", path = ""] = match;
  const tls = scheme.toLowerCase() === "rediss" ? { tls: {} } : {};
  const common = { ...CAREFUL, ...tls, ...loginOf(login) };
  const list = hosts.split(",");
  if (kind.toLowerCase() === "cluster") {
    const nodes = list.map((host) => addressOf(host, REDIS_PORT));
    return new Cluster(nodes, { lazyConnect: true, enableOfflineQueue: false, redisOptions: common });
  }
  if (kind.toLowerCase() === "sentinel") {
    const [name = "", db] = path.split("/");
    const sentinels = list.map((host) => addressOf(host, SENTINEL_PORT));
    return new Redis({ ...common, sentinels, name: decoded(name) || refuse(), db: databaseOf(db) });
  }
  if (list.length > 1) refuse();
  return new Redis({ ...common, ...addressOf(hosts, REDIS_PORT), db: databaseOf(path) });
}

function openClient(url: string): Redis | Cluster {
  const socket = SOCKET_PATTERN.exec(url);
  if (socket) {
    const [, login = "", path = "", db] = socket;
    return new Redis({ ...CAREFUL, ...loginOf(login), path: decoded(path), db: databaseOf(db) });
  }
  return openNetwork(URL_PATTERN.exec(url) ?? refuse());
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
  const client = openClient(url);
  // Without a listener, ioredis prints its errors. Requests report theirs.
  client.on("error", () => {});
  const password = /:\/\/([^/]*)@/.exec(url)?.[1] ?? "";
  return {
    target: {
      connection: connect({ ...settings, redis: ioredis(client) }),
      address: shownAddress(url),
      rest: undefined,
    },
    secrets: [url, password, ...password.split(":"), decoded(password.split(":")[1] ?? "")],
    close: () => client.disconnect(),
  };
}
