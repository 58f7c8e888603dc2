import { stopwatch } from "../redis/clock.ts";
import { type Call, type Doubt, type Place, patienceOf, type Ran, RETRY_BASE_MS } from "../redis/run.ts";
import type { Answered } from "../redis/script.ts";
import { randomId } from "../shared/crypto.ts";
import { LeaseholdError, LockTimeoutError, OutcomeUnknownError } from "../shared/errors.ts";
import { sleep } from "../shared/timers.ts";
import type { Background } from "../shared/wait-until.ts";
import { giveBack, type Holding, usableMs } from "./hold.ts";
import { type Poll, type Polled, poll, type Waiting } from "./poll.ts";
import { createRefusals, type Refusals } from "./refusals.ts";

/** An operation that tries to get a hold of a name, under one random id for all its polls and re-sends. */
export interface Contest<Reply, Request> extends Pick<Call, "operation"> {
  readonly place: Place;
  /** The end of the id, if the kind gives it one. */
  readonly suffix?: string | undefined;
  /** The same in every poll; each poll writes into it what differs. */
  readonly terms: Request;
  ask(request: Request & Poll<Reply>, call: Call): Promise<Ran<Reply>>;
  readonly close: Holding["close"];
}

/** The terms of a contest, which all its requests share. */
export interface Contesting<Reply> extends Pick<Call, "signal">, Waiting<Reply> {
  /** The lease that it asks for: a reply that comes later than that is of no use. */
  readonly leaseMs: number;
  readonly waitUntil: Background | undefined;
}

/** The last reply of a contest. It is never `closed`: then the contest goes on under another id. */
export type Answer<Reply> = Polled<Exclude<Reply, { readonly status: "closed" }>> & {
  readonly id: string;
  /** Whether a request of it may still arrive. */
  readonly doubted: boolean;
};

/** The end of a contest without an answer in time, after which nothing is held. */
export interface Unanswered {
  readonly status: "unanswered";
  /** Why no answer came. */
  readonly cause: LeaseholdError;
  /** How long a lease that a server told of before still runs, in ms; undefined for none. */
  readonly remainingMs?: number;
}

/**
 * Asks until there is an answer, and leaves nothing behind: an operation that ends without a hold closes its id on the
 * server while any of its requests may still be granted. Only if that fails too is the outcome unknown.
 *
 * An answer that did not come in time is `unanswered`, and nothing is held then. It takes no longer than the wait plus
 * `requestTimeout`, and only a moment after an abort, which rejects with the signal's reason.
 *
 * @throws LeaseholdError with `remainingMs` where a lease that a server told of before still runs.
 */
export async function contend<
  Reply extends Answered & { readonly remaining?: number },
  Request extends Contesting<Reply>,
>(contest: Contest<Reply, Request>, refusals: Refusals = createRefusals()): Promise<Answer<Reply> | Unanswered> {
  const { place, close, operation, terms, suffix = "" } = contest;
  const { signal, waitUntil, waitMs = 0, maxPolls = 1 / 0, leaseMs } = terms;
  const patienceMs = patienceOf(place.connection);
  // The rest is for a cancel.
  const triesMs = 0.75 * patienceMs;
  const budgetMs = waitMs > 0 ? Math.max(waitMs, triesMs) : Math.min(leaseMs, triesMs);
  const elapsed = stopwatch(place.connection.clock);
  const doubt: Doubt = { open: false };
  let id = randomId() + suffix;
  let missed: number | undefined;
  let answer: Answer<Reply> | undefined;

  let error: unknown;
  try {
    const call = { operation, signal, budgetMs, doubt, heard: refusals.heard };
    const ran = await poll<Reply>(place, terms, call, (asked, own) =>
      contest.ask(Object.assign(terms, asked, { id }), own),
    );
    answer = { id, ...ran, doubted: doubt.open } as Answer<Reply>;
    id = answer.id;
    const { status, remaining = 0 } = ran;
    const granted = status === "granted";
    if (granted && ran.since() < usableMs(remaining) && !signal?.aborted) return answer;
    // Granted too late: the lease is over, or the caller is gone. Of several names one may be over, and the others not.
    doubt.open ||= granted || (status === "closed" && place.names.length > 1);
    if (granted || status === "closed") {
      missed = answer.polls;
      answer = undefined;
    }
    signal?.throwIfAborted();
  } catch (thrown) {
    error = thrown;
  }
  // A refused waiter gives up its place in a queue, and no copy of its requests may be granted then.
  if (doubt.open || doubt.queued) {
    const restMs = Math.max(waitMs + patienceMs - elapsed(), patienceMs - triesMs);
    const known = await giveBack({ place, id, close }, operation, Math.min(restMs, patienceMs), waitUntil, signal);
    signal?.throwIfAborted();
    const granted = `it may have been granted, for ${leaseMs} ms`;
    if (error instanceof OutcomeUnknownError) {
      if (known) return unanswered(error, refusals);
      if (doubt.open) error.message += `; ${granted}`;
    } else if (known === false && doubt.open) {
      const why = error instanceof LeaseholdError ? `: ${error.message}` : "";
      error = new OutcomeUnknownError(place.name, granted + why, error);
    }
  }
  if (error !== undefined) {
    if (error instanceof LeaseholdError) Object.assign(error, standing(refusals));
    throw error;
  }
  if (answer) return answer;
  // It was ours and over before we knew. There may be time to try again.
  const leftMs = waitMs - elapsed() - RETRY_BASE_MS;
  if (missed === undefined || leftMs <= 0 || maxPolls <= missed)
    return unanswered(new OutcomeUnknownError(place.name, "the grant came too late"), refusals);
  await sleep(RETRY_BASE_MS, signal, place.connection.clock);
  return contend({ ...contest, terms: { ...terms, waitMs: leftMs, maxPolls: maxPolls - missed } }, refusals);
}

/** How long a lease that a server told of still runs, if there is one. */
function standing(refusals: Refusals): { readonly remainingMs?: number } {
  const remainingMs = Math.ceil(refusals.remainingMs());
  return remainingMs > 0 ? { remainingMs } : {};
}

const unanswered = (cause: LeaseholdError, refusals: Refusals): Unanswered => ({
  status: "unanswered",
  cause,
  ...standing(refusals),
});

/**
 * The error of a wait that ended without a hold, by the last reply (its `remaining` is in µs, 0 where no lease blocks)
 * or without one.
 */
export function timedOut(
  { name }: Place,
  waitMs: number,
  ended: Unanswered | { readonly status: string; readonly remaining: number },
): LockTimeoutError {
  const { remainingMs, cause } = "cause" in ended ? ended : { remainingMs: ended.remaining / 1000, cause: undefined };
  return new LockTimeoutError(`"${name}" was not acquired within ${waitMs} ms`, remainingMs || undefined, cause);
}
