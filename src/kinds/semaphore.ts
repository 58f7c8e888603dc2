import { type Acquirable, acquirable } from "../engine/acquire.ts";
import { type AcquireOptions, TRY_OPTIONS, type TryOptions } from "../engine/acquire-options.ts";
import type { Hold, Lease } from "../engine/hold.ts";
import { type HoldKind, holding } from "../engine/hold.ts";
import { openPlace, withCrowd } from "../engine/place.ts";
import { forceRecord, inspectCrowd } from "../engine/record.ts";
import type { ConnectionSource } from "../redis/connect.ts";
import { runScript } from "../redis/run.ts";
import { crowdExtend } from "../redis/scripts/crowd-extend.gen.ts";
import { crowdForce } from "../redis/scripts/crowd-force.gen.ts";
import { semaphoreAcquire } from "../redis/scripts/semaphore-acquire.gen.ts";
import { semaphoreClose } from "../redis/scripts/semaphore-close.gen.ts";
import { semaphoreQueue } from "../redis/scripts/semaphore-queue.gen.ts";
import { semaphoreSet } from "../redis/scripts/semaphore-set.gen.ts";
import { type Duration, toCount, toMs, toTtl } from "../shared/checks.ts";
import { randomId } from "../shared/crypto.ts";

/** Defaults for the acquisitions of one semaphore, and what is the semaphore's own. */
export interface SemaphoreOptions extends Omit<AcquireOptions, "owner" | "label"> {
  /**
   * How many there are as long as no number was set on the server. Whoever acquires more than there are, or when neither says how many
   * those are, gets a `RangeError`. None, set or given, is a pause: whoever acquires waits for more. A counter has 0 by default.
   */
  readonly permits?: number | undefined;
  /** How long a number that was set is remembered after the last change or grant. Default 7 days. */
  readonly ttl?: Duration | undefined;
  /**
   * First come, first served among those who wait: who wants many is not passed by those who want few. Whoever uses the name should
   * say so. As with a fair lock, leaving the queue is one more request, and who tries without waiting passes nobody. Default false.
   */
  readonly fair?: boolean | undefined;
  /** How much later than it announced a waiter of a fair one may poll and still have its place. Default 1 s. */
  readonly grace?: Duration | undefined;
  /** Puts the keys of all names of the group into one slot of a cluster; part of the semaphore's name. */
  readonly group?: string | undefined;
}

/** `lease: false`: permits are not lent for a time but taken for good. */
export interface CounterOptions extends Omit<SemaphoreOptions, "lease" | "replicas" | "fair" | "grace"> {
  readonly lease: false;
}

/** How many permits to acquire. */
export interface PermitOptions {
  /** All or none; of a semaphore up to 1000, under one lease and one token. Default 1. */
  readonly permits?: number | undefined;
}

/** The lease of one or more permits. Its `holds` are those that are still held. */
export interface SemaphoreLease extends Lease {
  /** The numbers of the permits that are still held, 1 for the first, as far as this lease knows. */
  readonly permits: readonly number[];
  /**
   * Lets go of some of them, and keeps the others. False when one of these is not held any more: then all stay as they are.
   *
   * @throws OutcomeUnknownError when no answer came; they then end with the others.
   */
  releasePermits(numbers: readonly number[]): Promise<boolean>;
}

/** What is there, as a semaphore or a counter. */
interface Permits {
  readonly name: string;
  /**
   * Sets the number of permits, those in use included. Below those in use nobody loses one, but none is given until enough came back.
   *
   * @throws OutcomeUnknownError when no answer came, as with every change: it may have been made. A change is never made twice.
   */
  setPermits(count: number): Promise<void>;
  /** Sets it if no number was set, or it was forgotten. False: it was left as it is. */
  trySetPermits(count: number): Promise<boolean>;
  /** Adds to the number, or with a negative count takes from it; what is available may fall below zero. */
  addPermits(count: number): Promise<void>;
  /** Takes what is available out of circulation and says how many that were, 0 when none. */
  drain(): Promise<number>;
  /** How many can be acquired; below zero when more are in use than there are. */
  available(): Promise<number>;
  /** Forgets it: the number that was set, and who holds permits. True when there was something. */
  forceRelease(): Promise<boolean>;
}

