/** A history: the operations on one name, with their times and outcomes. */

/**
 * - `ok`: done; a grant, a release, an extension, an accepted write, a stored result.
 * - `refused`: not done because of others: the name is held, the attempt runs elsewhere, the token is stale.
 * - `own`: not done because the same re-entry key holds it, and was created with `reentrant: false`.
 * - `lost`: the caller learned that its hold has ended.
 * - `ended`: the hold has ended, by this operation or before.
 * - `failed`: an error which implies that nothing is held.
 * - `unknown`: no response, or the client died. It may have been done, now or later, or never.
 */
export type Status = "ok" | "refused" | "own" | "lost" | "ended" | "failed" | "unknown";

/** Read where the work was done and its result could not be stored because memory was full. */
export const NOT_STORED = "undefined";

export type Action = "acquire" | "release" | "extend" | "verify" | "write" | "begin" | "complete" | "fail" | "result";

/** An operation on one name. Times are in ms on one monotonic clock. */
export interface Operation {
  readonly id: number;
  readonly client: string;
  readonly action: Action;
  readonly call: number;
  /** When the outcome became known; Infinity for `unknown`. */
  readonly ret: number;
  readonly status: Status;
  /** The acquisition that the operation refers to; its own id for an acquisition. */
  readonly hold: number;
  readonly reentryKey: string;
  /** The requested duration, in ms. */
  readonly lease: number;
  readonly side: "read" | "write";
  readonly permits: number;
  /** The token granted or passed; 0 without one. */
  readonly token: number;
  /** The attempt number of a once, a slot or a message; 0 without one. */
  readonly attempt: number;
  /** The slot of a cron job; empty without one. */
  readonly slot: string;
  /** The result of a once, a slot or a message, as stored or read. */
  readonly value: string;
}

/** Whether it may be left out of the order: it may never have been done. */
export const isOptional = ({ status, action }: Operation): boolean =>
  status === "unknown" || (status === "failed" && (action === "acquire" || action === "begin"));

/** One readable line. */
export function tell({
  action,
  client,
  call,
  ret,
  status,
  hold,
  reentryKey,
  lease,
  token,
  ...rest
}: Operation): string {
  const time = `${call.toFixed(2)}–${ret === Infinity ? "?" : ret.toFixed(2)}`;
  const more = [
    reentryKey && `re-entry key ${reentryKey}`,
    lease > 0 && `${lease} ms`,
    token > 0 && `token ${token}`,
    rest.permits > 0 && `${rest.permits} permits`,
    rest.slot && `slot ${rest.slot}`,
    rest.attempt > 0 && `attempt ${rest.attempt}`,
    rest.value && `value ${rest.value}`,
  ];
  const what = action === "acquire" && rest.side === "read" ? "acquire read" : action;
  return `${time} ${client}: ${what} #${hold} → ${status} ${more.filter(Boolean).join(", ")}`.trimEnd();
}
