import { bytesOf } from "./bytes.ts";

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
type Decimal = `${bigint}` | `${bigint}.${Digit}` | `${bigint}.${number}${Digit}`;
/** A number that is computed, as in `${seconds}s`. A plain `number` would also match the text `"1 "`. */
type Computed = number & { readonly toFixed: unknown };

/** Milliseconds, or a number with a unit and no space between them: `"500ms"`, `"1.5s"`, `"2m"`, `"24h"`, `"7d"`. */
export type Duration = number | `${Decimal | Computed}${"ms" | "s" | "m" | "h" | "d"}`;

const DAY_MS = 86_400_000;
/** The longest duration that is taken. */
const MOST_DAYS = 365;
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: DAY_MS };
/** The shortest lease: a shorter one is over before its answer arrives. */
const LEAST_LEASE_MS = 10;

/** The least lease or ttl without a unit: a smaller number is more likely meant as seconds. */
const LEAST_BARE_MS = 100;

/**
 * Converts a duration to whole milliseconds, rounded up. `least` is the smallest allowed, `leastBare` the smallest
 * without a unit.
 */
export function toMs(duration: Duration, what: string, least = 1, leastBare = 0): number {
  const ms = Math.ceil(typeof duration === "number" ? duration : readDuration(duration, what));
  if (!(ms >= least && ms <= MOST_DAYS * DAY_MS))
    throw new RangeError(`${what} must be ${least} ms to ${MOST_DAYS} days`);
  if (typeof duration === "number" && duration < leastBare)
    throw new RangeError(`${what} must be "${duration}ms", or "${duration}s"`);
  return ms;
}

/** Reads a number with its unit, in ms. @throws TypeError for anything else. */
function readDuration(text: string, what: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(ms|[smhd])$/.exec(text) ?? [];
  const unitMs = unit === undefined ? undefined : UNITS[unit];
  if (unitMs === undefined) throw new TypeError(`${what} must be milliseconds, or like "500ms"`);
  return Number(number) * unitMs;
}

export const toLease = (duration: Duration): number => toMs(duration, "lease", LEAST_LEASE_MS, LEAST_BARE_MS);
export const toTtl = (duration: Duration, least?: number): number => toMs(duration, "ttl", least, LEAST_BARE_MS);

/** How alike a name is to another one: the number of neighbouring letters that the other one has, too. */
const likeness = (name: string, other: string): number =>
  [...name].filter((_, at) => at > 0 && other.includes(name.slice(at - 1, at + 1))).length;

/** Returns the known name that is most like the given one. */
const nearestName = (given: string, known: readonly string[]): string =>
  known.reduce((best, name) => (likeness(given, name) > likeness(given, best) ? name : best));

/**
 * Refuses an option that does not exist, also one that is undefined, and names the nearest one. `known` lists the names; `ttl>lease` is a name that other libraries use for `lease`.
 *
 * If `waitUntil` is the only known option, the object may be a platform's context: its other members are ignored unless
 * they look like options.
 *
 * @throws TypeError
 */
export function checkOptions(given: object, known: string): void {
  if (typeof given !== "object") throw new TypeError("options must be an object");
  const names = known.split(" ");
  for (const key of Object.keys(given)) {
    if (names.includes(key)) continue;
    const isContext = names.filter((name) => name in given).join() === "waitUntil";
    const nearest = nearestName(key, names);
    const looksLikeOption = 2 * likeness(key, nearest) > key.length;
    if (!isContext || looksLikeOption)
      throw new TypeError(`no option "${key}": nearest "${nearest.replace(/.*>/, "")}"`);
  }
}

const NO_LIMIT = Number.POSITIVE_INFINITY;

/** Checks a count: a whole number from `least` to `most`. The default is Infinity, for no limit. */
export function toCount(
  count: number | undefined = NO_LIMIT,
  what: string,
  least = 1,
  most: number = NO_LIMIT,
): number {
  if (typeof count !== "number") throw new TypeError(`${what} must be a number`);
  const isWhole = count === NO_LIMIT || Number.isSafeInteger(count);
  if (!isWhole || count < least || count > most) {
    throw new RangeError(`${what} must be a whole number, ${least} to ${most}`);
  }
  return count;
}

/** @throws TypeError for a value that is not a function. */
export function toFunction<F>(given: F, what: string): F {
  if (typeof given !== "function") throw new TypeError(`${what} must be a function`);
  return given;
}

/**
 * Checks the function that a call runs. `order` shows the arguments of the call, as in `run(options, work)`, and
 * `before` is the argument before the function.
 *
 * @throws TypeError that names the call and the order of its arguments.
 */
export function toWork<F>(given: F, call: string, order: string, before?: unknown, what = "work"): F {
  if (typeof given === "function") return given;
  const problem =
    typeof before === "function"
      ? `the options come before ${what}`
      : `${what} ${given === undefined ? "is missing" : "must be a function"}`;
  throw new TypeError(`${call}: ${problem}: ${order}`);
}

/** The arguments of `run(options, work)` or `run(work)`, in which the options may be left out. */
export type RunArguments<O, W> = [options: O | undefined, work: W] | [work: W];

/**
 * Reads the arguments of a `run`.
 *
 * @throws TypeError as {@link toWork}.
 */
export function toRun<O extends object, W>(
  given: RunArguments<O, W>,
  call: string,
  order = "run(options, work)",
): [options: Partial<O>, work: W] {
  if (given.length > 1) return [(given[0] as O | undefined) ?? {}, toWork(given[1] as W, call, order, given[0])];
  const [only] = given;
  // Options alone, and no work.
  const work = typeof only === "object" && only !== null ? undefined : only;
  return [{}, toWork(work as W, call, order)];
}

/** @throws TypeError for a value that is not one of these words. */
export function toChoice<Choice extends string>(given: Choice, what: string, choices: string): Choice {
  if (!choices.split(" or ").includes(given)) throw new TypeError(`${what} must be ${choices}`);
  return given;
}

/** Whether text reaches Redis unchanged: two strings with different lone surrogates would become one. */
export function isWellFormed(text: unknown): text is string {
  return typeof text === "string" && text.isWellFormed();
}

/** Checks a text: well-formed, and `least` to `most` bytes long. */
export function toText(text: string, what: string, least = 1, most = 512): string {
  if (!isWellFormed(text)) throw new TypeError(`${what} must be well-formed text`);
  const { length } = bytesOf(text);
  if (length < least || length > most) throw new RangeError(`${what} must be ${least} to ${most} bytes`);
  return text;
}

/** Escapes a name for its key: braces would move the hash tag, and `%` begins an escape. */
export const escapeName = (name: string): string => name.replace(/[{}%]/g, encodeURIComponent);
