import type { Blocked } from "../lease/backoff.ts";
import { type Contesting, contend, type Waiting } from "../lease/contest.ts";
import { grantLease } from "../lease/grant-lease.ts";
import type { HeldLease } from "../lease/held-lease.ts";
import { type HoldCalls, type HoldKind, holdCalls, REQUEST_SHARE } from "../lease/hold.ts";
import type { Lease } from "../lease/lease.ts";
import { startWait, timedOut } from "../lease/lock-timeout.ts";
import { bodyOf, inspectRecord, type RecordState } from "../lease/record.ts";
import { isUnavailable } from "../lease/unavailable.ts";
import type { Call, Ran } from "../redis/call.ts";
import { type Connection, type ConnectionSource, patienceOf, startPatience } from "../redis/connect.ts";
import { Doubt } from "../redis/doubt.ts";
import { runScript } from "../redis/run.ts";
import { holdExtend, type OnceBeginReply, onceBegin, onceClose, onceComplete } from "../redis/scripts.gen.ts";
import { callOf, channelsOf, distinctName, type Target, targetOf, toTarget } from "../redis/target.ts";
import { checkOptions, type Duration, toCount, toLease, toSignal, toText, toTtl } from "../shared/checks.ts";
import { type Commit, commitOf } from "../shared/commit.ts";
import { hash } from "../shared/crypto.ts";
import { LeaseholdError, LeaseLostError, type LossReason } from "../shared/errors.ts";
import type { TurnStatus } from "../shared/events.ts";
import { refuseMissing } from "../shared/identity.ts";
import { type OnlyJson, type StoredResult, writeResult } from "../shared/json.ts";
import { inCall } from "../shared/misuse.ts";
import { type Note, noteOf } from "../shared/note.ts";
import { boundWaitUntil, type WaitUntil } from "../shared/wait-until.ts";

/** Options of a {@link once}. */
export interface OnceOptions {
  /** The lease of one attempt; another may start after it. Default: the connection's `lease`, 30 s. */
  readonly lease?: Duration | undefined;
  /** How long the result, or without a result the number of attempts, is remembered. Default 24 h. */
  readonly ttl?: Duration | undefined;
  /** The maximum number of attempts. Default: no limit. */
  readonly maxAttempts?: number | undefined;
  /** A text, such as a body, that every call with this key must repeat, or it gets `mismatch`. Stored hashed. */
  readonly fingerprint?: string | undefined;
}

/** Options of `begin`. */
export interface BeginOptions {
  readonly signal?: AbortSignal | undefined;
  /** The platform's `waitUntil`. It receives work that the call does not await. */
  readonly waitUntil?: WaitUntil | undefined;
}

/** The caller has to do the work. */
export interface Started {
  readonly status: "started";
  /**
   * The lease of this attempt; its token fences the attempt's writes. Releasing the lease fails the attempt; the end of
   * its `keepAlive` does not.
   */
  readonly lease: Lease;
  /** 1 for the first. */
  readonly attempt: number;
  /**
   * Marks the key as done and stores the result, as JSON of at most 256 kB; undefined becomes null. If the result
   * cannot be stored, the key is done without a result: an event `unstored` reports it, and the return value says why.
   * It also works after the lease has expired, unless another attempt has started.
   *
   * While the server answers that it is busy (429, `LOADING`, `READONLY`), the call retries until the lease ends.
   * Otherwise it ends within `requestTimeout`.
   *
   * @throws LeaseLostError if another attempt has started; another LeaseholdError if the key could not be marked, and
   * then the attempt ends with its lease.
   */
  complete<T>(result?: T & OnlyJson<T>): Promise<Completed<T>>;
  /** Does the work exactly once in one database, in a transaction that also stores its result. See {@link Commit}. */
  readonly commit: Commit;
  /** Abandons the attempt, so that the next delivery can start. Returns false if the attempt had already ended. */
  fail(): Promise<boolean>;
}
/** Another attempt is running, for at most `retryAfterMs` more. */
export interface Running {
  readonly status: "running";
  readonly retryAfterMs: number;
}
/** The work was done, under `token`. The result was read from JSON; its type is not checked. */
export interface Done<T = unknown> {
  readonly status: "done";
  readonly stored: true;
  readonly result: T;
  readonly token: number;
}
/** The work was done, under `token`, but its result could not be stored. */
export interface DoneWithoutResult {
  readonly status: "done";
  readonly stored: false;
  readonly result: undefined;
  readonly token: number;
}
/**
 * How an attempt was completed. `stored: true`: duplicates get `result`. `stored: false`: the key is done without a
 * result. `error` is a TypeError for a result that is not JSON, a RangeError for one that is too large, and a
 * LeaseholdError if the server refused it.
 */
