import { stopwatch } from "../redis/clock.ts";
import { checkOptions, toCount, toMs } from "../shared/checks.ts";
import { sleep } from "../shared/timers.ts";
import { type Background, handOver, noop } from "../shared/wait-until.ts";
import type { Extending, Held, KeepAliveLimits, Work } from "./hold.ts";

const LEAST_PAUSE_MS = 50;

/**
 * Runs `work` under a lease and releases the lease whatever happens, unless other work runs under it. A failed release
 * never hides the result or the error of the work. With a `waitUntil` the release goes on in the background.
 *
 * @throws what `work` throws; LeaseLostError when the lease was lost meanwhile, or is over already.
 */
async function runUnder<T>(held: Held, work: Work<T>, waitUntil: Background | undefined): Promise<T> {
  const { lease } = held;
  const over = held.over();
  if (over) throw over;
  let result: T;
  held.works++;
  try {
    result = await work(lease);
    held.loss();
  } finally {
    // Without an answer the lease ends by itself; an event has reported it.
    const released = --held.works ? undefined : lease.release().catch(noop);
    await (released && handOver(released, waitUntil));
  }
  const lost = held.loss();
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
  const limits = given === true ? {} : given;
  checkOptions(limits, "maxHold maxExtends");
  return {
    maxHoldMs: toMs(limits.maxHold ?? (waitUntil ? "25s" : "1h"), "maxHold"),
    maxExtends: toCount(limits.maxExtends, "maxExtends", 0),
  };
}

/**
 * As {@link runUnder}; with limits it extends the lease meanwhile, and all of it goes on inside `waitUntil`. It extends
 * after a third of the time left, the last time up to `maxHold`. An extension that would hardly move the end is not
 * sent: the time left is always a little less than the time requested.
 */
export function keepAlive<T>(
  held: Held,
  work: Work<T>,
  waitUntil: Background | undefined,
  limits: Limits | undefined,
): Promise<T> {
  if (!limits) return runUnder(held, work, waitUntil);
  const { lease, leaseMs, clock } = held;
  let { maxExtends } = limits;
  const elapsed = stopwatch(clock);
  const stop = new AbortController();
  const { signal } = stop;
  const extend = async (): Promise<void> => {
    while (maxExtends > 0 && !held.over()) {
      await sleep(Math.max(lease.remaining / 3, LEAST_PAUSE_MS), signal, clock);
      const leftMs = limits.maxHoldMs - elapsed();
      if (lease.remaining > leftMs * 0.97) return;
      // Another `keepAlive` of this lease has extended it, or is extending it.
      if (held.extending || lease.remaining > leaseMs * 0.8) continue;
      held.extending = true;
      // After a failure there is time for another try while the lease is ours.
      await (lease as Extending).extend(Math.min(leaseMs, leftMs), { signal, waits: true }).then(() => {
        maxExtends = leftMs > leaseMs ? maxExtends - 1 : 0;
      }, noop);
      held.extending = false;
    }
  };
  extend().catch(noop);
  const done = runUnder(
    held,
    async () => {
      // The lease comes from a ticket: the server has not confirmed it yet.
      if (lease.expiresAt === 0) await lease.extend(leaseMs);
      return work(lease);
    },
    waitUntil,
    // An extension that is sent again would go on behind the release.
  ).finally(() => stop.abort());
  waitUntil?.(done.catch(noop));
  return done;
}
