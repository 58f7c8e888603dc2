import { NOT_EXECUTED, READS } from "../redis/failure.ts";
import type { Target } from "../redis/target.ts";
import { toChoice } from "../shared/checks.ts";
import { LeaseholdError, LeaseLostError, LockTimeoutError } from "../shared/errors.ts";
import { toRetryAfter } from "../shared/retry-after.ts";

export type OnUnavailable = "refuse" | "run";

/** Options with which work never runs without its lease. */
export interface Refusing {
  readonly onUnavailable?: "refuse" | undefined;
}

/** Whether work runs without a lease while Redis is unavailable. @throws TypeError for another value. */
export const isOpen = (options: { readonly onUnavailable?: OnUnavailable | undefined }): boolean =>
  toChoice(options.onUnavailable ?? "refuse", "onUnavailable", "refuse or run") === "run";

/**
 * Whether an error means that Redis is unavailable: no answer in time, no quorum, 429, a 5xx from an intermediary, or
 * an error reply for a temporary condition, such as `LOADING`. Refusals, and errors that a person must fix, do not
 * count.
 */
export function isUnavailable(error: unknown): error is LeaseholdError {
  if (!(error instanceof LeaseholdError)) return false;
  switch (error.code) {
    case "outcome_unknown":
    case "unreachable":
    case "rate_limited":
    case "no_quorum":
      return true;
    case "lock_timeout":
      // An error with a cause: no server answered in time.
      return isUnavailable(error.cause);
    case "redis_error":
      return NOT_EXECUTED.test(error.message);
    default:
      return false;
  }
}

/** Whether a change may have been made, which a second call might make again. */
const mayHaveChanged = ({ code, operation = "inspect" }: LeaseholdError): boolean =>
  code === "outcome_unknown" && !READS.test(operation);

/**
 * Returns the seconds for a response's `Retry-After` header, at least 1: until the blocking lease ends at the latest,
 * until the server accepts requests again, or 1 if no time is known. Accepts an error, or an answer with a
 * `retryAfterMs` such as {@link Running}.
 *
 * Returns undefined if the same call would fail again, or should not be repeated without a look: after a
 * LeaseLostError, a change that may have been made (`outcome_unknown` with an `operation`), a rejected token, misuse, or
 * an error from other code.
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
      ? !mayHaveChanged(failure) &&
        (/^(lock_timeout|not_replicated|too_many_messages)$/.test(failure.code) || isUnavailable(failure))
      : !(failure instanceof Error) && retryAfterMs > 0;
  return passes ? toRetryAfter(retryAfterMs) : undefined;
}

/**
 * Whether work with `onUnavailable: "run"` may run after this error: Redis is unavailable, and the last reply did not
 * report another holder.
 */
export function mayRunUnprotected(error: unknown): error is LeaseholdError {
  if (!isUnavailable(error)) return false;
  // A grant was lost, and its roll-back is unanswered.
  const wasTaken = error.cause instanceof LeaseLostError;
  // A lease reported by a server is still live.
  const isHeld = error.remainingMs !== undefined;
  return !wasTaken && !isHeld;
}

/**
 * Returns the result of an attempt. If Redis is unavailable and work may run without a lease (`open`), it emits an
 * event and returns undefined.
 *
 * @throws LockTimeoutError if Redis became unavailable and a lease reported by a server is still live.
 */
export async function orUnprotected<T>(
  target: Target,
  open: boolean,
  attempt: () => Promise<T>,
): Promise<T | undefined> {
  return attempt().catch((error: unknown) => {
    if (!open) throw error;
    if (!mayRunUnprotected(error)) throw isUnavailable(error) ? refusedBefore(target, error) : error;
    target.emit?.({ type: "unprotected", why: error.code });
    return undefined;
  });
}

/** The error of work that may run without a lease, but not while a server-reported holder is live. */
function refusedBefore({ kind, name }: Target, error: LeaseholdError): LeaseholdError {
  if (error instanceof LockTimeoutError || error.remainingMs === undefined) return error;
  const why = `"${name}" was held by another client when the server last answered`;
  return new LockTimeoutError(why, { kind, lockName: name, remainingMs: error.remainingMs, cause: error });
}
