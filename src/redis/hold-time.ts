import type { Call } from "./call.ts";

/** The answer to a held request has so long for its way: a fifth of the attempt, and half a second at most. */
const ANSWER_PART = 0.2;
const ANSWER_MS = 500;
/** No request is held for less, in ms. */
const LEAST_HOLD_MS = 20;
/** The part of a call that says how long its requests may be held. */
type HoldWish = Pick<Call, "hold" | "mostHoldMs">;

/**
 * How long a server may hold an attempt that ends after `limitMs`, in whole ms; 0 for not at all. It is less than the
 * attempt lasts, so that the answer has time to arrive.
 */
export function holdMsOf({ hold, mostHoldMs = Number.POSITIVE_INFINITY }: HoldWish, limitMs: number): number {
  if (!hold || hold.isOver) return 0;
  const mostMs = limitMs - Math.min(ANSWER_MS, limitMs * ANSWER_PART);
  // Rounded up, so that a wait is over when its last hold is.
  const holdMs = Math.ceil(Math.min(hold.leftMs(), mostHoldMs, mostMs));
  return holdMs < LEAST_HOLD_MS ? 0 : holdMs;
}
