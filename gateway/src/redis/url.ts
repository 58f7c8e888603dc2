import type { ServerOptions, TlsOptions } from "../shared/options.ts";
import { namesOf } from "../shared/settings.ts";
import { createTls, type Tls } from "./tls.ts";

/**
 * Called with the reason why a server is unreachable or rejects the login, once per new reason. It contains no address
 * or secret.
 */
export type OnTrouble = (reason: string) => void;

/** The login at a server, without its address. */
interface Access {
  readonly db: number;
  readonly username?: string;
  readonly password?: string;
  readonly tls?: Tls;
  /** Whether the server is usable only as a primary. */
  readonly mustBePrimary?: boolean;
  readonly onTrouble?: OnTrouble;
  /** Called each time that commands can be sent after a connection was opened. */
  readonly onReady?: () => void;
}

interface HostAddress extends Access {
  readonly host: string;
  readonly port: number;
}

interface SocketAddress extends Access {
  /** The path of a Unix socket. */
  readonly path: string;
}

/** The address of a Redis server, and the login. */
export type ServerAddress = HostAddress | SocketAddress;

/** The servers in the URL, which are asked for the others; all have the same login. */
export type Seeds = readonly [HostAddress, ...HostAddress[]];

/** Sentinels, and the primary that they watch. */
export interface Watched {
  readonly sentinels: Seeds;
  /** The Sentinels' name for the primary and its replicas. */
  readonly name: string;
  /** The login at the primary. */
  readonly access: Access;
}

/** The servers of one database. */
export type Servers =
  | { readonly kind: "server"; readonly server: ServerAddress }
  | { readonly kind: "cluster"; readonly seeds: Seeds }
  | ({ readonly kind: "sentinel" } & Watched);

const SHAPE =
  "redis must be a URL like redis://user:password@host:6379/0, unix:///path/of/socket?db=0, " +
  "redis+cluster://user:password@host:6379,host2:6379, or redis+sentinel://user:password@host:26379,host2:26379/name/0, in which " +
  "@ : / ? # and % of a user name or a password are written as %40 %3A %2F %3F %23 and %25; or both are given apart " +
  "(--redis-username, --redis-password)";

