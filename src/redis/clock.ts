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
