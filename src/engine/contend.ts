import type { Call, Ran, Tries } from "../redis/call.ts";
import { type Clock, stopwatch } from "../redis/clock.ts";
import { patienceOf } from "../redis/connect.ts";
import { createDoubt, type Doubt } from "../redis/doubt.ts";
import { RETRY_BASE_MS } from "../redis/retry-policy.ts";
import type { AnyReply } from "../redis/script.ts";
import type { Target } from "../redis/target.ts";
import { randomId } from "../shared/crypto.ts";
import { isNoAnswer, LeaseholdError, OutcomeUnknownError } from "../shared/errors.ts";
import { sleep } from "../shared/timers.ts";
import type { Background } from "../shared/wait-until.ts";
import { ASKING, type Cancelled, cancel, type HoldCalls, MOST_DRIFT, ROUNDING_MS, usableMs } from "./hold.ts";
import { type Poll, type Polled, poll, type Waiting } from "./poll.ts";

/** An operation that tries to get a hold of a name, under one random ID for all its polls and retries. */
export interface Contest<Reply, Request> extends Pick<Call, "operation"> {
  readonly target: Target;
  /** The suffix of the id, if the kind has one. */
  readonly suffix?: string | undefined;
  /** The same in every poll. */
  readonly terms: Request;
  readonly ask: (request: Request & { readonly id: string } & Poll<Reply>, call: Call) => Promise<Ran<Reply>>;
  readonly close: HoldCalls["close"];
}

/** The terms of a contest, which all its requests share. */
export interface Contesting<Reply> extends Pick<Call, "signal">, Waiting<Reply> {
  /** The requested lease: a reply that arrives later than that is useless. */
  readonly leaseMs: number;
  readonly waitUntil: Background | undefined;
}