// A second @ (another login for the second host) does not match, and neither does a query: many clients accept options
// there, and silently ignoring one would be a surprise.
const NETWORK = /^(redis|rediss)(?:\+(cluster|sentinel))?:\/\/(?:([^/?#@]*)@)?([^/?#@]+)(\/[^?#]*)?$/i;
const SOCKET = /^(?:redis\+)?unix:\/\/(?:([^/?#@]*)@)?(\/[^?#]+)(?:\?db=(\d+))?$/i;
const HOST = /^(\[[\da-f:.]+\]|[^:[\]\s,]+)(?::(\d{1,5}))?$/i;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new TypeError(SHAPE);
  }
}

function loginOf(text: string, options: ServerOptions): Pick<Access, "username" | "password"> {
  const [, name = "", , secret = ""] = /^([^:]*)(:(.*))?$/s.exec(text) ?? [];
  const [username, password] = [decoded(name), decoded(secret)];
  if ((username && options.username) || (password && options.password))
    throw new TypeError(
      "the user and the password of Redis are given in the URL or apart (--redis-username, --redis-password, --redis-password-file), not both",
    );
  const login = { username: options.username || username, password: options.password || password };
  return {
    ...(login.username ? { username: login.username } : {}),
    ...(login.password ? { password: login.password } : {}),
  };
}

function hostOf(text: string, defaultPort: number): { host: string; port: number } {
  const [, host = "", port = String(defaultPort)] = HOST.exec(text) ?? [];
  if (host === "" || Number(port) > 65_535) throw new TypeError(SHAPE);
  return { host: host.replace(/^\[(.*)\]$/, "$1"), port: Number(port) };
}

function database(text: string): number {
  if (!/^\d{0,9}$/.test(text)) throw new TypeError(`${SHAPE}: the path ends with a database number`);
  return Number(text);
}

function seedsOf(hosts: string, defaultPort: number, access: Access): Seeds {
  const [first = "", ...others] = hosts.split(",");
  const seed = (host: string): HostAddress => ({ ...hostOf(host, defaultPort), ...access });
  return [seed(first), ...others.map(seed)];
}

function sentinelOf(hosts: string, path: string, access: Omit<Access, "db">, options: ServerOptions): Servers {
  const [name = "", db = "", ...rest] = path.split("/");
  if (name === "" || rest.length > 0)
    throw new TypeError(`${SHAPE}: the path of a Sentinel URL is the name of the primary, then the database`);
  const [username, password] = [options.sentinelUsername, options.sentinelPassword];
  const useTls = options.sentinelTls ?? access.tls !== undefined;
  if (useTls && access.tls === undefined)
    throw new TypeError(`${namesOf("sentinelTls")}: Sentinels with TLS need a rediss+sentinel:// URL`);
  const asked: Access = {
    db: 0,
    ...(username ? { username } : {}),
    ...(password ? { password } : {}),
    ...(useTls && access.tls !== undefined ? { tls: access.tls } : {}),
    ...(access.onTrouble === undefined ? {} : { onTrouble: access.onTrouble }),
  };
  const sentinels = seedsOf(hosts, 26_379, asked);
  return { kind: "sentinel", sentinels, name: decoded(name), access: { ...access, db: database(db) } };
}

/** The setting for each of the TLS options. */
const TLS_SETTINGS: Readonly<Record<keyof TlsOptions, string>> = {
  ca: "redisCaFile",
  cert: "redisCertFile",
  key: "redisKeyFile",
  servername: "redisServername",
};

/** The names of the settings of TLS options. */
export function tlsSettings(tls: TlsOptions): string {
  const given = (Object.keys(TLS_SETTINGS) as (keyof TlsOptions)[]).filter((part) => tls[part] !== undefined);
  return given.map((part) => namesOf(TLS_SETTINGS[part])).join(" and ");
}

function needsTls(tls: TlsOptions): string {
  const names = tlsSettings(tls);
  return `tls needs a rediss:// URL${names === "" ? "" : `: ${names} is for such a URL only`}`;
}

function refuseSentinelOptions({ sentinelUsername, sentinelPassword, sentinelTls }: ServerOptions): void {
  if (sentinelUsername || sentinelPassword || sentinelTls !== undefined)
    throw new TypeError(
      "a login or TLS for Sentinels (--sentinel-username, --sentinel-password, --sentinel-tls) needs a redis+sentinel:// URL",
    );
}

/**
 * Parses a URL and the additional options: one server (`redis://`, `rediss://` for TLS, `unix://`), a cluster
 * (`redis+cluster://`), or a server named by Sentinels (`redis+sentinel://`), the last two with TLS as `rediss+…`.
 * Options in a query are rejected: many clients accept them there, and silently ignoring one would be a surprise.
 *
 * @throws {TypeError} which does not repeat the URL or an option, since they may contain a password
 */
export function parseServers(url: string, options: ServerOptions = {}, onTrouble?: OnTrouble): Servers {
  const told = onTrouble === undefined ? {} : { onTrouble };
  const socket = SOCKET.exec(url);
  const network = NETWORK.exec(url);
  const isTls = network?.[1]?.toLowerCase() === "rediss";
  if (options.tls !== undefined && !isTls) throw new TypeError(needsTls(options.tls));
  if (socket !== null) {
    refuseSentinelOptions(options);
    const [, login = "", path = "", db = ""] = socket;
    return { kind: "server", server: { path: decoded(path), db: database(db), ...loginOf(login, options), ...told } };
  }
  if (network === null) throw new TypeError(SHAPE);
  const [, , kind = "", login = "", hosts = "", path = ""] = network;
  const access = { ...loginOf(login, options), ...(isTls ? { tls: createTls(options.tls ?? {}) } : {}), ...told };
  if (kind.toLowerCase() === "sentinel") return sentinelOf(hosts, path.slice(1), access, options);
  refuseSentinelOptions(options);
  const db = database(path.slice(1));
  if (kind === "") return { kind: "server", server: { ...hostOf(hosts, 6379), ...access, db } };
  if (db !== 0) throw new TypeError(`${SHAPE}: a cluster has database 0 only`);
  return { kind: "cluster", seeds: seedsOf(hosts, 6379, { ...access, db }) };
}
