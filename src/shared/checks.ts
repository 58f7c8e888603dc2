import { bytesOf } from "./bytes.ts";
import { kindOf, misuse, shown } from "./misuse.ts";

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
type Decimal = `${bigint}` | `${bigint}.${Digit}` | `${bigint}.${number}${Digit}`;
/** A computed number, as in `${seconds}s`. A plain `number` would also match the text `"1 "`. */
type Computed = number & { readonly toFixed: unknown };

/** Milliseconds, or a number with a unit and no space between them: `"500ms"`, `"1.5s"`, `"2m"`, `"24h"`, `"7d"`. */
export type Duration = number | `${Decimal | Computed}${"ms" | "s" | "m" | "h" | "d"}`;

const DAY_MS = 86_400_000;
/** The maximum duration. */
const MAX_DAYS = 365;
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: DAY_MS };
/** The minimum lease: a shorter one ends before its answer arrives. */
const MIN_LEASE_MS = 10;

/** The minimum time of a hold or ttl without a unit: a smaller number was probably meant as seconds. */
const MIN_BARE_MS = 100;

/**
 * Converts a duration to whole milliseconds, rounded up. `min` is the smallest allowed, `leastBare` the smallest
 * without a unit.
 *
 * @throws TypeError or RangeError, like every check in this file; `inCall` adds the name of the call.
 */
export function toMs(duration: Duration, what: string, min = 1, leastBare = 0): number {
  const ms = Math.ceil(typeof duration === "number" ? duration : readDuration(duration, what));
  const shownDuration = `${what} ${shown(duration)}`;
  if (Number.isNaN(ms)) throw misuse(RangeError, `${shownDuration} is not a duration: ${HOW_TO_WRITE}`);
  if (ms < min || ms > MAX_DAYS * DAY_MS) {
    const limit = ms < min ? "short" : "long";
    throw misuse(RangeError, `${shownDuration} is too ${limit}: ${min} ms to ${MAX_DAYS} days`);
  }
  if (typeof duration === "number" && duration < leastBare)
    throw misuse(RangeError, `${shownDuration} has no unit: "${duration}ms" or "${duration}s"?`);
  return ms;
}

const HOW_TO_WRITE = 'use milliseconds or a string such as "500ms", "30s" or "2m"';

/** Reads a number with its unit, in ms. @throws TypeError for anything else. */
function readDuration(text: string, what: string): number {
  if (typeof text !== "string")
    throw misuse(TypeError, `${what} must be a duration, not ${shown(text)}: ${HOW_TO_WRITE}`);
  const [, number, unit] = /^(\d+(?:\.\d+)?)(ms|[smhd])$/.exec(text) ?? [];
  const unitMs = unit === undefined ? undefined : UNITS[unit];
  if (unitMs === undefined) throw misuse(TypeError, `${what} ${shown(text)} ${whyNoDuration(text)}`);
  return Number(number) * unitMs;
}

/** Says why a text is not a duration, and what is probably meant. */
function whyNoDuration(text: unknown): string {
  const [, number, word = ""] = /^\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*$/i.exec(`${text}`) ?? [];
  if (number !== undefined && word === "") return `has no unit: "${number}ms" or "${number}s"?`;
  const unit = /^(ms|milli)/i.test(word) ? "ms" : word.charAt(0).toLowerCase();
  if (unit in UNITS) return `is not a duration: "${number}${unit}"?`;
  return `is not a duration: ${HOW_TO_WRITE}`;
}

export const toLease = (duration: Duration): number => toMs(duration, "lease", MIN_LEASE_MS, MIN_BARE_MS);
/** How long something is held or extended. */
export const toHold = (duration: Duration, what: string): number => toMs(duration, what, 1, MIN_BARE_MS);
export const toTtl = (duration: Duration, least?: number): number => toMs(duration, "ttl", least, MIN_BARE_MS);