/** The last reply of a contest. It is never `closed`: then the contest continues under another id. */
export type Answer<Reply> = Polled<Exclude<Reply, { readonly status: "closed" }>> & {
  readonly id: string;
  /** Whether one of its requests may still arrive. */
  readonly doubted: boolean;
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

/** A reply that may contain the time left of a lease, in µs. */
type Granting = AnyReply & { readonly remaining?: number };

/** What servers last reported about other clients' leases that block an operation. */
interface Refusals extends Required<Pick<Call, "heard">> {
  /** Milliseconds until the last of these leases ends by the local clock, at the latest; 0 for none. */
  remainingMs(): number;
}

/** A refusal of one record: the status of its reply, and the time left of the blocking lease. */
interface Refusal {
  readonly connection: object;
  readonly record: string | undefined;
  readonly leftMs: () => number;
}

const REFUSED = /^(held|running|not_reentrant)$/;

/**
 * The time until another client's lease ends, at the latest; {@link usableMs} is the earliest. The monotonic clock may
 * stop while the machine sleeps, which only makes the result later.
 */
function latestEnd(clock: Clock, remainingUs: number): () => number {
  const mostMs = (remainingUs / 1000) * (1 + MOST_DRIFT) + ROUNDING_MS;
  const start = clock.monotonic();
  return () => mostMs - (clock.monotonic() - start);
}

/**
 * Records the refusals that an operation receives, from any number of servers. The last reply about a record counts: a
 * grant replaces a refusal. A refusal without a lease (a queue, a lost place) keeps the previous one.
 */
function createRefusals(): Refusals {
  let standing: Refusal[] = [];
  return {
    heard({ connection, keys: [record] }, { status, remaining = 0 }) {
      const isRefused = REFUSED.test(status) && remaining > 0;
      if (!isRefused && status !== "granted") return;
      standing = standing.filter((each) => each.connection !== connection || each.record !== record);
      if (isRefused) standing.push({ connection, record, leftMs: latestEnd(connection.clock, remaining) });
    },
    remainingMs: () => Math.max(0, ...standing.map(({ leftMs }) => leftMs())),
  };
}

/**
 * What the last poll of an ID says about the contest.
 *
 * - `missed`: a grant that arrived too late to be used, or an ID that has ended: try again under another ID.
 * - `final`: an answer that no other request of the contest can change, such as `done` or `not_reentrant`.
 * - `refused`: not now, so a request that is still on its way may be granted.
 * - `no answer`: no server answered in time.
 */
type Verdict = "missed" | "final" | "refused" | "no answer";

/** The refusals of a poll that may turn into a grant. */
const FOR_NOW = /^(held|running)$/;

function verdictOf(status: string): Verdict {
  if (status === "granted" || status === "closed") return "missed";
  return FOR_NOW.test(status) ? "refused" : "final";
}

/**
 * The verdict of a failed poll. Some answers are errors: a name in use as another kind, and more permits than there
 * are. Any other error of the server says nothing about the contest.
 */
function verdictOfError(error: unknown): Verdict {
  if (isNoAnswer(error)) return "no answer";
  const isAnswer = error instanceof LeaseholdError ? error.code === "wrong_kind" : error instanceof RangeError;
  return isAnswer ? "final" : "refused";
}

/**
 * Whether it is unknown if anything is held, after the cancel that the ID owed (R4; `undefined` if it owed none):
 *
 * | verdict   | `closed` | `pending` | `unanswered`              |
 * | --------- | -------- | --------- | ------------------------- |
 * | missed    | no       | no        | while a request is open   |
 * | final     | no       | no        | if a part of it was granted |
 * | refused   | no       | no        | while a request is open   |
 * | no answer | no       | while a request is open | while a request is open |
 */
function isUnknown(verdict: Verdict, cancelled: Cancelled | undefined, doubt: Doubt): boolean {
  if (cancelled === undefined || cancelled === "closed") return false;
  if (cancelled === "pending") return verdict === "no answer" && doubt.isOpen();
  return verdict === "final" ? doubt.isHeld() : doubt.isOpen();
}

/**
 * Polls until there is a final answer. An operation that ends without a hold closes its ID on the server if any of its
 * requests may still be granted, so that nothing stays held. Only if that fails as well is the outcome unknown.
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
}: Contest<Reply, Request>): Promise<Answer<Reply> | Unanswered> {
  const { signal, waitMs = 0, maxPolls = Number.POSITIVE_INFINITY, leaseMs, waitUntil } = terms;
  const { clock } = target.connection;
  const patienceMs = patienceOf(target.connection);
  const askingMs = ASKING * patienceMs;
  const elapsed = stopwatch(clock);
  const tries = { made: 0, most: maxPolls };
  const refusals = createRefusals();
  let leftMs = waitMs;

  for (;;) {
    const id = randomId() + suffix;
    const doubt = createDoubt();
    const madeBefore = tries.made;
    const budgetMs = leftMs > 0 ? Math.max(leftMs, askingMs) : Math.min(leaseMs, askingMs);
    const call = { operation, signal, budgetMs, doubt, settlesDoubt: true, tries, heard: refusals.heard };
    let ran: Polled<Reply> | undefined;
    let error: unknown;
    try {
      ran = await poll(target, { ...terms, waitMs: leftMs, id }, call, ask);
    } catch (thrown) {
      error = thrown;
    }

    // A grant may name an ID other than the requested one.
    const answer = ran && ({ id, ...ran, doubted: doubt.isOpen() } as Answer<Reply>);
    const isGranted = ran?.status === "granted";
    const isUsable = ran && isGranted && ran.since() < usableMs(ran.remaining ?? 0);
    if (answer && isUsable && !signal?.aborted) return answer;

    // Granted too late, or to a caller that has given up. If the reply for several names is `closed`, one has ended and
    // the others may be held.
    const verdict = ran ? verdictOf(ran.status) : verdictOfError(error);
    if (isGranted || (verdict === "missed" && target.names.length > 1)) doubt.mayHold();
    let cancelled: Cancelled | undefined;
    if (doubt.owesCancel()) {
      const restMs = Math.max(waitMs + patienceMs - elapsed(), (1 - ASKING) * patienceMs);
      const held = { target, id: answer?.id ?? id, close };
      cancelled = await cancel(held, operation, Math.min(restMs, patienceMs), waitUntil, signal);
    }
    signal?.throwIfAborted();

    if (isUnknown(verdict, cancelled, doubt)) throw mayBeGranted(target.name, leaseMs, refusals, error);
    if (isNoAnswer(error) && cancelled === "closed") return unanswered(error, tries, refusals);
    if (error instanceof LeaseholdError) throw Object.assign(error, standing(refusals));
    if (!answer) throw error;
    if (verdict !== "missed") return answer;
    // If time is left, try again under another ID. The poll counts, however many requests it took.
    tries.made = Math.max(tries.made, madeBefore + 1);
    leftMs = waitMs - elapsed() - RETRY_BASE_MS;
    if (leftMs <= 0 || tries.made >= tries.most) return unanswered(tooLate(target.name), tries, refusals);
    await sleep(RETRY_BASE_MS, signal, clock);
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

/** How long a lease reported by a server can still last, if there is one. */
function standing(refusals: Refusals): { readonly remainingMs?: number } {
  const remainingMs = Math.ceil(refusals.remainingMs());
  return remainingMs > 0 ? { remainingMs } : {};
}

const unanswered = (cause: LeaseholdError, { made }: Tries, refusals: Refusals): Unanswered => ({
  status: "unanswered",
  cause,
  polls: made,
  ...standing(refusals),
});
