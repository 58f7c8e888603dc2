import { sharedRoutes } from "../redis/batch.ts";
import { type Duration, toHold } from "../shared/checks.ts";
import type { LeaseholdError } from "../shared/errors.ts";
import { inCall } from "../shared/misuse.ts";
import type { Extending } from "./hold.ts";
import type { Lease } from "./lease.ts";

/** The outcome of one lease of an `extendAll`. */
export interface ExtendResult<L = Lease> {
  readonly lease: L;
  /**
   * Undefined if the lease was extended; LeaseLostError if it was lost; another LeaseholdError if there was no answer.
   */
  readonly error: LeaseholdError | undefined;
}

/**
 * Extends several leases of any kind, in one request per connection; more than 1000 leases or 500 kB take several
 * concurrent requests. Each lease is extended to `duration` from now, in ms or like `"30s"` (default: the length it was
 * acquired for). The outcomes are in the order of the leases; a lost lease does not affect the others. Unanswered
 * requests are retried like those of `extend`, so the call takes as long as the slowest of them.
 *
 * @example
 * ```ts
 * const leases = await Promise.all(["a", "b"].map((name) => lock(connection, name).acquire()));
 * for (const { lease, error } of await extendAll(leases, "1m")) if (error) console.log(lease.name, error.code);
 * ```
 *
 * @throws TypeError or RangeError for an invalid duration; never for a lost lease.
 */
export async function extendAll<L extends Pick<Lease, "extend">>(
  leases: readonly L[],
  duration?: Duration,
): Promise<readonly ExtendResult<L>[]> {
  if (duration !== undefined) inCall("extendAll", () => toHold(duration, "duration"));
  const more = { routes: sharedRoutes() };
  // All of them join the batch before it is sent.
  const extended = leases.map((lease) => (lease as Extending).extend(duration, more));
  const settled = await Promise.allSettled(extended);
  return settled.map((each, n) => ({
    lease: leases[n] as L,
    error: each.status === "rejected" ? (each.reason as LeaseholdError) : undefined,
  }));
}
