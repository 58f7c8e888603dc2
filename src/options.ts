/** Milliseconds, or a number with a unit: `"500ms"`, `"30s"`, `"2m"`, `"24h"`, `"7d"`. */
export type Duration = number | `${number}ms` | `${number}s` | `${number}m` | `${number}h` | `${number}d`;

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const YEAR_MS = 365 * 86_400_000;
const MAX_NAME_BYTES = 512;

/** A duration in whole milliseconds, rounded up. `least` is the smallest that makes sense. */
export function toMs(duration: Duration, what: string, least = 1): number {
  const match = typeof duration === "string" ? /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(duration) : undefined;
  if (typeof duration !== "number" && !match) {
    throw new TypeError(`${what} must be milliseconds or a string such as "500ms", "30s", "2m" or "24h"`);
  }
  const ms = Math.ceil(match ? Number(match[1]) * (UNITS[match[2] as string] as number) : (duration as number));
  if (!(ms >= least && ms <= YEAR_MS)) throw new RangeError(`${what} must be between ${least} ms and 365 days`);
  return ms;
}

/** A count: a whole number of at least `least`, or Infinity for no limit. */
export function toCount(count: number, what: string, least = 1): number {
  if (typeof count !== "number") throw new TypeError(`${what} must be a number`);
  if (!(count >= least) || (count !== Number.POSITIVE_INFINITY && !Number.isSafeInteger(count))) {
    throw new RangeError(`${what} must be a whole number of at least ${least}, or Infinity`);
  }
  return count;
}

/** Text that reaches Redis unchanged: two strings with different lone surrogates would become one. */
export function toText(text: string, what: string): string {
  if (typeof text !== "string") throw new TypeError(`${what} must be a string`);
  if (/[\ud800-\udfff]/u.test(text)) throw new TypeError(`${what} must be well-formed Unicode`);
  const bytes = new TextEncoder().encode(text).length;
  if (bytes < 1 || bytes > MAX_NAME_BYTES)
    throw new RangeError(`${what} must have 1 to ${MAX_NAME_BYTES} bytes, not ${bytes}`);
  return text;
}

/** The part of a key that a name fills: braces would move the hash tag, and `%` is what they are written with. */
export const escapeName = (name: string): string => name.replace(/[{}%]/g, encodeURIComponent);
