import type { LossReason } from "./errors.ts";

interface About {
  /** `lock`, `once`, … */
  readonly kind: string;
  readonly name: string;
}

/** An event of a lease, without ids, owners or commands: for logs and metrics. */
export type LeaseholdEvent = About & Happening;

/** An event without its subject. */
export type Happening =
  | { readonly type: "acquired"; readonly token: number; readonly waitedMs: number; readonly polls: number }
  /**
   * Somebody else has it, for `remainingMs` more at most; Infinity where no lease is in the way, as with a counter. A
   * waiter asks again after `delayMs`.
   */
  | {
      readonly type: "refused" | "polled";
      readonly remainingMs: number;
      readonly polls: number;
      readonly delayMs?: number | undefined;
    }
  | { readonly type: "extended"; readonly token: number; readonly remainingMs: number }
  | { readonly type: "lost"; readonly token: number; readonly reason: LossReason }
  | { readonly type: "released"; readonly token: number; readonly heldMs: number }
  /** A request of `operation` failed and is sent again after `delayMs`. */
  | { readonly type: "retried"; readonly operation: string; readonly why: string; readonly delayMs: number }
  /** `operation` ended without an answer; a hold that it may have left ends with its lease. */
  | { readonly type: "unanswered"; readonly operation: string }
  /** Work ran without a lease, as `onUnavailable: "run"` asks; `why` is the code of the error. */
  | { readonly type: "unprotected"; readonly why: string };

export type OnEvent = (event: LeaseholdEvent) => unknown;

/** Calls a listener so that its errors and rejections change nothing. */
export function emitter(listener: OnEvent | undefined): (event: LeaseholdEvent) => void {
  return async (event) => {
    try {
      await listener?.(event);
    } catch {}
  };
}
