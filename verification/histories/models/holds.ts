/** Holds of a name that end by themselves: what the models of all kinds with leases share. */
import type { Operation } from "../history.ts";

/** How far the server's clock and ours may drift apart while a lease runs: 0.1 % and a millisecond. */
export const driftOf = (lease: number): number => 1 + lease / 1000;

/** When a client may call its lease over, before the server does: 1 % and 2 ms early. */
const LOCAL = 0.99;
const LOCAL_MS = 2;
/** An extension that gets no answer may be given up so long before that, in ms. */
export const LAST_TRIES = 125;

/** The time after which a client may find a lease over that it has just asked for. */
export const usableOf = (lease: number): number => Math.max(lease * LOCAL - LOCAL_MS - driftOf(lease), 1);

/** A hold, with bounds on when it ends by itself. */
export interface Hold {
  readonly id: number;
  readonly reentryKey: string;
  readonly side: "read" | "write";
  readonly permits: number;
  /** The earliest time at which it can be over. */
  readonly end: number;
  /** The latest time at which it can be there. */
  readonly last: number;
  /** The earliest time at which its holder may have called it over. */
  readonly local: number;
  /** Whether its holder has learned that it is lost. */
  readonly isLost: boolean;
}

/** The bounds of a lease that was granted or extended from `at` to `by`. */
const bounds = ({ lease, call }: Operation, at: number, by: number): Pick<Hold, "end" | "last" | "local"> => ({
  end: at + lease - driftOf(lease),
  last: by + lease + driftOf(lease),
  local: call + usableOf(lease),
});

/**
 * The hold of an acquisition. Its client counts the lease from a request whose answer may repeat an earlier grant, with
 * what is left of it. The hold of a failed one was taken back until the failure was reported; that of an unknown
 * one may be taken back at any time, and nobody knows when it came.
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

/** A hold that may be given back at any time from `since` on, and may have been extended before. */
export const loosened = (hold: Hold, since: number, last: number): Hold => ({
  ...hold,
  end: Math.min(hold.end, since),
  last,
});

export const mayBeThere = (hold: Hold, at: number): boolean => hold.last >= at;

/** The time from which all of these can be over, `at` at the earliest. */
export const whenOver = (holds: readonly Hold[], at: number): number =>
  holds.reduce((latest, { end }) => Math.max(latest, end), at);

export const keyOfHold = ({ id, end, last, local, isLost }: Hold): string => `${id} ${end} ${last} ${local} ${isLost}`;
