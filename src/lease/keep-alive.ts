import { checkOptions, type Duration, toCount, toHold } from "../shared/checks.ts";
import { misuse, shown } from "../shared/misuse.ts";
import type { Background } from "../shared/wait-until.ts";

/** `keepAlive` extends after this share of the time left, but not sooner than {@link MIN_PAUSE_MS}. */
const EXTEND_SHARE = 1 / 3;
const MIN_PAUSE_MS = 50;
/**
 * With more than this share of its length left, a lease was just extended by another `keepAlive`. It is more than
 * `1 - EXTEND_SHARE`, so that a single `keepAlive` never takes its own lease for that.
 */
const FRESH_SHARE = 0.8;
/**
 * Extending ends when the lease lasts for more than this share of what is left of `maxHold`, as after the last extension
 * of another `keepAlive`: the time left is always a little less than the time requested.
 */
const LAST_SHARE = 0.97;

/** Limits of a `keepAlive`. */
export interface KeepAliveLimits {
  /**
   * How long to keep extending, in ms or like `"10m"`; a number below 100 needs its unit. Default 25 s with a
   * `waitUntil` (Workers end it 30 s after the response), otherwise 1 h.
   */
  readonly maxHold?: Duration | undefined;
  /** The maximum number of extensions. Default: no limit. */
  readonly maxExtends?: number | undefined;
}

/** {@link KeepAliveLimits}, checked, with defaults for missing ones. */
export interface Limits {
  readonly maxHoldMs: number;
  readonly maxExtends: number;
}

/**
 * Checks the limits of an option `keepAlive`; undefined if it is off.
 *
 * @throws TypeError or RangeError for an invalid limit.
 */
export function toLimits(
  option: KeepAliveLimits | boolean | undefined,
  waitUntil: Background | undefined,
  what = "keepAlive",
): Limits | undefined {
  if ((option ?? false) === false) return undefined;
  if (option !== true && typeof option !== "object")
    throw misuse(
      TypeError,
      `${what} must be true, false or an object, not ${shown(option)}: ${what}: { maxHold: "1h" }`,
    );
  const limits = option === true ? {} : option;
  checkOptions(limits, "maxHold maxExtends", what);
  return {
    maxHoldMs: toHold(limits.maxHold ?? (waitUntil ? "25s" : "1h"), "maxHold"),
    maxExtends: toCount(limits.maxExtends, "maxExtends", 0),
  };
}

/** Returns how long to wait before the next extension of a lease. */
export const pauseMs = (remainingMs: number): number => Math.max(remainingMs * EXTEND_SHARE, MIN_PAUSE_MS);

/** Whether another `keepAlive` has just extended the lease. */
export const isFresh = (remainingMs: number, leaseMs: number): boolean => remainingMs > leaseMs * FRESH_SHARE;

/** Whether the lease needs no further extension until `maxHold` ends. */
export const lasts = (remainingMs: number, maxHoldLeftMs: number): boolean => remainingMs > maxHoldLeftMs * LAST_SHARE;
