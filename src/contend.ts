import { randomId } from "./crypto.ts";
import { LeaseholdError, LockTimeoutError, OutcomeUnknownError } from "./errors.ts";
import type { Holding } from "./hold.ts";
import { usableMs } from "./lease.ts";
import { poll, type Waiting } from "./poll.ts";
import { stopwatch } from "./redis/clock.ts";
import { type Call, type Doubt, type Place, type Ran, RETRY_BASE_MS } from "./redis/run.ts";
import type { Answered } from "./redis/script.ts";
import { type Background, sleep } from "./wait.ts";

/** One operation that tries to get hold of a name, under one random id for all its polls and re-sends. */
export interface Contest<Reply> extends Pick<Call, "operation" | "signal"> {
  readonly budgetMs: number;
  readonly place: Place;
  readonly close: Holding["close"];
  readonly waitUntil: Background | undefined;
  /** What the kind adds to the id. */
  readonly mark?: string;
  /** Without it there is one poll. */
  readonly waiting?: Waiting<Reply>;
  readonly ask: (id: string, call: Call, waitedMs: number, before: Ran<Reply> | undefined) => Promise<Ran<Reply>>;
}

/** Never that the id is closed: then another one asks. */
export type Answer<Reply> = Ran<Exclude<Reply, { readonly status: "closed" }>> & {
  readonly id: string;
  /** Whether a request of it may still be on its way. */
  readonly doubted: boolean;
};

/**
 * Asks until there is an answer, and leaves nothing behind: an operation that ends without a hold while any of its requests may
 * still be granted closes its id on the server, and only if that fails too is the outcome unknown.
 *
 * Gives the answer, or undefined when there was none in time and nothing is held.
 */
export async function contend<Reply extends Answered & { readonly remaining?: number }>(
  contest: Contest<Reply>,
): Promise<Answer<Reply> | undefined> {
  const { place, close, operation, signal, waitUntil, waiting, budgetMs, mark = "" } = contest;
  if (signal !== undefined && typeof signal.addEventListener !== "function")
    throw new TypeError("signal must be an AbortSignal");
  const { requestTimeoutMs, clock } = place.connection;
  const elapsed = stopwatch(clock);
  const doubt: Doubt = { open: false };
  let id = randomId() + mark;
  let missed: number | undefined;
  let answer: Answer<Reply> | undefined;
  let failed = false;
  /** A wait was refused: its place in a queue goes when we do, and no copy of its requests may be granted then. */
  let refused = false;
  let error: unknown;
  try {
    const call = { operation, signal, budgetMs, doubt };
    const ran = waiting
      ? await poll(place, waiting, call, async (...asked) => {
          const reply = await contest.ask(id, ...asked);
          refused ||= reply.status === "held" && waiting.waitMs > 0;
          return reply;
        })
      : await contest.ask(id, call, 0, undefined);
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
    failed = true;
    error = thrown;
  }
  if (doubt.open || refused) {
    const call = { operation: "cancel", budgetMs: requestTimeoutMs };
    const cancelled = close(id, 0, call).then(
      ({ status }) => status === "closed",
      () => {
        place.emit({ type: "unanswered", operation });
        return false;
      },
    );
    // In the background it is not known yet.
    const known = await (waitUntil ? waitUntil(cancelled) : cancelled);
    const unanswered = error instanceof OutcomeUnknownError;
    if (unanswered && known) failed = false;
    else if (known === false && !unanswered && doubt.open) {
      const why = error instanceof LeaseholdError ? `, ${error.message}` : "";
      throw new OutcomeUnknownError(place.name, `it may have been granted${why}`, error);
    }
  }
  if (failed) throw error;
  if (missed === undefined) return answer;
  // It was ours, and over before we knew. There may be time for another turn.
  const maxPolls = (waiting?.maxPolls ?? 0) - missed;
  const leftMs = budgetMs - elapsed() - RETRY_BASE_MS;
  if (!waiting || leftMs <= 0 || maxPolls < 1) return undefined;
  await sleep(RETRY_BASE_MS, signal);
  const waitMs = Math.min(waiting.waitMs - RETRY_BASE_MS, leftMs);
  return contend({ ...contest, waiting: { ...waiting, waitMs, maxPolls }, budgetMs: leftMs });
}

/** Time ran out, and nothing is held. */
export const timedOut = ({ name }: Place, remainingMs?: number): LockTimeoutError =>
  new LockTimeoutError(`"${name}" was not acquired in time`, remainingMs);
