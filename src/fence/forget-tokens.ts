import { checkOptions, type Duration, toChoice, toMs } from "../shared/checks.ts";
import { inCall } from "../shared/misuse.ts";
import { placeholder, type Statement, type TableDialect } from "./sql-dialect.ts";

/** Options of {@link forgetTokens}. */
export interface ForgetTokensOptions {
  /**
   * The age from which tokens are removed, in ms or like `"30d"`; at least 1 h, and longer than any holder can freeze.
   * Default 30 days.
   */
  readonly olderThan?: Duration | undefined;
  /** The dialect of the database. Default `sqlite`, also for D1 and libSQL. */
  readonly dialect?: TableDialect | undefined;
}

/**
 * Makes the statement that removes old tokens from the table `leasehold_fence`, for any driver. Run it regularly if
 * names are used only once, as for deliveries; otherwise the table grows forever. A token contains the time of its
 * grant.
 *
 * An older holder is no longer refused, unless the name was claimed since.
 *
 * @example
 * ```ts
 * const { sql, params } = forgetTokens({ olderThan: "7d" });
 * console.log(sql, params.length); // DELETE FROM leasehold_fence WHERE token < ? 1
 * ```
 *
 * @throws TypeError or RangeError for an invalid option.
 */
export function forgetTokens(options: ForgetTokensOptions = {}): Statement {
  const { olderThan = "30d", dialect = "sqlite" } = options ?? {};
  const [ms, checked] = inCall("forgetTokens", () => {
    checkOptions(options, "olderThan dialect");
    return [toMs(olderThan, "olderThan", 3_600_000), toChoice(dialect, "dialect", "sqlite or postgres or mysql")];
  });
  return {
    sql: `DELETE FROM leasehold_fence WHERE token < ${placeholder(checked, 1)}`,
    params: [(Date.now() - ms) * 1000],
  };
}
