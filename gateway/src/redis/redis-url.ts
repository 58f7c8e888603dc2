/** The user and the password in a URL. */
export interface Login {
  readonly username?: string;
  readonly password?: string;
}

interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

/** The hosts in a URL, at least one. */
export type Hosts = readonly [HostAndPort, ...HostAndPort[]];

/** What a Redis URL says; or that it says nothing valid, with the reason if more is known. */
export type RedisUrl =
  | { readonly kind: "socket"; readonly login: Login; readonly path: string; readonly db: number }
  | {
      readonly kind: "server";
      readonly login: Login;
      readonly isTls: boolean;
      readonly at: HostAndPort;
      readonly db: number;
    }
  | { readonly kind: "cluster"; readonly login: Login; readonly isTls: boolean; readonly hosts: Hosts }
  | {
      readonly kind: "sentinel";
      readonly login: Login;
      readonly isTls: boolean;
      readonly hosts: Hosts;
      /** The Sentinels' name for the primary. */
      readonly name: string;
      readonly db: number;
    }
  | { readonly kind: "invalid"; readonly reason?: string };

// A second @ (another login for the second host) does not match, and neither does a query: many clients accept options
// there, and silently ignoring one would be a surprise.
const NETWORK = /^(redis|rediss)(?:\+(cluster|sentinel))?:\/\/(?:([^/?#@]*)@)?([^/?#@]+)(?:\/([^?#]*))?$/i;
const SOCKET = /^(?:redis\+)?unix:\/\/(?:([^/?#@]*)@)?(\/[^?#]+)(?:\?db=(\d+))?$/i;
const HOST = /^(\[[\da-f:.]+\]|[^:[\]\s,]+)(?::(\d{1,5}))?$/i;

const REDIS_PORT = 6379;
const SENTINEL_PORT = 26_379;
const MAX_PORT = 65_535;

/** The flaw of a part of a URL. */
class Flaw extends Error {
  readonly reason: string | undefined;

  constructor(reason?: string) {
    super();
    this.reason = reason;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Flaw();
  }
}

function loginIn(text: string): Login {
  const colon = text.indexOf(":");
  const username = decoded(colon === -1 ? text : text.slice(0, colon));
  const password = decoded(colon === -1 ? "" : text.slice(colon + 1));
  return { ...(username && { username }), ...(password && { password }) };
}

function hostIn(text: string, usualPort: number): HostAndPort {
  const [, host = "", port = String(usualPort)] = HOST.exec(text) ?? [];
  if (host === "" || Number(port) > MAX_PORT) throw new Flaw();
  return { host: host.replace(/^\[(.*)\]$/, "$1"), port: Number(port) };
}

function hostsIn(text: string, usualPort: number): Hosts {
  const [first = "", ...others] = text.split(",");
  return [hostIn(first, usualPort), ...others.map((host) => hostIn(host, usualPort))];
}

function databaseIn(text: string): number {
  if (!/^\d{0,9}$/.test(text)) throw new Flaw("the path ends with a database number");
  return Number(text);
}

function network([, scheme = "", kind = "", login = "", hosts = "", path = ""]: readonly string[]): RedisUrl {
  const common = { login: loginIn(login), isTls: scheme.toLowerCase() === "rediss" };
  switch (kind.toLowerCase()) {
    case "sentinel": {
      const [name = "", db = "", ...rest] = path.split("/");
      if (name === "" || rest.length > 0)
        throw new Flaw("the path of a Sentinel URL is the name of the primary, then the database");
      const sentinels = hostsIn(hosts, SENTINEL_PORT);
      return { kind: "sentinel", ...common, hosts: sentinels, name: decoded(name), db: databaseIn(db) };
    }
    case "cluster":
      if (databaseIn(path) !== 0) throw new Flaw("a cluster has database 0 only");
      return { kind: "cluster", ...common, hosts: hostsIn(hosts, REDIS_PORT) };
    default:
      return { kind: "server", ...common, at: hostIn(hosts, REDIS_PORT), db: databaseIn(path) };
  }
}

/**
 * Reads a Redis URL: one server (`redis://`, `rediss://` for TLS, `unix://`), a cluster (`redis+cluster://`), or a
 * server named by Sentinels (`redis+sentinel://`), the last two with TLS as `rediss+…`. A reason repeats nothing of the
 * URL, which may contain a password.
 */
export function readRedisUrl(url: string): RedisUrl {
  try {
    const socket = SOCKET.exec(url);
    if (socket !== null) {
      const [, login = "", path = "", db = ""] = socket;
      return { kind: "socket", login: loginIn(login), path: decoded(path), db: databaseIn(db) };
    }
    const found = NETWORK.exec(url);
    return found === null ? { kind: "invalid" } : network(found);
  } catch (error) {
    if (!(error instanceof Flaw)) throw error;
    return { kind: "invalid", ...(error.reason !== undefined && { reason: error.reason }) };
  }
}
