import { at, type Commands, type Host, type Run } from "./command.ts";
import { scanOptions, toCursor } from "./key-commands.ts";
import { addDecimals, integer, isInRange, parseInteger, toBigInt, toDecimal } from "./numbers.ts";
import { OK, type Reply, refuse } from "./reply.ts";

const of = ({ keys }: Host, key: string): ReadonlyMap<string, string> => keys.get(key, "hash") ?? new Map();

function setFields({ keys }: Host, args: readonly string[], command: string): number {
  if (args.length % 2 === 0) refuse(`ERR wrong number of arguments for '${command}' command`);
  const hash = keys.open(at(args, 0), "hash");
  const before = hash.size;
  for (let n = 1; n < args.length; n += 2) hash.set(at(args, n), at(args, n + 1));
  return hash.size - before;
}

function increase({ keys }: Host, args: readonly string[]): Reply {
  const by = toBigInt(at(args, 2));
  const [key, field] = [at(args, 0), at(args, 1)];
  const before = parseInteger(keys.get(key, "hash")?.get(field) ?? "0") ?? refuse("ERR hash value is not an integer");
  const sum = before + by;
  if (!isInRange(sum)) refuse("ERR increment or decrement would overflow");
  keys.open(key, "hash").set(field, sum.toString());
  return integer(sum);
}

function increaseFloat({ keys, budget }: Host, args: readonly string[]): Reply {
  const [key, field, by] = [at(args, 0), at(args, 1), at(args, 2)];
  const increment = toDecimal(by, undefined, "ERR value is NaN or Infinity");
  const before = toDecimal(keys.get(key, "hash")?.get(field) ?? "0", "ERR hash value is not a float");
  const sum = addDecimals(before, increment, budget);
  keys.open(key, "hash").set(field, sum);
  return sum;
}

function remove({ keys }: Host, [key = "", ...fields]: readonly string[]): Reply {
  const hash = keys.get(key, "hash");
  if (!hash) return 0;
  const removed = fields.filter((field) => hash.delete(field)).length;
  keys.tidy(key);
  return removed;
}

const reading =
  (read: (hash: ReadonlyMap<string, string>, fields: readonly string[]) => Reply): Run =>
  (host, [key = "", ...fields]) =>
    read(of(host, key), fields);

/** Reads all fields. */
const readingAll =
  (read: (hash: ReadonlyMap<string, string>) => string[]): Run =>
  (host, [key = ""]) => {
    const hash = of(host, key);
    host.budget.spend(2 * hash.size);
    return read(hash);
  };

export const hashCommands: Commands = {
  hset: [-4, "wm", (host, args) => setFields(host, args, "hset")],
  hmset: [
    -4,
    "wm",
    (host, args) => {
      setFields(host, args, "hmset");
      return OK;
    },
  ],
  hsetnx: [
    4,
    "wm",
    ({ keys }, [key = "", field = "", value = ""]) => {
      const hash = keys.open(key, "hash");
      if (hash.has(field)) return 0;
      hash.set(field, value);
      return 1;
    },
  ],
  hget: [3, "", reading((hash, [field = ""]) => hash.get(field) ?? null)],
  hmget: [-3, "", reading((hash, fields) => fields.map((field) => hash.get(field) ?? null))],
  hgetall: [2, "", readingAll((hash) => [...hash].flat())],
  hkeys: [2, "", readingAll((hash) => [...hash.keys()])],
  hvals: [2, "", readingAll((hash) => [...hash.values()])],
  hlen: [2, "", reading((hash) => hash.size)],
  hexists: [3, "", reading((hash, [field = ""]) => Number(hash.has(field)))],
  hstrlen: [3, "", reading((hash, [field = ""]) => hash.get(field)?.length ?? 0)],
  hdel: [-3, "w", remove],
  hincrby: [4, "wm", increase],
  hincrbyfloat: [4, "wm", increaseFloat],
  hscan: [
    -3,
    "",
    (host, [key = "", cursor = "", ...args]) => {
      toCursor(cursor);
      const { fits } = scanOptions(args);
      const hash = of(host, key);
      host.budget.spend(2 * hash.size);
      return ["0", [...hash].flatMap((entry) => (fits(entry[0], host.budget) ? entry : []))];
    },
  ],
};
