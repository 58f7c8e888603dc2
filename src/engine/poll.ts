import { stopwatch } from "../redis/clock.ts";
import type { Call, Place, Ran } from "../redis/run.ts";
import { type Backoff, type Blocked, sleep } from "../shared/wait.ts";

/** What a poll is given however little is left of the wait: its end is no reason to hang up on an answer. */
export const LEAST_POLL_MS = 1000;

/** How long to go on asking while the answer is that somebody is in the way. Without these there is one poll. */
export interface Waiting<Reply> {
  readonly waitMs?: number;
  readonly maxPolls?: number;
  readonly backoff?: Backoff;
  /** What a reply says is in the way; undefined ends the wait. */
  readonly blockedBy?: (reply: Ran<Reply>) => Blocked | undefined;
}

/** The last reply, and what it took to get it. */
export type Polled<Reply> = Ran<Reply> & { readonly polls: number; readonly waitedMs: number };

/**
 * Asks until the answer is final or the wait is over; then the last answer is the one that counts. Requests that failed count as
 * polls too. `ask` is given the time since the first poll, and the answer to the one before.
 */
export async function poll<Reply>(
  { connection, emit }: Pick<Place, "connection" | "emit">,
  { waitMs = 0, maxPolls = 1 / 0, backoff, blockedBy }: Waiting<Reply>,
  call: Call & { readonly budgetMs: number },
  ask: (call: Call, waitedMs: number, before: Ran<Reply> | undefined) => Promise<Ran<Reply>>,
): Promise<Polled<Reply>> {
  const { signal } = call;
  if (signal !== undefined && !signal?.addEventListener) throw new TypeError("signal must be an AbortSignal");
  const { clock, random } = connection;
  const elapsed = stopwatch(clock);
  const tries = { made: 0, most: maxPolls };
  let reply: Ran<Reply> | undefined;
  for (;;) {
    const waited = elapsed();
    const waiting = waitMs > 0 && { waits: true, leastMs: Math.min(LEAST_POLL_MS, connection.requestTimeoutMs / 2) };
    reply = await ask({ ...call, ...waiting, budgetMs: call.budgetMs - waited, tries }, Math.round(waited), reply);
    const blocked = blockedBy?.(reply);
    const waitedMs = elapsed();
    const polls = tries.made;
    const polled = { ...reply, polls, waitedMs };
    if (!blocked) return polled;
    const leftMs = waitMs - waitedMs;
    const { remainingMs, backMs = leftMs } = blocked;
    if (leftMs <= 0 || polls >= maxPolls) {
      emit({ type: "refused", polls, remainingMs });
      return polled;
    }
    const wantedMs = backoff?.({ ...blocked, polls, waitedMs, roundTripMs: reply.since(), random });
    // What is no number waits for the end.
    const delayMs = Math.min(Math.max(Number(wantedMs), 1), backMs, leftMs) || leftMs;
    emit({ type: "polled", polls, remainingMs, delayMs });
    await sleep(delayMs, signal);
  }
}
