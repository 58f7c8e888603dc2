/** Milliseconds, or a number with a unit: `"500ms"`, `"30s"`, `"2m"`, `"24h"`, `"7d"`. */
export type Duration = number | `${number}ms` | `${number}s` | `${number}m` | `${number}h` | `${number}d`;

const DAY_MS = 86_400_000;
const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: DAY_MS };
/** A shorter one is over before its answer is here. */
export const LEAST_LEASE_MS = 10;

/** A duration in whole milliseconds, rounded up. `least` is the smallest that makes sense. */
export function toMs(duration: Duration, what: string, least = 1): number {
  const [, amount = duration, unit = "ms"] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(duration as string) ?? [];
  if (typeof duration !== "number" && amount === duration) {
    throw new TypeError(`${what} must be milliseconds, or text such as "500ms" or "24h"`);
  }
  const ms = Math.ceil(+amount * (UNITS[unit] as number));
  if (!(ms >= least && ms <= 365 * DAY_MS)) throw new RangeError(`${what} must be from ${least} ms to 365 days`);
  return ms;
}

/** A count: a whole number from `least` to `most`; by default Infinity, for no limit. */
export function toCount(count: number | undefined = 1 / 0, what: string, least = 1, most: number = 1 / 0): number {
  if (typeof count !== "number") throw new TypeError(`${what} must be a number`);
  if (!(count >= least && count <= most && (count === 1 / 0 || Number.isSafeInteger(count)))) {
    throw new RangeError(`${what} must be a whole number from ${least} to ${most}`);
  }
  return count;
}

/** Whether text reaches Redis unchanged: two strings with different lone surrogates would become one. */
export function isWellFormed(text: unknown): text is string {
  // In this mode a surrogate matches only where it stands alone.
  return typeof text === "string" && !/\p{Surrogate}/u.test(text);
}

/** Text that reaches Redis unchanged, of so many bytes. */
export function toText(text: string, what: string, least = 1): string {
  if (!isWellFormed(text)) throw new TypeError(`${what} must be well-formed text`);
  const { length } = new TextEncoder().encode(text);
  if (length < least || length > 512) throw new RangeError(`${what} must have ${least} to 512 bytes`);
  return text;
}

/** The part of a key that a name fills: braces would move the hash tag, and `%` is what they are written with. */
export const escapeName = (name: string): string => name.replace(/[{}%]/g, encodeURIComponent);
