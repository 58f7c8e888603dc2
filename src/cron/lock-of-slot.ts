import { mutex } from "../kinds/lock.ts";
import type { Acquirable } from "../lease/acquire.ts";
import type { Extending, HoldCalls } from "../lease/hold.ts";
import type { Lease } from "../lease/lease.ts";
import type { Call } from "../redis/call.ts";
import { stopwatch } from "../redis/clock.ts";
import { type Connection, patienceOf } from "../redis/connect.ts";
import { LAST_MOMENT_MS } from "../redis/retry-policy.ts";
import { LeaseLostError, OutcomeUnknownError } from "../shared/errors.ts";
import { lockName } from "./names.ts";
import { outlasting, SLOT_RESERVE_MS } from "./options.ts";

/** The lease ends with the run, so a ticket of it would be useless. */
const noTicket = {
  ticket(): never {
    throw new TypeError("this lease ends with its run, so it has no ticket");
  },
};

/**
 * Makes a hold of a lock cover a slot as well. Otherwise work that extends the job's lock could outlive its slot:
 * another invocation would begin the slot, and repeat the work.
 *
 * The slot is always extended first, and for longer. A request to extend the lock becomes void before the slot has less
 * time left than the request would grant, so the slot outlasts the lock whichever answer is lost. Losing the slot means
 * losing the lease; the lock itself is kept until the work has ended.
 */
function withSlot({ extend, close }: HoldCalls, slot: Lease, connection: Connection): HoldCalls {
  const { clock, requestTimeoutMs } = connection;

  /**
   * Extends the slot by `ms` and a reserve; 0 only verifies it. Returns how long the extension of the lock may take.
   */
  async function extendSlot(ms: number, call: Pick<Call, "budgetMs" | "signal" | "routes">): Promise<number> {
    if (ms === 0) {
      if (!(await slot.verify())) slot.throwIfEnded();
      return Number.POSITIVE_INFINITY;
    }
    // The reserve lets a request to extend the lock be retried.
    await (slot as Extending).extend(outlasting(ms, SLOT_RESERVE_MS + requestTimeoutMs), call);
    const roomMs = slot.remaining - ms - LAST_MOMENT_MS;
    if (roomMs < 0) throw new OutcomeUnknownError(slot.name, "its answer took too long");
    return roomMs;
  }

  return {
    close,
    async extend(id, token, ms, call) {
      const { budgetMs = patienceOf(connection), signal, routes } = call;
      const elapsed = stopwatch(clock);
      let roomMs = Number.POSITIVE_INFINITY;
      try {
        roomMs = await extendSlot(ms, { budgetMs, signal, routes });
      } catch (error) {
        if (!(error instanceof LeaseLostError)) throw error;
        const { reason } = error;
        const lost = [slot.name];
        // On release, the run has completed or abandoned its slot, and only the lock is left.
        if (reason !== "released")
          return { status: "lost", now: 0, reason, lost, sentAt: clock.now(), since: stopwatch(clock) };
      }
      return extend(id, token, ms, { ...call, routes: undefined, budgetMs: Math.min(budgetMs - elapsed(), roomMs) });
    },
  };
}

/** Opens the job's lock for a run of one slot. Its lease covers the lock and the slot's attempt. */
export const lockOfSlot = (connection: Connection, name: string, slot: Lease, leaseMs: number): Acquirable =>
  mutex(connection, lockName(name), { lease: `${leaseMs}ms` }, (own) => ({
    ...withSlot(own, slot, connection),
    adds: () => noTicket,
  }));
