/** Bounds on the duration of a lease, by the server's clock and by the holder's. All in ms. */

/** Clocks may differ by 0.1 % of a lease, and the server counts from its own instant. */
const RATE = 0.001;
const INSTANT = 1;
/** A holder stops early, by 1 % of the lease plus 2 ms. */
const OWN_RATE = 0.01;
const OWN_MARGIN = 2;
/** How long before the holder's own end an unanswered extension is abandoned. */
const LAST_TRIES = 125;

/** The earliest time at which a lease granted at `now` can have ended on the server. */
export const earliestEnd = (now: number, lease: number): number => now + lease * (1 - RATE) - INSTANT;

/** The time by which a lease granted at `latest` or before must have ended on the server. */
export const latestEnd = (latest: number, lease: number): number => latest + lease * (1 + RATE) + INSTANT;

/** The earliest time at which the holder of a lease requested at `call` can consider it ended. */
export const earliestOwnEnd = (call: number, lease: number): number =>
  earliestEnd(call, lease) - lease * OWN_RATE - OWN_MARGIN;

/** The maximum number of leases granted to a waiter between `call` and `ret` that ended before it knew of them. */
export const mostMissed = (call: number, ret: number, lease: number): number =>
  Math.floor((ret - call) / Math.max(earliestOwnEnd(0, lease), INSTANT));

/** The earliest time at which it can abandon an extension. */
export const earliestGivenUp = (ownEnd: number): number => ownEnd - LAST_TRIES;
