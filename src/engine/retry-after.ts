import { NOT_EXECUTED } from "../redis/run.ts";
import { LeaseholdError, type LeaseholdErrorCode } from "../shared/errors.ts";

/** Codes of failures that pass by themselves. */
const PASSING: readonly LeaseholdErrorCode[] = [
  "lock_timeout",
  "rate_limited",
  "outcome_unknown",
  "no_quorum",
  "not_replicated",
];

/**
 * Gives the whole seconds, at least 1, for a response's `Retry-After`: until the lease in the way ends at the latest,
 * until the server takes requests again, or 1 where nothing is known but that it may pass. Takes an error, or an answer
 * with a `retryAfterMs` such as {@link Running}.
 *
 * Returns undefined where the same call would fail again, or should not be repeated unseen: after a LeaseLostError, a
 * refused token, misuse, an error that is not ours.
 *
 * @example
 * ```ts
 * try {
 *   await lock(connection, "report").run({ wait: "1s" }, () => build());
 * } catch (error) {
 *   const seconds = retryAfter(error);
 *   if (seconds === undefined) throw error;
 *   respond(503, { "Retry-After": `${seconds}` });
 * }
 * ```
 */
export function retryAfter(failure: unknown): number | undefined {
  const { code, message, remainingMs = 0, retryAfterMs = remainingMs } = Object(failure) as Partial<LeaseholdError>;
  const passes =
    failure instanceof LeaseholdError
      ? PASSING.includes(code as LeaseholdErrorCode) || (code === "redis_error" && NOT_EXECUTED.test(`${message}`))
      : !(failure instanceof Error) && retryAfterMs > 0;
  return passes ? Math.max(1, Math.ceil(retryAfterMs / 1000)) : undefined;
}
