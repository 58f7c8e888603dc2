import { checkOptions, type Duration, toMs } from "../shared/checks.ts";
import type { OnceDatabase } from "../shared/commit.ts";
import { inCall } from "../shared/misuse.ts";

/** Options of `forget`. */
export interface ForgetOptions {
  /**
   * The age from which rows are removed, in ms or like `"30d"`; at least 1 h, and longer than a delivery may be repeated
   * and a holder can freeze. Default 30 days.
   */
  readonly olderThan?: Duration | undefined;
}

/** A database that remembers which work is done, with what an operator calls. */
export interface ManagedOnceDatabase<Tx> extends OnceDatabase<Tx> {
  /**
   * Creates the table `leasehold_fence` unless it exists, and checks that it has the columns of a commit.
   *
   * @throws TypeError for a table that cannot be used.
   */
  setup(): Promise<void>;
  /**
   * Removes old rows: results, and tokens of fences. After that, a repeated delivery does its work again.
   *
   * @throws TypeError or RangeError for an invalid option.
   */
  forget(options?: ForgetOptions): Promise<void>;
}

const MIN_AGE_MS = 3_600_000;

/** The times before which rows are removed: for a token's grant in µs, and for a result in ms. */
export function toCutoff(options: ForgetOptions = {}): { readonly tokenBefore: number; readonly doneBefore: number } {
  const ms = inCall("forget", () => {
    checkOptions(options, "olderThan");
    return toMs(options?.olderThan ?? "30d", "olderThan", MIN_AGE_MS);
  });
  const doneBefore = Date.now() - ms;
  return { tokenBefore: doneBefore * 1000, doneBefore };
}
