import type { Connection } from "./connect.ts";
import type { Doubt } from "./doubt.ts";
import type { Answer, Command, Port } from "./port.ts";
import type { AnyReply } from "./script.ts";
import type { Target } from "./target.ts";

/** Another port than the connection's own. It is asked for before anything is awaited. */
export type Via = (connection: Connection) => Port;

/** The requests of an operation so far, and the most that it may send. */
export interface Tries {
  made: number;
  most: number;
}

export interface Call {
  /** The name of the operation in events: acquire, extend, release, … */
  readonly operation: string;
  /** How long to go on without an answer, in ms. Default: {@link patienceOf} the connection. */
  readonly budgetMs?: number | undefined;
  /**
   * Whether re-sending goes on for the whole budget when the server cannot be reached. Otherwise it ends within a
   * second.
   */
  readonly waits?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly doubt?: Doubt | undefined;
  /** Whether a request of the released acquisition may still arrive. */
  readonly doubted?: boolean | undefined;
  readonly tries?: Tries | undefined;
  /** The least time for an attempt, however little of the budget is left. */
  readonly leastMs?: number;
  readonly via?: Via | undefined;
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
  /** The wall clock before the answered attempt was sent, and the time since then. */
  readonly sentAt: number;
  readonly since: () => number;
  /** The answers to the script and to the commands behind it. */
  readonly answers?: readonly Answer[] | undefined;
}
