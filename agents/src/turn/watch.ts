import type { Connection, Lease } from "leasehold";
import { ATTEMPT_SHARE, LongPoll, MIN_LONG_POLL_MS, sleep, stopwatch, type Verifying } from "leasehold/internal";

/** The first delay between two requests, in ms; each further delay is twice as long. */
const FIRST_DELAY_MS = 100;
/** With a budget of this many time-outs, each request has its full time-out. */
const FULL_ATTEMPTS = 1 / ATTEMPT_SHARE;

/**
 * Verifies a lease repeatedly, so that its signal aborts soon after it was taken over. A server that holds requests
 * answers each one only then. Otherwise requests are frequent at first, and then every `everyMs`. It ends with the
 * signal, and with the lease. It never rejects.
 */
export async function watch(lease: Lease, everyMs: number, connection: Connection, signal: AbortSignal): Promise<void> {
  const { clock, requestTimeoutMs } = connection;
  const longPoll = new LongPoll(() => lease.remaining);
  let delayMs = Math.min(FIRST_DELAY_MS, everyMs);
  // A turn is not checked right after it was granted, so that a short one sends no request for that.
  let wasParked = false;
  const verifying = lease as unknown as Verifying;
  while (!signal.aborted && lease.remaining > 0) {
    if (!wasParked) {
      await sleep(delayMs, signal, clock).catch(() => undefined);
      delayMs = Math.min(2 * delayMs, everyMs);
      if (signal.aborted) return;
    }
    const elapsed = stopwatch(clock);
    const budgetMs = Math.min(lease.remaining, FULL_ATTEMPTS * requestTimeoutMs);
    // If the answer is that the lease is lost, the lease's signal aborts. A missing answer changes nothing.
    const isAnswered = await verifying.verify({ signal, longPoll, budgetMs }).then(
      () => true,
      () => false,
    );
    wasParked = isAnswered && longPoll.wasParked && elapsed() >= MIN_LONG_POLL_MS;
  }
}
