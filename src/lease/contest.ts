import type { Call, Doubted, Ran, Tries } from "../redis/call.ts";
import { stopwatch } from "../redis/clock.ts";
import { patienceOf } from "../redis/connect.ts";
import { Doubt } from "../redis/doubt.ts";
import { LongPoll } from "../redis/long-poll.ts";
import { RETRY_BASE_MS } from "../redis/retry-policy.ts";
import type { AnyReply } from "../redis/script.ts";
import type { Target } from "../redis/target.ts";
import { Listener } from "../redis/wake-ups.ts";
import { randomId } from "../shared/crypto.ts";
import { isNoAnswer, LeaseholdError, OutcomeUnknownError } from "../shared/errors.ts";
import { sleep } from "../shared/timers.ts";
import type { Background } from "../shared/wait-until.ts";
import type { Backoff, Blocked, PollInfo } from "./backoff.ts";
import { type Cancelled, cancel, type HoldCalls, REQUEST_SHARE, usableMs } from "./hold.ts";
import { createRefusals, type Granting, type Refusals, standing } from "./refusals.ts";

/** The minimum time for a poll, in ms, even if less of the wait is left. */
export const MIN_POLL_MS = 1000;

/** A poll that took less than this, in ms, was no long poll, whatever the server says: the next poll must wait. */
export const MIN_LONG_POLL_MS = 20;

/**
 * What a wait outlasts besides a server that restarts: a primary without enough replicas, or that cannot store, refuses
 * all writes for now. No script has written anything then.
 */
const REFUSES_WRITES = /^(NOREPLICAS|MISCONF) /;

/** The pause before the contest continues under another ID, in ms. */
const ANEW_MS: number = RETRY_BASE_MS;

/** How long to continue while replies report a blocking lease. Without this, there is one poll. */
export interface Waiting<Reply> {
  readonly waitMs?: number | undefined;
  readonly maxPolls?: number | undefined;
  readonly backoff?: Backoff | undefined;
  /** Reads from a reply what is blocking; undefined ends the wait. */
  readonly blockedBy?: (reply: Ran<Reply>) => Blocked | undefined;
}

/** The terms of a contest, which all its polls share. */
export interface Contesting<Reply> extends Pick<Call, "signal">, Waiting<Reply> {
  /** The requested lease: a reply that arrives later than that is useless. */
  readonly leaseMs: number;
  readonly waitUntil: Background | undefined;
}

/** One poll of a contest, and the polls before it. */
export interface Poll<Reply> {
  /** In whole ms, since the first poll. */
  readonly waitedMs: number;
  /** The number of polls, and of attempts without an answer. */
  readonly polls: number;
  /** The reply to the previous poll of the ID. */
  readonly before: Ran<Reply> | undefined;
  /** For how long the caller listens for messages of the names, in ms; 0: not at all. */
  readonly listensMs: number;
}

/** An operation that polls until it gets a hold of a name, or until something has happened. */
export interface Contest<Reply, Request> extends Pick<Call, "operation"> {
  readonly target: Target;
  /** The suffix of an ID, if the kind has one. */
  readonly suffix?: string | undefined;
  readonly terms: Request;
  readonly ask: (request: Request & { readonly id: string } & Poll<Reply>, call: Call) => Promise<Ran<Reply>>;
  /** Closes an ID. Without it, the polls leave nothing on the server. */
  readonly close: HoldCalls["close"] | undefined;
  /** The channels on which a message wakes a waiter. Default: none, so a waiter polls. */
  readonly channels?: readonly string[] | undefined;
  /** The group of waiters that a message wakes together. Default: none. */
  readonly wokenAs?: string | undefined;
  /** Whether a grant ends the holds of others. Default false. */
  readonly endsOthers?: boolean | undefined;
  /**
   * The time for the polls of an ID, in ms: the minimum for a wait, the maximum otherwise. Default: what leaves time for
   * a cancel within `requestTimeout`.
   */
  readonly askingMs?: number;
}

/** The last reply of a contest, and the number of its polls and attempts. */
export type Polled<Reply> = Ran<Reply> & { readonly polls: number; readonly waitedMs: number };

/** The last reply of a contest. It is never `closed`: then the contest continues under another ID. */
export type Answer<Reply> = Polled<Exclude<Reply, { readonly status: "closed" }>> & {
  readonly id: string;
  readonly doubted: Doubted;
};

