import type { Routes } from "./connect.ts";
import type { Doubt } from "./doubt.ts";
import type { LongPoll } from "./long-poll.ts";
import type { Answer, Command } from "./port.ts";
import type { AnyReply } from "./script.ts";
import type { Target } from "./target.ts";

/**
 * A count that the runs and polls of an operation share: the answered polls and the failed attempts. An attempt that is
 * repeated at once, in another form or with a better clock, does not count. Nothing is retried once `max` is reached;
 * to allow no more retries, set it to 0.
 */
export interface Tries {
  made: number;
  max: number;
}

/**
 * Whether a request of the released acquisition may still arrive, and whose: one of this client, or of another one, from
 * which the lease was resumed.
 */
export type Doubted = false | "own" | "another's";

export interface Call {
  /** The name of the operation in events: acquire, extend, release, … */
  readonly operation: string;
  /** How long to continue without an answer, in ms. Default: {@link patienceOf} the connection. */
  readonly budgetMs?: number | undefined;
  /** How long to continue while the server answers that it is busy, in ms. Default: `budgetMs`. */
  readonly busyMs?: number;
  /** Error replies that may be temporary for this call, besides those that are for every call. */
  readonly mayPass?: RegExp;
  /** Whether retries continue for the whole budget if the server is unreachable. Otherwise they end within a second. */
  readonly waits?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly doubt?: Doubt | undefined;
  /**
   * Whether the caller settles attempts with an unknown outcome itself, by a cancel or another request. Otherwise a
   * refusal after such an attempt is reported as `outcome_unknown`, since it says nothing about that attempt.
   */
  readonly settlesDoubt?: boolean;
  readonly doubted?: Doubted | undefined;
  readonly tries?: Tries | undefined;
  /** For a request that a server may park instead of refusing it. */
  readonly longPoll?: LongPoll | undefined;
  /** How long a server may park one request, in ms. */
  readonly maxParkMs?: number;
  /** The minimum time for an attempt, even if less of the budget is left. */
  readonly leastMs?: number;
  /** The routes of an operation on several names. Default: the run has its own route. */
  readonly routes?: Routes | undefined;
  /** Called with every reply that the operation receives, even if it makes several requests. */
  readonly onReply?: ((target: Target, reply: AnyReply & { readonly remaining?: number }) => void) | undefined;
  /** Commands sent right after the script, on the same connection. */
  readonly behind?: readonly Command[];
  /** The time in ms that they may take, in addition to the time of the script. */
  readonly moreMs?: number;
}

/** Statuses that `runScript` turns into errors. */
export type Refusing = { readonly status: "kind" | "late" };

/** A script's reply, and its timing. */
export type Ran<Reply> = Exclude<Reply, Refusing> & Timing;

export interface Timing {
  /** The wall clock at a moment before the server can have run the answered attempt, and the time since then. */
  readonly sentAt: number;
  readonly since: () => number;
  /** Whether the server parked the request. Then some time may have passed since it ran. */
  readonly wasParked?: boolean | undefined;
  /** Whether the server would grant the name if it were asked again now. */
  readonly isOffered?: boolean | undefined;
  /** The answers to the script and to the commands after it. */
  readonly answers?: readonly Answer[] | undefined;
}
