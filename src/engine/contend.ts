import { stopwatch } from "../redis/clock.ts";
import { type Call, type Doubt, type Place, patienceOf, type Ran, RETRY_BASE_MS } from "../redis/run.ts";
import type { Answered } from "../redis/script.ts";
import { randomId } from "../shared/crypto.ts";
import { LeaseholdError, LockTimeoutError, OutcomeUnknownError } from "../shared/errors.ts";
import { type Background, sleep } from "../shared/wait.ts";
import { giveBack, type Holding } from "./hold.ts";
import { usableMs } from "./lease.ts";
import { type Polled, poll, type Waiting } from "./poll.ts";

/** One operation that tries to get hold of a name, under one random id for all its polls and re-sends. */
export interface Contest<Reply> extends Pick<Call, "operation" | "signal">, Waiting<Reply> {
  /** What it asks for; a try that is answered later than that is of no use. */
  readonly leaseMs: number;
  readonly place: Place;
  readonly close: Holding["close"];
  readonly waitUntil: Background | undefined;
  /** What the kind adds to the id. */
  readonly mark?: string | undefined;
  readonly ask: (id: string, call: Call, waitedMs: number, before: Ran<Reply> | undefined) => Promise<Ran<Reply>>;
}

/** Never that the id is closed: then another one asks. */
export type Answer<Reply> = Polled<Exclude<Reply, { readonly status: "closed" }>> & {
  readonly id: string;
  /** Whether a request of it may still be on its way. */
  readonly doubted: boolean;
};

/**
 * Asks until there is an answer, and leaves nothing behind: an operation that ends without a hold while any of its requests may
 * still be granted closes its id on the server, and only if that fails too is the outcome unknown.
 *
 * With all that it lasts no longer than the wait plus `requestTimeout`; after an abort, which rejects with the signal's reason, a moment.
 *
 * Gives the answer, or undefined when there was none in time and nothing is held.
 */
export async function contend<Reply extends Answered & { readonly remaining?: number }>(
  contest: Contest<Reply>,
): Promise<Answer<Reply> | undefined> {
  const { place, close, operation, signal, waitUntil, waitMs = 0, maxPolls = 1 / 0, leaseMs, mark = "" } = contest;
  const patienceMs = patienceOf(place.connection);
  // The rest is for a cancel.
  const triesMs = 0.75 * patienceMs;
  const budgetMs = waitMs > 0 ? Math.max(waitMs, triesMs) : Math.min(leaseMs, triesMs);
  const elapsed = stopwatch(place.connection.clock);
  const doubt: Doubt = { open: false };
  let id = randomId() + mark;
  let missed: number | undefined;
  let answer: Answer<Reply> | undefined;

  /** A wait was refused: its place in a queue goes when we do, and no copy of its requests may be granted then. */
  let refused = false;
  let error: unknown;
  try {
    const call = { operation, signal, budgetMs, doubt };
    const ran = await poll(place, contest, call, async (...asked) => {
      const reply = await contest.ask(id, ...asked);
      refused ||= reply.status === "held" && waitMs > 0;
      return reply;
    });
    answer = { id, ...ran, doubted: doubt.open } as Answer<Reply>;
    id = answer.id;
    const { status, remaining = 0 } = ran;
    const granted = status === "granted";
    if (granted && ran.since() < usableMs(remaining) && !signal?.aborted) return answer;
    // Granted, but too late: the lease is over, or the caller gone.
    doubt.open ||= granted;
    if (granted || status === "closed") {
      missed = answer.polls;
      answer = undefined;
    }
    if (signal?.aborted) throw signal.reason;
  } catch (thrown) {
    error = thrown;
  }
  if (doubt.open || refused) {
    const restMs = Math.max(waitMs + patienceMs - elapsed(), patienceMs - triesMs);
    const known = await giveBack({ place, id, close }, operation, Math.min(restMs, patienceMs), waitUntil, signal);
    if (signal?.aborted) throw signal.reason;
    const granted = `it may have been granted, for ${leaseMs} ms`;
    if (error instanceof OutcomeUnknownError) {
      if (known) error = undefined;
      else if (doubt.open) error.message += `; ${granted}`;
    } else if (known === false && doubt.open) {
      const why = error instanceof LeaseholdError ? `: ${error.message}` : "";
      throw new OutcomeUnknownError(place.name, granted + why, error);
    }
  }
  if (error !== undefined) throw error;
  if (missed === undefined) return answer;
  // It was ours, and over before we knew. There may be time for another turn.
  const leftMs = waitMs - elapsed() - RETRY_BASE_MS;
  if (leftMs <= 0 || maxPolls <= missed) return undefined;
  await sleep(RETRY_BASE_MS, signal);
  return contend({ ...contest, waitMs: leftMs, maxPolls: maxPolls - missed });
}

/** Time ran out, and nothing is held. */
export const timedOut = ({ name }: Place, waitMs = 0, remainingMs?: number): LockTimeoutError =>
  new LockTimeoutError(`"${name}" was not acquired within ${waitMs} ms`, remainingMs);
