import type { LossReason } from "./errors.ts";

interface About {
  /** `lock`, `once`, …; `fence`, `dedupe` and `cron` for their own events. */
  readonly kind: string;
  readonly name: string;
}

/** An event, without IDs, re-entry keys or commands: for logs, metrics and traces. */
export type LeaseholdEvent = About & Happening;

/** An event without its subject. Durations are in ms, and end with the event. */
export type Happening = Waiting | Leasing | Requesting | Attempting | Checking | Observing;

type Waiting =
  | { readonly type: "acquired"; readonly token: number; readonly waitedMs: number; readonly polls: number }
  /** An operation was refused for the first time, and waits. Its `ended` is the end of the wait. */
  | { readonly type: "waiting"; readonly operation: string; readonly remainingMs: number }
  /**
   * Another client holds it, for at most `remainingMs` more; Infinity if no lease blocks, as with a counter. The waiter
   * polls again after `delayMs`.
   */
  | { readonly type: "polled"; readonly remainingMs: number; readonly polls: number; readonly delayMs: number }
  /** Like `polled`, but the operation does not poll again. */
  | { readonly type: "refused"; readonly remainingMs: number; readonly polls: number }
  /**
   * An `acquire`, a `begin` of a once or a `wait` of a latch has ended after `waitedMs`. `status` is that of the
   * last reply (`granted`, `held`, `running`, …), the code of the error, or `aborted`.
   */
  | {
      readonly type: "ended";
      readonly operation: string;
      readonly status: string;
      readonly waitedMs: number;
      readonly polls: number;
      /** Whether there was a `waiting` before. */
      readonly waited: boolean;
    };

type Leasing =
  | { readonly type: "extended"; readonly token: number; readonly remainingMs: number }
  /** A fifth of the lease is left, and it has not been extended. Only for a lease whose `signal` was read. */
  | { readonly type: "expiring"; readonly token: number; readonly remainingMs: number }
  | { readonly type: "lost"; readonly token: number; readonly reason: LossReason; readonly heldMs: number }
  /** `spent`: how many permits were spent, if the lease ended by that. */
  | { readonly type: "released"; readonly token: number; readonly heldMs: number; readonly spent?: number }
  /**
   * A lease was resumed from a ticket. `trace` is the text that the option `trace` returned when the ticket was made.
   */
  | { readonly type: "resumed"; readonly token: number; readonly trace: string | undefined }
  /** Work ran without a lease, because of `onUnavailable: "run"`; `why` is the code of the error. */
  | { readonly type: "unprotected"; readonly why: string };

type Requesting =
  /**
   * One attempt to send a request of `operation` has ended. `status` is that of the reply; without a reply, `why` is
   * the reason. `attempt` counts from 1 for each request.
   */
  | {
      readonly type: "request";
      readonly operation: string;
      readonly attempt: number;
      readonly durationMs: number;
      readonly status: string | undefined;
      readonly why: string;
      /** Host and port of the server, empty if unknown. */
      readonly server: string;
    }
  /** A request of `operation` failed and is retried after `delayMs`. */
  | { readonly type: "retried"; readonly operation: string; readonly why: string; readonly delayMs: number }
  /** No message can wake the waiters of this connection, so they poll. `why` is the server's answer. Emitted once. */
  | { readonly type: "not_woken"; readonly why: string }
  /** `operation` ended without an answer; a hold that may have been granted ends with its lease. */
  | { readonly type: "unanswered"; readonly operation: string };

/**
 * How a `begin` of a once ended: the work `started`, is `running` elsewhere, was `done` before (a duplicate), has
 * failed too often, or the key was used before with another fingerprint. Also how a started attempt ended: its result
 * is stored (`completed`), it was abandoned (`failed`), or its result was refused (`lost`), since another attempt has
 * started or the record no longer exists.
 */
export type TurnStatus = "started" | "running" | "done" | "exhausted" | "mismatch" | "completed" | "failed" | "lost";

type Attempting =
  /**
   * The work of a once is done, but its result is not stored: duplicates get none. `why`: `not_json`, `too_large`, or
   * the code of the server's error.
   */
  { readonly type: "unstored"; readonly token: number; readonly why: string } | Turned;

interface Turned {
  readonly type: "turn";
  readonly status: TurnStatus;
  /** The token of a started attempt, to which `attempt` and `heldMs` also belong. */
  readonly token: number | undefined;
  readonly attempt: number | undefined;
  readonly heldMs: number | undefined;
}

/** How a call of a cron ended: as in its report. The last three are for calls that threw. */
export type CronStatus =
  | "ran"
  | "ran unprotected"
  | "skipped: already ran"
  | "skipped: still running"
  /** The work threw. */
  | "failed"
  /** The lease was lost. */
  | "lost"
  /** The work did not begin. */
  | "unavailable";

type Checking =
  /** A fence refused a write; `seen` is the highest token, if the resource reports it. */
  | { readonly type: "stale"; readonly token: number; readonly seen: number | undefined }
  /**
   * `dedupe` has answered a request; `status` is as in the header `Leasehold-Status`. A request that is `unverified` or
   * `malformed` has no key: its name is the sender's. If `verify` threw, `cause` is the error's class, its code and the
   * place that threw it, without its message.
   */
  | {
      readonly type: "answered";
      readonly sender: string;
      readonly status: string;
      readonly durationMs: number;
      readonly cause: string | undefined;
    }
  | { readonly type: "occurred"; readonly slot: string; readonly status: CronStatus; readonly durationMs: number };

type Observing =
  /**
   * `leasehold/otel` has reached the limit of names in its metrics: this name and all later ones are `other`. Emitted
   * once.
   */
  { readonly type: "capped"; readonly limit: number };

/** A listener for events. It is not awaited, and its errors are ignored. */
export type OnEvent = (event: LeaseholdEvent) => unknown;

/**
 * Calls a listener in the turn, and so in the asynchronous context, of the operation; its errors and rejections are
 * ignored. Undefined without a listener; then no event is made.
 */
export const emitter = (listener: OnEvent | undefined): ((event: LeaseholdEvent) => unknown) | undefined =>
  listener &&
  (async (event) => {
    try {
      await listener(event);
    } catch {}
  });
