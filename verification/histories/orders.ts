/** The messages between the recorder and a client: a line of JSON each. */
import type { Action, Status } from "./history.ts";

export type Kind = "lock" | "fairLock" | "readWriteLock" | "semaphore" | "once" | "naive" | "upstash";

export interface Order {
  readonly id: number;
  readonly kind: Kind;
  readonly name: string;
  readonly action: Action;
  /** The acquisition that this is about. */
  readonly hold: number;
  readonly reentryKey: string;
  /** Whether the same re-entry key may enter again. */
  readonly reentrant: boolean;
  readonly lease: number;
  /** How long to wait for a grant, in ms; 0 asks once and wants to know why not, and -1 just tries. */
  readonly wait: number;
  readonly side: "read" | "write";
  /** How many permits to take, and how many there are. */
  readonly permits: number;
  readonly most: number;
  readonly value: string;
}

export interface Answer {
  readonly id: number;
  readonly status: Status;
  readonly token?: number;
  readonly attempt?: number;
  readonly value?: string;
  /** Whether a once was done before, so that what was read is a result. */
  readonly done?: boolean;
  /** An error that no outcome stands for: a fault of the client, or of ours. */
  readonly error?: string;
}

/** Where a client finds the gateway. */
export interface Endpoint {
  readonly url: string;
  readonly token: string;
}