export interface SemaphoreState {
  /** `held`: at least one is in use. */
  readonly state: "free" | "held";
  /** The last one given; 0 when none is remembered. */
  readonly token: number;
  readonly permits: number;
  readonly available: number;
  readonly acquired: number;
  /** Milliseconds until the last lease ends. */
  readonly remaining: number;
  /** How many wait for a fair one. */
  readonly waiters: number;
}

/**
 * A number of permits that are lent for a time; those of a holder that died come back when its lease ends. It is not reentrant: every
 * acquisition takes permits of its own, whoever asks (`owner` and `label` mean nothing here). Not fair: who asks at the right moment is
 * first. The token orders grants, but two holders are alive at once, so it fences nothing that they share.
 */
export interface Semaphore extends Permits, Acquirable<SemaphoreLease, PermitOptions> {
  readonly inspect: () => Promise<SemaphoreState>;
  readonly forceRelease: () => Promise<boolean>;
  /** How many are in use. */
  acquired(): Promise<number>;
}

export interface CounterState {
  /** `free`: no number was set, or it was forgotten. */
  readonly state: "free" | "set";
  readonly available: number;
  /** Milliseconds until it is forgotten. */
  readonly remaining: number;
}

type CounterTry = Pick<TryOptions, "signal" | "waitUntil"> & PermitOptions;

/**
 * A number of permits that are taken and given back by whoever likes, without leases: what nobody gives back is gone. So a request
 * that arrives twice counts once, and one that was given up gives back what it may have taken, for as long as `retention`.
 */
export interface Counter extends Permits {
  /** Tries once. False: not enough there, or no number was set; nothing was taken. @throws OutcomeUnknownError when nobody answered, nor took it back. */
  tryAcquire(options?: CounterTry): Promise<boolean>;
  /** Waits for them. @throws LockTimeoutError when there were not enough in time; else as `tryAcquire`. */
  acquire(options?: CounterTry & Pick<AcquireOptions, "wait" | "maxPolls" | "backoff">): Promise<void>;
  /** Gives back so many, 1 by default, whoever took them. False when there is no number: none was set, or it was forgotten. */
  release(count?: number): Promise<boolean>;
  inspect(): Promise<CounterState>;
}

const MOST = Number.MAX_SAFE_INTEGER;
const OPTIONS = "permits lease ttl group wait maxPolls backoff signal waitUntil limit>permits max>permits timeout>wait";

/** The permits of a semaphore, and of a counter. */
export const SEMAPHORE: HoldKind = { kind: "semaphore", extend: crowdExtend, close: semaphoreClose, crowd: true };

/** What a lease of permits has besides. */
function permitsOf({ id, token, close }: Hold, lease: Lease, learn: Parameters<NonNullable<Hold["adds"]>>[2]) {
  const permits = Array.from({ length: +id.slice(37) }, (_, index) => index + 1);
  return {
    permits,
    async releasePermits(numbers: readonly number[]): Promise<boolean> {
      const rest = permits.filter((permit) => !numbers.includes(permit));
      // One is not ours, or named twice.
      if (rest.length + numbers.length !== permits.length) return false;
      if (rest.length === permits.length) return true;
      const released =
        rest.length === 0
          ? await lease.release()
          : (await close(`${id},${randomId()},${numbers}`, token, { operation: "release", waits: true })).status ===
            "closed";
      if (released) {
        // Others may have been let go meanwhile.
        permits.splice(0, permits.length, ...permits.filter((permit) => !numbers.includes(permit)));
        learn({ remaining: 0, holds: permits.length, sentAt: 0, since: () => 0 });
      }
      return released;
    },
  };
}

/**
 * Permits that are lent for a time; with `lease: false` a plain counter of permits.
 *
 * @throws TypeError or RangeError for a name or an option that cannot be.
 */
