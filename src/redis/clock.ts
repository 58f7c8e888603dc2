/** Where time comes from; the option `clock`. */
export interface Clock {
  /** Wall-clock time in ms since 1970. */
  now(): number;
  /** A clock in ms that no one sets, from any origin. */
  monotonic(): number;
}

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

/** An instant on both clocks. */
export interface Instant {
  readonly wall: number;
  readonly monotonic: number;
}

export const instant = (clock: Clock): Instant => ({ wall: clock.now(), monotonic: clock.monotonic() });

/**
 * Milliseconds since `start`: the larger of both clocks' differences. The monotonic one may stop while a machine sleeps, the wall
 * clock may be set back; neither may make a lease look younger than it is.
 */
export const elapsedMs = (clock: Clock, start: Instant): number =>
  Math.max(clock.now() - start.wall, clock.monotonic() - start.monotonic);