/** The result of a contest without an answer in time; nothing is held. */
export interface Unanswered {
  readonly status: "unanswered";
  /** Why there was no answer. */
  readonly cause: LeaseholdError;
  /** The number of polls and attempts. */
  readonly polls: number;
  /** How long a lease that a server reported before can still last, in ms; undefined for none. */
  readonly remainingMs?: number | undefined;
}

/**
 * What the last poll of an ID says about the contest.
 *
 * - `missed`: a grant that arrived too late to be used, or an ID that has ended: try again under another ID.
 * - `final`: done, exhausted, mismatch or superseded: every request of the ID, also one that is still on its way, gets
 *   the same answer.
 * - `refused`: any other answer, or another error. A request that is still on its way may be granted, also after
 *   `not_reentrant`, since the hold that causes it may end first.
 * - `no answer`: none came in time.
 */
type Verdict = "missed" | "final" | "refused" | "no answer";

const MISSED = /^(granted|closed)$/;
const FINAL = /^(done|exhausted|mismatch|superseded)$/;

function verdictOf(answer: AnyReply | undefined, error: unknown): Verdict {
  if (!answer) return isNoAnswer(error) ? "no answer" : "refused";
  if (MISSED.test(answer.status)) return "missed";
  return FINAL.test(answer.status) ? "final" : "refused";
}

/** When the outcome is unknown: whether something may be held for which the caller gets no lease. */
type Unknown = "never" | "while a request may be granted" | "if a grant was reported";

/**
 * Whether the outcome is unknown (R4), by the verdict and by what became of the cancel that the ID owed.
 *
 * - `closed`: the cancel was answered, so nothing is held.
 * - `pending`: the platform's `waitUntil` continues the cancel. After an answer, nobody gets a lease, and what a late
 *   request is granted lasts until the cancel ends. Without an answer, nothing is known until the cancel has ended.
 * - `unanswered`: a request of the ID may still be granted. After a final answer, each of them gets that answer; only a
 *   grant of a part, which was reported before, may be left.
 */
const UNKNOWN: Readonly<Record<Verdict, Readonly<Record<Cancelled, Unknown>>>> = {
  missed: { closed: "never", pending: "never", unanswered: "while a request may be granted" },
  final: { closed: "never", pending: "never", unanswered: "if a grant was reported" },
  refused: { closed: "never", pending: "never", unanswered: "while a request may be granted" },
  "no answer": {
    closed: "never",
    pending: "while a request may be granted",
    unanswered: "while a request may be granted",
  },
};

function isUnknown(verdict: Verdict, cancelled: Cancelled, doubt: Doubt): boolean {
  const unknown = UNKNOWN[verdict][cancelled];
  return unknown === "never" ? false : unknown === "if a grant was reported" ? doubt.hasGrant() : doubt.isOpen();
}

/** The delay before the next poll, in ms. */
function delayOf(backoff: Backoff | undefined, leftMs: number, info: PollInfo): number {
  const { backMs = leftMs } = info;
  const wanted = Number(backoff?.(info));
  // Without a delay, it sleeps until the end of the wait, or until the queue wants to hear of it.
  return Math.min(Number.isNaN(wanted) ? leftMs : Math.max(wanted, 1), backMs, leftMs);
}

/**
 * Polls until there is a final answer. All polls and retries of one ID are one request to the server, so it grants at
 * most once. An ID that ends without a hold is closed on the server if any of its requests may still be granted, so
 * that nothing stays held; only if that fails as well is the outcome unknown. If an ID has ended in another way, and
 * time is left, the contest continues under another one.
 *
 * Without an answer in time, the result is `unanswered`, and nothing is held. It takes at most the wait plus
 * `requestTimeout`. An abort rejects almost immediately with the signal's reason.
 *
 * @throws LeaseholdError, with `remainingMs` if a lease that a server reported earlier is still live.
 */
