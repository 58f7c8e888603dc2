/** A lease that work runs under, for an {@link Around}. */
export interface AroundLease {
  readonly kind: string;
  readonly name: string;
  /** The fencing token; NaN for a lease of several slots, which has one token for each name. */
  readonly token: number;
  /** Milliseconds since the lease was granted. */
  readonly heldMs: number;
}

/**
 * A hook that runs once around the work under a lease: the work of `run` and `lease.keepAlive` of any kind, of `dedupe`
 * and of crons. Nested work is part of it. Call `work` synchronously, in the asynchronous context that the work needs;
 * otherwise the work starts without the hook. `work()` never rejects, and resolves when the work and the release have
 * ended. The call does not wait for the hook, and ignores its errors.
 */
export type Around = (lease: AroundLease, work: () => Promise<void>) => unknown;
