import type { Timed } from "../shared/timers.ts";

/** A source of time, for the option `clock`. */
export interface Clock extends Timed {
  /** Wall-clock time in ms since 1970. */
  now(): number;
  /** A clock in ms that is never set, from any origin. */
  monotonic(): number;
}

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

/**
 * Measures the time since this call in ms: the larger of both clocks' differences. The monotonic clock may stop while a
 * machine sleeps, and the wall clock may be set back; neither may make a lease look younger than it is.
 */
export function stopwatch(clock: Clock): () => number {
  const wall = clock.now();
  const monotonic = clock.monotonic();
  return () => Math.max(clock.now() - wall, clock.monotonic() - monotonic);
}

/** The server's time minus ours in ms, by record, since each node of a cluster has its own clock. */
export type Offsets = Map<string, number>;

/**
 * The offset for a record. A new record takes the smallest known offset, ours (0) included, so that no request is valid
 * for too long.
 */
export const offsetOf = (offsets: Offsets, record: string): number =>
  offsets.get(record) ?? Math.min(0, ...offsets.values());
