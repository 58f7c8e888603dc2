import { type Clock, stopwatch } from "../redis/clock.ts";
import { callOf, type Target } from "../redis/target.ts";
import { checkOptions, type Duration, toCount, toHold } from "../shared/checks.ts";
import type { LeaseLostError } from "../shared/errors.ts";
import { misuse, shown } from "../shared/misuse.ts";
import { sleep } from "../shared/timers.ts";
import { refuseUnstarted } from "../shared/unstarted.ts";
import { type Background, handOver, noop } from "../shared/wait-until.ts";
import { type Remaining, runAround } from "./around.ts";
import type { Extending } from "./hold.ts";

/** Limits of a `keepAlive`. */
export interface KeepAliveLimits {
  /**
   * How long to keep extending, in ms or like `"10m"`; a number below 100 needs its unit. Default 25 s with a
   * `waitUntil` (Workers end it 30 s after the response), otherwise 1 h.
   */
  readonly maxHold?: Duration | undefined;
  /** The maximum number of extensions. Default: no limit. */
  readonly maxExtends?: number | undefined;
}

/** The members of a lease that work under it uses. */
interface Extendable extends Extending {
  readonly remaining: number;
  readonly expiresAt: number;
  release(): Promise<boolean>;
}

/** A lease that work runs under, with members for this library only. */
export interface Kept<L> {
  readonly lease: L;
  readonly target: Target;
  readonly token: number;
  /** The length it was acquired for. */
  readonly leaseMs: number;
  readonly clock: Clock;
  /** How many works run under it; the last one to end releases it. */
  works: number;
  /** Whether a `keepAlive` is extending it. */
  extending?: boolean;
  /** Reads the clock. Returns the loss if the lease was lost, not released by this client. */
  noticeLoss(): LeaseLostError | undefined;
  /** The loss or the release, if the lease has ended. */
  over(): LeaseLostError | undefined;
  /** Ends the lease without a release, since the server knows that it has ended. */
  finish(): void;
  /** Milliseconds since it was granted. */
  readonly heldMs: () => number;
}

const LEAST_PAUSE_MS = 50;

/**
 * Runs `work` under a lease and always releases the lease, unless other work runs under it. A failed release never
 * hides the result or the error of the work. With a `waitUntil`, the release continues in the background.
 *
 * @throws what `work` throws; LeaseLostError if the lease was lost meanwhile, or had already ended.
 */
async function runUnder<T, L extends Extendable>(
  kept: Kept<L>,
  work: (lease: L) => Promise<T> | T,
  waitUntil: Background | undefined,
  remains: Remaining,
): Promise<T> {
  const { lease } = kept;
  const over = kept.over();
  if (over) throw over;
  let result: T;
  kept.works++;
  try {
    result = refuseUnstarted(await work(lease), () => callOf(kept.target));
    kept.noticeLoss();
  } finally {
    // Without an answer, the lease expires; an event has reported it.
    const released = --kept.works ? undefined : lease.release().catch(noop);
    if (released) {
      remains(released);
      await handOver(released, waitUntil);
    }
  }
  const lost = kept.noticeLoss();
  if (lost) throw lost;
  return result;
}

/** {@link KeepAliveLimits}, checked, with defaults for missing ones. */
interface Limits {
  readonly maxHoldMs: number;
  readonly maxExtends: number;
}

/**
 * Checks the limits of an option `keepAlive`; undefined if it is off.
 *
 * @throws TypeError or RangeError for an invalid limit.
 */
export function toLimits(
  given: KeepAliveLimits | boolean | undefined,
  waitUntil: Background | undefined,
  what = "keepAlive",
): Limits | undefined {
  if ((given ?? false) === false) return undefined;
  if (given !== true && typeof given !== "object")
    throw misuse(
      TypeError,
      `${what} must be true, false or an object, not ${shown(given)}: ${what}: { maxHold: "1h" }`,
    );
  const limits = given === true ? {} : given;
  checkOptions(limits, "maxHold maxExtends", what);
  return {
    maxHoldMs: toHold(limits.maxHold ?? (waitUntil ? "25s" : "1h"), "maxHold"),
    maxExtends: toCount(limits.maxExtends, "maxExtends", 0),
  };
}

/**
 * Like {@link runUnder}, but extends the lease meanwhile, all inside `waitUntil`. It extends after a third of the time
 * left, and the last time up to `maxHold`. An extension that would hardly move the end is not sent: the time left is
 * always a little less than the time requested.
 */
function runAlive<T, L extends Extendable>(
  kept: Kept<L>,
  work: (lease: L) => Promise<T> | T,
  waitUntil: Background | undefined,
  limits: Limits,
  remains: Remaining,
): Promise<T> {
  const { lease, leaseMs, clock } = kept;
  let { maxExtends } = limits;
  const elapsed = stopwatch(clock);
  const stop = new AbortController();
  const { signal } = stop;
  const extend = async (): Promise<void> => {
    while (maxExtends > 0 && !kept.over()) {
      await sleep(Math.max(lease.remaining / 3, LEAST_PAUSE_MS), signal, clock);
      const leftMs = limits.maxHoldMs - elapsed();
      if (lease.remaining > leftMs * 0.97) return;
      // Another `keepAlive` of this lease has extended it, or is extending it.
      if (kept.extending || lease.remaining > leaseMs * 0.8) continue;
      kept.extending = true;
      // After a failure, there is time for another try while the lease is live.
      await lease.extend(Math.min(leaseMs, leftMs), { signal, waits: true }).then(() => {
        maxExtends = leftMs > leaseMs ? maxExtends - 1 : 0;
      }, noop);
      kept.extending = false;
    }
  };
  extend().catch(noop);
  const done = runUnder(
    kept,
    async () => {
      // The lease was resumed from a ticket, and the server has not confirmed it yet.
      if (lease.expiresAt === 0) await lease.extend(leaseMs, {});
      // With `await`, since a Worker with an old compatibility date reports a rejected promise that is handled a
      // microtask later.
      return await work(lease);
    },
    waitUntil,
    remains,
    // Otherwise a retried extension would continue after the release.
  ).finally(() => stop.abort());
  waitUntil?.(done.catch(noop));
  return done;
}

/** Like {@link runUnder}, or like {@link runAlive} with limits; inside the connection's `around`, if it has one. */
export function keepAlive<T, L extends Extendable>(
  kept: Kept<L>,
  work: (lease: L) => Promise<T> | T,
  waitUntil: Background | undefined,
  limits: Limits | undefined,
): Promise<T> {
  // No work runs under a lease that has ended.
  if (kept.over()) return runUnder(kept, work, waitUntil, noop);
  return runAround(kept, (remains) =>
    limits ? runAlive(kept, work, waitUntil, limits, remains) : runUnder(kept, work, waitUntil, remains),
  );
}
