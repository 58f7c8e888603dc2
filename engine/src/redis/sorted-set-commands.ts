import type { Budget } from "../budget.ts";
import { formatG, readNumber } from "../lua/number.ts";
import { at, type Commands, type Host, type Run } from "./command.ts";
import { scanOptions, toCursor } from "./key-commands.ts";
import { bounds } from "./list-commands.ts";
import { toFloat, toInteger } from "./numbers.ts";
import { type Reply, refuse, syntaxError } from "./reply.ts";
import type { Scored, SortedSet } from "./sorted-set.ts";

/** So many members of a sorted set are moved in the time of a step, when one before them is added or removed. */
const MOVED_IN_A_STEP = 256;
/** The time of sorting the members again is that of this many steps for each. */
const SORTED_STEPS = 6;

/** A set of this size takes no more than a step for each change. */
const SMALL = 1000;

/**
 * Changes members of a set: one after the other, or all with one restoration of the order, whichever takes less time.
 *
 * @param count how many are changed
 * @param moves returns how many others are moved by that, one after the other
 */
function change(set: SortedSet, count: number, moves: () => number, budget: Budget, work: () => void): void {
  if (set.size + count < SMALL) {
    work();
    return;
  }
  const single = (moves() + count ** 2 / 2) / MOVED_IN_A_STEP;
  const batch = (set.size + count) * SORTED_STEPS;
  budget.spend(Math.floor(Math.min(single, batch)));
  if (single <= batch) work();
  else set.batch(work);
}

const EMPTY: readonly Scored[] = [];
const of = ({ keys }: Host, key: string): SortedSet | undefined => keys.get(key, "zset");

interface AddOptions {
  nx: boolean;
  xx: boolean;
  gt: boolean;
  lt: boolean;
  ch: boolean;
  incr: boolean;
}

const NO_OPTIONS: AddOptions = { nx: false, xx: false, gt: false, lt: false, ch: false, incr: false };
const isAddOption = (name: string): name is keyof AddOptions => Object.hasOwn(NO_OPTIONS, name);

/** Reads the options of ZADD before its scores; also returns the number of their arguments. */
function optionsOfAdd(args: readonly string[]): [AddOptions, number] {
  const options = { ...NO_OPTIONS };
  let n = 1;
  for (; n < args.length; n++) {
    const name = at(args, n).toLowerCase();
    if (!isAddOption(name)) break;
    options[name] = true;
  }
  const rest = args.length - n;
  if (rest % 2 === 1 || rest === 0) syntaxError();
  if (options.nx && options.xx) refuse("ERR XX and NX options at the same time are not compatible");
  if ((options.gt && options.nx) || (options.lt && options.nx) || (options.gt && options.lt))
    refuse("ERR GT, LT, and/or NX options at the same time are not compatible");
  if (options.incr && rest > 2) refuse("ERR INCR option supports a single increment-element pair");
  return [options, n];
}

/** Sets one score unless the options forbid it; returns the score, and whether it was added or changed. */
function put(set: SortedSet, { nx, xx, gt, lt, incr }: AddOptions, newScore: number, member: string) {
  const before = set.score(member);
  if (before === undefined) {
    if (xx) return undefined;
    // Redis keeps it as an integer, which has no -0.
    set.set(member, newScore + 0);
    return { score: newScore, added: true, changed: true };
  }
  if (nx) return undefined;
  const score = incr ? before + newScore : newScore;
  if (Number.isNaN(score)) refuse("ERR resulting score is not a number (NaN)");
  if ((lt && score >= before) || (gt && score <= before)) return undefined;
  if (score !== before) set.set(member, score + 0);
  return { score, added: false, changed: score !== before };
}

function add({ keys, budget }: Host, args: readonly string[]): Reply {
  const [options, from] = optionsOfAdd(args);
  const pairs: { readonly score: number; readonly member: string }[] = [];
  for (let n = from; n < args.length; n += 2)
    pairs.push({ score: toFloat(at(args, n), budget), member: at(args, n + 1) });
  const key = at(args, 0);
  if (options.xx && !keys.get(key, "zset")) return options.incr ? null : 0;
  const set = keys.open(key, "zset");
  let added = 0;
  let changed = 0;
  let last: number | undefined;
  const addAll = (): void => {
    for (const { score, member } of pairs) {
      const done = put(set, options, score, member);
      last = done?.score;
      if (done?.added) added++;
      if (done?.changed) changed++;
    }
  };
  try {
    const moves = (): number => pairs.reduce((sum, { score, member }) => sum + set.moves(member, score), 0);
    // An increment is added to a score that may be anywhere.
    change(set, pairs.length, options.incr ? () => set.size : moves, budget, addAll);
  } finally {
    keys.tidy(key);
  }
  if (options.incr) return last === undefined ? null : formatScore(last);
  return options.ch ? changed : added;
}

