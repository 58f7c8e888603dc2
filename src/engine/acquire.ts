import type { Call, Ran, Timing } from "../redis/call.ts";
import { stopwatch } from "../redis/clock.ts";
import { patienceOf } from "../redis/connect.ts";
import { callOf, type Target } from "../redis/target.ts";
import { checkOptions, type RunArguments, toRun } from "../shared/checks.ts";
import {
  LeaseholdError,
  type LeaseholdErrorCode,
  LeaseLostError,
  type LossReason,
  OutcomeUnknownError,
} from "../shared/errors.ts";
import { inCall, misuse } from "../shared/misuse.ts";
import { boundWaitUntil } from "../shared/wait-until.ts";
import {
  type AcquireOptions,
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
import { contend } from "./contend.ts";
import { ASKING, type Hold, type HoldCalls, type HoldReply, usableMs } from "./hold.ts";
import { type Kept, keepAlive, toLimits } from "./keep-alive.ts";
import { grantLease, type Lease, type Work } from "./lease.ts";
import { type Blocker, type Look, timedOut } from "./lock-timeout.ts";
import { checkUses, type NameUse, noteUses, usesOf } from "./name-use.ts";
import type { Poll } from "./poll.ts";
import type { Joint } from "./record.ts";
import { isOpen, orUnprotected, type Refusing } from "./unavailable.ts";

/** The key under which an acquirable has what a multi-lock needs. */
export const PARTS: unique symbol = Symbol();

/** One slot's share of a multi-lock: a kind, and the options that it was made with. */
export interface Part extends AcquirableKind {
  readonly defaults: AcquireOptions;
}

/** A part of a multi-lock can be every lock and semaphore of this library. */
export interface Joinable {
  /** Internal. */
  readonly [PARTS]: () => readonly Part[];
  readonly inspect?: (joint?: Joint) => Promise<unknown>;
  readonly forceRelease?: (joint?: Joint) => Promise<boolean>;
}

/**
 * The calls that every kind with leases has. `More` are the kind's own options of a call, and `Unused` names those of
 * every call that the kind has no use for and refuses.
 */
export interface Acquirable<L = Lease, More = unknown, Unused extends keyof TryOptions = never> extends Joinable {
  /**
   * Tries once, and returns null if it was not acquired; then nothing is held. It insists on an answer for
   * `requestTimeout` in all, or for as long as the lease if that is shorter, but for less than a second while the
   * server cannot be reached.
   *
   * @throws OutcomeUnknownError when no answer came, neither to the attempt nor to its cancel; another LeaseholdError
   * as documented there.
   */
  tryAcquire(options?: Omit<TryOptions, Unused> & More): Promise<L | null>;
  /**
   * Waits until it is acquired, for `wait` plus `requestTimeout` at most.
   *
   * @throws LockTimeoutError when it was not acquired in time; otherwise as `tryAcquire`.
   */
  acquire(options?: Omit<AcquireOptions, Unused> & More): Promise<L>;
  /**
   * Acquires, runs `work` and releases; with a `waitUntil` the release continues in the background. The lease is extended
   * meanwhile only with `keepAlive`.
   *
   * With `onUnavailable: "run"` the work runs without a lease, as `work(undefined)`, while Redis is unavailable.
   *
   * @throws what `work` throws; LeaseLostError when the lease was lost during the work; otherwise as `acquire`.
   */
  run<T>(options: Omit<RunOptions, Unused> & More & Refusing, work: Work<T, L>): Promise<T>;
  run<T>(options: Omit<RunOptions, Unused> & More, work: Work<T, L | undefined>): Promise<T>;
  run<T>(work: Work<T, L>): Promise<T>;
}

/** Replies of the acquire scripts. */
export type AcquireReply =
  | {
      readonly status: "granted";
      /** The id of the hold, where it is another one than that of the request. */
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
      /** In µs, where the kind knows them; see {@link Blocked}. */
      readonly age?: number;
      readonly tenure?: number;
      readonly queue?: number;
      readonly ahead?: number;
      readonly back?: number;
      /** The place in the queue, to be sent with the next poll. */
      readonly ticket?: number;
    } & Blocker)
  /** Error codes: waiting would change nothing. */
  | { readonly status: "not_reentrant"; readonly now: number; readonly remaining: number }
  | { readonly status: "too_many_holds" | "upgrade_refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "closed" | "late"; readonly now: number };

/** A poll of an acquisition. `Own` are the kind's own options of the call. */
export interface AcquireRequest<Own = unknown> extends Settled, Poll<AcquireReply> {
  readonly id: string;
  /** Hashed; empty for none. */
  readonly reentryKey: string;
  readonly own: Own;
}

/** The part of a kind that makes it acquirable. */
export interface AcquirableKind<Own = unknown> extends HoldCalls, Pick<Hold, "adds" | "mode"> {
  readonly target: Target;
  /** The options of a call that tries once, where they differ from {@link TryOptions}. */
  readonly takes?: string;
  /** Reads the kind's own options of a call. @throws TypeError or RangeError for one that cannot be. */
  own?(given: object): Own;
  /** The end of a hold's id, for what scripts must know of the hold whenever they are given its id. */
  suffix?(request: { readonly reentryKey: string; readonly note: string; readonly own: Own }): string;
  /** The options of a call that acquires the same as the hold of this id, besides those of every kind. */
  again?(id: string): object;
  /** Sends one poll. A reply that grants may name another id than the one it was sent with. */
  ask(request: AcquireRequest<Own>, call: Call): Promise<Ran<AcquireReply>>;
  /** Finds out who has it, for the error of a timed-out wait. */
  readonly look?: Look;
  /** How it uses names, where it is not a lock on one server. */
  readonly uses?: readonly NameUse[];
  /** The key by which a multi-lock sorts it among other parts, where that is not the first key of its target. */
  readonly orderKey?: string;
  /** Whether it is on several servers; then it takes no `replicas`. */
  readonly isSpread?: boolean;
  /**
   * The parts of a kind that is made of others, and the kind anew for every acquisition, with an account of its own.
   */
  readonly parts?: readonly Part[];
  readonly anew?: () => AcquirableKind<Own>;
}

function blockedBy(reply: AcquireReply): Blocked | undefined {
  if (reply.status !== "held") return undefined;
  return {
    remainingMs: reply.remaining / 1000 || Number.POSITIVE_INFINITY,
    ageMs: (reply.age ?? 0) / 1000,
    tenureMs: (reply.tenure ?? 0) / 1000,
    queueMs: (reply.queue ?? 0) / 1000,
    ahead: reply.ahead,
    backMs: reply.back && reply.back / 1000,
  };
}

/** How many replicas have what was written before a `WAIT`. */
export const replicasOf = ({ answers }: Timing): number => Number(answers?.[1]?.result) || 0;

/** Writes a hold once more with `WAIT` behind it: what the grant wrote has then reached the replicas too. */
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
      budgetMs: ASKING * patienceOf(target.connection) - lateMs,
    });
    had = replicasOf(answer);
    signal?.throwIfAborted();
    // An answer that it is lost says why, and not how long it lasts.
    const { reason = "expired", remaining } = answer as HoldReply & { readonly reason?: LossReason };
    if (!(answer.since() < usableMs(remaining))) throw new LeaseLostError(target.name, reason);
    if (had >= min) return answer as HoldReply;
  } catch (error) {
    if (!(error instanceof OutcomeUnknownError)) throw error;
  }
  throw new LeaseholdError("not_replicated", `${had} of ${min} replicas had "${target.name}" within ${timeoutMs} ms`);
}

