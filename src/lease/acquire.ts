import type { Call, Ran, Timing } from "../redis/call.ts";
import { patienceOf } from "../redis/connect.ts";
import { callOf, type Target } from "../redis/target.ts";
import { checkOptions, type RunArguments, toRun } from "../shared/checks.ts";
import {
  isNoAnswer,
  LeaseholdError,
  type LeaseholdErrorCode,
  LeaseLostError,
  type LossReason,
} from "../shared/errors.ts";
import { inCall, misuse } from "../shared/misuse.ts";
import { refuseUnstarted } from "../shared/unstarted.ts";
import { boundWaitUntil } from "../shared/wait-until.ts";
import {
  type AcquireOptions,
  defaultsOf,
  hashReentryKey,
  type Replicas,
  type RunOptions,
  type Settled,
  settle,
  TRY_OPTIONS,
  type TryOptions,
  WAIT_OPTIONS,
} from "./acquire-options.ts";
import type { Blocked } from "./backoff.ts";
import { type Contest, contend, type Poll } from "./contest.ts";
import { grantLease } from "./grant-lease.ts";
import type { HeldLease } from "./held-lease.ts";
import { type Hold, type HoldCalls, type HoldReply, REQUEST_SHARE, type Spending, usableMs } from "./hold.ts";
import { toLimits } from "./keep-alive.ts";
import type { Lease, Work } from "./lease.ts";
import { type Blocker, type Look, startWait, timedOut } from "./lock-timeout.ts";
import type { Joint } from "./record.ts";
import { isOpen, orUnprotected, type Refusing } from "./unavailable.ts";

/** The key of the property that multi-locks read from an acquirable. */
export const PARTS: unique symbol = Symbol();

/** A part of a multi-lock: a kind in one slot or on several servers, and the options that it was made with. */
export interface Part extends AcquirableKind {
  readonly defaults: AcquireOptions;
  /** The key by which a multi-lock sorts its parts. */
  readonly orderKey: string;
  /** Whether it is on several servers; then it takes no `replicas`. */
  readonly isSpread: boolean;
}

/** The part that a kind on one server is of a multi-lock. */
export const partOf = <Own>(kind: AcquirableKind<Own>, defaults: AcquireOptions): Part => ({
  ...(kind as AcquirableKind),
  defaults,
  orderKey: kind.target.keys[0] as string,
  isSpread: false,
});

/** How a kind is composed of others, if it is not a hold on one server. */
interface Composition {
  /** The parts that it has in a multi-lock. */
  readonly parts: readonly Part[];
  /** Makes the kind of one acquisition, with its own state. Default: acquisitions have no state. */
  readonly start?: () => AcquirableKind;
}

/** Every lock and semaphore of this library can be a part of a multi-lock. */
export interface Joinable {
  /** Internal. */
  readonly [PARTS]: () => readonly Part[];
  readonly inspect?: (joint?: Joint) => Promise<unknown>;
  readonly forceRelease?: (joint?: Joint) => Promise<boolean>;
}

/**
 * The calls of every kind with leases. `More` are the kind's own options of a call. `Unused` names the common options
 * that the kind does not support and rejects.
 */
export interface Acquirable<L = Lease, More = unknown, Unused extends keyof TryOptions = never> extends Joinable {
  /**
   * Tries once. Returns the lease, or null if it was refused, or if no attempt was answered and the cancel was. With
   * null, nothing is held. Unanswered requests are retried for at most `requestTimeout` in all, or for the length of
   * the lease if that is shorter, and for less than a second if the server is unreachable.
   *
   * @throws OutcomeUnknownError if neither the attempt nor its cancel was answered; other subclasses of LeaseholdError
   * as documented there.
   */
  tryAcquire(options?: Omit<TryOptions, Unused> & More): Promise<L | null>;
  /**
   * Waits until it is acquired, for at most `wait` plus `requestTimeout`.
   *
   * @throws LockTimeoutError if it was not acquired in time; otherwise like `tryAcquire`.
   */
  acquire(options?: Omit<AcquireOptions, Unused> & More): Promise<L>;
  /**
   * Acquires, runs `work` and releases; with a `waitUntil`, the release continues in the background. The lease is
   * extended during the work only with `keepAlive`.
   *
   * With `onUnavailable: "run"`, the work runs without a lease, as `work(undefined)`, while Redis is unavailable.
   *
   * @throws what `work` throws; LeaseLostError if the lease was lost during the work; otherwise like `acquire`.
   */
  run<T>(options: Omit<RunOptions, Unused> & More & Refusing, work: Work<T, L>): Promise<T>;
  run<T>(options: Omit<RunOptions, Unused> & More, work: Work<T, L | undefined>): Promise<T>;
  run<T>(work: Work<T, L>): Promise<T>;
}

