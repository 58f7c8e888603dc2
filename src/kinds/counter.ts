import type { AcquireOptions, TryOptions } from "../lease/acquire-options.ts";
import type { ConnectionSource } from "../redis/connect.ts";
import { toCount } from "../shared/checks.ts";
import { inCall, shown } from "../shared/misuse.ts";
import { MAX_PERMITS, openPermits, type PermitOptions, type Permits, type PermitsOptions } from "./permits.ts";

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
 * A number of permits that any client takes and returns, without leases: a permit that is never returned is lost. So a
 * duplicate of a request counts once, and an abandoned request returns what it may have taken, for the time of
 * `retention`.
 */
export interface Counter extends Permits {
  /**
   * Tries once. Returns false if too few permits are available or no number was set; then nothing was taken.
   *
   * @throws OutcomeUnknownError if neither the request nor its cancel was answered.
   */
  tryAcquire(options?: CounterTry): Promise<boolean>;
  /** Waits for permits. @throws LockTimeoutError if too few were returned in time; otherwise like `tryAcquire`. */
  acquire(options?: CounterTry & Pick<AcquireOptions, "wait" | "maxPolls" | "backoff">): Promise<void>;
  /**
   * Returns permits to the counter, 1 by default, whichever client took them. Returns false and adds nothing if the
   * server remembers no number, because it was never set or taken from, or was forgotten. With the option `permits`, it
   * also returns false if fewer than `count` permits were taken since the number began, so a counter never has more
   * than its number and what was added. Without that option, more may be returned than was taken.
   */
  release(count?: number): Promise<boolean>;
  /** Reads the state on the server. */
  inspect(): Promise<CounterState>;
}

/**
 * Makes a counter of permits, which any client takes and returns without leases. Nothing is sent yet.
 *
 * @example
 * ```ts
 * const stock = counter(connection, "stock of article 17", { permits: 100 });
 * if (await stock.tryAcquire({ permits: 3 })) console.log(await stock.available());
 * ```
 *
 * @throws TypeError or RangeError for an invalid name or option.
 */
export function counter(connection: ConnectionSource, name: string, options: CounterOptions = {}): Counter {
  const { members, acquirable, changed, inspect } = openPermits(connection, "counter", name, options);
  const taking = acquirable(MAX_PERMITS, { takes: "permits signal waitUntil" });
  return {
    ...members,
    tryAcquire: async (options) => (await taking.tryAcquire(options)) !== null,
    async acquire(options) {
      await taking.acquire(options);
    },
    release: async (count = 1) =>
      changed(
        "release",
        "give",
        inCall(`counter(${shown(name)}).release`, () => toCount(count, "count", 1, MAX_PERMITS)),
      ),
    async inspect() {
      const { set, available, remembered } = await inspect();
      return { state: set ? "set" : "free", available, remaining: remembered };
    },
  };
}
