import { at, type Command, type Commands, type Host } from "./command.ts";
import { expiryBy } from "./expiry.ts";
import { addDecimals, integer, isInRange, toBigInt, toDecimal, toInteger } from "./numbers.ts";
import { NOT_AN_INTEGER, OK, type Reply, refuse, syntaxError } from "./reply.ts";

/** Redis allows 24 bytes more than a string of JavaScript can have. */
const LONGEST = 512 * 1024 * 1024 - 24;
const TOO_LONG = "ERR string exceeds maximum allowed size (proto-max-bulk-len)";

interface SetOptions {
  only?: "NX" | "XX";
  get?: boolean;
  /** A time, or "keep" for the old one. */
  expiry?: number | "keep";
}

/** Reads the options of SET after its value. */
function optionsOfSet(args: readonly string[], now: number): SetOptions {
  const options: SetOptions = {};
  let time: [string, string] | undefined;
  for (let n = 2; n < args.length; n++) {
    const option = at(args, n).toUpperCase();
    // An option may be repeated; the last one counts.
    const isTimed = options.expiry !== undefined || (time !== undefined && time[0] !== option);
    if ((option === "NX" || option === "XX") && (options.only ?? option) === option) options.only = option;
    else if (option === "GET") options.get = true;
    else if (option === "KEEPTTL" && time === undefined) options.expiry = "keep";
    else if (/^(EX|PX)(AT)?$/.test(option) && !isTimed && n + 1 < args.length) time = [option, at(args, ++n)];
    else syntaxError();
  }
  if (time) options.expiry = expiryBy(...time, now, "set");
  return options;
}

/** A key that expires in the past is removed immediately. */
function write({ keys }: Host, key: string, value: string, expiry?: number | "keep"): void {
  keys.setString(key, value, expiry);
  if (typeof expiry === "number" && expiry <= keys.at) keys.delete(key);
}

function set(host: Host, args: readonly string[]): Reply {
  const { keys } = host;
  const [key, value] = [at(args, 0), at(args, 1)];
  const { only, get, expiry } = args.length === 2 ? ({} as SetOptions) : optionsOfSet(args, keys.at);
  const before = get ? (keys.get(key, "string") ?? null) : null;
  if (only && keys.has(key) !== (only === "XX")) return before;
  write(host, key, value, expiry);
  return get ? before : OK;
}

function getEx({ keys }: Host, args: readonly string[]): Reply {
  const key = at(args, 0);
  let expiry: number | undefined;
  let persists = false;
  let time: [string, string] | undefined;
  for (let n = 1; n < args.length; n++) {
    const option = at(args, n).toUpperCase();
    if (option === "PERSIST" && !time) persists = true;
    else if (/^(EX|PX)(AT)?$/.test(option) && !persists && (time?.[0] ?? option) === option && n + 1 < args.length)
      time = [option, at(args, ++n)];
    else syntaxError();
  }
  const value = keys.get(key, "string");
  if (value === undefined) return null;
  if (time) expiry = expiryBy(...time, keys.at, "getex");
  if (persists) keys.expire(key, undefined);
  else if (expiry !== undefined) keys.expire(key, expiry);
  if (expiry !== undefined && expiry <= keys.at) keys.delete(key);
  return value;
}

function increase({ keys }: Host, key: string, by: bigint): Reply {
  const sum = toBigInt(keys.get(key, "string") ?? "0") + by;
  if (!isInRange(sum)) refuse("ERR increment or decrement would overflow");
  keys.setString(key, sum.toString(), "keep");
  return integer(sum);
}

function range(text: string, from: number, to: number): string {
  const size = text.length;
  if (from < 0 && to < 0 && from > to) return "";
  const start = Math.max(from < 0 ? size + from : from, 0);
  const end = Math.min(Math.max(to < 0 ? size + to : to, 0), size - 1);
  return start > end || size === 0 ? "" : text.slice(start, end + 1);
}