/** Replies of the acquire scripts. */
export type AcquireReply =
  | {
      readonly status: "granted";
      /** The ID of the hold, if it differs from the ID of the request. */
      readonly id?: string;
      readonly now: number;
      readonly token: number;
      readonly remaining: number;
      readonly holds: number;
    }
  | ({
      readonly status: "held";
      readonly now: number;
      readonly remaining: number;
      /** In µs, if the kind knows them; see {@link Blocked}. */
      readonly age?: number;
      readonly tenure?: number;
      readonly queue?: number;
      readonly ahead?: number;
      readonly back?: number;
      /** In ms, after a tie in a quorum. */
      readonly tieSpreadMs?: number;
      /** The place in the queue, to be sent with the next poll. */
      readonly ticket?: number;
      /** 1 if a message will wake the caller. */
      readonly listed?: number;
    } & Blocker)
  /** Error codes: waiting does not help. */
  | { readonly status: "not_reentrant"; readonly now: number; readonly remaining: number }
  | { readonly status: "too_many_holds" | "upgrade_refused"; readonly now: number }
  /** Of a kind that ends the holds of others: a later request has ended this one's tenure, or it expired unused. */
  | { readonly status: "superseded"; readonly now: number; readonly reason: string }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "closed" | "late"; readonly now: number };

/** A poll of an acquisition. `Own` are the kind's own options of the call. */
export interface AcquireRequest<Own = unknown> extends Settled, Poll<AcquireReply> {
  readonly id: string;
  /** The hashed key; empty for none. */
  readonly reentryKey: string;
  readonly own: Own;
}

/** The part of a kind that makes it acquirable. */
export interface AcquirableKind<Own = unknown>
  extends HoldCalls,
    Pick<Hold, "adds" | "mode">,
    Pick<Contest<AcquireReply, AcquireRequest<Own>>, "endsOthers"> {
  readonly target: Target;
  /** The options of a call that tries once, if they differ from {@link TryOptions}. */
  readonly takes?: string;
  /** Reads the kind's own options of a call. @throws TypeError or RangeError for an invalid option. */
  own?(options: object): Own;
  /** The suffix of a hold's ID. It carries data about the hold to every script that receives the ID. */
  suffix?(request: { readonly reentryKey: string; readonly note: string; readonly own: Own }): string;
  /** The kind's options of a call that acquires the same as the hold with this ID. */
  again?(id: string): object;
  /** Sends one poll. The reply to a granted poll may name an ID other than the poll's. */
  ask(request: AcquireRequest<Own>, call: Call): Promise<Ran<AcquireReply>>;
  /** The channels on which a message wakes a waiter. Default: none. */
  readonly channels?: readonly string[];
  /** Reads the holder, for the error of a timed-out wait. */
  readonly look?: Look;
  /** Of a kind whose permits can be spent. */
  readonly spending?: Spending;
}

function blockedBy(reply: AcquireReply): Blocked | undefined {
  if (reply.status !== "held") return undefined;
  return {
    remainingMs: reply.remaining / 1000 || Number.POSITIVE_INFINITY,
    ageMs: reply.age === undefined ? undefined : reply.age / 1000,
    tenureMs: (reply.tenure ?? 0) / 1000,
    queueMs: (reply.queue ?? 0) / 1000,
    ahead: reply.ahead,
    backMs: reply.back && reply.back / 1000,
    tieSpreadMs: reply.tieSpreadMs,
    isListed: reply.listed === 1,
  };
}

/** The number of replicas that have all writes before a `WAIT`. */
export const replicasOf = ({ answers }: Timing): number => Number(answers?.[1]?.result) || 0;

/** Writes a hold again, followed by `WAIT`: the replicas counted by it have the grant as well. */
async function replicated(
  { target, id, token, leaseMs, extend }: Hold,
  { min, timeoutMs }: Replicas,
  signal: AbortSignal | undefined,
  lateMs: number,
): Promise<HoldReply> {
  let had = 0;
  try {
    const behind = [["WAIT", min, timeoutMs]];
    const answer = await extend(id, token, leaseMs, {
      operation: "replicate",
      behind,
      moreMs: timeoutMs,
      signal,
      budgetMs: REQUEST_SHARE * patienceOf(target.connection) - lateMs,
      // The caller cancels a hold that it does not replicate.
      settlesDoubt: true,
    });
    had = replicasOf(answer);
    signal?.throwIfAborted();
    // A reply that reports a loss has the reason instead of the remaining time.
    const { reason = "expired", remaining } = answer as HoldReply & { readonly reason?: LossReason };
    if (!(answer.since() < usableMs(remaining))) throw new LeaseLostError(target.name, reason);
    if (had >= min) return answer as HoldReply;
  } catch (error) {
    if (!isNoAnswer(error)) throw error;
  }
  throw new LeaseholdError("not_replicated", `${had} of ${min} replicas had "${target.name}" within ${timeoutMs} ms`);
}

