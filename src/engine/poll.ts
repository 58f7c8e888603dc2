import type { Call, Ran } from "../redis/call.ts";
import { stopwatch } from "../redis/clock.ts";
import type { AnyReply } from "../redis/script.ts";
import type { Target } from "../redis/target.ts";
import type { LeaseholdError } from "../shared/errors.ts";
import { sleep } from "../shared/timers.ts";
import type { Backoff, Blocked, PollInfo } from "./backoff.ts";

/** The minimum time for a poll, in ms, even if less of the wait is left. */
export const LEAST_POLL_MS = 1000;

/** A held request shorter than this, in ms, was not held: the next poll must wait. */
export const LEAST_HELD_MS = 20;

/** How long to continue while replies report a blocking lease. Without this, there is one poll. */
export interface Waiting<Reply> {
  readonly waitMs?: number | undefined;
  readonly maxPolls?: number | undefined;
  readonly backoff?: Backoff | undefined;
  /** Reads from a reply what is blocking; undefined ends the wait. */
  readonly blockedBy?: (reply: Ran<Reply>) => Blocked | undefined;
}

/** One poll of an operation, and the polls before it. */
export interface Poll<Reply> {
  /** In whole ms, since the first poll. */
  readonly waitedMs: number;
  /** The number of polls, and of attempts without an answer. */
  readonly polls: number;
  /** The reply to the previous poll. */
  readonly before: Ran<Reply> | undefined;
}

/** The last reply, and the number of polls and attempts. */
export type Polled<Reply> = Ran<Reply> & { readonly polls: number; readonly waitedMs: number };

/** The delay before the next poll, in ms. */
function delayOf({ backoff, waitMs = 0 }: Waiting<never>, info: PollInfo): number {
  const leftMs = waitMs - info.waitedMs;
  const { backMs = leftMs } = info;
  // A delay of NaN sleeps until the end of the wait.
  return Math.min(Math.max(Number(backoff?.(info)), 1), backMs, leftMs) || leftMs;
}

/**
 * Polls until a reply is final or the wait has ended, and returns the last reply. Failed requests count as polls. It
 * records in the call's doubt that a refused waiter may have a place in a queue. The call's `tries`, if there are any,
 * replace `maxPolls`.
 */
export async function poll<Reply extends AnyReply, Request extends Waiting<Reply>>(
  { connection, emit }: Pick<Target, "connection" | "emit">,
  request: Request,
  call: Call & { readonly budgetMs: number },
  ask: (request: Request & Poll<Reply>, call: Call) => Promise<Ran<Reply>>,
): Promise<Polled<Reply>> {
  const { waitMs = 0, maxPolls = Number.POSITIVE_INFINITY, blockedBy } = request;
  const { tries = { made: 0, most: maxPolls } } = call;
  const { signal, operation, doubt } = call;
  const { clock, random, requestTimeoutMs } = connection;
  const isWaiting = waitMs > 0;
  const elapsed = stopwatch(clock);
  const insisting = isWaiting
    ? {
        waits: true,
        // The last poll may be answered after the end of the wait.
        leastMs: Math.min(LEAST_POLL_MS, requestTimeoutMs / 2),
        hold: { leftMs: () => waitMs - elapsed(), isPaused: false, late: 0 },
      }
    : {};
  let before: Ran<Reply> | undefined;
  let hasWaited = false;
  let wasHeld = false;
  let isExtended = false;
  const ended = (status: string): unknown =>
    emit?.({ type: "ended", operation, status, waitedMs: elapsed(), polls: tries.made, waited: hasWaited || wasHeld });
  try {
    for (;;) {
      const askedMs = elapsed();
      const asked = { ...request, waitedMs: Math.round(askedMs), polls: tries.made, before };
      const reply = await ask(asked, { ...call, ...insisting, budgetMs: call.budgetMs - askedMs, tries });
      before = reply;
      const blocked = blockedBy?.(reply);
      const waitedMs = elapsed();
      const polls = tries.made;
      // The server keeps the name for a moment, so one more poll takes it, even after the last one.
      const takesOffer = reply.isOffered === true && (polls < tries.most || !isExtended);
      if (takesOffer && polls >= tries.most) {
        tries.most = polls + 1;
        isExtended = true;
      }
      wasHeld = takesOffer || (reply.wasHeld === true && waitedMs - askedMs >= LEAST_HELD_MS);
      if (blocked && isWaiting) doubt?.joinsQueue();
      const leftMs = waitMs - waitedMs;
      const isOver = !takesOffer && (leftMs <= 0 || polls >= tries.most);
      if (blocked && isOver) emit?.({ type: "refused", polls, remainingMs: blocked.remainingMs });
      if (!blocked || isOver) {
        ended(reply.status);
        return { ...reply, polls, waitedMs };
      }
      const { remainingMs } = blocked;
      const delayMs = wasHeld
        ? 0
        : delayOf(request, { ...blocked, polls, waitedMs, roundTripMs: reply.since(), random });
      if (!hasWaited) emit?.({ type: "waiting", operation, remainingMs });
      hasWaited = true;
      emit?.({ type: "polled", polls, remainingMs, delayMs });
      // A server that held the request has already waited, so the next poll follows immediately.
      if (!wasHeld) await sleep(delayMs, signal, clock);
    }
  } catch (error) {
    ended(signal?.aborted ? "aborted" : `${(error as LeaseholdError).code}`);
    throw error;
  }
}