export async function contend<Reply extends Granting, Request extends Contesting<Reply>>({
  target,
  operation,
  suffix = "",
  terms,
  ask,
  close,
  channels = [],
  wokenAs,
  endsOthers = false,
  askingMs = REQUEST_SHARE * patienceOf(target.connection),
}: Contest<Reply, Request>): Promise<Answer<Reply> | Unanswered> {
  const { signal, waitMs = 0, maxPolls = Number.POSITIVE_INFINITY, leaseMs, waitUntil, backoff, blockedBy } = terms;
  const { connection, emit } = target;
  const { clock, random, requestTimeoutMs, retentionMs, wakeUps } = connection;
  const { heldPlaces: places } = connection.state;
  const patienceMs = patienceOf(connection);
  const isWaiting = waitMs > 0;
  // A poll near the end of the wait has at least this time, so it may be answered after the end.
  const leastMs = isWaiting ? Math.min(MIN_POLL_MS, requestTimeoutMs / 2) : undefined;
  const elapsed = stopwatch(clock);
  const tries = { made: 0, max: maxPolls };
  const refusals = createRefusals();
  let hasExtraPoll = false;
  /** Until when an earlier ID may hold what was granted to it without an answer, in ms of `elapsed`. */
  let doubtedUntilMs = 0;

  /** Reports once for each connection that waiters poll, since its server sends them no messages. */
  function onRefused(why: string): void {
    if (connection.state.hasReportedPolling) return;
    connection.state.hasReportedPolling = true;
    emit?.({ type: "not_woken", why });
  }

  // Each turn is one ID.
  for (;;) {
    const id = randomId() + suffix;
    const doubt = new Doubt();
    const madeBefore = tries.made;
    const startMs = elapsed();
    const endMs = startMs + (isWaiting ? Math.max(waitMs - startMs, askingMs) : Math.min(leaseMs, askingMs));
    const call = {
      operation,
      signal,
      doubt,
      settlesDoubt: close !== undefined,
      tries,
      onReply: refusals.onReply,
      waits: isWaiting,
      ...(isWaiting && { mayPass: REFUSES_WRITES }),
      longPoll: isWaiting ? new LongPoll(() => waitMs - elapsed()) : undefined,
      ...(leastMs !== undefined && { leastMs }),
    };
    let before: Ran<Reply> | undefined;
    let answer: Answer<Reply> | undefined;
    let error: unknown;
    let hasWaited = false;
    let pollsAtOnce = false;
    let listener: Listener | undefined;
    const listen = (leftMs: number): Listener | undefined =>
      wakeUps && new Listener(wakeUps, channels, id, wokenAs, { leftMs, signal, clock, places, random, onRefused });
    const isOpen = isWaiting && channels.length > 0 && channels.every((each) => wakeUps?.isOpen(each));
    if (isOpen) listener = listen(waitMs - startMs);

    // Polls while it is refused and time is left.
    try {
      for (;;) {
        const pollStartMs = elapsed();
        const listensMs = listener?.polls() ? Math.max(Math.ceil(waitMs - pollStartMs), 0) : 0;
        const poll = { ...terms, id, waitedMs: Math.round(pollStartMs), polls: tries.made, before, listensMs };
        const reply = await ask(poll, { ...call, budgetMs: endMs - pollStartMs });
        const waitedMs = elapsed();
        const polls = tries.made;
        before = reply;
        const blocked = blockedBy?.(reply);
        if (blocked && isWaiting) doubt.joinsQueue();
        // The server keeps an offered name for a moment, so one more poll takes it, even after the last one. There is
        // no offer without a long poll, and none of those begins after the end of the wait.
        const takesOffer = reply.isOffered === true && (polls < tries.max || !hasExtraPoll);
        if (takesOffer && polls >= tries.max) {
          tries.max = polls + 1;
          hasExtraPoll = true;
        }
        // A server that parked the request has already waited.
        pollsAtOnce = takesOffer || (reply.wasParked === true && waitedMs - pollStartMs >= MIN_LONG_POLL_MS);
        const leftMs = waitMs - waitedMs;
        const isLast = !takesOffer && (leftMs <= 0 || polls >= tries.max);
        if (!blocked || isLast) {
          if (blocked) emit?.({ type: "refused", polls, remainingMs: blocked.remainingMs });
          // A grant may name an ID other than the requested one.
          answer = { id, ...reply, polls, waitedMs, doubted: doubt.isOpen() && "own" } as unknown as Answer<Reply>;
          break;
        }
        const { remainingMs, ageMs = waitedMs } = blocked;
        // A server that holds requests needs no messages.
        const mayListen = wakeUps && channels.length > 0 && !reply.wasParked && leftMs >= wakeUps.minWaitMs;
        if (mayListen) listener ??= listen(leftMs);
        const info = { ...blocked, ageMs, polls, waitedMs, roundTripMs: reply.since(), random };
        const delayMs = pollsAtOnce ? 0 : delayOf(backoff, leftMs, info);
        if (!hasWaited) emit?.({ type: "waiting", operation, remainingMs });
        hasWaited = true;
        emit?.({ type: "polled", polls, remainingMs, delayMs });
        if (!pollsAtOnce) await (listener ? listener.sleep(delayMs, signal) : sleep(delayMs, signal, clock));
      }
    } catch (thrown) {
      error = thrown;
    } finally {
      listener?.stop();
    }
    const failure = error instanceof LeaseholdError ? error.code : "error";
    const status = answer?.status ?? (signal?.aborted ? "aborted" : failure);
    const waited = hasWaited || pollsAtOnce;
    emit?.({ type: "ended", operation, status, waitedMs: elapsed(), polls: tries.made, waited });

    const isGranted = answer?.status === "granted";
    const isUsable = isGranted && (answer?.since() ?? 0) < usableMs(answer?.remaining ?? 0);
    if (answer && isUsable && !signal?.aborted) return answer;

    const verdict = verdictOf(answer, error);
    // Granted too late, or to a caller that has given up.
    if (isGranted) doubt.granted();
    // If the reply for several names is `closed`, one has ended and the others may be held.
    if (verdict === "missed" && target.names.length > 1) doubt.granted();
    let cancelled: Cancelled | undefined;
    if (close && doubt.owesCancel()) {
      const restMs = Math.max(waitMs + patienceMs - elapsed(), (1 - REQUEST_SHARE) * patienceMs);
      const held = { target, id: answer?.id ?? id, close };
      cancelled = await cancel(held, operation, Math.min(restMs, patienceMs), waitUntil, signal);
    }
    signal?.throwIfAborted();

    const hasTime = waitMs - elapsed() > ANEW_MS && tries.made < tries.max;
    const mayHold = cancelled !== undefined && isUnknown(verdict, cancelled, doubt);
    // In a long outage, an ID gets older than the server remembers it, and no more is sent under it. The wait goes on
    // under another one. What the old one may hold ends with its lease, and its requests are void by then. If a grant
    // ends the holds of others, the wait ends here: a later call may have ended what the old ID was granted, and another
    // ID would end the later call's hold.
    if (isNoAnswer(error) && doubt.isOld(retentionMs) && hasTime && !endsOthers) {
      if (mayHold) doubtedUntilMs = elapsed() + requestTimeoutMs + leaseMs;
      continue;
    }
    if (mayHold || (verdict !== "final" && elapsed() < doubtedUntilMs))
      throw mayBeGranted(target.name, leaseMs, refusals, error);
    if (isNoAnswer(error) && cancelled === "closed") return unanswered(error, tries, refusals);
    if (error instanceof LeaseholdError) throw Object.assign(error, standing(refusals));
    if (!answer) throw error;
    if (verdict !== "missed") return answer;
    // If time is left, try again under another ID. The ID counts as a poll, also if a multi-lock counted none.
    tries.made = Math.max(tries.made, madeBefore + 1);
    if (!hasTime) return unanswered(tooLate(target.name), tries, refusals);
    await sleep(ANEW_MS, signal, clock);
  }
}

/** The error of a contest with an unknown outcome; its cause is the failure before it. */
function mayBeGranted(name: string, leaseMs: number, refusals: Refusals, failure: unknown): OutcomeUnknownError {
  const granted = `it may have been granted, for ${leaseMs} ms`;
  const why = failure instanceof LeaseholdError ? `${granted}: ${failure.message}` : granted;
  const error =
    failure instanceof OutcomeUnknownError
      ? Object.assign(new OutcomeUnknownError(name, why, failure.cause), { message: `${failure.message}; ${granted}` })
      : new OutcomeUnknownError(name, why, failure);
  return Object.assign(error, standing(refusals));
}

/** The failure of a contest whose grants were of no use. */
const tooLate = (name: string): OutcomeUnknownError =>
  Object.assign(new OutcomeUnknownError(name, ""), {
    message: `each grant of "${name}" arrived after its lease had ended`,
  });

const unanswered = (cause: LeaseholdError, { made }: Tries, refusals: Refusals): Unanswered => ({
  status: "unanswered",
  cause,
  polls: made,
  ...standing(refusals),
});