const sideOf = ({ mode }: Pick<AcquirableKind, "mode">): string => (mode === undefined ? "" : `.${mode}`);

type CallName = "tryAcquire" | "acquire" | "run";

/** Checks the names of the options of a call. @throws TypeError for one that the call does not take. */
function checkNames(call: CallName, options: object, { takes = TRY_OPTIONS }: Pick<AcquirableKind, "takes">): void {
  if (call === "tryAcquire" && "wait" in Object(options))
    throw misuse(TypeError, 'no option "wait": tryAcquire does not wait, acquire({ wait }) does');
  const waiting = call === "tryAcquire" ? "" : ` ${WAIT_OPTIONS}`;
  const running = call === "run" ? " keepAlive onUnavailable" : "";
  checkOptions(options, takes + waiting + running);
}

/**
 * One acquisition of a kind, from the options of a call to its lease; null if a call that does not wait is refused.
 *
 * @throws TypeError or RangeError for an invalid option, before anything is sent; LeaseholdError.
 */
async function acquireOnce<Own>(
  kind: AcquirableKind<Own>,
  start: Composition["start"],
  name: CallName,
  input: AcquireOptions | undefined,
  defaults: Settled,
): Promise<HeldLease | null> {
  const { target, suffix } = kind;
  const waits = name !== "tryAcquire";
  const [settled, own] = inCall(
    () => `${callOf(target)}${sideOf(kind)}.${name}`,
    () => {
      if (input !== undefined) checkNames(name, input, kind);
      const options = input === undefined ? defaults : settle(input, defaults, target.connection);
      return [options, kind.own?.(input ?? {}) as Own];
    },
  );
  const { leaseMs, waitUntil, signal, replicas } = settled;
  const waitMs = waits ? settled.waitMs : 0;
  const terms = {
    ...settled,
    waitMs,
    // Always awaited, so that a call aborted in the same turn sends nothing.
    reentryKey: await hashReentryKey(settled.reentryKey),
    own,
    blockedBy,
  };
  const composed = start?.() ?? kind;
  const times = startWait(target.connection.clock);
  const answer = await contend<AcquireReply, typeof terms>({
    target,
    operation: "acquire",
    suffix: suffix?.(terms),
    terms,
    ask: composed.ask as AcquirableKind<Own>["ask"],
    close: composed.close,
    channels: composed.channels,
    wokenAs: composed.mode,
    endsOthers: kind.endsOthers,
  });
  if (answer.status === "granted") {
    const { id, token, doubted, waitedMs } = answer;
    const hold = { ...composed, id, token, leaseMs, doubted };
    // If the grant took longer than the wait, no time is left.
    const last = replicas && replicated(hold, replicas, signal, Math.max(waitedMs - waitMs, 0));
    return grantLease(hold, answer, waitUntil, signal, last);
  }
  if (answer.status === "superseded") throw new LeaseLostError(target.name, answer.reason as LossReason);
  const isOver = answer.status === "held" || answer.status === "unanswered";
  if (!isOver)
    throw new LeaseholdError(answer.status as LeaseholdErrorCode, `this reentryKey already holds "${target.name}"`);
  if (waits) throw await timedOut({ ...settled, ...times, target, look: composed.look }, answer);
  return null;
}

/** Makes the acquiring calls that all kinds share. `options` apply to what a call leaves out. */
export function acquirable<Own>(
  kind: AcquirableKind<Own>,
  options: AcquireOptions,
  { parts, start }: Composition = { parts: [partOf(kind, options)] },
): Acquirable {
  const { target } = kind;
  // Invalid options are reported where the lock is made, not at its first use.
  const defaults = inCall(
    () => callOf(target),
    () => settle(options, defaultsOf(target.connection), target.connection),
  );
  const attempt = (name: CallName, options: AcquireOptions | undefined): Promise<HeldLease | null> =>
    acquireOnce(kind, start, name, options, defaults);

  return {
    [PARTS]: () => parts,
    tryAcquire: async (options) => (await attempt("tryAcquire", options))?.lease ?? null,
    acquire: async (options) => ((await attempt("acquire", options)) as HeldLease).lease,
    async run<T>(...args: RunArguments<RunOptions, Work<T, never>>): Promise<T> {
      const call = `${callOf(target)}${sideOf(kind)}.run`;
      const [options, unchecked] = toRun(args, call);
      const work = unchecked as Work<T, Lease | undefined>;
      const [waitUntil, limits, open] = inCall(call, () => {
        const background = boundWaitUntil(options) ?? defaults.waitUntil;
        return [background, toLimits(options.keepAlive, background), isOpen(options)];
      });
      const held = await orUnprotected(target, open, () => attempt("run", options));
      return held ? held.run(work, waitUntil, limits) : refuseUnstarted(await work(undefined), call);
    },
  };
}
