/** Where time comes from; the option `clock`. */
export interface Clock {
  /** Wall-clock time in ms since 1970. */
  now(): number;
  /** A clock in ms that no one sets, from any origin. */
  monotonic(): number;
}

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

/**
 * Milliseconds since this call: the larger of both clocks' differences. The monotonic one may stop while a machine sleeps, the wall
 * clock may be set back; neither may make a lease look younger than it is.
 */
export function stopwatch(clock: Clock): () => number {
  const wall = clock.now();
  const monotonic = clock.monotonic();
  return () => Math.max(clock.now() - wall, clock.monotonic() - monotonic);
}

/** What was learnt of the server's clock: its time minus ours in ms, by record, since nodes of a cluster have a clock each. */
export type Offsets = Map<string, number>;

/** The offset for a record. One not asked for yet goes by the clock behind all others, ours too: so no request is valid for too long. */
export const offsetOf = (offsets: Offsets, record: string): number =>
  offsets.get(record) ?? Math.min(0, ...offsets.values());

/** A hundred records at most. */
export function learnOffset(offsets: Offsets, record: string, offsetMs: number): void {
  if (offsets.size > 99) offsets.clear();
  offsets.set(record, offsetMs);
}
