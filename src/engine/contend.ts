import type { Call, Ran } from "../redis/call.ts";
import { type Clock, stopwatch } from "../redis/clock.ts";
import { patienceOf } from "../redis/connect.ts";
import { createDoubt, type Doubt } from "../redis/doubt.ts";
import { RETRY_BASE_MS } from "../redis/retry-policy.ts";
import type { AnyReply } from "../redis/script.ts";
import type { Target } from "../redis/target.ts";
import { randomId } from "../shared/crypto.ts";
import { LeaseholdError, OutcomeUnknownError } from "../shared/errors.ts";
import { sleep } from "../shared/timers.ts";
import type { Background } from "../shared/wait-until.ts";
import { ASKING, type Cancelled, cancel, type HoldCalls, MOST_DRIFT, ROUNDING_MS, usableMs } from "./hold.ts";
import { type Poll, type Polled, poll, type Waiting } from "./poll.ts";

/** An operation that tries to get a hold of a name, under one random id for all its polls and re-sends. */
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
  /** The lease that it asks for: a reply that comes later than that is of no use. */
  readonly leaseMs: number;
  readonly waitUntil: Background | undefined;
}

/** The last reply of a contest. It is never `closed`: then the contest continues under another id. */
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
  /** How long a lease that a server reported before can still last, in ms; undefined for none. */
  readonly remainingMs?: number | undefined;
}

/** What one id came to: the end of the contest, or a hold that had ended before it could be used. */
type Round<Reply> =
  | { readonly type: "ended"; readonly answer: Answer<Reply> | Unanswered }
  | { readonly type: "missed"; readonly polls: number };

/** A reply that may say how long a lease still runs, in µs. */
type Granting = AnyReply & { readonly remaining?: number };

/** What servers last said about leases of others that block an operation. */
interface Refusals extends Required<Pick<Call, "heard">> {
  /** Milliseconds until the last of these leases ends by our clock, as late as it can be; 0 for none. */
  remainingMs(): number;
}

/** A refusal of one record: the status of its reply, and the ends of the lease that blocks. */
interface Refusal {
  readonly connection: object;
  readonly record: string | undefined;
  readonly leftMs: () => number;
}

const REFUSED = /^(held|running|not_reentrant)$/;

/**
 * The time until another client's lease ends, as late as it can be: {@link usableMs} is the earliest. A clock that is never set may stand still while the machine sleeps; that only makes it later.
 */
function latestEnd(clock: Clock, remainingUs: number): () => number {
  const mostMs = (remainingUs / 1000) * (1 + MOST_DRIFT) + ROUNDING_MS;
  const start = clock.monotonic();
  return () => mostMs - (clock.monotonic() - start);
}

/**
 * Keeps account of the refusals that an operation hears, on any number of servers. The last reply about a record
 * counts: a grant replaces a refusal. A refusal that names no lease (a queue, a place that was lost) leaves the one
 * before it standing.
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
  /** The time since it began. */
  readonly elapsed: () => number;
}

/**
 * Asks until there is an answer, and leaves nothing behind: an operation that ends without a hold closes its id on the
 * server while any of its requests may still be granted. Only if that fails too is the outcome unknown.
 *
 * An answer that did not come in time is `unanswered`, and nothing is held then. It takes no longer than the wait plus
 * `requestTimeout`, and only a moment after an abort, which rejects with the signal's reason.
 *
 * @throws LeaseholdError with `remainingMs` where a lease that a server reported before is still live.
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
    // It was ours and over before we knew. There may be time to try again, under another id.
    waitMs -= elapsed() + RETRY_BASE_MS;
    maxPolls -= round.polls;
    if (waitMs <= 0 || maxPolls <= 0)
      return unanswered(new OutcomeUnknownError(target.name, "the grant came too late"), refusals);
    await sleep(RETRY_BASE_MS, terms.signal, clock);
  }
}

/**
 * The steps of R4 for one id: ask; use what was granted; close the id if an outcome is unknown; report what is known.
 */
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

  // A reply that grants may name another id than the one that was asked for.
  const answer = { id: trial.id, ...ran, doubted: doubt.isOpen() } as Answer<Reply>;
  const isGranted = ran.status === "granted";
  const isClosed = ran.status === "closed";
  const isUsable = isGranted && ran.since() < usableMs(ran.remaining ?? 0);
  if (isUsable && !terms.signal?.aborted) return { type: "ended", answer };

  // Granted too late, or to a caller that has given up. If several names are answered `closed`, one has ended and the
  // others may be held.
  if (isGranted || (isClosed && target.names.length > 1)) doubt.mayHold();
  const cancelled = await cancelIfInDoubt(contest, trial, answer.id);
  terms.signal?.throwIfAborted();
  if (cancelled === "unanswered" && doubt.isOpen()) throw mayBeGranted(contest, trial);
  return isGranted || isClosed ? { type: "missed", polls: ran.polls } : { type: "ended", answer };
}

/** Asks under one id until there is an answer, or until the time has passed that leaves enough for a cancel. */
function askUntilAnswered<Reply extends Granting, Request extends Contesting<Reply>>(
  { target, operation, terms, ask }: Contest<Reply, Request>,
  { id, doubt, refusals }: Trial,
): Promise<Polled<Reply>> {
  const { signal, waitMs = 0, leaseMs } = terms;
  const askingMs = ASKING * patienceOf(target.connection);
  const budgetMs = waitMs > 0 ? Math.max(waitMs, askingMs) : Math.min(leaseMs, askingMs);
  const call = { operation, signal, budgetMs, doubt, heard: refusals.heard };
  return poll(target, { ...terms, id }, call, ask);
}

/**
 * Closes an id, where a request under it may still be granted or where it may have a place in a queue; undefined where
 * it need not be closed.
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
 * The end of a contest whose asking failed: `unanswered` where no answer came and the id is closed.
 *
 * @throws LeaseholdError where something else failed, or it is unknown whether anything was granted.
 */
function withoutAnswer<Reply, Request extends Contesting<Reply>>(
  contest: Contest<Reply, Request>,
  trial: Trial,
  error: unknown,
  cancelled: Cancelled | undefined,
): Unanswered {
  const { doubt, refusals } = trial;
  if (error instanceof OutcomeUnknownError && cancelled === "closed") return unanswered(error, refusals);
  const isUnknown = error instanceof OutcomeUnknownError ? cancelled !== undefined : cancelled === "unanswered";
  if (isUnknown && doubt.isOpen()) throw mayBeGranted(contest, trial, error);
  if (!(error instanceof LeaseholdError)) throw error;
  throw Object.assign(error, standing(refusals));
}

/** The error of a contest of which it is unknown whether it was granted, and of the failure before it. */
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

/** How long a lease that a server reported can still last, if there is one. */
function standing(refusals: Refusals): { readonly remainingMs?: number } {
  const remainingMs = Math.ceil(refusals.remainingMs());
  return remainingMs > 0 ? { remainingMs } : {};
}

const unanswered = (cause: LeaseholdError, refusals: Refusals): Unanswered => ({
  status: "unanswered",
  cause,
  ...standing(refusals),
});
