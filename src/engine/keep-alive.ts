import { stopwatch } from "../redis/clock.ts";
import { checkOptions, toCount, toMs } from "../shared/checks.ts";
import { sleep } from "../shared/timers.ts";
import { type Background, boundWaitUntil, handOver, noop, type WaitUntil } from "../shared/wait-until.ts";
import type { Held, KeepAliveLimits, Work } from "./hold.ts";

const LEAST_PAUSE_MS = 50;

/**
 * Runs `work` under a lease and releases the lease whatever happens, unless other work runs under it. A failed release
 * never hides the result or the error of the work. With a `waitUntil` the release goes on in the background.
 *
 * @throws what `work` throws; LeaseLostError when the lease was lost meanwhile, or is over already.
 */
export async function runUnder<T>(held: Held, work: Work<T>, waitUntil: Background | undefined): Promise<T> {
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

/**
 * Runs work and extends its lease; see {@link Lease.keepAlive}. It extends after a third of the time left, the last
 * time up to `maxHold`. An extension that would hardly move the end is not sent: the time left is always a little less
 * than the time requested.
 */
export function keepAlive<T>(
  held: Held,
  leaseMs: number,
  options: { readonly waitUntil?: WaitUntil | undefined },
  work: Work<T>,
  limits: KeepAliveLimits = {},
): Promise<T> {
  checkOptions(options, "waitUntil maxHold>limits");
  checkOptions(limits, "maxHold maxExtends");
  const { lease, clock } = held;
  const waitUntil = boundWaitUntil(options);
  const maxHoldMs = toMs(limits.maxHold ?? (waitUntil ? "25s" : "1h"), "maxHold");
  let extensions = toCount(limits.maxExtends, "maxExtends", 0);
  const elapsed = stopwatch(clock);
  const stop = new AbortController();
  const extend = async (): Promise<void> => {
    while (extensions > 0 && !held.over()) {
      await sleep(Math.max(lease.remaining / 3, LEAST_PAUSE_MS), stop.signal, clock);
      const leftMs = maxHoldMs - elapsed();
      if (lease.remaining > leftMs * 0.97) return;
      // Another `keepAlive` of this lease has extended it, or is extending it.
      if (held.extending || lease.remaining > leaseMs * 0.8) continue;
      held.extending = true;
      // After a failure there is time for another try while the lease is ours.
      await lease.extend(Math.min(leaseMs, leftMs)).then(() => {
        extensions = leftMs > leaseMs ? extensions - 1 : 0;
      }, noop);
      held.extending = false;
    }
  };
  extend().catch(noop);
  const done = runUnder(
    held,
    async () => {
      try {
        // The lease comes from a ticket: the server has not confirmed it yet.
        if (lease.expiresAt === 0) await lease.extend(leaseMs);
        return await work(lease);
      } finally {
        stop.abort();
      }
    },
    waitUntil,
  );
  waitUntil?.(done.catch(noop));
  return done;
}
