import { acquirable } from "../engine/acquire.ts";
import { LOCK_OPTIONS } from "../engine/acquire-options.ts";
import { type HoldKind, holding } from "../engine/hold.ts";
import { openPlace, withCrowd } from "../engine/place.ts";
import { forceRecord, inspectCrowd } from "../engine/record.ts";
import type { ConnectionSource } from "../redis/connect.ts";
import { runScript } from "../redis/run.ts";
import { crowdExtend } from "../redis/scripts/crowd-extend.gen.ts";
import { crowdForce } from "../redis/scripts/crowd-force.gen.ts";
import { fairAcquire } from "../redis/scripts/fair-acquire.gen.ts";
import { fairClose } from "../redis/scripts/fair-close.gen.ts";
import { type Duration, toMs } from "../shared/checks.ts";
import { type Lock, type LockOptions, type LockState, lockState } from "./lock.ts";

export interface FairLockOptions extends LockOptions {
  /**
   * How much later than it announced a waiter may poll and still have its place. A client that dies while it waits holds up those
   * behind it for so long, and for the interval it had announced: 2 s at most. Default 1 s.
   */
  readonly grace?: Duration | undefined;
}

export type FairLockState = LockState & {
  /** How many are in the queue. Those that did not come back in time do not count. */
  readonly waiters: number;
};

/** A {@link Lock} that is given in order of arrival. */
export interface FairLock extends Lock {
  /** How it was when the server looked. */
  inspect(): Promise<FairLockState>;
  /**
   * Frees it whoever holds it, and moves the token on; the queue stays as it is, so the first in it is next. True when somebody held it.
   * If nobody did, the queue is emptied, should it be stuck: who is alive in there joins again.
   */
  forceRelease(): Promise<boolean>;
}

/** The holds of a fair lock. */
export const FAIR_LOCK: HoldKind = { kind: "fair", extend: crowdExtend, close: fairClose, crowd: true };

/**
 * Mutual exclusion, first come, first served: by the server's clock, across all clients. Who waits polls, more often the nearer its
 * turn is, and tells the server each time when it will be back, as the server suggests; a `backoff` of your own is followed, but not
 * beyond that. Leaving the queue, by the end of the wait or an abort, is one more request. `tryAcquire` and a `wait` of 0 never
 * queue, and never pass those who do. Reentrant for callers who pass the same `owner`: these need not queue.
 *
 * @throws TypeError or RangeError for a name or an option that cannot be.
 */
export function fairLock(connection: ConnectionSource, name: string, options: FairLockOptions = {}): FairLock {
  const place = withCrowd(openPlace(connection, FAIR_LOCK.kind, name, options, `${LOCK_OPTIONS} grace`));
  const { retentionMs } = place.connection;
  const reentrant = options.reentrant === false ? 0 : 1;
  const graceMs = toMs(options.grace ?? 1000, "grace");
  return {
    name,
    ...acquirable(
      {
        place,
        ...holding(place, FAIR_LOCK),
        ask({ id, leaseMs, owner, label, waitMs, before }, call) {
          // Without one it joins the queue, or joins again.
          const ticket = waitMs > 0 ? (before?.status === "held" && before.ticket) || 0 : -1;
          const args = [id, leaseMs, retentionMs, owner, label, reentrant, ticket, graceMs] as const;
          return runScript(place, fairAcquire, args, call);
        },
      },
      options,
    ),
    async inspect() {
      const record = await inspectCrowd(place);
      return { ...lockState(record), waiters: record.status === "free" ? 0 : record.waiting };
    },
    forceRelease: () => forceRecord(place, crowdForce),
  };
}
