import { at, type Commands, type Host, type Run } from "./command.ts";
import { scanOptions, toCursor } from "./key-commands.ts";
import { toInteger } from "./numbers.ts";
import { type Reply, refuse, syntaxError } from "./reply.ts";

const of = ({ keys }: Host, key: string): ReadonlySet<string> => keys.get(key, "set") ?? new Set();

function add({ keys }: Host, [key = "", ...members]: readonly string[]): Reply {
  const set = keys.open(key, "set");
  const before = set.size;
  for (const member of members) set.add(member);
  return set.size - before;
}

function remove({ keys }: Host, [key = "", ...members]: readonly string[]): Reply {
  const set = keys.get(key, "set");
  const removed = members.filter((member) => set?.delete(member)).length;
  keys.tidy(key);
  return removed;
}

const pick = (all: readonly string[], random: () => number): string | undefined =>
  all[Math.floor(random() * all.length)];

function pop(host: Host, args: readonly string[]): Reply {
  if (args.length > 2) return syntaxError();
  const [key = "", most] = args;
  const limit = most === undefined ? 1 : toInteger(most, "ERR value is out of range, must be positive");
  if (limit < 0) refuse("ERR value is out of range, must be positive");
  const set = host.keys.get(key, "set");
  const taken: string[] = [];
  while (set && set.size > 0 && taken.length < limit) {
    const member = pick([...set], host.random) as string;
    set.delete(member);
    taken.push(member);
  }
  host.keys.tidy(key);
  return most === undefined ? (taken[0] ?? null) : taken;
}

function randomMember(host: Host, args: readonly string[]): Reply {
  if (args.length > 2) return syntaxError();
  const [key = "", most] = args;
  const wanted = most === undefined ? undefined : toInteger(most);
  const all = [...of(host, key)];
  if (wanted === undefined) return pick(all, host.random) ?? null;
  if (wanted < 0)
    return all.length === 0 ? [] : Array.from({ length: -wanted }, () => pick(all, host.random) as string);
  const rest = new Set(all);
  const taken: string[] = [];
  while (rest.size > 0 && taken.length < wanted) {
    const member = pick([...rest], host.random) as string;
    rest.delete(member);
    taken.push(member);
  }
  return taken;
}

function move(host: Host, [from = "", to = "", member = ""]: readonly string[]): Reply {
  const source = host.keys.get(from, "set");
  if (!source) return 0;
  host.keys.get(to, "set");
  if (from === to) return Number(source.has(member));
  if (!source.delete(member)) return 0;
  host.keys.tidy(from);
  host.keys.open(to, "set").add(member);
  return 1;
}

type Combine = (sets: readonly ReadonlySet<string>[]) => string[];
const intersection: Combine = ([first = new Set(), ...others]) =>
  [...first].filter((member) => others.every((set) => set.has(member)));
const union: Combine = (sets) => [...new Set(sets.flatMap((set) => [...set]))];
const difference: Combine = ([first = new Set(), ...others]) =>
  [...first].filter((member) => !others.some((set) => set.has(member)));

const combined =
  (combine: Combine): Run =>
  (host, args) =>
    combine(args.map((key) => of(host, key)));

const stored =
  (combine: Combine): Run =>
  (host, [target = "", ...args]) => {
    const members = combine(args.map((key) => of(host, key)));
    host.keys.delete(target);
    return members.length === 0 ? 0 : add(host, [target, ...members]);
  };

export const setCommands: Commands = {
  sadd: [-3, "wm", add],
  srem: [-3, "w", remove],
  smembers: [2, "", (host, [key = ""]) => [...of(host, key)]],
  sismember: [3, "", (host, [key = "", member = ""]) => Number(of(host, key).has(member))],
  smismember: [
    -3,
    "",
    (host, [key = "", ...members]) => {
      const set = of(host, key);
      return members.map((member) => Number(set.has(member)));
    },
  ],
  scard: [2, "", (host, [key = ""]) => of(host, key).size],
  spop: [-2, "w", pop],
  srandmember: [-2, "", randomMember],
  smove: [4, "w", move],
  sinter: [-2, "", combined(intersection)],
  sunion: [-2, "", combined(union)],
  sdiff: [-2, "", combined(difference)],
  sinterstore: [-3, "wm", stored(intersection)],
  sunionstore: [-3, "wm", stored(union)],
  sdiffstore: [-3, "wm", stored(difference)],
  sscan: [
    -3,
    "",
    (host, args) => {
      toCursor(at(args, 1));
      const { fits } = scanOptions(args.slice(2));
      return ["0", [...of(host, at(args, 0))].filter(fits)];
    },
  ],
};
