import { at, type Commands, type Host, type Run } from "./command.ts";
import { toInteger } from "./numbers.ts";
import { OK, type Reply, refuse, syntaxError } from "./reply.ts";

type End = "LEFT" | "RIGHT";

const push =
  (end: End, onlyIfThere: boolean): Run =>
  ({ keys }, [key = "", ...items]) => {
    if (onlyIfThere && !keys.get(key, "list")) return 0;
    const list = keys.open(key, "list");
    for (const item of items) end === "LEFT" ? list.unshift(item) : list.push(item);
    keys.noteList(key);
    return list.length;
  };

function take({ keys }: Host, key: string, end: End): string | undefined {
  const list = keys.get(key, "list");
  const item = end === "LEFT" ? list?.shift() : list?.pop();
  if (list) keys.noteList(key);
  keys.tidy(key);
  return item;
}

const pop =
  (end: End, command: string): Run =>
  (host, args) => {
    if (args.length > 2) refuse(`ERR wrong number of arguments for '${command}' command`);
    const [key = "", most] = args;
    if (most === undefined) return take(host, key, end) ?? null;
    const limit = toInteger(most, "ERR value is out of range, must be positive");
    if (limit < 0) refuse("ERR value is out of range, must be positive");
    const size = host.keys.get(key, "list")?.length;
    if (size === undefined) return null;
    return Array.from({ length: Math.min(limit, size) }, () => take(host, key, end) as string);
  };

/** The first position of a range, and the one after its last; both may count from the end. */
export function bounds(size: number, from: number, to: number): [number, number] {
  const start = Math.max(from < 0 ? size + from : from, 0);
  const end = to < 0 ? size + to : to;
  return start > end || start >= size ? [0, 0] : [start, Math.min(end, size - 1) + 1];
}

function move(host: Host, from: string, to: string, out: End, into: End): Reply {
  const source = host.keys.get(from, "list");
  if (!source) return null;
  // Both are checked before anything is moved.
  host.keys.get(to, "list");
  const item = take(host, from, out) as string;
  const target = host.keys.open(to, "list");
  if (into === "LEFT") target.unshift(item);
  else target.push(item);
  host.keys.noteList(to);
  return item;
}

function toEnd(text: string): End {
  const end = text.toUpperCase();
  return end === "LEFT" || end === "RIGHT" ? end : syntaxError();
}

/** Replaces all items. They are too many to be arguments of a function. */
function refill(list: string[], items: readonly string[]): void {
  list.length = 0;
  for (const item of items) list.push(item);
}

function remove({ keys }: Host, args: readonly string[]): Reply {
  const [key, most, item] = [at(args, 0), toInteger(at(args, 1)), at(args, 2)];
  const list = keys.get(key, "list");
  if (!list) return 0;
  let rest = most === 0 ? list.length : Math.abs(most);
  const before = list.length;
  const keep = (each: string): boolean => each !== item || rest-- <= 0;
  const kept = most < 0 ? list.toReversed().filter(keep).reverse() : list.filter(keep);
  refill(list, kept);
  keys.noteList(key);
  keys.tidy(key);
  return before - kept.length;
}

function setAt({ keys }: Host, args: readonly string[]): Reply {
  const list = keys.get(at(args, 0), "list") ?? refuse("ERR no such key");
  const place = toInteger(at(args, 1));
  const index = place < 0 ? list.length + place : place;
  if (index < 0 || index >= list.length) refuse("ERR index out of range");
  list[index] = at(args, 2);
  keys.noteList(at(args, 0));
  return OK;
}

function insert({ keys }: Host, args: readonly string[]): Reply {
  const side = at(args, 1).toUpperCase();
  if (side !== "BEFORE" && side !== "AFTER") syntaxError();
  const list = keys.get(at(args, 0), "list");
  if (!list) return 0;
  const place = list.indexOf(at(args, 2));
  if (place === -1) return -1;
  list.splice(side === "AFTER" ? place + 1 : place, 0, at(args, 3));
  keys.noteList(at(args, 0));
  return list.length;
}

export const listCommands: Commands = {
  lpush: [-3, "wm", push("LEFT", false)],
  rpush: [-3, "wm", push("RIGHT", false)],
  lpushx: [-3, "wm", push("LEFT", true)],
  rpushx: [-3, "wm", push("RIGHT", true)],
  lpop: [-2, "w", pop("LEFT", "lpop")],
  rpop: [-2, "w", pop("RIGHT", "rpop")],
  llen: [2, "", ({ keys }, [key = ""]) => keys.get(key, "list")?.length ?? 0],
  lrange: [
    4,
    "",
    ({ keys }, args) => {
      const [from, to] = [toInteger(at(args, 1)), toInteger(at(args, 2))];
      const list = keys.get(at(args, 0), "list") ?? [];
      return list.slice(...bounds(list.length, from, to));
    },
  ],
  lindex: [
    3,
    "",
    ({ keys }, args) => {
      const list = keys.get(at(args, 0), "list");
      return list ? (list.at(toInteger(at(args, 1))) ?? null) : null;
    },
  ],
  lset: [4, "wm", setAt],
  lrem: [4, "w", remove],
  ltrim: [
    4,
    "w",
    ({ keys }, args) => {
      const [from, to] = [toInteger(at(args, 1)), toInteger(at(args, 2))];
      const list = keys.get(at(args, 0), "list");
      if (list) {
        refill(list, list.slice(...bounds(list.length, from, to)));
        keys.noteList(at(args, 0));
      }
      keys.tidy(at(args, 0));
      return OK;
    },
  ],
  linsert: [5, "wm", insert],
  rpoplpush: [3, "wm", (host, [from = "", to = ""]) => move(host, from, to, "RIGHT", "LEFT")],
  lmove: [5, "wm", (host, [from = "", to = "", out = "", into = ""]) => move(host, from, to, toEnd(out), toEnd(into))],
};
