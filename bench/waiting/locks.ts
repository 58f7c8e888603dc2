import type { Backoff } from "../../src/index.ts";
import type { Lock } from "./simulate.ts";

const LEASE_MS = 60_000;
/** The weight of the newest value in the server's averages; and the longest step, in tenures. */
const AVERAGED = 8;
const MAX_TENURES = 3;

/** A plain lock, with the averages of lua/lock-acquire.lua and lua/lock-close.lua. */
export function plainLock(backoff: Backoff): Lock {
  let [isHeld, beganAt, tenureMs, queueMs] = [false, 0, 0, 0];
  let endedAt: number | undefined;
  return {
    ask(_, now, waitedMs) {
      if (isHeld) {
        const ageMs = now - beganAt;
        const refusal = { remainingMs: LEASE_MS - ageMs, ageMs, tenureMs, queueMs };
        return (waited) => backoff({ ...refusal, ...waited });
      }
      if (endedAt !== undefined) {
        const change = Math.min((waitedMs - queueMs) / AVERAGED, MAX_TENURES * tenureMs);
        queueMs = Math.max(queueMs + change + endedAt - now, 0);
      }
      [isHeld, beganAt] = [true, now];
      return undefined;
    },
    release(now) {
      const tookMs = now - beganAt;
      tenureMs += tenureMs === 0 ? tookMs : (tookMs - tenureMs) / AVERAGED;
      [isHeld, endedAt] = [false, now];
    },
  };
}

/** How a fair lock times the polls of its waiters, in the terms of lua/include/queue.lua. */
export interface Timing {
  /** The shortest step in ms, and its growth with the square root of the uncertainty. */
  readonly step: number;
  /** How much earlier than its turn a waiter polls, as a multiple of the uncertainty. */
  readonly early: number;
  /** The time between two tenures, in ms. */
  readonly betweenMs: number;
}

/** The timing of the script. */
export const SCRIPT_TIMING: Timing = { step: 1.75, early: 1, betweenMs: 2 };
const FIRST_GUESS_MS = 10;
const DOUBT_MS = 0.5;
const LATE_PART = 8;
/** Tenures are regular if they differ by at most so large a part of the usual one. */
const REGULAR_PART = 4;
/** How much the maximum grows with the place, if they are not. */
const BEHIND_PART = 8;
const FARTHEST_MS = 2000;
const longestMs = (ageMs: number): number => Math.min(25 + ageMs / 4, 75 + ageMs / 12, 1000);

/** A fair lock, which tells each waiter when to poll. */
export function fairLock(timing: Timing): Lock {
  const queue: object[] = [];
  let [isHeld, beganAt, tenureMs, spreadMs] = [false, 0, 0, 0];

  function backIn(ahead: number, ageMs: number): number {
    const [usual, spread] = tenureMs === 0 ? [FIRST_GUESS_MS, FIRST_GUESS_MS] : [tenureMs, spreadMs];
    const doubt = (spread + DOUBT_MS) * Math.sqrt(ahead + 1);
    const wanted = Math.max(timing.step, timing.step * Math.sqrt(doubt), (ageMs - usual) / LATE_PART);
    const step = Math.min(wanted, longestMs(ageMs));
    const turn = Math.max(usual - ageMs, 0) + ahead * (usual + timing.betweenMs) + step - timing.early * doubt;
    const isRegular = spread * REGULAR_PART <= usual;
    const farthest =
      isRegular && ahead > 0 ? FARTHEST_MS : Math.min((1 + ahead / BEHIND_PART) * longestMs(ageMs), FARTHEST_MS);
    return Math.min(Math.max(turn, step), farthest);
  }

  return {
    ask(caller, now) {
      if (!queue.includes(caller)) queue.push(caller);
      const ahead = queue.indexOf(caller);
      if (ahead === 0 && !isHeld) {
        queue.shift();
        [isHeld, beganAt] = [true, now];
        return undefined;
      }
      const backMs = backIn(ahead, now - beganAt);
      return ({ roundTripMs }) => Math.max(backMs - roundTripMs, 1);
    },
    release(now) {
      const tookMs = now - beganAt;
      spreadMs = tenureMs === 0 ? tookMs / 2 : spreadMs + (Math.abs(tookMs - tenureMs) - spreadMs) / AVERAGED;
      tenureMs += tenureMs === 0 ? tookMs : (tookMs - tenureMs) / AVERAGED;
      isHeld = false;
    },
  };
}
