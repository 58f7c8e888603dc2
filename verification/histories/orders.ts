/** The messages between the recorder and a client: a line of JSON each. */
import type { Action, Status } from "./history.ts";

export type Kind =
  | "lock"
  | "fairLock"
  | "readWriteLock"
  | "semaphore"
  | "once"
  | "cron"
  | "handOver"
  | "naive"
  | "upstash";

export interface Order {
  readonly id: number;
  readonly kind: Kind;
  readonly name: string;
  readonly action: Action;
  /** The acquisition that the order refers to. */
  readonly hold: number;
  readonly reentryKey: string;
  /** Whether the same re-entry key may acquire twice. */
  readonly reentrant: boolean;
  readonly lease: number;
  /**
   * The maximum wait for a grant, in ms. 0 tries once and reports the reason of a refusal; -1 tries once without it.
   */
  readonly wait: number;
  readonly side: "read" | "write";
  /** The permits to take, and their limit. */
  readonly permits: number;
  readonly max: number;
  readonly value: string;
  /** The slot of the job `name`; empty without one. */
  readonly slot: string;
  /** The ticket that the message `name` carries; empty without one. */
  readonly ticket: string;
  /**
   * Whether the client makes a mistake that the checker must find: it takes each slot for a job of its own, and each
   * delivery for a message of its own.
   */
  readonly apart: boolean;
}

export interface Answer {
  readonly id: number;
  readonly status: Status;
  readonly token?: number;
  readonly attempt?: number;
  readonly value?: string;
  /** Whether the once was already done, so the value read is its result. */
  readonly done?: boolean;
  /** What a completion of the begun attempt stores, where the client decides it. */
  readonly result?: string;
  /** Whether the attempt was failed instead of completed, since its lease had ended. */
  readonly isFailed?: boolean;
  /** The ticket of an acquired lock that is handed over. */
  readonly ticket?: string;
  /** The number of messages that the client has heard since its last answer; left out for none. */
  readonly heard?: number;
  /** Whether it failed because of an error rather than a refusal. */
  readonly isError?: boolean;
  /** An error that is not an outcome: a fault of the client or of this tool. */
  readonly error?: string;
}

/** The gateway's address for a client. */
export interface Endpoint {
  readonly url: string;
  readonly token: string;
}
