/** A lease that work runs under, for an {@link Around}. */
export interface AroundLease {
  readonly kind: string;
  readonly name: string;
  /** The fencing token; NaN where a lease of several slots has one for each name. */
  readonly token: number;
  /** Milliseconds since the lease was granted. */
  readonly heldMs: number;
}

/**
 * Runs once around the work under a lease: that of `run` and `lease.keepAlive` of any kind, of `dedupe` and of crons.
 * Work inside of this work is part of it. Call `work` synchronously, in the asynchronous context that the work needs:
 * otherwise the work starts without it. `work()` never rejects, and resolves when the work and the release have ended.
 * The call itself does not wait for the hook, and errors of the hook are ignored.
 */
export type Around = (lease: AroundLease, work: () => Promise<void>) => unknown;
