/** The hash tag of a key, as in a Redis Cluster; a key without one is its own tag. */
function tagOf(key: string): string {
  const open = key.indexOf("{");
  const close = open === -1 ? -1 : key.indexOf("}", open + 1);
  return close > open + 1 ? key.slice(open + 1, close) : key;
}

/** Commands with a number of keys, by the position of that number. */
const COUNTED: ReadonlyMap<string, number> = new Map([
  ["eval", 2],
  ["evalsha", 2],
  ["eval_ro", 2],
  ["evalsha_ro", 2],
]);
/** Commands with only keys as arguments. */
const KEYS_ONLY: ReadonlySet<string> = new Set(["del", "unlink", "exists", "touch", "mget"]);
/** Commands whose first two arguments are keys. */
const TWO_KEYS: ReadonlySet<string> = new Set(["rename", "renamenx", "rpoplpush", "lmove", "smove"]);
/** Commands whose object cannot be found by a key. */
const KEYLESS: ReadonlySet<string> = new Set([
  ...["ping", "echo", "time", "wait", "script", "info", "config", "dbsize", "flushall", "flushdb", "keys", "scan"],
  ...["randomkey", "mset", "msetnx", "sinter", "sunion", "sdiff", "sinterstore", "sunionstore", "sdiffstore"],
]);

/** The keys of a command; undefined for one that belongs to no object. */
function keysOf([verb = "", ...args]: readonly (string | number)[]): readonly string[] | undefined {
  const name = `${verb}`.toLowerCase();
  const words = args.map(String);
  if (KEYLESS.has(name)) return undefined;
  const counted = COUNTED.get(name);
  if (counted !== undefined) return words.slice(counted, counted + Number(words[counted - 1]));
  if (KEYS_ONLY.has(name)) return words;
  return words.slice(0, TWO_KEYS.has(name) ? 2 : 1);
}

/** The name of the object that a command belongs to, `undefined` for none; the error of one that needs several. */
export function objectOf(command: readonly (string | number)[]): { readonly name?: string; readonly error?: string } {
  const keys = keysOf(command);
  if (keys === undefined || keys.length === 0) return {};
  const [name = "", ...others] = new Set(keys.map(tagOf));
  if (others.length > 0) return { error: "CROSSSLOT Keys in request don't hash to the same slot" };
  return { name };
}
