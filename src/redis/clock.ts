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

/** How many records' clocks are remembered. */
const MOST_OFFSETS = 100;

/**
 * Remembers the server's clock by a reply in which it read `serverMs`, at `now` of our own clock. That is a lower
 * bound, since time has passed since then. It may be much time where the server held the request, which it ran at
 * `runAt` of our own clock or later: what was known before then stands, as far as it can be true.
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
  if (offsets.size >= MOST_OFFSETS) offsets.clear();
  offsets.set(record, offsetMs);
}

/** A server's clock goes slower than ours by 1 % at most, or faster. */
const SLOWEST = 0.99;

/**
 * The time between sending an attempt and the last run of its script, at least. A server that held the request says how
 * long it held it until then, which counts as far as it can be true: the run is later than the request was sent by that
 * time, and earlier than now.
 */
export const beforeRunMs = (since: () => number, heldMs: number | undefined): number =>
  Math.min((heldMs ?? 0) * SLOWEST, since());
