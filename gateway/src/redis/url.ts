import type { ServerOptions, TlsOptions } from "../shared/options.ts";
import { namesOf } from "../shared/settings.ts";
import { type Hosts, type Login, readRedisUrl } from "./redis-url.ts";
import { createTls, type Tls } from "./tls.ts";

/**
 * Called with the reason why a server is unreachable or rejects the login, once per new reason. It contains no address
 * or secret.
 */
export type OnTrouble = (reason: string) => void;

/** The login at a server, without its address. */
interface Access extends Login {
  readonly db: number;
  readonly tls?: Tls;
  /** Whether the server is usable only as a primary. */
  readonly mustBePrimary?: boolean;
  readonly onTrouble?: OnTrouble;
  /** Called whenever commands can be sent after a connection was opened. */
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

function loginOf(input: Login, options: ServerOptions): Login {
  if ((input.username && options.username) || (input.password && options.password))
    throw new TypeError(
      "the user and the password of Redis are given in the URL or apart (--redis-username, --redis-password, --redis-password-file), not both",
    );
  const [username, password] = [options.username || input.username, options.password || input.password];
  return { ...(username ? { username } : {}), ...(password ? { password } : {}) };
}

function seedsOf([first, ...others]: Hosts, access: Access): Seeds {
  return [{ ...first, ...access }, ...others.map((host) => ({ ...host, ...access }))];
}

/** How the Sentinels are asked. */
function sentinelAccess(access: Omit<Access, "db">, options: ServerOptions): Access {
  const [username, password] = [options.sentinelUsername, options.sentinelPassword];
  const useTls = options.sentinelTls ?? access.tls !== undefined;
  if (useTls && access.tls === undefined)
    throw new TypeError(`${namesOf("sentinelTls")}: Sentinels with TLS need a rediss+sentinel:// URL`);
  return {
    db: 0,
    ...(username ? { username } : {}),
    ...(password ? { password } : {}),
    ...(useTls && access.tls !== undefined ? { tls: access.tls } : {}),
    ...(access.onTrouble === undefined ? {} : { onTrouble: access.onTrouble }),
  };
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
  const present = (Object.keys(TLS_SETTINGS) as (keyof TlsOptions)[]).filter((part) => tls[part] !== undefined);
  return present.map((part) => namesOf(TLS_SETTINGS[part])).join(" and ");
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
 * Parses a URL and the additional options.
 *
 * @throws {TypeError} which does not repeat the URL or an option, since they may contain a password
 */
export function parseServers(url: string, options: ServerOptions = {}, onTrouble?: OnTrouble): Servers {
  const read = readRedisUrl(url);
  if (read.kind === "invalid") throw new TypeError(read.reason === undefined ? SHAPE : `${SHAPE}: ${read.reason}`);
  const isTls = read.kind !== "socket" && read.isTls;
  if (options.tls !== undefined && !isTls) throw new TypeError(needsTls(options.tls));
  if (read.kind !== "sentinel") refuseSentinelOptions(options);
  const access = {
    ...loginOf(read.login, options),
    ...(isTls ? { tls: createTls(options.tls ?? {}) } : {}),
    ...(onTrouble === undefined ? {} : { onTrouble }),
  };
  switch (read.kind) {
    case "socket":
      return { kind: "server", server: { path: read.path, db: read.db, ...access } };
    case "server":
      return { kind: "server", server: { ...read.at, db: read.db, ...access } };
    case "cluster":
      return { kind: "cluster", seeds: seedsOf(read.hosts, { db: 0, ...access }) };
    case "sentinel": {
      const sentinels = seedsOf(read.hosts, sentinelAccess(access, options));
      return { kind: "sentinel", sentinels, name: read.name, access: { ...access, db: read.db } };
    }
  }
}
