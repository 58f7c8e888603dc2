import { type Call, type Place, patienceOf, type Ran, type Replicas } from "../redis/run.ts";
import { checkOptions, type Duration, toCount, toFunction, toLease, toMs, toText } from "../shared/checks.ts";
import { hash } from "../shared/crypto.ts";
import {
  LeaseholdError,
  type LeaseholdErrorCode,
  LeaseLostError,
  type LossReason,
  OutcomeUnknownError,
} from "../shared/errors.ts";
import {
  type Background,
  type Backoff,
  type Blocked,
  boundWaitUntil,
  defaultBackoff,
  type WaitUntil,
} from "../shared/wait.ts";
import { contend, timedOut } from "./contend.ts";
import type { Holding } from "./hold.ts";
import { runUnder } from "./keep-alive.ts";
import { type Granted, grantLease, type Held, type Hold, type Lease, usableMs, type Work } from "./lease.ts";

/** What an acquisition may say. */
export interface TryOptions {
  /** How long to hold before it ends by itself, from 10 ms; a number below 100 needs its unit: `"20ms"`. Default: the connection's, 30 s. */
  readonly lease?: Duration | undefined;
  /** Who acquires: an acquisition by the same owner joins the holder instead of waiting. Sent hashed. Default: nobody else. */
  readonly owner?: string | undefined;
  /** Shown by `inspect`, for people. */
  readonly label?: string | undefined;
  /** Ends the attempt: it rejects with the signal's reason within half a second, and lets go of what it may have won, behind that if it has to. */
  readonly signal?: AbortSignal | undefined;
  /** Takes what need not be awaited: the release after `run`, the cancelling of an attempt. */
  readonly waitUntil?: WaitUntil | undefined;
  /**
   * How many replicas must have it before it counts as acquired, by Redis's `WAIT`; with fewer after `timeout` (default 1 s) it is given
   * back: `not_replicated`. It makes a loss by failover unlikely, not impossible: only the token is safe. One more request.
   */
  readonly replicas?: { readonly min: number; readonly timeout?: Duration | undefined } | undefined;
}

export interface AcquireOptions extends TryOptions {
  /** How long to wait for it; 0 tries once. Default 10 s. */
  readonly wait?: Duration | undefined;
  /** How many times to ask at most, requests that failed included; taking back what was not answered is one or two more. Default: no limit. */
  readonly maxPolls?: number | undefined;
  /** The delay between two polls. Default: {@link defaultBackoff}. */
  readonly backoff?: Backoff | undefined;
}

/** The names of these options, and of what locks have besides; see {@link checkOptions}. */
export const TRY_OPTIONS = "lease owner label signal waitUntil replicas ttl>lease";
const WAIT = "backoff wait timeout>wait maxPolls attempts>maxPolls";
export const ACQUIRE_OPTIONS: string = `${TRY_OPTIONS} ${WAIT}`;
export const LOCK_OPTIONS: string = `${ACQUIRE_OPTIONS} reentrant group`;

/** The same for what is on several servers: these have no replicas in common. */
export const withoutReplicas = (known: string): string => known.replace(" replicas", "");

/** Under this symbol an acquirable has what a multi-lock needs of it. */
export const PARTS: unique symbol = Symbol();

/** One slot's share of a multi-lock: a kind, and the options that it was made with. */
export interface Part extends AcquirableKind {
  readonly defaults: AcquireOptions;
}

/** What can be part of a multi-lock: every lock and semaphore of this library. */
export interface Joinable {
  /** Internal. */
  readonly [PARTS]: () => readonly Part[];
  readonly inspect?: () => Promise<unknown>;
  readonly forceRelease?: () => Promise<boolean>;
}

