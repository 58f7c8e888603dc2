import type { Budget } from "../budget.ts";
import { at, type Commands, type Host, type Run } from "./command.ts";
import { scanOptions, toCursor } from "./key-commands.ts";
import { toInteger } from "./numbers.ts";
import { type Reply, refuse, syntaxError } from "./reply.ts";

/** The memory of a member of a set, without its text. */
const MEMBER_BYTES = 64;
const ITEM_BYTES = 16;
/** Redis negates a negative count, and refuses the only one that has no opposite. */
const WITHOUT_OPPOSITE = String(-(2n ** 63n));

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

/** Random members of a list, each at most once. The list is changed. */
function sample(all: string[], count: number, random: () => number): string[] {
  const max = Math.min(count, all.length);
  for (let at = 0; at < max; at++) {
    const other = at + Math.floor(random() * (all.length - at));
    const member = all[other] as string;
    all[other] = all[at] as string;
    all[at] = member;
  }
  return all.slice(0, max);
}

/** A random member of a set that is not empty. */
function pick(set: ReadonlySet<string>, { random, budget }: Host): string {
  let rest = Math.floor(random() * set.size);
  budget.values(rest);
  for (const member of set) if (rest-- === 0) return member;
  return "";
}

function pop(host: Host, args: readonly string[]): Reply {
  if (args.length > 2) return syntaxError();
  const [key = "", max] = args;
  const limit = max === undefined ? 1 : toInteger(max, "ERR value is out of range, must be positive");
  if (limit < 0) refuse("ERR value is out of range, must be positive");
  const set = host.keys.get(key, "set");
  let taken: readonly string[] = [];
  if (set && limit === 1) taken = [pick(set, host)];
  else if (set && limit > 0) {
    host.budget.spend(set.size);
    taken = sample([...set], limit, host.random);
  }
  for (const member of taken) set?.delete(member);
  host.keys.tidy(key);
  return max === undefined ? (taken[0] ?? null) : taken;
}

function randomMember(host: Host, args: readonly string[]): Reply {
  if (args.length > 2) return syntaxError();
  const { budget, random } = host;
  const [key = "", max] = args;
  const wanted = max === undefined ? undefined : toInteger(max);
  if (max === WITHOUT_OPPOSITE)
    refuse("ERR value is out of range, value must between -9223372036854775807 and 9223372036854775807");
  const set = of(host, key);
  if (wanted === undefined) return set.size === 0 ? null : pick(set, host);
  if (set.size === 0) return [];
  budget.spend(set.size);
  const all = [...set];
  if (wanted >= 0) return sample(all, wanted, random);
  budget.spend(-wanted);
  budget.allot(-wanted * ITEM_BYTES);
  return Array.from({ length: -wanted }, () => all[Math.floor(random() * all.length)] as string);
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

type Combine = (sets: readonly ReadonlySet<string>[], budget: Budget) => string[];

/** Whether a member is in another set, which compares the whole of it. */
function has(set: ReadonlySet<string>, member: string, budget: Budget): boolean {
  budget.spend(1);
  budget.copy(member.length);
  return set.has(member);
}

const intersection: Combine = ([first = new Set(), ...others], budget) => {
  const found: string[] = [];
  for (const member of first) {
    budget.spend(1);
    const isInAll = others.every((set) => has(set, member, budget));
    if (isInAll) found.push(member);
  }
  return found;
};

const union: Combine = (sets, budget) => {
  const found = new Set<string>();
  for (const set of sets) {
    for (const member of set) {
      if (has(found, member, budget)) continue;
      budget.allot(MEMBER_BYTES);
      found.add(member);
    }
  }
  return [...found];
};

const difference: Combine = ([first = new Set(), ...others], budget) => {
  const found: string[] = [];
  for (const member of first) {
    budget.spend(1);
    const isInAny = others.some((set) => has(set, member, budget));
    if (!isInAny) found.push(member);
  }
  return found;
};

const combined =
  (combine: Combine): Run =>
  (host, args) =>
    combine(
      args.map((key) => of(host, key)),
      host.budget,
    );

const stored =
  (combine: Combine): Run =>
  (host, [target = "", ...args]) => {
    const members = combine(
      args.map((key) => of(host, key)),
      host.budget,
    );
    host.budget.spend(members.length);
    host.budget.allot(members.length * MEMBER_BYTES);
    host.keys.delete(target);
    return members.length === 0 ? 0 : add(host, [target, ...members]);
  };

export const setCommands: Commands = {
  sadd: [-3, "wm", add],
  srem: [-3, "w", remove],
  smembers: [
    2,
    "",
    (host, [key = ""]) => {
      const set = of(host, key);
      host.budget.spend(set.size);
      return [...set];
    },
  ],
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
      const set = of(host, at(args, 0));
      host.budget.spend(set.size);
      return ["0", [...set].filter((member) => fits(member, host.budget))];
    },
  ],
};