function setRange({ keys, budget }: Host, args: readonly string[]): Reply {
  const [key, offset, value] = [at(args, 0), toInteger(at(args, 1)), at(args, 2)];
  if (offset < 0) refuse("ERR offset is out of range");
  const text = keys.get(key, "string") ?? "";
  if (value === "") return text.length;
  if (offset + value.length > LONGEST) refuse(TOO_LONG);
  budget.text(Math.max(offset + value.length, text.length));
  const whole = text.slice(0, offset).padEnd(offset, "\0") + value + text.slice(offset + value.length);
  keys.setString(key, whole, "keep");
  return whole.length;
}

function setMany(host: Host, args: readonly string[], command: string): Reply {
  if (args.length % 2 === 1) refuse(`ERR wrong number of arguments for '${command}' command`);
  for (let n = 0; n < args.length; n += 2) host.keys.setString(at(args, n), at(args, n + 1));
  return OK;
}

const withExpiry =
  (option: string, command: string): Command[2] =>
  (host, [key = "", time = "", value = ""]) => {
    write(host, key, value, expiryBy(option, time, host.keys.at, command));
    return OK;
  };

const get: Command[2] = ({ keys }, [key = ""]) => keys.get(key, "string") ?? null;
const getRange: Command[2] = ({ keys }, args) => {
  const [from, to] = [toInteger(at(args, 1)), toInteger(at(args, 2))];
  return range(keys.get(at(args, 0), "string") ?? "", from, to);
};

export const stringCommands: Commands = {
  get: [2, "", get],
  set: [-3, "wm", set],
  setnx: [3, "wm", (host, args) => Number(set(host, [...args, "NX"]) === OK)],
  setex: [4, "wm", withExpiry("EX", "setex")],
  psetex: [4, "wm", withExpiry("PX", "psetex")],
  getset: [
    3,
    "wm",
    (host, [key = "", value = ""]) => {
      const before = get(host, [key]);
      write(host, key, value);
      return before;
    },
  ],
  getdel: [
    2,
    "w",
    (host, [key = ""]) => {
      const before = get(host, [key]);
      host.keys.delete(key);
      return before;
    },
  ],
  getex: [-2, "w", getEx],
  mget: [
    -2,
    "",
    ({ keys }, args) => args.map((key) => (keys.typeOf(key) === "string" ? get({ keys } as Host, [key]) : null)),
  ],
  mset: [-3, "wm", (host, args) => setMany(host, args, "mset")],
  msetnx: [
    -3,
    "wm",
    (host, args) => {
      const isTaken = args.some((key, n) => n % 2 === 0 && host.keys.has(key));
      if (isTaken && args.length % 2 === 0) return 0;
      setMany(host, args, "msetnx");
      return 1;
    },
  ],
  append: [
    3,
    "wm",
    ({ keys, budget }, [key = "", more = ""]) => {
      const before = keys.get(key, "string") ?? "";
      if (before.length + more.length > LONGEST) refuse(TOO_LONG);
      // The parts are joined when the text is read, by whatever reads it.
      budget.copy(before.length);
      budget.text(more.length);
      const text = before + more;
      keys.setString(key, text, "keep");
      return text.length;
    },
  ],
  strlen: [2, "", ({ keys }, [key = ""]) => keys.get(key, "string")?.length ?? 0],
  getrange: [4, "", getRange],
  substr: [4, "", getRange],
  setrange: [4, "wm", setRange],
  incr: [2, "wm", (host, [key = ""]) => increase(host, key, 1n)],
  decr: [2, "wm", (host, [key = ""]) => increase(host, key, -1n)],
  incrby: [3, "wm", (host, [key = "", by = ""]) => increase(host, key, toBigInt(by, NOT_AN_INTEGER))],
  decrby: [
    3,
    "wm",
    (host, [key = "", by = ""]) => {
      const less = toBigInt(by);
      if (less === -(2n ** 63n)) refuse("ERR decrement would overflow");
      return increase(host, key, -less);
    },
  ],
  incrbyfloat: [
    3,
    "wm",
    ({ keys, budget }, [key = "", by = ""]) => {
      const before = toDecimal(keys.get(key, "string") ?? "0");
      const sum = addDecimals(before, toDecimal(by), budget);
      keys.setString(key, sum, "keep");
      return sum;
    },
  ],
};
