/** A history: what was asked of one name, when, and what came of it. */

/**
 * - `ok`: done; a grant, a release, an extension, an accepted write, a result that is there.
 * - `refused`: not done, because of others: the name is held, the attempt runs elsewhere, the token is stale.
 * - `own`: not done, because the same re-entry key holds it, which was made with `reentrant: false`.
 * - `lost`: the caller was told that its hold is over.
 * - `failed`: an error that says that nothing is held.
 * - `unknown`: no answer, or the client died. It may have been done, now or at any later time, or never.
 */
export type Status = "ok" | "refused" | "own" | "lost" | "failed" | "unknown";

/** What is read where the work was done and its result could not be stored, since memory was full. */
export const NOT_STORED = "undefined";

export type Action = "acquire" | "release" | "extend" | "verify" | "write" | "begin" | "complete" | "fail" | "result";

/** An operation on one name. Times are milliseconds of one monotonic clock. */
export interface Operation {
  readonly id: number;
  readonly client: string;
  readonly action: Action;
  readonly call: number;
  /** When the outcome was known; Infinity for `unknown`. */
  readonly ret: number;
  readonly status: Status;
  /** The acquisition whose hold this is about; its own id for an acquisition. */
  readonly hold: number;
  readonly reentryKey: string;
  /** The duration asked for, in ms. */
  readonly lease: number;
  readonly side: "read" | "write";
  readonly permits: number;
  /** The token granted, or the one that was named; 0 where there is none. */
  readonly token: number;
  /** The number of the attempt of a once; 0 where there is none. */
  readonly attempt: number;
  /** The result of a once, as stored or read. */
  readonly value: string;
}

/** Whether it may be left out: nothing says that it was ever done. */
export const isOptional = ({ status, action }: Operation): boolean =>
  status === "unknown" || (status === "failed" && (action === "acquire" || action === "begin"));

/** One line for people. */
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
    rest.attempt > 0 && `attempt ${rest.attempt}`,
    rest.value && `value ${rest.value}`,
  ];
  const what = action === "acquire" && rest.side === "read" ? "acquire read" : action;
  return `${time} ${client}: ${what} #${hold} → ${status} ${more.filter(Boolean).join(", ")}`.trimEnd();
}