const sideOf = ({ mode }: Pick<AcquirableKind, "mode">): string => (mode === undefined ? "" : `.${mode}`);

/** How a call acquires: its name, whether it waits, and the options that it takes. */
interface Mode {
  readonly call: "tryAcquire" | "acquire" | "run";
  readonly waits: boolean;
  readonly options: string;
}

/** The ways to acquire a kind. */
function modesOf({ takes = TRY_OPTIONS }: Pick<AcquirableKind, "takes">): Record<"once" | "waiting" | "running", Mode> {
  const waiting = `${takes} ${WAIT_OPTIONS}`;
  return {
    once: { call: "tryAcquire", waits: false, options: takes },
    waiting: { call: "acquire", waits: true, options: waiting },
    running: { call: "run", waits: true, options: `${waiting} keepAlive onUnavailable` },
  };
}

/**
 * One acquisition of a kind, from the options of a call to its lease; null where a call that does not wait gets none.
 *
 * @throws TypeError or RangeError for an option that cannot be, before anything is sent; LeaseholdError.
 */
async function acquireOnce<Own>(
  kind: AcquirableKind<Own>,
  given: AcquireOptions,
  defaults: AcquireOptions,
  mode: Mode,
  uses: readonly NameUse[],
): Promise<Kept<Lease> | null> {
  const { target, suffix, anew } = kind;
  const call = (): string => `${callOf(target)}${sideOf(kind)}.${mode.call}`;
  const [settled, own] = inCall(call, () => {
    if (!mode.waits && "wait" in Object(given))
      throw misuse(TypeError, 'no option "wait": tryAcquire does not wait, acquire({ wait }) does');
    checkOptions(given, mode.options);
    return [settle(given, defaults, target.connection, mode.waits), kind.own?.(given) as Own];
  });
  const { leaseMs, waitMs, waitUntil, signal, replicas } = settled;
  const terms = {
    ...settled,
    // Awaited in any case, so that a call that is aborted in the same turn sends nothing.
    reentryKey: await hashReentryKey(settled.reentryKey),
    own,
    blockedBy,
  };
  checkUses(uses);
  noteUses(uses);
  const ours = anew?.() ?? kind;
  const elapsed = stopwatch(target.connection.clock);
  const answer = await contend<AcquireReply, typeof terms>({
    target,
    operation: "acquire",
    suffix: suffix?.(terms),
    terms,
    ask: ours.ask,
    close: ours.close,
  });
  if (answer.status === "granted") {
    const { id, token, doubted, waitedMs } = answer;
    const hold = { ...ours, id, token, leaseMs, doubted };
    // The time that the grant took beyond the wait is used up.
    const last = replicas && replicated(hold, replicas, signal, Math.max(waitedMs - waitMs, 0));
    return grantLease(hold, answer, waitUntil, signal, last);
  }
  const isOver = answer.status === "held" || answer.status === "unanswered";
  if (!isOver) throw new LeaseholdError(answer.status as LeaseholdErrorCode, `this reentry key has "${target.name}"`);
  if (mode.waits) throw await timedOut({ ...settled, target, elapsed, look: ours.look }, answer);
  return null;
}

