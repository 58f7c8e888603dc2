/** How long a lease may be held to last, by the server's clock and by the holder's own. All in ms. */

/** Clocks may differ by a thousandth of a lease, and the server counts from an instant of its own. */
const RATE = 0.001;
const INSTANT = 1;
/** A holder stops early: by a hundredth of the lease and 2 ms. */
const OWN_RATE = 0.01;
const OWN_MARGIN = 2;
/** An extension that gets no answer is given up so long before the holder's own end. */
const LAST_TRIES = 125;

/** When a lease that was granted at `now` can be over on the server at the earliest. */
export const earliestEnd = (now: number, lease: number): number => now + lease * (1 - RATE) - INSTANT;

/** When a lease that was granted at `latest` or before must be over on the server. */
export const latestEnd = (latest: number, lease: number): number => latest + lease * (1 + RATE) + INSTANT;

/** When the holder of a lease that it asked for at `call` can believe that it has ended, at the earliest. */
export const earliestOwnEnd = (call: number, lease: number): number =>
  earliestEnd(call, lease) - lease * OWN_RATE - OWN_MARGIN;

/** How many leases a waiter can have been granted from `call` to `ret` that ended before it knew of them. */
export const mostMissed = (call: number, ret: number, lease: number): number =>
  Math.floor((ret - call) / Math.max(earliestOwnEnd(0, lease), INSTANT));

/** When it can give an extension up, at the earliest. */
export const earliestGivenUp = (ownEnd: number): number => ownEnd - LAST_TRIES;
