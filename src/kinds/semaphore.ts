import type { Acquirable } from "../lease/acquire.ts";
import { type AcquireOptions, TRY_OPTIONS, without } from "../lease/acquire-options.ts";
import type { Hold } from "../lease/hold.ts";
import type { Lease } from "../lease/lease.ts";
import type { Joint } from "../lease/record.ts";
import type { ConnectionSource } from "../redis/connect.ts";
import { type Duration, toFlag, toMs } from "../shared/checks.ts";
import { randomId } from "../shared/crypto.ts";
import { inCall, misuse, shown } from "../shared/misuse.ts";
import { openPermits, type PermitOptions, type Permits, type PermitsOptions, type SemaphoreState } from "./permits.ts";

/** Defaults for the acquisitions of one semaphore, and options of the semaphore itself. */
export interface SemaphoreOptions extends Omit<AcquireOptions, "reentryKey">, PermitsOptions {
  /**
   * Serves waiters in order of arrival, so that a waiter for many permits is not overtaken by waiters for few. All
   * clients of the name should set it. As with a fair lock, leaving the queue costs one more request, and a try without
   * waiting overtakes no waiter. Default false.
   */
  readonly fair?: boolean | undefined;
  /** How late a waiter may poll and still keep its place, in ms or like `"1s"`. Only with `fair`. Default 1 s. */
  readonly grace?: Duration | undefined;
}

/** The lease of one or more permits. Its `holds` is the number of permits still held. */
export interface SemaphoreLease extends Lease {
  /** The numbers of the permits still held, 1 for the first, as far as this lease knows. */
  readonly permits: readonly number[];
  /**
   * Releases some of the permits and keeps the others. Returns false and changes nothing if one of them is no longer
   * held.
   *
   * @throws OutcomeUnknownError without an answer; these permits then end with the others.
   */
  releasePermits(numbers: readonly number[]): Promise<boolean>;
}

/**
 * A number of permits with leases; the permits of a dead holder are returned when its lease ends. A semaphore is not
 * reentrant: every acquisition takes its own permits, and `reentryKey` is rejected. Unless it is `fair`, any waiter may
 * be next. The token orders grants, but several holders are live at the same time, so it does not fence them from each
 * other.
 */
export interface Semaphore extends Permits, Acquirable<SemaphoreLease, PermitOptions, "reentryKey"> {
  /** Reads the state on the server. */
  readonly inspect: () => Promise<SemaphoreState>;
  /** Forgets the number of permits and their holders. Returns true if there was something to forget. */
  readonly forceRelease: () => Promise<boolean>;
  /** The number of permits in use. */
  acquired(): Promise<number>;
}

/** The extra members of a lease of permits. */
function permitMembers(
  { id, token, close }: Hold,
  lease: Pick<Lease, "release">,
  learn: Parameters<NonNullable<Hold["adds"]>>[2],
) {
  const permits = Array.from({ length: Number.parseInt(id.slice(37), 10) }, (_, index) => index + 1);
  return {
    permits,
    async releasePermits(numbers: readonly number[]): Promise<boolean> {
      const rest = permits.filter((permit) => !numbers.includes(permit));
      // A number is not held, or given twice.
      if (rest.length + numbers.length !== permits.length) return false;
      if (rest.length === permits.length) return true;
      const released =
        rest.length === 0
          ? await lease.release()
          : (await close(`${id},${randomId()},${numbers}`, token, { operation: "release" })).status === "closed";
      if (released) {
        // Other permits may have been released meanwhile.
        permits.splice(0, permits.length, ...permits.filter((permit) => !numbers.includes(permit)));
        learn({ remaining: 0, holds: permits.length, sentAt: 0, since: () => 0 });
      }
      return released;
    },
  };
}

/**
 * Makes a semaphore: at most `permits` permits are in use at the same time, each under a lease. Nothing is sent yet.
 *
 * @example
 * ```ts
 * const workers = semaphore(connection, "workers", { permits: 3 });
 * await workers.run({ permits: 2, wait: "5s" }, async ({ signal }) => {
 *   await settle(signal);
 * });
 * ```
 *
 * @throws TypeError or RangeError for an invalid name or option.
 */
export function semaphore(connection: ConnectionSource, name: string, options: SemaphoreOptions = {}): Semaphore {
  if ((options?.lease as unknown) === false)
    throw new TypeError(
      "semaphore: lease false is not possible: its permits have leases. For permits without a lease, use counter(name, options)",
    );
  const { members, acquirable, inspect } = openPermits(
    connection,
    "semaphore",
    name,
    options,
    " lease label replicas fair grace",
  );
  const { fair, grace } = options;
  const graceMs = inCall(`semaphore(${shown(name)})`, () => {
    toFlag(fair, "fair");
    if (grace !== undefined && !fair) throw misuse(TypeError, `grace ${shown(grace)} needs fair: true`);
    return toMs(grace ?? "1s", "grace");
  });
  const own = { adds: permitMembers, takes: `${without("reentryKey", TRY_OPTIONS)} permits` };
  return {
    ...members,
    ...(acquirable(1000, own, fair ? graceMs : 0) as Pick<Semaphore, keyof Acquirable>),
    acquired: async () => (await inspect()).acquired,
    async inspect(joint?: Joint) {
      const { set, remembered, ...state } = await inspect(joint);
      return { state: state.acquired > 0 ? "held" : "free", ...state };
    },
  };
}