/**
 * Acquires a kind: everything that all kinds share. `defaults` apply to options that a call leaves out.
 */
export function acquirable<Own>(kind: AcquirableKind<Own>, defaults: AcquireOptions): Acquirable {
  const { target, parts } = kind;
  const modes = modesOf(kind);
  const uses = (parts ?? [kind]).flatMap((part) => part.uses ?? usesOf(part.target));
  // Reports mistakes where they are written, not at the first use.
  inCall(
    () => callOf(target),
    () => settle({}, defaults, target.connection),
  );
  checkUses(uses);
  const attempt = (mode: Mode, options: AcquireOptions = {}): Promise<Kept<Lease> | null> =>
    acquireOnce(kind, options, defaults, mode, uses);

  return {
    [PARTS]: () => parts ?? [{ ...(kind as AcquirableKind), defaults }],
    tryAcquire: async (options) => (await attempt(modes.once, options))?.lease ?? null,
    acquire: async (options) => ((await attempt(modes.waiting, options)) as Kept<Lease>).lease,
    async run<T>(...given: RunArguments<RunOptions, Work<T, never>>): Promise<T> {
      const call = `${callOf(target)}${sideOf(kind)}.run`;
      const [options, ours] = toRun(given, call);
      const work = ours as Work<T, Lease | undefined>;
      const [waitUntil, limits, open] = inCall(call, () => {
        const background = boundWaitUntil(options, defaults);
        return [background, toLimits(options.keepAlive, background), isOpen(options)];
      });
      const held = await orUnprotected(target, open, () => attempt(modes.running, options));
      return held ? keepAlive(held, work, waitUntil, limits) : await work(undefined);
    },
  };
}