/** A score as Redis 7.0 writes it: with 17 digits. */
export function formatScore(score: number): string {
  if (Number.isSafeInteger(score)) return Object.is(score, -0) ? "-0" : String(score);
  return formatG(score, 17);
}

/** The time of writing a score. */
export const SCORE_STEPS = 10;

function flat(entries: readonly Scored[], withScores: boolean, budget: Budget): string[] {
  if (!withScores) return entries.map(({ member }) => member);
  budget.spend(entries.length * SCORE_STEPS);
  return entries.flatMap(({ member, score }) => [member, formatScore(score)]);
}

/** A bound as C's `strtod` reads it: a NUL ends it, and an empty text is 0. */
function scoreBound(text: string, budget: Budget): [score: number, exclusive: boolean] {
  budget.read(text.length);
  const exclusive = text.startsWith("(");
  const digits = exclusive ? text.slice(1) : text;
  const { value, end } = readNumber(digits) ?? { value: 0, end: 0 };
  const isWhole = end === digits.length || digits[end] === "\0";
  return isWhole && !Number.isNaN(value) ? [value, exclusive] : refuse("ERR min or max is not a float");
}

/** Reads the bounds of a range. */
type SelectBy = (min: string, max: string, budget: Budget) => Select;

/** The position of the first member within the bounds, and the position after the last. */
type Select = (set: SortedSet) => [from: number, to: number];

function byScore(min: string, max: string, budget: Budget): Select {
  const [low, withoutLow] = scoreBound(min, budget);
  const [high, withoutHigh] = scoreBound(max, budget);
  return (set) => [set.below(low, withoutLow), set.below(high, !withoutHigh)];
}

