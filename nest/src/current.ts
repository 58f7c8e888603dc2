import { AsyncLocalStorage } from "node:async_hooks";
import type { Lease, Started } from "leasehold";
import type { Run } from "leasehold/cron";

/** The lease, and the attempt or run, of a decorated method. */
interface Current {
  readonly lease: Lease;
  readonly attempt?: Attempt;
  readonly run?: Run;
}

/** The attempt of a method with `RunOnce`. */
export type Attempt = Pick<Started, "lease" | "attempt" | "commit">;

const current = new AsyncLocalStorage<Current>();

/** Runs a method under a lease. */
export const runWith = <T>(held: Current, work: () => T): T => current.run(held, work);

/**
 * Returns the lease of the innermost decorated method. Pass its token with every write, and listen to its signal.
 *
 * @throws TypeError if no method of `WithLock`, `RunOnce` or `RunCron` is running.
 */
export function currentLease(): Lease {
  const held = current.getStore();
  if (!held) throw new TypeError("currentLease: no method with @WithLock, @RunOnce or @RunCron is running here");
  return held.lease;
}

/**
 * Returns the attempt of the innermost decorated method: its number, its lease, and the `commit` that does its work exactly
 * once in one database.
 *
 * @throws TypeError if the innermost decorated method that is running has no `RunOnce`.
 */
export function currentAttempt(): Attempt {
  const attempt = current.getStore()?.attempt;
  if (!attempt) throw new TypeError("currentAttempt: no method with @RunOnce is running here");
  return attempt;
}

/**
 * Returns the job's run of the innermost decorated method: its slot, attempt, lease, token and `commit`.
 *
 * @throws TypeError if no method of `RunCron` is running.
 */
export function currentRun(): Run {
  const run = current.getStore()?.run;
  if (!run) throw new TypeError("currentRun: no method with @RunCron is running here");
  return run;
}
