import { randomId } from "./crypto.ts";
import { LeaseholdError, LockTimeoutError, OutcomeUnknownError } from "./errors.ts";
import { type Hold, usableMs } from "./lease.ts";
import { stopwatch } from "./redis/clock.ts";
import { type Call, type Place, type Ran, runScript } from "./redis/run.ts";
import type { Answered } from "./redis/script.ts";
import type { WaitUntil } from "./wait.ts";

/** One operation that tries to get hold of a name, under one random id for all its polls and re-sends. */
export interface Contest<Reply> extends Pick<Call<Reply>, "operation" | "budgetMs" | "signal" | "waiting"> {
  readonly place: Place;
  readonly close: Hold["close"];
  readonly waitUntil: WaitUntil | undefined;
  readonly ask: (id: string, call: Call<Reply>) => Promise<Ran<Reply>>;
}

export interface Answer<Reply> extends Ran<Reply> {
  readonly id: string;
}

/**
 * Asks until there is an answer, and leaves nothing behind: an operation that ends without a hold while any of its requests may
 * still be granted closes its id on the server, and only if that fails too is the outcome unknown.
 *
 * Gives the answer, or undefined when there was none in time and nothing is held.
 */
export async function contend<Reply extends Answered & { readonly remaining?: number }>(
  contest: Contest<Reply>,
): Promise<Answer<Reply> | undefined> {
  const { place, close, operation, signal, waitUntil, waiting } = contest;
  const { retentionMs, requestTimeoutMs, emit } = place.connection;
  const elapsed = stopwatch(place.connection.clock);
  const doubt = { open: false };
  const id = randomId();
  let missed = false;
  let answer: Ran<Reply> | undefined;
  let failure: { readonly error: unknown } | undefined;
  try {
    answer = await contest.ask(id, { ...contest, doubt });
    const { status, remaining = 0 } = answer.reply;
    const granted = status === "granted";
    if (granted && answer.since() < usableMs(remaining) && !signal?.aborted) return { id, ...answer };
    // Granted, but too late: the lease is over, or the caller gone.
    doubt.open ||= granted;
    missed = granted || status === "closed";
    if (missed) answer = undefined;
    if (signal?.aborted) throw signal.reason;
  } catch (error) {
    failure = { error };
  }
  if (doubt.open) {
    const call = { operation: "cancel", budgetMs: requestTimeoutMs };
    const cancelled = runScript(place, close, [id, 0, retentionMs], call).then(
      () => true,
      () => {
        emit({ type: "unanswered", kind: place.kind, name: place.name, operation });
        return false;
      },
    );
    // Whatever a `waitUntil` returns: in the background it is not known yet.
    const known = waitUntil ? void waitUntil(cancelled) : await cancelled;
    const unanswered = failure?.error instanceof OutcomeUnknownError;
    if (unanswered && known) failure = undefined;
    else if (known === false && !unanswered) {
      const { error } = failure ?? {};
      const why = error instanceof LeaseholdError ? `, ${error.message}` : "";
      throw new OutcomeUnknownError(place.name, `it may have been granted${why}`, error);
    }
  }
  if (failure) throw failure.error;
  const leftMs = contest.budgetMs - elapsed();
  if (!missed || leftMs <= 0) return answer && { id, ...answer };
  const rest = waiting && { waiting: { ...waiting, waitMs: Math.min(waiting.waitMs, leftMs) } };
  return contend({ ...contest, ...rest, budgetMs: leftMs });
}

/** Time ran out, and nothing is held. */
export const timedOut = ({ name }: Place, remainingMs?: number): LockTimeoutError =>
  new LockTimeoutError(`"${name}" was not acquired in time`, remainingMs);
