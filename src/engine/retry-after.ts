import { LeaseholdError } from "../shared/errors.ts";
import { isUnavailable } from "./unavailable.ts";

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
  const { remainingMs = 0, retryAfterMs = remainingMs } = Object(failure) as Partial<LeaseholdError>;
  const passes =
    failure instanceof LeaseholdError
      ? /^(lock_timeout|not_replicated)$/.test(failure.code) || isUnavailable(failure)
      : !(failure instanceof Error) && retryAfterMs > 0;
  return passes ? Math.max(1, Math.ceil(retryAfterMs / 1000)) : undefined;
}
