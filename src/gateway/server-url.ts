/** Where the Redis server is and how to log in. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  readonly db: number;
  readonly username?: string;
  readonly password?: string;
  readonly tls?: Readonly<Record<string, never>>;
}

const SHAPE =
  "redis must be a URL like redis://user:password@host:6379/0, or redis+cluster://user:password@host:6379,host2:6379";

function credential(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new TypeError(`${SHAPE}: a % in user or password is written %25`);
  }
}

/**
 * A `redis://` or `rediss://` URL taken apart. Done here and not by ioredis, since it takes every query parameter as
 * an option, which would let a URL turn its queue of unsent commands on again. What it throws does not repeat the URL: that may
 * hold a password.
 */
function parseServerUrl(text: string): ServerAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !["redis:", "rediss:"].includes(url.protocol) || url.hostname === "")
    throw new TypeError(SHAPE);
  if (url.search !== "" || url.hash !== "") throw new TypeError(`${SHAPE}, without a query`);
  const db = url.pathname.replace(/^\//, "");
  if (!/^\d*$/.test(db)) throw new TypeError(`${SHAPE}: the path is a database number`);
  const [username, password] = [credential(url.username), credential(url.password)];
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? 6379 : Number(url.port),
    db: Number(db),
    ...(username === "" ? {} : { username }),
    ...(password === "" ? {} : { password }),
    ...(url.protocol === "rediss:" ? { tls: {} } : {}),
  };
}

/** The nodes of a cluster that are asked for the others; all have the same login. */
export type Seeds = readonly [ServerAddress, ...ServerAddress[]];

// A second @ (a login of its own for the second host) does not match, and so is no URL for anybody.
const CLUSTER = /^(rediss?)\+cluster:\/\/([^/?#@]*@)?([^/?#@]*)([/?#].*)?$/is;

/**
 * A URL of one server, or of a cluster: `redis+cluster://` or `rediss+cluster://`, with one host or several with commas between.
 *
 * @throws {TypeError} which does not repeat the URL: it may hold a password
 */
export function parseRedisUrl(text: string): ServerAddress | { readonly seeds: Seeds } {
  const match = CLUSTER.exec(text);
  if (match === null) return parseServerUrl(text);
  const [, scheme, login = "", hosts = "", rest = ""] = match;
  const [first = "", ...others] = hosts.split(",");
  const seed = (host: string): ServerAddress => parseServerUrl(`${scheme}://${login}${host}${rest}`);
  const seeds: Seeds = [seed(first), ...others.map(seed)];
  if (seeds[0].db !== 0) throw new TypeError(`${SHAPE}: a cluster has database 0 only`);
  return { seeds };
}
