import type { Budget } from "../budget.ts";
import { at, type Commands, type Host, type Run } from "./command.ts";
import { pastOrFuture } from "./expiry.ts";
import { glob } from "./glob.ts";
import { toInteger } from "./numbers.ts";
import { OK, type Reply, refuse, Status, syntaxError } from "./reply.ts";

const count =
  (test: (host: Host, key: string) => boolean): Run =>
  (host, args) =>
    args.filter((key) => test(host, key)).length;

const left =
  (isAbsolute: boolean, seconds: boolean): Run =>
  ({ keys }, [key = ""]) => {
    const expiry = keys.expiryOf(key);
    if (expiry === undefined) return -2;
    if (expiry === null) return -1;
    const ms = isAbsolute ? expiry : Math.max(expiry - keys.at, 0);
    return seconds ? Math.floor((ms + 500) / 1000) : ms;
  };

type Condition = "NX" | "XX" | "GT" | "LT";

function conditionsOf(args: readonly string[]): Set<Condition> {
  const names = args.map((arg) => {
    const name = arg.toUpperCase();
    if (!["NX", "XX", "GT", "LT"].includes(name)) refuse(`ERR Unsupported option ${arg}`);
    return name as Condition;
  });
  const conditions = new Set(names);
  if (conditions.has("NX") && conditions.size > 1)
    refuse("ERR NX and XX, GT or LT options at the same time are not compatible");
  if (conditions.has("GT") && conditions.has("LT")) refuse("ERR GT and LT options at the same time are not compatible");
  return conditions;
}

const expire =
  (command: string, seconds: boolean, isAbsolute: boolean): Run =>
  ({ keys }, args) => {
    const key = at(args, 0);
    const conditions = conditionsOf(args.slice(2));
    const until = pastOrFuture(at(args, 1), seconds, isAbsolute, keys.at, command);
    const before = keys.expiryOf(key);
    if (before === undefined) return 0;
    if (conditions.has("NX") && before !== null) return 0;
    if (conditions.has("XX") && before === null) return 0;
    if (conditions.has("GT") && (before === null || until <= before)) return 0;
    if (conditions.has("LT") && before !== null && until >= before) return 0;
    if (until <= keys.at) keys.delete(key);
    else keys.expire(key, until);
    return 1;
  };

function rename({ keys }: Host, from: string, to: string): void {
  if (!keys.has(from)) refuse("ERR no such key");
  keys.rename(from, to);
}

const CURSOR = /^\d{1,19}$/;

/** The options of SCAN and related commands. */
export function scanOptions(args: readonly string[]): {
  fits: (name: string, budget?: Budget) => boolean;
  count: number;
  type?: string;
} {
  let fits: (name: string, budget?: Budget) => boolean = () => true;
  let count = 10;
  let type: string | undefined;
  for (let n = 0; n < args.length; n += 2) {
    const option = at(args, n).toUpperCase();
    if (n + 1 >= args.length) syntaxError();
    const value = at(args, n + 1);
    if (option === "MATCH") fits = glob(value);
    else if (option === "TYPE") type = value.toLowerCase();
    else if (option === "COUNT") {
      count = toInteger(value);
      if (count < 1) syntaxError();
    } else syntaxError();
  }
  return { fits, count, ...(type !== undefined && { type }) };
}

export function toCursor(text: string): number {
  return CURSOR.test(text) ? Number(text) : refuse("ERR invalid cursor");
}

/** The cursor is the serial number of the last key, so a key that exists throughout is returned exactly once. */
function scan({ keys, budget }: Host, args: readonly string[]): Reply {
  const cursor = toCursor(at(args, 0));
  const { fits, count, type } = scanOptions(args.slice(1));
  const found: string[] = [];
  let rest = count;
  let last = 0;
  for (const entry of keys.keys(cursor, budget)) {
    if (rest === 0) return [String(last), found];
    rest--;
    last = entry.serial;
    if (fits(entry.key, budget) && (type === undefined || entry.type === type)) found.push(entry.key);
  }
  return ["0", found];
}

const remove: Run = count(({ keys }, key) => keys.delete(key));
const flush: Run = ({ keys }, args) => {
  const [mode] = args;
  if (args.length > 1 || (mode !== undefined && !/^(a?sync)$/i.test(mode))) syntaxError();
  keys.clear();
  return OK;
};

export const keyCommands: Commands = {
  del: [-2, "w", remove],
  unlink: [-2, "w", remove],
  exists: [-2, "", count(({ keys }, key) => keys.has(key))],
  touch: [-2, "", count(({ keys }, key) => keys.has(key))],
  type: [2, "", ({ keys }, [key = ""]) => new Status(keys.typeOf(key) ?? "none")],
  ttl: [2, "", left(false, true)],
  pttl: [2, "", left(false, false)],
  expiretime: [2, "", left(true, true)],
  pexpiretime: [2, "", left(true, false)],
  expire: [-3, "w", expire("expire", true, false)],
  pexpire: [-3, "w", expire("pexpire", false, false)],
  expireat: [-3, "w", expire("expireat", true, true)],
  pexpireat: [-3, "w", expire("pexpireat", false, true)],
  persist: [
    2,
    "w",
    ({ keys }, [key = ""]) => {
      if (keys.expiryOf(key) == null) return 0;
      keys.expire(key, undefined);
      return 1;
    },
  ],
  keys: [
    2,
    "",
    ({ keys, budget }, [pattern = ""]) => {
      const fits = glob(pattern);
      const found: string[] = [];
      for (const { key } of keys.keys(0, budget)) if (fits(key, budget)) found.push(key);
      budget.values(found.length);
      return found;
    },
  ],
  scan: [-2, "", scan],
  randomkey: [
    1,
    "",
    ({ keys, random, budget }) => {
      const all = [...keys.keys(0, budget)];
      return all[Math.floor(random() * all.length)]?.key ?? null;
    },
  ],
  rename: [
    3,
    "w",
    (host, [from = "", to = ""]) => {
      rename(host, from, to);
      return OK;
    },
  ],
  renamenx: [
    3,
    "w",
    (host, [from = "", to = ""]) => {
      if (host.keys.has(from) && host.keys.has(to)) return 0;
      rename(host, from, to);
      return 1;
    },
  ],
  dbsize: [
    1,
    "",
    ({ keys, budget }) => {
      let count = 0;
      for (const _ of keys.keys(0, budget)) count++;
      return count;
    },
  ],
  flushall: [-1, "w", flush],
  flushdb: [-1, "w", flush],
};