/** Compares a member with a bound. @param budget counts long texts */
function lexBound(text: string, budget: Budget): (member: string) => number {
  if (text === "-") return () => 1;
  if (text === "+") return () => -1;
  const rest = text.slice(1);
  if (!/^[([]/.test(text)) return refuse("ERR min or max not valid string range item");
  const isOut = text.startsWith("(");
  // 0 is an inclusive bound; an exclusive one has no such member.
  return (member) => {
    budget.copy(Math.min(member.length, rest.length));
    return member < rest ? -1 : member > rest ? 1 : isOut ? Number.NaN : 0;
  };
}

function byLex(min: string, max: string, budget: Budget): Select {
  const low = lexBound(min, budget);
  const high = lexBound(max, budget);
  return ({ all }) => {
    // Members with different scores are in no order.
    budget.spend(all.length >> 1);
    const from = all.findIndex(({ member }) => low(member) >= 0);
    if (from === -1) return [0, 0];
    let to = from;
    while (to < all.length && high((all[to] as Scored).member) <= 0) to++;
    return [from, to];
  };
}

const byRank: SelectBy = (from, to) => {
  const [first, last] = [toInteger(from), toInteger(to)];
  return ({ size }) => bounds(size, first, last);
};

interface Query {
  by: "rank" | "score" | "lex";
  reverse: boolean;
  withScores: boolean;
  limit?: [offset: number, count: number];
}

/** Reads the options after a range. `fixed` are the options of a command that allows no others. */
function queryOf(args: readonly string[], fixed: Partial<Query>): Query {
  const query: Query = { by: "rank", reverse: false, withScores: false, ...fixed };
  const isFree = fixed.by === undefined;
  for (let n = 3; n < args.length; n++) {
    const option = at(args, n).toUpperCase();
    if (option === "WITHSCORES") query.withScores = true;
    else if (option === "LIMIT" && n + 2 < args.length)
      query.limit = [toInteger(at(args, ++n)), toInteger(at(args, ++n))];
    else if (isFree && option === "REV") query.reverse = true;
    else if (isFree && option === "BYSCORE") query.by = "score";
    else if (isFree && option === "BYLEX") query.by = "lex";
    else syntaxError();
  }
  if (query.limit && query.by === "rank")
    refuse("ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX");
  if (query.withScores && query.by === "lex")
    refuse("ERR syntax error, WITHSCORES not supported in combination with BYLEX");
  return query;
}

function queried(
  args: readonly string[],
  { by, reverse, limit }: Query,
  budget: Budget,
): (set: SortedSet) => readonly Scored[] {
  const [one, other] = [at(args, 1), at(args, 2)];
  const selectBy = by === "rank" ? byRank : by === "score" ? byScore : byLex;
  const select = by !== "rank" && reverse ? selectBy(other, one, budget) : selectBy(one, other, budget);
  return (set) => {
    let [from, to] = select(set);
    if (reverse && by === "rank") [from, to] = [set.size - to, set.size - from];
    const count = Math.max(to - from, 0);
    const [offset, max] = limit ?? [0, -1];
    if (offset < 0 || count === 0) return EMPTY;
    const wanted = max < 0 ? count - offset : Math.min(max, count - offset);
    if (wanted <= 0) return EMPTY;
    budget.spend(wanted);
    if (!reverse) return set.all.slice(from + offset, from + offset + wanted);
    return set.all.slice(to - offset - wanted, to - offset).reverse();
  };
}

const range =
  (fixed: Partial<Query>): Run =>
  (host, args) => {
    const query = queryOf(args, fixed);
    const find = queried(args, query, host.budget);
    const set = of(host, at(args, 0));
    return set ? flat(find(set), query.withScores, host.budget) : [];
  };

const removeBy =
  (selectBy: SelectBy): Run =>
  ({ keys, budget }, args) => {
    const select = selectBy(at(args, 1), at(args, 2), budget);
    const set = keys.get(at(args, 0), "zset");
    if (!set) return 0;
    const [from, to] = select(set);
    return removeRange(set, from, to, () => keys.tidy(at(args, 0)), budget).length;
  };

/** Removes the members between two positions, and returns them. */
function removeRange(set: SortedSet, from: number, to: number, tidy: () => void, budget: Budget): readonly Scored[] {
  const count = Math.max(to - from, 0);
  budget.spend(count);
  budget.spend(Math.floor(set.size / MOVED_IN_A_STEP));
  const gone = set.cut(from, count);
  tidy();
  return gone;
}

const countBy =
  (selectBy: SelectBy): Run =>
  (host, args) => {
    const select = selectBy(at(args, 1), at(args, 2), host.budget);
    const set = of(host, at(args, 0));
    if (!set) return 0;
    const [from, to] = select(set);
    return Math.max(to - from, 0);
  };

const rank =
  (reverse: boolean): Run =>
  (host, [key = "", member = ""]) => {
    const set = of(host, key);
    const place = set?.rank(member) ?? -1;
    return !set || place === -1 ? null : reverse ? set.size - 1 - place : place;
  };

const pop =
  (highest: boolean): Run =>
  ({ keys, budget }, args) => {
    if (args.length > 2) return syntaxError();
    const [key = "", max] = args;
    const limit = max === undefined ? 1 : toInteger(max, "ERR value is out of range, must be positive");
    if (limit < 0) refuse("ERR value is out of range, must be positive");
    const set = keys.get(key, "zset");
    if (!set) return [];
    const count = Math.min(limit, set.size);
    const from = highest ? set.size - count : 0;
    budget.spend(count * SCORE_STEPS);
    const taken = removeRange(set, from, from + count, () => keys.tidy(key), budget);
    return (highest ? [...taken].reverse() : taken).flatMap(({ member, score }) => [member, formatScore(score)]);
  };

const scoreOf = (set: SortedSet | undefined, member: string): Reply => {
  const score = set?.score(member);
  return score === undefined ? null : formatScore(score);
};

export const sortedSetCommands: Commands = {
  zadd: [-4, "wm", add],
  zincrby: [4, "wm", (host, [key = "", by = "", member = ""]) => add(host, [key, "INCR", by, member])],
  zrem: [
    -3,
    "w",
    ({ keys, budget }, [key = "", ...members]) => {
      const set = keys.get(key, "zset");
      if (!set) return 0;
      const before = set.size;
      const moves = (): number => members.reduce((sum, member) => sum + set.moves(member), 0);
      change(set, members.length, moves, budget, () => {
        for (const member of members) set.delete(member);
      });
      const removed = before - set.size;
      keys.tidy(key);
      return removed;
    },
  ],
  zscore: [3, "", (host, [key = "", member = ""]) => scoreOf(of(host, key), member)],
  zmscore: [
    -3,
    "",
    (host, [key = "", ...members]) => {
      const set = of(host, key);
      return members.map((member) => scoreOf(set, member));
    },
  ],
  zcard: [2, "", (host, [key = ""]) => of(host, key)?.size ?? 0],
  zcount: [4, "", countBy(byScore)],
  zlexcount: [4, "", countBy(byLex)],
  zrank: [3, "", rank(false)],
  zrevrank: [3, "", rank(true)],
  zrange: [-4, "", range({})],
  zrevrange: [-4, "", range({ by: "rank", reverse: true })],
  zrangebyscore: [-4, "", range({ by: "score" })],
  zrevrangebyscore: [-4, "", range({ by: "score", reverse: true })],
  zrangebylex: [-4, "", range({ by: "lex" })],
  zrevrangebylex: [-4, "", range({ by: "lex", reverse: true })],
  zremrangebyscore: [4, "w", removeBy(byScore)],
  zremrangebyrank: [4, "w", removeBy(byRank)],
  zremrangebylex: [4, "w", removeBy(byLex)],
  zpopmin: [-2, "w", pop(false)],
  zpopmax: [-2, "w", pop(true)],
  zscan: [
    -3,
    "",
    (host, args) => {
      toCursor(at(args, 1));
      const { fits } = scanOptions(args.slice(2));
      const all = of(host, at(args, 0))?.all ?? EMPTY;
      host.budget.spend(all.length);
      return [
        "0",
        flat(
          all.filter(({ member }) => fits(member, host.budget)),
          true,
          host.budget,
        ),
      ];
    },
  ],
};
