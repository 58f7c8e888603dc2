import type { Call, Ran } from "../redis/call.ts";
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
  /** How long a lease that a server reported before can still last, in ms; undefined for none. */
  readonly remainingMs?: number | undefined;
}

/** The result of one ID: the end of the contest, or a hold that ended before it could be used. */
type Round<Reply> =
  | { readonly type: "ended"; readonly answer: Answer<Reply> | Unanswered }
  | { readonly type: "missed"; readonly polls: number };

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

/** One id of a contest, and which of its requests have an unknown outcome. */
interface Trial {
  readonly id: string;
  readonly doubt: Doubt;
  readonly refusals: Refusals;
  /** The time since the contest began. */
  readonly elapsed: () => number;
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
export async function contend<Reply extends Granting, Request extends Contesting<Reply>>(
  contest: Contest<Reply, Request>,
): Promise<Answer<Reply> | Unanswered> {
  const { target, terms } = contest;
  const { clock } = target.connection;
  const refusals = createRefusals();
  let { waitMs = 0, maxPolls = Number.POSITIVE_INFINITY } = terms;
  for (;;) {
    const elapsed = stopwatch(clock);
    const trial = { id: randomId() + (contest.suffix ?? ""), doubt: createDoubt(), refusals, elapsed };
    const round = await contendOnce({ ...contest, terms: { ...terms, waitMs, maxPolls } }, trial);
    if (round.type === "ended") return round.answer;
    // The hold was granted, and expired before the reply arrived. If time is left, try again under another ID.
    waitMs -= elapsed() + RETRY_BASE_MS;
    maxPolls -= round.polls;
    if (waitMs <= 0 || maxPolls <= 0)
      return unanswered(new OutcomeUnknownError(target.name, "the grant came too late"), refusals);
    await sleep(RETRY_BASE_MS, terms.signal, clock);
  }
}

/** The steps of R4 for one ID: poll; use a grant; close the ID if an outcome is unknown; report the result. */
async function contendOnce<Reply extends Granting, Request extends Contesting<Reply>>(
  contest: Contest<Reply, Request>,
  trial: Trial,
): Promise<Round<Reply>> {
  const { target, terms } = contest;
  const { doubt } = trial;
  let ran: Polled<Reply>;
  try {
    ran = await askUntilAnswered(contest, trial);
  } catch (error) {
    const cancelled = await cancelIfInDoubt(contest, trial, trial.id);
    return { type: "ended", answer: withoutAnswer(contest, trial, error, cancelled) };
  }

  // A grant may name an ID other than the requested one.
  const answer = { id: trial.id, ...ran, doubted: doubt.isOpen() } as Answer<Reply>;
  const isGranted = ran.status === "granted";
  const isClosed = ran.status === "closed";
  const isUsable = isGranted && ran.since() < usableMs(ran.remaining ?? 0);
  if (isUsable && !terms.signal?.aborted) return { type: "ended", answer };

  // Granted too late, or to a caller that has given up. If the reply for several names is `closed`, one has ended and
  // the others may be held.
  if (isGranted || (isClosed && target.names.length > 1)) doubt.mayHold();
  const cancelled = await cancelIfInDoubt(contest, trial, answer.id);
  terms.signal?.throwIfAborted();
  if (cancelled === "unanswered" && doubt.isOpen()) throw mayBeGranted(contest, trial);
  return isGranted || isClosed ? { type: "missed", polls: ran.polls } : { type: "ended", answer };
}

/** Polls under one ID until there is an answer, or until only the time for a cancel is left. */
function askUntilAnswered<Reply extends Granting, Request extends Contesting<Reply>>(
  { target, operation, terms, ask }: Contest<Reply, Request>,
  { id, doubt, refusals }: Trial,
): Promise<Polled<Reply>> {
  const { signal, waitMs = 0, leaseMs } = terms;
  const askingMs = ASKING * patienceOf(target.connection);
  const budgetMs = waitMs > 0 ? Math.max(waitMs, askingMs) : Math.min(leaseMs, askingMs);
  const call = { operation, signal, budgetMs, doubt, settlesDoubt: true, heard: refusals.heard };
  return poll(target, { ...terms, id }, call, ask);
}

/**
 * Closes an ID if a request under it may still be granted, or if it may have a place in a queue; undefined if neither
 * is so.
 */
async function cancelIfInDoubt<Reply, Request extends Contesting<Reply>>(
  { target, operation, terms, close }: Contest<Reply, Request>,
  { doubt, elapsed }: Trial,
  id: string,
): Promise<Cancelled | undefined> {
  if (!doubt.owesCancel()) return undefined;
  const { signal, waitUntil, waitMs = 0 } = terms;
  const patienceMs = patienceOf(target.connection);
  const leftMs = Math.max(waitMs + patienceMs - elapsed(), (1 - ASKING) * patienceMs);
  const cancelled = await cancel({ target, id, close }, operation, Math.min(leftMs, patienceMs), waitUntil, signal);
  signal?.throwIfAborted();
  return cancelled;
}

/**
 * The result of a contest whose polls failed: `unanswered` if there was no answer and the ID is closed.
 *
 * @throws LeaseholdError for any other failure, or if it is unknown whether anything was granted.
 */
function withoutAnswer<Reply, Request extends Contesting<Reply>>(
  contest: Contest<Reply, Request>,
  trial: Trial,
  error: unknown,
  cancelled: Cancelled | undefined,
): Unanswered {
  const { doubt, refusals } = trial;
  if (isNoAnswer(error) && cancelled === "closed") return unanswered(error, refusals);
  const isUnknown = isNoAnswer(error) ? cancelled !== undefined : cancelled === "unanswered";
  if (isUnknown && doubt.isOpen()) throw mayBeGranted(contest, trial, error);
  if (!(error instanceof LeaseholdError)) throw error;
  throw Object.assign(error, standing(refusals));
}

/** The error of a contest with an unknown outcome; its cause is the failure before it. */
function mayBeGranted<Reply, Request extends Contesting<Reply>>(
  { target, terms }: Contest<Reply, Request>,
  { refusals }: Trial,
  failure?: unknown,
): OutcomeUnknownError {
  const granted = `it may have been granted, for ${terms.leaseMs} ms`;
  const why = failure instanceof LeaseholdError ? `${granted}: ${failure.message}` : granted;
  const error =
    failure instanceof OutcomeUnknownError
      ? Object.assign(new OutcomeUnknownError(target.name, why, failure.cause), {
          message: `${failure.message}; ${granted}`,
        })
      : new OutcomeUnknownError(target.name, why, failure);
  return Object.assign(error, standing(refusals));
}

/** How long a lease reported by a server can still last, if there is one. */
function standing(refusals: Refusals): { readonly remainingMs?: number } {
  const remainingMs = Math.ceil(refusals.remainingMs());
  return remainingMs > 0 ? { remainingMs } : {};
}

const unanswered = (cause: LeaseholdError, refusals: Refusals): Unanswered => ({
  status: "unanswered",
  cause,
  ...standing(refusals),
});