export type Completed<T = unknown> =
  | { readonly stored: true; readonly result: StoredResult<T> }
  | { readonly stored: false; readonly error: Error };
/** `maxAttempts` attempts have started. */
export interface Exhausted {
  readonly status: "exhausted";
  readonly attempts: number;
}
/** The key was used before with another fingerprint. */
export interface Mismatch {
  readonly status: "mismatch";
}
/** The result of `begin`: the attempt starts, another one is running or done, or no further attempt may start. */
export type Turn = Started | Running | Done | DoneWithoutResult | Exhausted | Mismatch;

/** The limit for "no limit", since infinity cannot be sent. */
const ANY_NUMBER = 1e15;
/** Later than any server's clock, in µs: the caller has not polled before. */
const NOT_YET = 9e15;

/** The attempts of a once. */
export const ONCE: HoldKind = { kind: "once", extend: holdExtend, close: onceClose };

/** How a `begin` waits for an attempt that runs elsewhere; it does not wait without `waitMs`. */
export type BeginWaiting = Pick<Waiting<unknown>, "waitMs" | "maxPolls" | "backoff">;

/** Error replies that a result may get now and not later. */
const NO_ROOM = /^(OOM|MISCONF|NOREPLICAS) /;

/**
 * The refusal of a result, if the server may still store the mark that the work is done; undefined if it is unavailable
 * or the attempt has ended. An earlier request may have stored the result, which the answer to the mark reports.
 */
function refusalOf(error: unknown): LeaseholdError | undefined {
  if (!(error instanceof LeaseholdError)) return undefined;
  const { code, cause } = error;
  const refusal = code === "outcome_unknown" && cause instanceof LeaseholdError ? cause : error;
  return refusal.code === "lease_lost" || isUnavailable(refusal) ? undefined : refusal;
}

/**
 * Makes the `commit` of an attempt of this key that runs under a lock as well: the lock's token must not be stale either,
 * so that a frozen holder's late commit is refused.
 */
export function commitUnder(
  connection: Connection,
  key: string,
  { attempt, token }: { readonly attempt: number; readonly token: number },
  under: Pick<Lease, "name" | "token">,
): Commit {
  const rowOf = (name: string): string => distinctName(targetOf(connection, ONCE.kind, [name]));
  return commitOf({
    key: rowOf(key),
    lease: { name: key, token },
    attempt,
    under: { key: rowOf(under.name), lease: { name: under.name, token: under.token } },
  });
}

/** The attempts of a key, one at a time. */
export interface Attempts {
  readonly target: Target;
  /**
   * Asks in one request whether to start. It can wait instead, and throws LockTimeoutError if an attempt is still
   * running at the end of the wait. With `waiting`, the options have been checked.
   */
  begin(options?: BeginOptions, waiting?: BeginWaiting): Promise<Turn>;
}

/** The data shared by all attempts of one key. */
interface Terms {
  readonly target: Target;
  readonly leaseMs: number;
  readonly ttlMs: number;
  readonly mostAttempts: number;
  readonly fingerprint: string | undefined;
}

function tell({ emit }: Target, status: TurnStatus, attempt?: number, held?: HeldLease): void {
  emit?.({ type: "turn", status, token: held?.lease.token, attempt, heldMs: held?.heldMs() });
}

/** A granted attempt, with its hold. */
interface GrantedAttempt {
  readonly held: HeldLease;
  readonly id: string;
  readonly token: number;
  readonly attempt: number;
}

