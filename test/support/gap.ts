import type { Lease } from "../../src/index.ts";
import { pause } from "./names.ts";

/** Holds a name for a while, and returns the time from its release to the grant of a waiter, in ms. */
export async function gapAfter(
  hold: () => Promise<Lease>,
  wait: () => Promise<Lease>,
  holdMs: number,
): Promise<number> {
  const held = await hold();
  const waiter = wait();
  await pause(holdMs);
  const releasedAt = performance.now();
  await held.release();
  const lease = await waiter;
  const gapMs = performance.now() - releasedAt;
  await lease.release();
  return gapMs;
}
