/** Where the Redis server is and how to log in. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  readonly db: number;
  readonly username?: string;
  readonly password?: string;
  readonly tls?: Readonly<Record<string, never>>;
}

const SHAPE = "redis must be a URL like redis://user:password@host:6379/0";

function credential(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new TypeError(`${SHAPE}: a % in user or password is written %25`);
  }
}

/**
 * A `redis://` or `rediss://` URL taken apart. Done here and not by ioredis, since it takes every query parameter as
 * an option, which would let a URL turn its queue of unsent commands on again.
 *
 * @throws {TypeError} which does not repeat the URL: it may hold a password
 */
export function parseServerUrl(text: string): ServerAddress {
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
