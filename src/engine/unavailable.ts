import { NOT_EXECUTED, type Place } from "../redis/run.ts";
import { toChoice } from "../shared/checks.ts";
import { LeaseholdError } from "../shared/errors.ts";

export type OnUnavailable = "refuse" | "run";

/** Options under which work never runs without its lease. */
export interface Refusing {
  readonly onUnavailable?: "refuse" | undefined;
}

/** Whether work runs without a lease when Redis cannot be asked. @throws TypeError for another value. */
export const isOpen = (given: { readonly onUnavailable?: OnUnavailable | undefined }): boolean =>
  toChoice(given.onUnavailable ?? "refuse", "onUnavailable", "refuse or run") === "run";

/** The time-outs during which no answer told who is in the way. */
export const unanswered: WeakSet<object> = new WeakSet();

/**
 * Whether an error says that Redis could not be asked, or cannot answer now: no answer in time, no quorum, 429, a 5xx
 * of something in between, or an error reply that passes by itself, such as `LOADING`. A refusal is not such an error,
 * nor is one that a person has to repair.
 */
export const isUnavailable = (error: unknown): error is LeaseholdError =>
  error instanceof LeaseholdError &&
  (/^(outcome_unknown|rate_limited|no_quorum)$/.test(error.code) ||
    unanswered.has(error) ||
    (error.code === "redis_error" && NOT_EXECUTED.test(error.message)));

/**
 * Gives the result of an attempt; undefined, and an event, where `given` lets work run without it and Redis cannot be
 * asked.
 *
 * @throws TypeError for options that are not valid, before the attempt.
 */
export async function orUnprotected<T>(
  { emit }: Place,
  given: Parameters<typeof isOpen>[0],
  attempt: () => Promise<T>,
): Promise<T | undefined> {
  const open = isOpen(given);
  return attempt().catch((error: unknown) => {
    if (!open || !isUnavailable(error)) throw error;
    emit?.({ type: "unprotected", why: error.code });
    return undefined;
  });
}
