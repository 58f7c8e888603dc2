/** Holds with leases: shared by the models of all kinds that have them. */
import type { Operation } from "../history.ts";

/** The maximum drift between the server's clock and this machine's during a lease: 0.1 % plus 1 ms. */
export const driftOf = (lease: number): number => 1 + lease / 1000;

/** How much earlier than the server a client may consider its lease ended: 1 % plus 2 ms. */
const LOCAL = 0.99;
const LOCAL_MS = 2;
/** How much earlier than that an unanswered extension may be abandoned, in ms. */
export const LAST_TRIES = 125;

/** The earliest time after the request at which a client may consider its lease ended. */
export const usableOf = (lease: number): number => Math.max(lease * LOCAL - LOCAL_MS - driftOf(lease), 1);

/** A hold, with bounds on its expiry. */
export interface Hold {
  readonly id: number;
  readonly reentryKey: string;
  readonly side: "read" | "write";
  readonly permits: number;
  /** The earliest time at which it can have ended. */
  readonly end: number;
  /** The latest time at which it can still exist. */
  readonly last: number;
  /** The earliest time at which its holder may have considered it ended. */
  readonly local: number;
  /** Whether its holder has learned that it is lost. */
  readonly isLost: boolean;
}

/** The bounds of a lease that was granted or extended between `at` and `by`. */
const bounds = ({ lease, call }: Operation, at: number, by: number): Pick<Hold, "end" | "last" | "local"> => ({
  end: at + lease - driftOf(lease),
  last: by + lease + driftOf(lease),
  local: call + usableOf(lease),
});

/**
 * The hold of an acquisition. Its client counts the lease from a request whose response may repeat an earlier grant,
 * with the remaining time. The hold of a failed acquisition was cancelled before the failure was reported. The hold of
 * an unknown one may begin, and be cancelled, at any time.
 */
export function holdOf(operation: Operation, at: number, by: number): Hold {
  const { id, reentryKey, side, permits, status, lease, call, ret } = operation;
  const own = { id, reentryKey, side, permits, ...bounds(operation, at, by), isLost: false };
  if (status === "ok") return { ...own, local: call + usableOf(lease - (ret - call)) };
  return { ...own, end: at, last: Math.min(own.last, ret), local: at };
}

export function extended(hold: Hold, operation: Operation, at: number, by: number): Hold {
  const { end, last, local } = bounds(operation, at, Math.min(by, hold.last));
  return {
    ...hold,
    end: Math.max(hold.end, end),
    last: Math.max(hold.last, last),
    local: Math.max(hold.local, local),
  };
}

/** A hold that may be released at any time from `since` on, and may have been extended before. */
export const loosened = (hold: Hold, since: number, last: number): Hold => ({
  ...hold,
  end: Math.min(hold.end, since),
  last,
});

export const mayBeThere = (hold: Hold, at: number): boolean => hold.last >= at;

/** The time from which all of these can have ended, not before `at`. */
export const whenOver = (holds: readonly Hold[], at: number): number =>
  holds.reduce((latest, { end }) => Math.max(latest, end), at);

export const keyOfHold = ({ id, end, last, local, isLost }: Hold): string => `${id} ${end} ${last} ${local} ${isLost}`;
