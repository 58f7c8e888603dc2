import type { Acquirable } from "../lease/acquire.ts";
import { type AcquireOptions, TRY_OPTIONS, without } from "../lease/acquire-options.ts";
import { type Hold, type Holding, type HoldKind, holdCalls, type Stock } from "../lease/hold.ts";
import type { Lease } from "../lease/lease.ts";
import type { Joint } from "../lease/record.ts";
import { resumeAs } from "../lease/resume.ts";
import type { ConnectionSource } from "../redis/connect.ts";
import { type Duration, toCount, toFlag, toMs } from "../shared/checks.ts";
import { randomId } from "../shared/crypto.ts";
import { inCall, misuse, shown } from "../shared/misuse.ts";
import {
  openPermits,
  PERMITS,
  type PermitOptions,
  type Permits,
  type PermitsOptions,
  type SemaphoreState,
} from "./permits.ts";
import { spendPermits } from "./spend.ts";

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
  /**
   * Spends `count` of the permits for good, and ends the lease: the semaphore's number falls by `count`, and the other
   * permits return. 0 returns all of them.
   *
   * If it throws, the lease has ended for this client, but `spend` can be called again, and with the same count it is
   * made only once, also by another process that has the ticket. The server remembers that for `retention`. After
   * `outcome_unknown`, neither the end of `run` nor `await using` releases the permits: they stay reserved until
   * the lease ends, unless `release` is called.
   *
   * @throws LeaseLostError if the lease has ended, and nothing was spent by this call; with the reason `spent`, another
   * count was spent before. LeaseholdError `state_lost` if no number of permits is known. OutcomeUnknownError without
   * an answer within `requestTimeout`. RangeError for more permits than the lease has.
   */
  spend(count: number): Promise<void>;
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
  /**
   * Makes the lease of a ticket of this semaphore, as `resume` does.
   *
   * @throws TypeError for anything else.
   */
  resume(ticket: string): Promise<SemaphoreLease>;
}

/** The maximum number of permits of one hold. */
const MAX_OF_A_HOLD = 1000;

/** The extra members of a lease of permits. */
const permitMembers =
  (stock: Stock) =>
  ({ target, id, token, close }: Hold, holding: Holding) => {
    // The number in a ticket may be forged.
    const length = Math.min(Number.parseInt(id.slice(37), 10), MAX_OF_A_HOLD);
    const permits = Array.from({ length }, (_, index) => index + 1);
    return {
      permits,
      async releasePermits(numbers: readonly number[]): Promise<boolean> {
        const rest = permits.filter((permit) => !numbers.includes(permit));
        // A number is not held, or given twice.
        if (rest.length + numbers.length !== permits.length) return false;
        if (rest.length === permits.length) return true;
        const released =
          rest.length === 0
            ? await holding.release()
            : (await close(`${id},${randomId()},${numbers}`, token, { operation: "release" })).status === "closed";
        if (released) {
          // Other permits may have been released meanwhile.
          permits.splice(0, permits.length, ...permits.filter((permit) => !numbers.includes(permit)));
          holding.learn({ remaining: 0, holds: permits.length, sentAt: 0, since: () => 0 });
        }
        return released;
      },
      async spend(count: number): Promise<void> {
        inCall("lease.spend", () => {
          if (count === undefined)
            throw misuse(TypeError, "count is missing: spend(lease.permits.length) spends all permits");
          toCount(count, "count", 0, permits.length);
        });
        await holding.spend(`${count}`, count, (call) =>
          spendPermits(target, [{ target, id, token, count, stock }], call),
        );
      },
    };
  };

/** The permits of a semaphore whose number is known to the server only. */
export const SEMAPHORE: HoldKind = { ...PERMITS, adds: permitMembers({ initial: "", ttlMs: 0 }) };

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
  const { target, stock, members, acquirable, inspect } = openPermits(
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
  const adds = permitMembers(stock);
  const spending = { stock, send: spendPermits };
  const own = { adds, spending, takes: `${without("reentryKey", TRY_OPTIONS)} permits` };
  return {
    ...members,
    ...(acquirable(MAX_OF_A_HOLD, own, fair ? graceMs : 0) as Pick<Semaphore, keyof Acquirable>),
    acquired: async () => (await inspect()).acquired,
    resume: (ticket) =>
      resumeAs(target.connection, ticket, [], {
        target,
        ...holdCalls(target, PERMITS),
        adds,
      }) as Promise<SemaphoreLease>,
    async inspect(joint?: Joint) {
      const { set, remembered, ...state } = await inspect(joint);
      return { state: state.acquired > 0 ? "held" : "free", ...state };
    },
  };
}
