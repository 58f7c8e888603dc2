import { at, type Commands, type Host, type Run } from "./command.ts";
import { scanOptions, toCursor } from "./key-commands.ts";
import { bounds } from "./list-commands.ts";
import { parseFloatOf, toFloat, toInteger } from "./numbers.ts";
import { type Reply, refuse, syntaxError } from "./reply.ts";
import type { Scored, SortedSet } from "./sorted-set.ts";

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
function put(set: SortedSet, { nx, xx, gt, lt, incr }: AddOptions, given: number, member: string) {
  const before = set.score(member);
  if (before === undefined) {
    if (xx) return undefined;
    // Redis keeps it as an integer, which has no -0.
    set.set(member, given + 0);
    return { score: given, added: true, changed: true };
  }
  if (nx) return undefined;
  const score = incr ? before + given : given;
  if (Number.isNaN(score)) refuse("ERR resulting score is not a number (NaN)");
  if ((lt && score >= before) || (gt && score <= before)) return undefined;
  if (score !== before) set.set(member, score + 0);
  return { score, added: false, changed: score !== before };
}

function add({ keys }: Host, args: readonly string[]): Reply {
  const [options, from] = optionsOfAdd(args);
  const scores: number[] = [];
  for (let n = from; n < args.length; n += 2) scores.push(toFloat(at(args, n)));
  const key = at(args, 0);
  if (options.xx && !keys.get(key, "zset")) return options.incr ? null : 0;
  const set = keys.open(key, "zset");
  let added = 0;
  let changed = 0;
  let last: number | undefined;
  try {
    scores.forEach((score, n) => {
      const done = put(set, options, score, at(args, from + 2 * n + 1));
      last = done?.score;
      if (done?.added) added++;
      if (done?.changed) changed++;
    });
  } finally {
    keys.tidy(key);
  }
  if (options.incr) return last === undefined ? null : formatScore(last);
  return options.ch ? changed : added;
}

/** A score as Redis 7.0 writes it: with 17 digits. */
export function formatScore(score: number): string {
  if (Number.isInteger(score) && Math.abs(score) < 1e17) return Object.is(score, -0) ? "-0" : String(score);
  if (!Number.isFinite(score)) return score > 0 ? "inf" : "-inf";
  const [mantissa = "", power = ""] = score.toExponential(16).split("e");
  const exponent = Number(power);
  const strip = (text: string): string => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
  if (exponent >= -4 && exponent < 17) {
    const sign = score < 0 ? "-" : "";
    const digits = mantissa.replace(/[-.]/g, "");
    const whole = exponent < 0 ? "0" : digits.slice(0, exponent + 1);
    const part = exponent < 0 ? "0".repeat(-exponent - 1) + digits : digits.slice(exponent + 1);
    return strip(`${sign}${whole}.${part}`);
  }
  return `${strip(mantissa)}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

const flat = (entries: readonly Scored[], withScores: boolean): string[] =>
  entries.flatMap(({ member, score }) => (withScores ? [member, formatScore(score)] : [member]));

function scoreBound(text: string): [score: number, exclusive: boolean] {
  const exclusive = text.startsWith("(");
  // C reads an empty text as 0.
  const score = parseFloatOf((exclusive ? text.slice(1) : text) || "0");
  return score === undefined ? refuse("ERR min or max is not a float") : [score, exclusive];
}

/** The position of the first member within the bounds, and the position after the last. */
type Select = (set: SortedSet) => [from: number, to: number];

function byScore(min: string, max: string): Select {
  const [low, withoutLow] = scoreBound(min);
  const [high, withoutHigh] = scoreBound(max);
  return (set) => [set.below(low, withoutLow), set.below(high, !withoutHigh)];
}

function lexBound(text: string): (member: string) => number {
  if (text === "-") return () => 1;
  if (text === "+") return () => -1;
  const rest = text.slice(1);
  if (!/^[([]/.test(text)) return refuse("ERR min or max not valid string range item");
  const isOut = text.startsWith("(");
  // 0 is an inclusive bound; an exclusive one has no such member.
  return (member) => (member < rest ? -1 : member > rest ? 1 : isOut ? Number.NaN : 0);
}

function byLex(min: string, max: string): Select {
  const low = lexBound(min);
  const high = lexBound(max);
  return ({ all }) => {
    const from = all.findIndex(({ member }) => low(member) >= 0);
    if (from === -1) return [0, 0];
    let to = from;
    while (to < all.length && high((all[to] as Scored).member) <= 0) to++;
    return [from, to];
  };
}

const byRank = (from: string, to: string): Select => {
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

function queried(args: readonly string[], { by, reverse, limit }: Query): (set: SortedSet) => readonly Scored[] {
  const [one, other] = [at(args, 1), at(args, 2)];
  const bounded = by === "score" ? byScore : byLex;
  const select = by === "rank" ? byRank(one, other) : reverse ? bounded(other, one) : bounded(one, other);
  return (set) => {
    let [from, to] = select(set);
    if (reverse && by === "rank") [from, to] = [set.size - to, set.size - from];
    const count = Math.max(to - from, 0);
    const [offset, most] = limit ?? [0, -1];
    if (offset < 0 || count === 0) return EMPTY;
    const wanted = most < 0 ? count - offset : Math.min(most, count - offset);
    if (wanted <= 0) return EMPTY;
    if (!reverse) return set.all.slice(from + offset, from + offset + wanted);
    return set.all.slice(to - offset - wanted, to - offset).reverse();
  };
}

const range =
  (fixed: Partial<Query>): Run =>
  (host, args) => {
    const query = queryOf(args, fixed);
    const find = queried(args, query);
    const set = of(host, at(args, 0));
    return set ? flat(find(set), query.withScores) : [];
  };

const removeBy =
  (selectBy: (from: string, to: string) => Select): Run =>
  ({ keys }, args) => {
    const select = selectBy(at(args, 1), at(args, 2));
    const set = keys.get(at(args, 0), "zset");
    if (!set) return 0;
    const gone = set.all.slice(...select(set));
    for (const { member } of gone) set.delete(member);
    keys.tidy(at(args, 0));
    return gone.length;
  };

const countBy =
  (selectBy: (from: string, to: string) => Select): Run =>
  (host, args) => {
    const select = selectBy(at(args, 1), at(args, 2));
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
  ({ keys }, args) => {
    if (args.length > 2) return syntaxError();
    const [key = "", most] = args;
    const limit = most === undefined ? 1 : toInteger(most, "ERR value is out of range, must be positive");
    if (limit < 0) refuse("ERR value is out of range, must be positive");
    const set = keys.get(key, "zset");
    if (!set) return [];
    const taken = highest ? (limit === 0 ? EMPTY : set.all.slice(-limit).reverse()) : set.all.slice(0, limit);
    for (const { member } of taken) set.delete(member);
    keys.tidy(key);
    return flat(taken, true);
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
    ({ keys }, [key = "", ...members]) => {
      const set = keys.get(key, "zset");
      const removed = members.filter((member) => set?.delete(member)).length;
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
      return [
        "0",
        flat(
          all.filter(({ member }) => fits(member)),
          true,
        ),
      ];
    },
  ],
};
