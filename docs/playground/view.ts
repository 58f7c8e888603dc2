/** The lease as its holder sees it, as long as it can look. */
export interface LeaseView {
  readonly token: number;
  /** Seconds left of it. */
  readonly remaining: number;
  /** Why its signal is aborted, if it is: `expired`, `released`, … */
  readonly over: string | undefined;
}

export interface InstanceView {
  readonly state: "absent" | "runs" | "frozen" | "dead";
  /** Its lease; for one that is frozen, as it was when it froze. */
  readonly lease: LeaseView | undefined;
  /** Whether its next answer will be lost. */
  readonly isLosing: boolean;
}

/** The state of the lock and the resource on the server. */
export interface ServerView {
  readonly holder: { readonly who: string; readonly token: number; readonly remaining: number } | undefined;
  /** The highest token that the fence has seen, and the value. */
  readonly fence: { readonly token: number; readonly value: string } | undefined;
  /** Seconds by which the server's clock is ahead. */
  readonly ahead: number;
}