export function semaphore(connection: ConnectionSource, name: string, options: CounterOptions): Counter;
export function semaphore(connection: ConnectionSource, name: string, options?: SemaphoreOptions): Semaphore;
export function semaphore(
  connection: ConnectionSource,
  name: string,
  options: SemaphoreOptions | CounterOptions = {},
): Semaphore | Counter {
  const leased = options?.lease !== false;
  const kind = leased ? SEMAPHORE.kind : "counter";
  const place = withCrowd(
    openPlace(connection, kind, name, options, leased ? `${OPTIONS} replicas fair grace` : OPTIONS),
  );
  const initial = options.permits === undefined ? "" : toCount(options.permits, "permits", 0, MOST);
  const ttlMs = toTtl(options.ttl ?? "7d");
  const { retentionMs } = place.connection;
  const { fair = false, grace = 1000 } = leased ? (options as SemaphoreOptions) : {};
  const graceMs = toMs(grace, "grace");

  const lending = acquirable<number>(
    {
      place,
      ...holding(place, SEMAPHORE),
      ...(leased && { adds: permitsOf }),
      takes: leased ? `${TRY_OPTIONS} permits` : "permits signal waitUntil",
      own: ({ permits = 1 }: PermitOptions) => toCount(permits, "permits", 1, leased ? 1000 : MOST),
      suffix: ({ own }) => `#${own}`,
      async ask({ id, leaseMs, waitMs, waitedMs, before, own }, call) {
        // Without one it joins the queue, or joins again.
        const ticket = waitMs > 0 ? (before?.status === "held" && before.ticket) || 0 : -1;
        const reply = await (fair
          ? runScript(place, semaphoreQueue, [id, leaseMs, initial, ttlMs, retentionMs, ticket, graceMs], call)
          : runScript(place, semaphoreAcquire, [id, kind, leaseMs, initial, ttlMs, retentionMs, waitedMs], call));
        if (reply.status !== "short") return reply;
        const few = reply.permits ? `has ${reply.permits} permits, not ${own}` : "needs permits, or setPermits";
        throw new RangeError(`"${name}" ${few}`);
      },
    },
    { ...options, lease: options.lease || undefined },
  ) as Acquirable<SemaphoreLease, PermitOptions>;
  const change = (operation: string, what: string, count: number) =>
    runScript(place, semaphoreSet, [randomId(), kind, what, count, initial, ttlMs, retentionMs], { operation });
  const done = async (...given: Parameters<typeof change>) => (await change(...given)).status === "done";

  async function inspect() {
    const record = await inspectCrowd(place);
    const live = record.status === "live";
    const set = live ? record.body.slice(1).split(" ", 1)[0] : "";
    const permits = Number(set || initial);
    const acquired = live ? record.many : 0;
    const state = {
      state: acquired > 0 ? "held" : "free",
      token: record.token,
      permits,
      available: permits - acquired,
      acquired,
      remaining: live ? record.left / 1000 : 0,
      waiters: live ? record.waiting : 0,
    } as const;
    return { state, set, remembered: live ? record.remaining / 1000 : 0 };
  }

  const common = {
    name,
    async setPermits(count: number) {
      await change("setPermits", "set", toCount(count, "permits", 0, MOST));
    },
    trySetPermits: async (count: number) => done("trySetPermits", "try", toCount(count, "permits", 0, MOST)),
    async addPermits(count: number) {
      await change("addPermits", "add", toCount(count, "permits", -MOST, MOST));
    },
    async drain() {
      const answer = await change("drain", "drain", 0);
      return answer.status === "done" ? answer.count : 0;
    },
    available: async () => (await inspect()).state.available,
    forceRelease: () => forceRecord(place, crowdForce),
  };
  if (leased) {
    return {
      ...common,
      ...lending,
      acquired: async () => (await inspect()).state.acquired,
      inspect: async () => (await inspect()).state,
    };
  }
  const counter: Counter = {
    ...common,
    tryAcquire: async (given) => (await lending.tryAcquire(given)) !== null,
    async acquire(given) {
      await lending.acquire(given);
    },
    release: async (count = 1) => done("release", "give", toCount(count, "permits", 1, MOST)),
    async inspect() {
      const { state, set, remembered } = await inspect();
      return { state: set ? "set" : "free", available: state.available, remaining: remembered };
    },
  };
  return counter;
}
