import type { Held, Work } from "./lease.ts";
import { checkOptions, type Duration, toCount, toMs } from "./options.ts";
import { type Background, boundWaitUntil, noop, sleep, type WaitUntil } from "./wait.ts";

export interface KeepAliveLimits {
  /** How long to go on extending. Default 25 s with a `waitUntil` (Workers end it 30 s after the response), else 1 h. */
  readonly maxHold?: Duration | undefined;
  /** How many times to extend at most. Default: no limit. */
  readonly maxExtends?: number | undefined;
}

const LEAST_PAUSE_MS = 50;

/**
 * Runs `work` under a lease and releases it, whatever happens; a release that fails never hides what the work gave or threw. With a
 * `waitUntil` the release goes on behind the caller's back.
 *
 * @throws what `work` throws; LeaseLostError when the lease was lost meanwhile.
 */
export async function runUnder<T>(held: Held, work: Work<T>, waitUntil: Background | undefined): Promise<T> {
  const { lease } = held;
  let result: T;
  try {
    result = await work(lease);
    held.loss();
  } finally {
    // Without an answer it ends by itself; an event has said so.
    const released = held.outlivesWork ? undefined : lease.release().catch(noop);
    await (waitUntil && released ? waitUntil(released) : released);
  }
  const lost = held.loss();
  if (lost) throw lost;
  return result;
}

/** Extends at a third of what is left, until stopped, lost or at a limit; the last time just as far as `maxHoldMs`. */
async function extendWhile(held: Held, leaseMs: number, maxHoldMs: number, maxExtends: number, stop: AbortSignal) {
  const { lease } = held;
  const start = performance.now();
  for (let extended = 0; extended < maxExtends && !held.loss(); ) {
    await sleep(Math.max(lease.remaining / 3, LEAST_PAUSE_MS), stop);
    const leftMs = maxHoldMs - (performance.now() - start);
    if (leftMs <= lease.remaining) return;
    try {
      await lease.extend(Math.min(leaseMs, Math.ceil(leftMs)));
      extended++;
    } catch {
      // While it is ours there is time for another try.
    }
  }
}

/** See {@link Lease.keepAlive}. */
export function keepAlive<T>(
  held: Held,
  leaseMs: number,
  options: { readonly waitUntil?: WaitUntil | undefined },
  work: Work<T>,
  limits: KeepAliveLimits = {},
): Promise<T> {
  checkOptions(options, "waitUntil maxHold>limits");
  checkOptions(limits, "maxHold maxExtends");
  const waitUntil = boundWaitUntil(options);
  const maxHoldMs = toMs(limits.maxHold ?? (waitUntil ? "25s" : "1h"), "maxHold");
  const maxExtends = toCount(limits.maxExtends, "maxExtends", 0);
  const stop = new AbortController();
  extendWhile(held, leaseMs, maxHoldMs, maxExtends, stop.signal).catch(noop);
  const done = runUnder(
    held,
    async (lease) => {
      try {
        // A lease from a ticket: nobody has said yet that it is still ours.
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
