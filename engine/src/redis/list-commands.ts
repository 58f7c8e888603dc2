import type { Budget } from "../budget.ts";
import { at, type Commands, type Host, type Run } from "./command.ts";
import type { End, List } from "./list.ts";
import { toInteger } from "./numbers.ts";
import { OK, type Reply, refuse, syntaxError } from "./reply.ts";

const push =
  (end: End, onlyIfThere: boolean): Run =>
  ({ keys }, [key = "", ...items]) => {
    if (onlyIfThere && !keys.get(key, "list")) return 0;
    const list = keys.open(key, "list");
    for (const item of items) list.push(end, item);
    keys.noteList(key);
    return list.length;
  };

function take({ keys }: Host, key: string, end: End): string | undefined {
  const list = keys.get(key, "list");
  const item = list?.pop(end);
  if (list) keys.noteList(key);
  keys.tidy(key);
  return item;
}

const pop =
  (end: End, command: string): Run =>
  (host, args) => {
    if (args.length > 2) refuse(`ERR wrong number of arguments for '${command}' command`);
    const [key = "", max] = args;
    if (max === undefined) return take(host, key, end) ?? null;
    const limit = toInteger(max, "ERR value is out of range, must be positive");
    if (limit < 0) refuse("ERR value is out of range, must be positive");
    const size = host.keys.get(key, "list")?.length;
    if (size === undefined) return null;
    const count = Math.min(limit, size);
    host.budget.spend(count);
    return Array.from({ length: count }, () => take(host, key, end) as string);
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
  host.keys.open(to, "list").push(into, item);
  host.keys.noteList(to);
  return item;
}

function toEnd(text: string): End {
  const end = text.toUpperCase();
  return end === "LEFT" || end === "RIGHT" ? end : syntaxError();
}

/** Comparing an item, and copying those that stay, takes the time of moving so many. */
const COMPARED = 5;

/** The items of a list that are all compared with one. */
function compared(budget: Budget, list: List, item: string): string[] {
  budget.values(COMPARED * list.length);
  const items = list.slice();
  let length = 0;
  for (const each of items) if (each.length === item.length) length += item.length;
  budget.copy(length);
  return items;
}

function remove({ keys, budget }: Host, args: readonly string[]): Reply {
  const [key, max, item] = [at(args, 0), toInteger(at(args, 1)), at(args, 2)];
  const list = keys.get(key, "list");
  if (!list) return 0;
  const items = compared(budget, list, item);
  let rest = max === 0 ? items.length : Math.abs(max);
  const keep = (each: string): boolean => each !== item || rest-- <= 0;
  const remaining = max < 0 ? items.reverse().filter(keep).reverse() : items.filter(keep);
  list.replace(remaining);
  keys.noteList(key);
  keys.tidy(key);
  return items.length - remaining.length;
}

function setAt({ keys }: Host, args: readonly string[]): Reply {
  const list = keys.get(at(args, 0), "list") ?? refuse("ERR no such key");
  const place = toInteger(at(args, 1));
  const index = place < 0 ? list.length + place : place;
  if (index < 0 || index >= list.length) refuse("ERR index out of range");
  list.set(index, at(args, 2));
  keys.noteList(at(args, 0));
  return OK;
}

function insert({ keys, budget }: Host, args: readonly string[]): Reply {
  const side = at(args, 1).toUpperCase();
  if (side !== "BEFORE" && side !== "AFTER") syntaxError();
  const list = keys.get(at(args, 0), "list");
  if (!list) return 0;
  const place = compared(budget, list, at(args, 2)).indexOf(at(args, 2));
  if (place === -1) return -1;
  list.insert(side === "AFTER" ? place + 1 : place, at(args, 3));
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
    ({ keys, budget }, args) => {
      const [from, to] = [toInteger(at(args, 1)), toInteger(at(args, 2))];
      const list = keys.get(at(args, 0), "list");
      if (!list) return [];
      const [begin, end] = bounds(list.length, from, to);
      budget.values(end - begin);
      return list.slice(begin, end);
    },
  ],
  lindex: [
    3,
    "",
    ({ keys }, args) => {
      const list = keys.get(at(args, 0), "list");
      if (!list) return null;
      const index = toInteger(at(args, 1));
      return list.at(index < 0 ? list.length + index : index) ?? null;
    },
  ],
  lset: [4, "wm", setAt],
  lrem: [4, "w", remove],
  ltrim: [
    4,
    "w",
    ({ keys, budget }, args) => {
      const [from, to] = [toInteger(at(args, 1)), toInteger(at(args, 2))];
      const list = keys.get(at(args, 0), "list");
      if (list) {
        const [begin, end] = bounds(list.length, from, to);
        budget.values(2 * (end - begin));
        list.replace(list.slice(begin, end));
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