/**
 * Marks the key as done, with this JSON as its result, or without a result if it is empty. Returns whether a result is
 * stored, which an earlier request may have decided.
 */
async function markDone(
  terms: Terms,
  granted: GrantedAttempt,
  text: string,
  call: Pick<Call, "budgetMs" | "busyMs" | "mayPass" | "doubt">,
): Promise<boolean> {
  const { target, ttlMs } = terms;
  const { held, id, token, attempt } = granted;
  const args = [id, token, ttlMs, target.connection.retentionMs, text] as const;
  const answer = await runScript(target, onceComplete, args, { operation: "complete", ...call });
  tell(target, answer.status, attempt, held);
  if (answer.status === "lost") throw new LeaseLostError(target.name, answer.reason as LossReason);
  held.finish();
  return answer.stored === 1;
}

/**
 * Stores the result of an attempt. While the server answers that it is busy, that is retried until the lease ends. A
 * result that it does not store is left out: the work is done, and must not run again.
 */
async function complete(terms: Terms, granted: GrantedAttempt, result: unknown): Promise<Completed> {
  const { connection, name, emit } = terms.target;
  const { held, token } = granted;
  const patienceMs = patienceOf(connection);
  const leftMs = startPatience(connection);
  const doubt = new Doubt();
  const written = writeResult(result);
  const stored = (text: string): Completed => ({ stored: true, result: JSON.parse(text) });

  const leaveOut = async (why: string, error: Error): Promise<Completed> => {
    const budgetMs = Math.max(leftMs(), (1 - REQUEST_SHARE) * patienceMs);
    const wasStored = await markDone(terms, granted, "", { budgetMs, doubt });
    if (wasStored && written.text !== undefined) return stored(written.text);
    emit?.({ type: "unstored", token, why });
    return { stored: false, error };
  };

  if (written.text === undefined) return leaveOut(written.why, written.error);
  const busyMs = held.lease.expiresAt - connection.clock.now();
  try {
    const call = { budgetMs: REQUEST_SHARE * patienceMs, busyMs, mayPass: NO_ROOM, doubt };
    if (await markDone(terms, granted, written.text, call)) return stored(written.text);
    const error = new LeaseholdError("no_result", `"${name}" was completed before, without a result`);
    return { stored: false, error };
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    return leaveOut(refusal.code, refusal);
  }
}

function started(terms: Terms, granted: GrantedAttempt): Started {
  const { held, attempt } = granted;
  const { lease } = held;
  const { name, token } = lease;
  return {
    status: "started",
    lease,
    attempt,
    commit: commitOf({ key: distinctName(terms.target), lease: { name, token }, attempt }),
    complete: ((result?: unknown) => complete(terms, granted, result)) as Started["complete"],
    async fail() {
      const isEnded = await lease.release();
      if (isEnded) tell(terms.target, "failed", attempt, held);
      return isEnded;
    },
  };
}

/** The reply to a request to begin. Only some scripts list callers that listen. */
type BeginReply =
  | Exclude<OnceBeginReply, { readonly status: "running" }>
  | { readonly status: "running"; readonly now: number; readonly remaining: number; readonly listed?: number };

/** Sends the request to begin. Default: the attempt needs nothing else. */
export type AskToBegin = (id: string, polledAt: number, call: Call) => Promise<Ran<BeginReply>>;

const blockedBy = (reply: Ran<BeginReply>): Blocked | undefined =>
  reply.status === "running"
    ? { remainingMs: reply.remaining / 1000, tenureMs: 0, queueMs: 0, isListed: reply.listed === 1 }
    : undefined;

