import { acquirable } from "../lease/acquire.ts";
import { LOCK_OPTIONS } from "../lease/acquire-options.ts";
import { type HoldKind, holdCalls } from "../lease/hold.ts";
import type { Look } from "../lease/lock-timeout.ts";
import { decoded, forceRecord, inspectCrowd, type Joint } from "../lease/record.ts";
import type { ConnectionSource } from "../redis/connect.ts";
import { runScript } from "../redis/run.ts";
import { crowdExtend, crowdForce, fairAcquire, fairClose } from "../redis/scripts.gen.ts";
import { callOf, channelsOf, type Target, toTarget, withCrowd } from "../redis/target.ts";
import { type Duration, toMs } from "../shared/checks.ts";
import { ID_LENGTH } from "../shared/crypto.ts";
import { inCall } from "../shared/misuse.ts";
import { suffixOf } from "../shared/note.ts";
import { holderOf, type Lock, type LockOptions, type LockState, lockState, reentrantOf } from "./lock.ts";
import { ownPace, ticketToSend } from "./queue.ts";

export interface FairLockOptions extends LockOptions {
  /**
   * How late a waiter may poll and still keep its place, in ms or like `"1s"`. A waiter that dies blocks the waiters
   * after it until its next poll was due, at most 2 s, plus this time. Default 1 s.
   */
  readonly grace?: Duration | undefined;
}

/** What `inspect` of a fair lock returns: the state of a lock, and the number of waiters. */
export type FairLockState = LockState & {
  /** The length of the queue, without waiters that failed to poll in time. */
  readonly waiters: number;
};

/** A {@link Lock} that is granted in order of arrival. */
export interface FairLock extends Lock {
  /** Reads the state on the server. */
  inspect(): Promise<FairLockState>;
  /**
   * Releases the lock by force, and raises the token. Returns true if it was held: the queue stays, and its first
   * waiter is next. Returns false if it was free: the queue is emptied, in case it is stuck, and live waiters join
   * again.
   */
  forceRelease(): Promise<boolean>;
}

/** The holds of a fair lock. */
export const FAIR_LOCK: HoldKind = { kind: "fair", extend: crowdExtend, close: fairClose, crowd: true };

/** Reads who holds a fair lock and how many wait for it, for the error of a refused call. */
export const lookAt =
  (target: Target): Look =>
  async (call) => {
    const record = await inspectCrowd(target, undefined, call);
    const waiters = record.status === "free" ? 0 : record.waiting;
    return { ...holderOf(target, lockState(record)), waiters };
  };

/**
 * Mutual exclusion, first come, first served across all clients, by the server's clock. Nothing is sent yet.
 *
 * The server knows each waiter's place and how long tenures take, so each reply says when the waiter has to poll next.
 * A `backoff` of your own may poll as seldom as every 2 s; a waiter that then dies blocks the others for up to that time. Leaving the queue, when the wait ends or is aborted, costs one more
 * request. `tryAcquire` and a `wait` of 0 never queue and never overtake the queue. Acquisitions with the same
 * `reentryKey` are reentrant, and need not queue.
 *
 * @example
 * ```ts
 * const printer = fairLock(connection, "printer");
 * await printer.run({ wait: "30s" }, () => build());
 * console.log((await printer.inspect()).waiters);
 * ```
 *
 * @throws TypeError or RangeError for an invalid name or option.
 */
export function fairLock(connection: ConnectionSource, name: string, options: FairLockOptions = {}): FairLock {
  const target = withCrowd(toTarget(connection, FAIR_LOCK.kind, name, options, `${LOCK_OPTIONS} grace`));
  const { retentionMs } = target.connection;
  const reentrant = reentrantOf(target, options);
  const graceMs = inCall(
    () => callOf(target),
    () => toMs(options.grace ?? 1000, "grace"),
  );
  return {
    name,
    ...acquirable(
      {
        target,
        ...holdCalls(target, FAIR_LOCK),
        channels: channelsOf(target),
        suffix: ({ note }) => suffixOf(note),
        async ask({ id, leaseMs, reentryKey, waitMs, before, listensMs, backoff }, call) {
          const ticket = ticketToSend(waitMs, before);
          const args = [
            id,
            leaseMs,
            retentionMs,
            reentryKey,
            reentrant,
            ticket,
            graceMs,
            listensMs,
            ownPace(backoff),
          ] as const;
          const reply = await runScript(target, fairAcquire, args, call);
          // The note is used only in the queue; the hold has none.
          return reply.status === "granted" ? { ...reply, id: id.slice(0, ID_LENGTH) } : reply;
        },
        look: lookAt(target),
      },
      options,
    ),
    async inspect(joint?: Joint) {
      const record = await inspectCrowd(target, joint);
      const state = decoded(target, () => lockState(record));
      return { ...state, waiters: record.status === "free" ? 0 : record.waiting };
    },
    forceRelease: (joint?: Joint) => forceRecord(target, joint, crowdForce),
  };
}
