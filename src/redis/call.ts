import type { Routes } from "./connect.ts";
import type { Doubt } from "./doubt.ts";
import type { Answer, Command } from "./port.ts";
import type { AnyReply } from "./script.ts";
import type { Target } from "./target.ts";

/**
 * An account of requests, which the runs and polls of an operation share: each adds the requests that it `made`, failed
 * ones included, and retries nothing once they are as many as `most`. To allow no more retries, set `most` to 0.
 */
export interface Tries {
  made: number;
  most: number;
}

/** The wish of a waiter that a server holds its requests instead of refusing them. */
interface HoldWish {
  /** How long a request may be held from now on, in ms. */
  readonly leftMs: () => number;
  /** Whether no other one is asked for, since a held request died or was too late twice. */
  isOver: boolean;
  /** Whether the server held the last request that it answered. */
  wasHeld?: boolean;
  /** Whether the answer to a held request came too late: the next ones leave it more time. */
  isSlow?: boolean;
}

export interface Call {
  /** The name of the operation in events: acquire, extend, release, … */
  readonly operation: string;
  /** How long to continue without an answer, in ms. Default: {@link patienceOf} the connection. */
  readonly budgetMs?: number | undefined;
  /**
   * Whether re-sending continues for the whole budget when the server cannot be reached. Otherwise it ends within a
   * second.
   */
  readonly waits?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly doubt?: Doubt | undefined;
  /** Whether a request of the released acquisition may still arrive. */
  readonly doubted?: boolean | undefined;
  readonly tries?: Tries | undefined;
  /** For a request whose refusal a server may hold back until it is granted. */
  readonly hold?: HoldWish | undefined;
  /** How long a server may hold one request at most, in ms. */
  readonly mostHoldMs?: number;
  /** The least time for an attempt, however little of the budget is left. */
  readonly leastMs?: number;
  /** The routes of an operation that asks for several names. Default: the run is alone. */
  readonly routes?: Routes | undefined;
  /** Called with every reply that the operation gets, also where it makes several requests. */
  readonly heard?: ((target: Target, reply: AnyReply & { readonly remaining?: number }) => void) | undefined;
  /** Commands that go right behind the script, on the same connection, and the time in ms that they may take. */
  readonly behind?: readonly Command[];
  readonly moreMs?: number;
}

/** Statuses that `runScript` turns into errors. */
export type Refusing = { readonly status: "kind" | "late" };

/** A script's reply, and its timing. */
export type Ran<Reply> = Exclude<Reply, Refusing> & Timing;

export interface Timing {
  /** The wall clock when the server cannot have run the answered attempt yet, and the time since then. */
  readonly sentAt: number;
  readonly since: () => number;
  /** Whether the server held the request: then it may be some time since it ran it. */
  readonly wasHeld?: boolean | undefined;
  /** The answers to the script and to the commands behind it. */
  readonly answers?: readonly Answer[] | undefined;
}