/** The similarity of two names: the number of pairs of neighbouring letters that both contain. */
function likeness(name: string, other: string): number {
  const [one, two] = [name.toLowerCase(), other.toLowerCase()];
  return [...one].filter((_, at) => at > 0 && two.includes(one.slice(at - 1, at + 1))).length;
}

/** The known name most similar to a given one, and whether it was probably or certainly meant. */
function meantBy(unknownName: string, known: readonly string[]) {
  const alias = known.find((name) => name.startsWith(`${unknownName}>`));
  const nearest =
    alias ?? known.reduce((best, name) => (likeness(unknownName, name) > likeness(unknownName, best) ? name : best));
  const twice = alias === undefined ? 2 * likeness(unknownName, nearest) : Number.POSITIVE_INFINITY;
  const written = nearest.replace(/>.*/, "");
  // Half of the pairs of both, since a long name shares some pairs with any other.
  const isLikely = 2 * twice >= unknownName.length - 1 + (written.length - 1);
  return { name: nearest.replace(/.*>/, ""), isLikely, isSure: twice > unknownName.length };
}

/** Whether an object has no class: its prototype is none, or that of `{}`, possibly of another realm. */
export function isPlain(options: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(options);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** `group` was an option, by which one name could be meant twice. */
const USE_VIEW = 'use the view of the group, locks.group("…") or group(connection, "…")';

/**
 * Rejects an unknown option, even if it is undefined; the error names the option that was probably meant, or all
 * options. `known` lists the names; `ttl>lease` is a name that other libraries use for `lease`. `what` names the object
 * in errors.
 *
 * An object of a class must have one of the options: a list, a `Date` or a forgotten Promise would otherwise look like
 * options of which none is set. If `waitUntil` is the only one, the object may be a platform's context: its other
 * members are ignored unless they look like options.
 *
 * @throws TypeError
 */
export function checkOptions(options: object, known: string, what = "options"): void {
  if (typeof options !== "object" || options === null)
    throw misuse(TypeError, `${what} must be an object, not ${shown(options)}`);
  const names = known.split(" ");
  if (!isPlain(options) && !names.some((name) => name in options))
    throw misuse(TypeError, `${what} must be a plain object, not ${shown(options)}`);
  for (const key of Object.keys(options)) {
    if (names.includes(key)) continue;
    if (key === "group") throw misuse(TypeError, `no option "group": ${USE_VIEW}`);
    const isContext = names.filter((name) => name in options).join() === "waitUntil";
    const suggestion = meantBy(key, names);
    if (isContext && !suggestion.isSure) continue;
    const own = names.filter((name) => !name.includes(">")).join('", "');
    const instead = suggestion.isLikely ? `did you mean "${suggestion.name}"?` : `the options are "${own}"`;
    throw misuse(TypeError, `no option ${shown(key)}${what === "options" ? "" : ` of ${what}`}: ${instead}`);
  }
}

const NO_LIMIT = Number.POSITIVE_INFINITY;

/** Checks a count: a whole number from `min` to `max`. The default is Infinity, for no limit. */
export function toCount(count: number | undefined = NO_LIMIT, what: string, min = 1, max: number = NO_LIMIT): number {
  const range = max >= Number.MAX_SAFE_INTEGER ? `${min} or more` : `${min} to ${max}`;
  const must = `${what} ${shown(count)} must be a whole number, ${range}`;
  if (typeof count !== "number") throw misuse(TypeError, must);
  const isWhole = count === NO_LIMIT || Number.isSafeInteger(count);
  if (!isWhole || count < min || count > max) throw misuse(RangeError, must);
  return count;
}

/** @throws TypeError for a value that is neither a boolean nor absent. */
export function toFlag(value: boolean | undefined, what: string): boolean | undefined {
  if (value !== undefined && typeof value !== "boolean")
    throw misuse(TypeError, `${what} ${shown(value)} must be true or false`);
  return value;
}

/** @throws TypeError for a value that is neither a function nor absent. */
export const toOptionalFunction = <F>(value: F, what: string): F | undefined =>
  value === undefined || value === null ? undefined : toFunction(value, what);

/** @throws TypeError for a value that is not a function. */
export function toFunction<F>(value: F, what: string): F {
  if (typeof value !== "function") throw misuse(TypeError, `${what} must be a function, not ${shown(value)}`);
  return value;
}

/** Whether a value is an AbortSignal, possibly of another realm. */
const isSignal = (value: AbortSignal): boolean =>
  typeof value?.addEventListener === "function" && typeof value.aborted === "boolean";

/** @throws TypeError for a value that is not a signal. */
export function toSignal(value: AbortSignal | undefined): AbortSignal | undefined {
  if (value instanceof AbortController)
    throw misuse(TypeError, "signal must be an AbortSignal, not an AbortController: pass its signal");
  if (value !== undefined && !isSignal(value))
    throw misuse(TypeError, `signal must be an AbortSignal, not ${shown(value)}`);
  return value;
}

/**
 * Checks the function that a call runs. `order` shows the arguments of the call, as in `run(options, work)`, and
 * `before` is the argument before the function.
 *
 * @throws TypeError that names the call and the order of its arguments.
 */
export function toWork<F>(value: F, call: string, order: string, before?: unknown, what = "work"): F {
  if (typeof value === "function") return value;
  const problem =
    typeof before === "function"
      ? `the options come before ${what}`
      : `${what} ${value === undefined ? "is missing" : "must be a function"}`;
  throw new TypeError(`${call}: ${problem}: ${order}`);
}

/** The arguments of `run(options, work)` or `run(work)`. */
export type RunArguments<O, W> = [options: O | undefined, work: W] | [work: W];

/**
 * Reads the arguments of a `run`.
 *
 * @throws TypeError like {@link toWork}.
 */
export function toRun<O extends object, W>(
  args: RunArguments<O, W>,
  call: string,
  order = "run(options, work)",
): [options: Partial<O>, work: W] {
  if (args.length > 1) return [(args[0] as O | undefined) ?? {}, toWork(args[1] as W, call, order, args[0])];
  const [only] = args;
  // Options alone, and no work.
  const work = typeof only === "object" && only !== null ? undefined : only;
  return [{}, toWork(work as W, call, order)];
}

/** @throws TypeError for a value that is not one of these words, which are listed as `plain or flagged`. */
export function toChoice<Choice extends string>(value: Choice, what: string, choices: string): Choice {
  const words = choices.split(" or ");
  if (!words.includes(value))
    throw misuse(TypeError, `${what} ${shown(value)} must be ${words.map((word) => `"${word}"`).join(" or ")}`);
  return value;
}

/** Whether a text reaches Redis unchanged: strings with different lone surrogates would become the same text. */
export function isWellFormed(text: unknown): text is string {
  return typeof text === "string" && text.isWellFormed();
}

/** The maximum length of a name. */
export const MAX_NAME_BYTES = 512;

/**
 * Checks a text: well-formed, and `min` to `max` bytes long. Its error does not show the text, which may be a secret.
 */
export function toText(text: string, what: string, min = 1, max: number = MAX_NAME_BYTES): string {
  if (typeof text !== "string") {
    const kind = kindOf(text);
    throw misuse(
      TypeError,
      kind === "a Promise" ? `${what} is a Promise: await it` : `${what} must be a string, not ${kind}`,
    );
  }
  if (!isWellFormed(text)) throw misuse(TypeError, `${what} must be well-formed: it contains a lone surrogate`);
  const { length } = bytesOf(text);
  if (length < min) throw misuse(RangeError, `${what} is empty: ${min} to ${max} bytes`);
  if (length > max) throw misuse(RangeError, `${what} has ${length} bytes: ${min} to ${max} are allowed`);
  return text;
}

/** Escapes a name for its key: braces would move the hash tag, and `%` begins an escape. */
export const escapeName = (name: string): string => name.replace(/[{}%]/g, encodeURIComponent);
