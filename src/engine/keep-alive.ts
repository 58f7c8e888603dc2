import { type Clock, stopwatch } from "../redis/clock.ts";
import type { Target } from "../redis/target.ts";
import { checkOptions, type Duration, toCount, toMs } from "../shared/checks.ts";
import type { LeaseLostError } from "../shared/errors.ts";
import { misuse, shown } from "../shared/misuse.ts";
import { sleep } from "../shared/timers.ts";
import { type Background, handOver, noop } from "../shared/wait-until.ts";
import { type Remaining, runAround } from "./around.ts";
import type { Extending } from "./hold.ts";

/** Limits of a `keepAlive`. */
export interface KeepAliveLimits {
  /**
   * How long to keep extending. Default 25 s with a `waitUntil` (Workers end it 30 s after the response), else 1 h.
   */
  readonly maxHold?: Duration | undefined;
  /** How many times to extend at most. Default: no limit. */
  readonly maxExtends?: number | undefined;
}

/** A lease as far as the work under it needs it. */
interface Extendable extends Extending {
  readonly remaining: number;
  readonly expiresAt: number;
  release(): Promise<boolean>;
}

/** A lease that work runs under, and what only this library sees of it. */
export interface Kept<L> {
  readonly lease: L;
  readonly target: Target;
  readonly token: number;
  /** The length that it was acquired for. */
  readonly leaseMs: number;
  readonly clock: Clock;
  /** How much work runs under it; the last to end releases it. */
  works: number;
  /** Whether a `keepAlive` is extending it. */
  extending?: boolean;
  /** Looks at the clock. Returns the loss, if the lease was lost rather than released by us. */
  noticeLoss(): LeaseLostError | undefined;
  /** The loss or our release, if the lease has ended. */
  over(): LeaseLostError | undefined;
  /** Ends the lease without a release: the server knows that it has ended. */
  finish(): void;
  /** Milliseconds since it was granted. */
  readonly heldMs: () => number;
}

const LEAST_PAUSE_MS = 50;

/**
 * Runs `work` under a lease and releases the lease whatever happens, unless other work runs under it. A failed release
 * never hides the result or the error of the work. With a `waitUntil` the release continues in the background.
 *
 * @throws what `work` throws; LeaseLostError when the lease was lost meanwhile, or has already ended.
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
    result = await work(lease);
    kept.noticeLoss();
  } finally {
    // Without an answer the lease expires; an event has reported it.
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

/** {@link KeepAliveLimits}, checked, with the defaults for what is not given. */
interface Limits {
  readonly maxHoldMs: number;
  readonly maxExtends: number;
}

/**
 * Checks the limits of an option `keepAlive`; undefined where it is off.
 *
 * @throws TypeError or RangeError for a limit that cannot be.
 */
export function toLimits(
  given: KeepAliveLimits | boolean | undefined,
  waitUntil: Background | undefined,
): Limits | undefined {
  if (!given) return undefined;
  if (given !== true && typeof given !== "object")
    throw misuse(
      TypeError,
      `keepAlive must be true, false or an object, not ${shown(given)}: keepAlive: { maxHold: "1h" }`,
    );
  const limits = given === true ? {} : given;
  checkOptions(limits, "maxHold maxExtends");
  return {
    maxHoldMs: toMs(limits.maxHold ?? (waitUntil ? "25s" : "1h"), "maxHold"),
    maxExtends: toCount(limits.maxExtends, "maxExtends", 0),
  };
}

/**
 * As {@link runUnder}, and extends the lease meanwhile; all of it continues inside `waitUntil`. It extends
 * after a third of the time left, the last time up to `maxHold`. An extension that would hardly move the end is not
 * sent: the time left is always a little less than the time requested.
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
      // After a failure there is time for another try while the lease is ours.
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
      // The lease comes from a ticket: the server has not confirmed it yet.
      if (lease.expiresAt === 0) await lease.extend(leaseMs, {});
      // With `await`, since a Worker of an old date reports a rejected promise that a caller takes later.
      return await work(lease);
    },
    waitUntil,
    remains,
    // A retried extension would continue after the release.
  ).finally(() => stop.abort());
  waitUntil?.(done.catch(noop));
  return done;
}

/** As {@link runUnder}, or with limits as {@link runAlive}; inside the connection's `around`, if it has one. */
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