/** Asks whether to start an attempt, and waits for one that runs elsewhere if `waiting` says so. */
async function askToBegin(
  terms: Terms,
  close: HoldCalls["close"],
  options: BeginOptions,
  waiting: BeginWaiting,
  askOther: AskToBegin | undefined,
) {
  const { target, leaseMs, ttlMs, mostAttempts, fingerprint } = terms;
  const { retentionMs, holder } = target.connection;
  // Always awaited, so that a call aborted in the same turn sends nothing.
  const print = await (fingerprint === undefined ? "" : hash(fingerprint));
  return contend<BeginReply, Contesting<BeginReply>>({
    target,
    operation: "begin",
    close,
    terms: { ...waiting, leaseMs, signal: options.signal, waitUntil: boundWaitUntil(options), blockedBy },
    channels: channelsOf(target),
    async ask({ id, before, listensMs }, call) {
      const polledAt = before?.now ?? NOT_YET;
      const args = [id, leaseMs, ttlMs, retentionMs, mostAttempts, print, polledAt, holder, listensMs] as const;
      const reply = await (askOther?.(id, polledAt, call) ?? runScript(target, onceBegin, args, call));
      // There is no queue to leave, so the ID is closed only if a wait ends without a result.
      if (reply.status !== "running") call.doubt?.leavesQueue();
      return reply;
    },
  });
}

/** The texts of the running attempt. */
function attemptNote(record: RecordState): Note {
  return record.status === "live" ? noteOf(bodyOf(record).split(" ", 4)[3]) : {};
}

/** Checks the options of a `begin`; `known` lists them. @throws TypeError; the message does not name the call. */
export function checkBegin(options: BeginOptions, known: string): void {
  checkOptions(options, known);
  toSignal(options.signal);
  boundWaitUntil(options);
}

function termsOf(target: Target, { lease, ttl, maxAttempts, fingerprint }: OnceOptions): Terms {
  if (fingerprint !== undefined) toText(fingerprint, "fingerprint", 0, Number.POSITIVE_INFINITY);
  return {
    target,
    leaseMs: toLease(lease ?? `${target.connection.leaseMs}ms`),
    ttlMs: toTtl(ttl ?? "24h"),
    mostAttempts: Math.min(toCount(maxAttempts, "maxAttempts"), ANY_NUMBER),
    fingerprint,
  };
}

/**
 * Opens the attempts of a key: the part of a once that begins, completes and fails attempts. `askOther` sends another
 * request to begin.
 *
 * @throws TypeError or RangeError for an invalid key or option.
 */
export function attempts(
  connection: ConnectionSource,
  key: string,
  options: OnceOptions,
  askOther?: AskToBegin,
): Attempts {
  const target = toTarget(connection, ONCE.kind, key, options, "lease ttl maxAttempts fingerprint");
  const terms = inCall(
    () => callOf(target),
    () => {
      refuseMissing(key, "key");
      return termsOf(target, options);
    },
  );
  const { leaseMs } = terms;
  const holds = holdCalls(target, ONCE);

  return {
    target,
    async begin(options = {}, waiting) {
      const { waitMs } = waiting ?? {};
      if (!waiting)
        inCall(
          () => `${callOf(target)}.begin`,
          () => checkBegin(options, "signal waitUntil"),
        );
      const ending = {
        target,
        waitMs: waitMs ?? 0,
        maxPolls: waiting?.maxPolls ?? Number.POSITIVE_INFINITY,
        signal: options.signal,
        ...startWait(target.connection.clock),
        look: async (call: Call) => attemptNote(await inspectRecord(target, undefined, call)),
      };
      const answer = await askToBegin(terms, holds.close, options, waiting ?? {}, askOther);
      if (answer.status === "unanswered") throw await timedOut(ending, answer);
      const { status } = answer;
      if (status === "granted") {
        const { id, doubted, token, attempt } = answer;
        const hold = { target, ...holds, id, token, leaseMs, doubted, works: 1 };
        const held = await grantLease(hold, { ...answer, holds: 1 }, boundWaitUntil(options), options.signal);
        tell(target, "started", attempt, held);
        return started(terms, { held, id, token, attempt });
      }
      tell(target, status);
      if (status === "running") {
        if (waitMs !== undefined) throw await timedOut(ending, answer);
        return { status, retryAfterMs: Math.ceil(answer.remaining / 1000) };
      }
      if (status === "done") {
        const text = answer.result.slice(1);
        if (text === "") return { status, stored: false, result: undefined, token: answer.token };
        return { status, stored: true, result: JSON.parse(text), token: answer.token };
      }
      return status === "exhausted" ? { status, attempts: answer.attempts } : { status };
    },
  };
}
