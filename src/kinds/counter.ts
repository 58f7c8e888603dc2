import type { AcquireOptions, TryOptions } from "../engine/acquire-options.ts";
import type { ConnectionSource } from "../redis/connect.ts";
import { toCount } from "../shared/checks.ts";
import { inCall, shown } from "../shared/misuse.ts";
import { MOST_PERMITS, openPermits, type PermitOptions, type Permits, type PermitsOptions } from "./permits.ts";

/** Defaults for the acquisitions of one counter, and options of the counter itself. */
export interface CounterOptions
  extends Pick<AcquireOptions, "wait" | "maxPolls" | "backoff" | "signal" | "waitUntil">,
    PermitsOptions {}

/** What `inspect` of a counter returns. */
export interface CounterState {
  /** `free`: no number was set, or the number was forgotten. */
  readonly state: "free" | "set";
  readonly available: number;
  /** Milliseconds until the number is forgotten. */
  readonly remaining: number;
}

type CounterTry = Pick<TryOptions, "signal" | "waitUntil"> & PermitOptions;

/**
 * A number of permits that any client takes and returns, without leases: a permit that is never returned is gone.
 * Therefore a request that arrives twice counts once, and an abandoned request returns what it may have taken, for
 * as long as `retention`.
 */
export interface Counter extends Permits {
  /**
   * Tries once. False: too few permits are available, or no number was set; nothing was taken.
   *
   * @throws OutcomeUnknownError when neither the request nor its cancel was answered.
   */
  tryAcquire(options?: CounterTry): Promise<boolean>;
  /** Waits for permits. @throws LockTimeoutError when too few came back in time; otherwise as `tryAcquire`. */
  acquire(options?: CounterTry & Pick<AcquireOptions, "wait" | "maxPolls" | "backoff">): Promise<void>;
  /**
   * Returns permits to the counter, 1 by default, whichever client took them. False, and nothing is added, when no
   * number is remembered on the server: it was never taken from, or set, or it was forgotten. Also false when a counter
   * with the option `permits` has lent fewer than `count` since its number began, so that it never has more than its
   * number and what was added. Without that option, more may be returned than was taken.
   */
  release(count?: number): Promise<boolean>;
  /** Reads the state on the server. */
  inspect(): Promise<CounterState>;
}

/**
 * Makes a counter of permits: any client takes and returns permits, without leases. Nothing is sent yet.
 *
 * @example
 * ```ts
 * const stock = counter(connection, "stock of article 17", { permits: 100 });
 * if (await stock.tryAcquire({ permits: 3 })) console.log(await stock.available());
 * ```
 *
 * @throws TypeError or RangeError for a name or an option that is not valid.
 */
export function counter(connection: ConnectionSource, name: string, options: CounterOptions = {}): Counter {
  const { members, acquirable, changed, inspect } = openPermits(connection, "counter", name, options);
  const taking = acquirable(MOST_PERMITS, { takes: "permits signal waitUntil" });
  return {
    ...members,
    tryAcquire: async (given) => (await taking.tryAcquire(given)) !== null,
    async acquire(given) {
      await taking.acquire(given);
    },
    release: async (count = 1) =>
      changed(
        "release",
        "give",
        inCall(`counter(${shown(name)}).release`, () => toCount(count, "count", 1, MOST_PERMITS)),
      ),
    async inspect() {
      const { set, available, remembered } = await inspect();
      return { state: set ? "set" : "free", available, remaining: remembered };
    },
  };
}