/** How every kind that gives leases is acquired. */
export interface Acquirable<L = Lease, More = unknown> extends Joinable {
  /**
   * Tries once, and insists on an answer: for `requestTimeout` in all, or as long as the lease if that is shorter; while nobody is there,
   * for less than a second. Null: not acquired, nothing is held.
   *
   * @throws OutcomeUnknownError when no answer came, and none to the attempt to take it back; another LeaseholdError as documented there.
   */
  tryAcquire(options?: TryOptions & More): Promise<L | null>;
  /** Waits for it, for `wait` and `requestTimeout` at most. @throws LockTimeoutError when it was not acquired in time; else as `tryAcquire`. */
  acquire(options?: AcquireOptions & More): Promise<L>;
  /**
   * Acquires, runs `work` and releases, in the background when there is a `waitUntil`.
   *
   * @throws what `work` throws; LeaseLostError when the lease was lost during the work; else as `acquire`.
   */
  run<T>(options: AcquireOptions & More, work: Work<T, L>): Promise<T>;
  run<T>(work: Work<T, L>): Promise<T>;
}

/** What an acquire script may answer. */
export type AcquireReply =
  | {
      readonly status: "granted";
      readonly now: number;
      readonly token: number;
      readonly remaining: number;
      readonly holds: number;
    }
  | {
      readonly status: "held";
      readonly now: number;
      readonly remaining: number;
      /** In µs, as far as the kind knows them; see {@link Blocked}. */
      readonly age?: number;
      readonly tenure?: number;
      readonly queue?: number;
      readonly ahead?: number;
      readonly back?: number;
      /** The place in the queue, to be given with the next poll. */
      readonly ticket?: number;
    }
  /** The error codes of what no wait would change. */
  | { readonly status: "not_reentrant"; readonly now: number; readonly remaining: number }
  | { readonly status: "too_many_holds" | "upgrade_refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "closed" | "late"; readonly now: number };

/** One poll of an acquisition. */
export interface AcquireRequest {
  readonly id: string;
  readonly leaseMs: number;
  /** Hashed; empty for none. */
  readonly owner: string;
  /** Percent-encoded; empty for none. */
  readonly label: string;
  /** How long it may wait in all; 0 for a single try. */
  readonly waitMs: number;
  /** Since the first poll. */
  readonly waitedMs: number;
  /** The answer to the poll before. */
  readonly before: Ran<AcquireReply> | undefined;
  readonly waitUntil: Background | undefined;
}

/** What is its own of a kind that gives leases. */
export interface AcquirableKind extends Holding, Pick<Hold, "adds"> {
  readonly place: Place;
  /** What it adds to the id of a hold: needed whenever something is asked about the hold, so it goes where the id goes. */
  readonly mark?: (owner: string, given?: object) => string;
  /** An answer that grants may name another id than the one it was asked for. */
  readonly ask: (request: AcquireRequest, call: Call) => Promise<Ran<AcquireReply>>;
  /** The options of a call that tries once, where they are others than {@link TryOptions}. */
  readonly takes?: string;
  /** Whether it is on several servers; then it takes no `replicas`. */
  readonly several?: boolean;
  /** A kind that is made of others: its parts, and itself anew for every acquisition, which it keeps account of. */
  readonly parts?: readonly Part[];
  readonly anew?: () => AcquirableKind;
}

export const toOwner = async (owner: string | undefined): Promise<string> =>
  owner === undefined ? "" : await hash(toText(owner, "owner"));
export const toLabel = (label: string | undefined): string =>
  label === undefined ? "" : encodeURIComponent(toText(label, "label"));

function toReplicas(given: TryOptions["replicas"]): Replicas | undefined {
  if (!given) return undefined;
  checkOptions(given, "min timeout");
  return {
    min: toCount(given.min ?? 0, "replicas.min", 1, 100),
    timeoutMs: toMs(given.timeout ?? "1s", "replicas.timeout"),
  };
}

const blockedBy = (reply: AcquireReply): Blocked | undefined =>
  reply.status === "held"
    ? {
        remainingMs: reply.remaining / 1000 || 1 / 0,
        ageMs: (reply.age ?? 0) / 1000,
        tenureMs: (reply.tenure ?? 0) / 1000,
        queueMs: (reply.queue ?? 0) / 1000,
        ahead: reply.ahead,
        backMs: reply.back && reply.back / 1000,
      }
    : undefined;

/** Everything about an acquisition that is the same for all kinds. `defaults` stand in for options that a call does not give. */
export function acquirable(kind: AcquirableKind, defaults: AcquireOptions): Acquirable {
  const { place, mark, anew, parts, takes = TRY_OPTIONS } = kind;
  const { connection } = place;

  /** What a call asks for. Field by field: a field that is there but undefined must not hide a default. */
  function settle(given: AcquireOptions) {
    const pick = <K extends keyof AcquireOptions>(field: K): AcquireOptions[K] => given[field] ?? defaults[field];
    const owner = pick("owner");
    if (owner !== undefined) toText(owner, "owner");
    return {
      leaseMs: toLease(pick("lease") ?? `${connection.leaseMs}ms`),
      waitMs: toMs(pick("wait") ?? "10s", "wait", 0),
      maxPolls: toCount(pick("maxPolls"), "maxPolls"),
      backoff: toFunction(pick("backoff") ?? defaultBackoff, "backoff"),
      label: toLabel(pick("label")),
      signal: pick("signal"),
      waitUntil: boundWaitUntil(given, defaults),
      owner,
      replicas: toReplicas(pick("replicas")),
    };
  }
  // What is wrong is said where it is written, not at the first use.
  settle({});

  /** Writes it once more and waits for the replicas behind that: what the grant wrote has reached them by then. */
  async function replicated(
    { id, token, leaseMs, extend }: Hold,
    replicas: Replicas,
    signal: AbortSignal | undefined,
  ): Promise<Granted> {
    const { min, timeoutMs } = replicas;
    const budgetMs = 0.75 * patienceOf(connection);
    let had = 0;
    try {
      const answer = await extend(id, token, leaseMs, { operation: "replicate", replicas, signal, budgetMs });
      had = answer.replicas;
      if (signal?.aborted) throw signal.reason;
      if (answer.status === "lost") throw new LeaseLostError(place.name, answer.reason as LossReason);
      if (answer.since() >= usableMs(answer.remaining)) throw new LeaseLostError(place.name, "expired");
      if (had >= min) return answer;
    } catch (error) {
      if (!(error instanceof OutcomeUnknownError)) throw error;
    }
    throw new LeaseholdError("not_replicated", `${had} of ${min} replicas had "${place.name}" within ${timeoutMs} ms`);
  }

  async function attempt(given: AcquireOptions = {}, waiting = false): Promise<Held | null> {
    checkOptions(given, waiting ? `${takes} ${WAIT}` : takes);
    const { replicas, ...settled } = settle(given);
    const { leaseMs, waitUntil, signal } = settled;
    const waitMs = waiting ? settled.waitMs : 0;
    const request = { ...settled, waitMs, owner: await toOwner(settled.owner) };
    const ours = anew?.() ?? kind;
    const answer = await contend<AcquireReply>({
      ...request,
      place,
      close: ours.close,
      operation: "acquire",
      blockedBy,
      mark: mark?.(request.owner, given),
      ask: (id, call, waitedMs, before) => ours.ask({ ...request, id, waitedMs, before }, call),
    });
    if (answer?.status === "granted") {
      const { id, token, doubted } = answer;
      const hold = { ...ours, id, token, leaseMs, doubted };
      return grantLease(hold, answer, waitUntil, signal, replicas && replicated(hold, replicas, signal));
    }
    if (answer && answer.status !== "held")
      throw new LeaseholdError(answer.status as LeaseholdErrorCode, `this owner has "${place.name}"`);
    // 0 where no lease is in the way.
    if (waiting) throw timedOut(place, waitMs, answer && (answer.remaining / 1000 || undefined));
    return null;
  }

  const acquire = async (options?: AcquireOptions): Promise<Held> => (await attempt(options, true)) as Held;
  return {
    [PARTS]: () => parts ?? [{ ...kind, defaults }],
    tryAcquire: async (options) => (await attempt(options))?.lease ?? null,
    acquire: async (options) => (await acquire(options)).lease,
    async run<T>(...given: [AcquireOptions | undefined, Work<T>] | [Work<T>]): Promise<T> {
      const work = toFunction(given.pop() as Work<T>, "work");
      const [options = {}] = given as [AcquireOptions?];
      return runUnder(await acquire(options), work, boundWaitUntil(options, defaults));
    },
  };
}
