import type { Timed } from "../shared/timers.ts";

/** A source of time, for the option `clock`. */
export interface Clock extends Timed {
  /** Wall-clock time in ms since 1970. */
  now(): number;
  /** A monotonic clock in ms, with any origin. */
  monotonic(): number;
}

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

/**
 * Measures the time since this call in ms: the larger difference of the two clocks. The monotonic clock may stop while
 * a machine sleeps, and the wall clock may be set back; neither may make a lease look younger than it is.
 */
export function stopwatch(clock: Clock): () => number {
  const wall = clock.now();
  const monotonic = clock.monotonic();
  return () => Math.max(clock.now() - wall, clock.monotonic() - monotonic);
}

/** The server's time minus the local time in ms, by record, since each node of a cluster has its own clock. */
export type Offsets = Map<string, number>;

/**
 * The offset for a record. A new record takes the smallest known offset, including 0, so that no request is valid for
 * too long.
 */
export const offsetOf = (offsets: Offsets, record: string): number =>
  offsets.get(record) ?? Math.min(0, ...offsets.values());

/** How many records' clocks are remembered. */
const MAX_OFFSETS = 100;

/**
 * Learns the server's clock from a reply that reports `serverMs`, received at `now` of the local clock. That is a lower
 * bound, since time has passed since then; much time, if the server held the request. It ran the request at `runAt` of
 * the local clock or later, so the earlier estimate is kept as far as it is possible.
 */
export function learnOffset(
  offsets: Offsets,
  record: string,
  serverMs: number,
  now: number,
  runAt: number | undefined,
): void {
  const leastMs = serverMs - now;
  const offsetMs =
    runAt === undefined ? leastMs : Math.min(Math.max(offsetOf(offsets, record), leastMs), serverMs - runAt);
  if (offsets.size >= MAX_OFFSETS) offsets.clear();
  offsets.set(record, offsetMs);
}

/** A server's clock is at most 1 % slower than the local clock. */
const SLOWEST = 0.99;

/**
 * The minimum time between sending an attempt and the last run of its script. A server that held the request reports
 * how long it did, which is limited to the time since the request was sent.
 */
export const beforeRunMs = (since: () => number, parkedMs: number | undefined): number =>
  Math.min((parkedMs ?? 0) * SLOWEST, since());
