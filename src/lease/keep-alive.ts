import { checkOptions, type Duration, toCount, toHold } from "../shared/checks.ts";
import { misuse, shown } from "../shared/misuse.ts";
import type { Background } from "../shared/wait-until.ts";

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
