import type { Call, Doubted, Ran, Timing } from "../redis/call.ts";
import { MAX_CANCELS } from "../redis/retry-policy.ts";
import { runScript } from "../redis/run.ts";
import type { Script } from "../redis/script.ts";
import { dueOf, type Target } from "../redis/target.ts";
import type { Duration } from "../shared/checks.ts";
import { type Background, settled } from "../shared/wait-until.ts";
import type { Mode } from "./ticket.ts";

/**
 * The second argument of a lease's `extend`, for this library only. With `waits`, it retries while the lease lasts,
 * like `keepAlive`.
 */
export type ExtendCall = Pick<Call, "routes" | "signal" | "waits" | "budgetMs">;

/**
 * The argument of a lease's `verify`, for this library only. With `longPoll`, a server that supports it parks the request
 * and answers as soon as the lease is lost.
 */
export type VerifyCall = Pick<Call, "signal" | "budgetMs" | "longPoll">;
/** What the extra members of a lease use of it. */
export interface Holding {
  release(): Promise<boolean>;
  /** Learns what a request reported about the lease. */
  learn(granted: HoldReply): void;
  /**
   * Ends the lease by spending `count` permits; `which` describes them, and `send` makes the request.
   *
   * @throws LeaseLostError if it had ended otherwise; OutcomeUnknownError without an answer.
   */
  spend(which: string, count: number, send: (call: Call) => Promise<SpendReply>): Promise<void>;
}

/** The number of permits that applies if none was set on the server, empty for none; and how long one is remembered. */
export interface Stock {
  readonly initial: number | "";
  readonly ttlMs: number;
}

/** What is spent of one name. */
export interface Spend {
  /** With the key of the crowd. */
  readonly target: Target;
  readonly id: string;
  readonly token: number;
  readonly count: number;
  readonly stock: Stock;
}

/** How the permits of a kind are spent: those of names in one slot together. `target` is that of the whole lease. */
export interface Spending {
  readonly stock: Stock;
  send(target: Target, spends: readonly Spend[], call: Call): Promise<SpendReply>;
}

/** `lost`: the lost names, if the hold has several. */
export type SpendReply =
  | { readonly status: "spent" }
  | { readonly status: "lost"; readonly reason: string; readonly lost?: readonly string[] | undefined };

/** A lease as this library extends it. */
export interface Extending {
  extend(duration: Duration | undefined, more: ExtendCall): Promise<void>;
}

/** A lease as this library verifies it. */
export interface Verifying {
  verify(more: VerifyCall): Promise<boolean>;
}

/** The server's statement about a hold, and when it was requested. */
export interface HoldReply extends Pick<Timing, "sentAt" | "since"> {
  /** In µs. */
  readonly remaining: number;
  readonly holds: number;
}

/** The share of an operation's time that is for its requests; the rest is for rolling back a grant. */
export const REQUEST_SHARE = 0.75;

/** Clocks drift apart by at most 1 %. */
export const MAX_DRIFT = 0.01;
/** Covers the rounding of times, in ms. */
export const ROUNDING_MS = 2;

/** The part of a remaining time (µs) that is safe to rely on, in ms, despite clock drift. */
export const usableMs = (remainingUs: number): number => (remainingUs / 1000) * (1 - MAX_DRIFT) - ROUNDING_MS;

/** `names`: the numbers of the lost names, if the hold has several. */
type ExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names?: string }
  | { readonly status: "late"; readonly now: number };
type CloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names?: string };

type Extend = Script<readonly [id: string, token: number, duration: number, retention: number], ExtendReply>;
type Close = Script<readonly [id: string, token: number, retention: number, due: number | string], CloseReply>;

/** A kind of hold, and the scripts that extend and close it. */
export interface HoldKind {
  /** As in the record. */
  readonly kind: string;
  readonly extend: Extend;
  readonly close: Close;
  /** Whether the record has a crowd. */
  readonly crowd?: boolean;
  /**
   * The reasons of a loss after which something of a hold may be left: it is in the crowd, where it counts on if the
   * server has lost the record.
   */
  readonly leaves?: RegExp | undefined;
  /** Makes a close that ends such a hold as well, if the script needs more than its token for that. */
  readonly closesAll?: (target: Target, close: HoldCalls["close"]) => HoldCalls["close"];
  /** Whether a hold is of several names in one slot. */
  readonly several?: boolean;
  /** The extra members of a lease that is resumed. */
  readonly adds?: Hold["adds"];
}

/** The lost names; undefined if there is only one. */
interface Lost {
  readonly lost?: readonly string[];
}

/** Extends and closes a hold by its id and its token. */
export interface HoldCalls extends Pick<HoldKind, "leaves"> {
  /** Extends the hold to `ms` from now, and never shortens it; 0 only reads it. */
  extend(id: string, token: number, ms: number, call: Call): Promise<Ran<ExtendReply> & Lost>;
  /** Closes the hold; a token of 0 cancels it, whatever the outcome of its requests. */
  close(id: string, token: number, call: Call): Promise<Ran<CloseReply> & Lost>;
}

/** For an ID that the server is to remember for `retention`. */
const FOR_RETENTION = "";

/**
 * Until when the server must remember an ID that a close ends, as an argument of its script. A token of 0 cancels the
 * ID. Another client may have learned of a step of the server's clock that this one has not seen, so nothing that this
 * client knows bounds the requests of that one.
 */
export function dueOfClose(target: Target, token: number, { doubted }: Pick<Call, "doubted">): number | string {
  if (doubted === "another's") return FOR_RETENTION;
  return token === 0 || doubted === "own" ? dueOf(target) : 0;
}

/** Extends and closes holds on one server, by one script each. */
export function holdCalls(target: Target, { extend, close, leaves, closesAll }: HoldKind): HoldCalls {
  const { retentionMs } = target.connection;
  const closeOne: HoldCalls["close"] = (id, token, call) => {
    const due = dueOfClose(target, token, call);
    return runScript(target, close, [id, token, retentionMs, due], call);
  };
  return {
    leaves,
    extend: (id, token, ms, call) => runScript(target, extend, [id, token, ms, retentionMs], call),
    close: closesAll ? closesAll(target, closeOne) : closeOne,
  };
}

/** A hold on the server, which a lease represents. */
export interface Hold extends HoldCalls {
  readonly target: Target;
  readonly id: string;
  readonly token: number;
  /** The duration of `extend()` when none is given. */
  readonly leaseMs: number;
  /** The side of a read-write lock. */
  readonly mode?: Mode | undefined;
  readonly doubted: Doubted;
  /** How many works run under it at the start. With 1, the end of a `keepAlive` does not release it. */
  readonly works?: number;
  /** Makes extra or replacement members for this kind's lease. */
  readonly adds?: ((hold: Hold, lease: Holding) => object) | undefined;
}

/**
 * The outcome of a cancel. `closed`: nothing is held under the ID, nor ever will be. `unanswered`: there was no answer.
 * `pending`: the cancel continues in the background, with a `waitUntil` or after an abort.
 */
export type Cancelled = "closed" | "unanswered" | "pending";

/** Cancels an ID, whatever the outcome of its requests. It never rejects. */
export async function cancel(
  { target, id, close }: { readonly target: Target; readonly id: string } & Pick<HoldCalls, "close">,
  operation: string,
  budgetMs: number,
  waitUntil: Background | undefined,
  signal: AbortSignal | undefined,
): Promise<Cancelled> {
  const work = close(id, 0, { operation: "cancel", budgetMs, tries: { made: 0, max: MAX_CANCELS } }).then(
    // Of several names, those that are lost need no cancel, but the reply does not say that all others are closed.
    ({ status }): Cancelled => (status === "closed" ? "closed" : "unanswered"),
    (): Cancelled => {
      target.emit?.({ type: "unanswered", operation });
      return "unanswered";
    },
  );
  return (await settled(work, waitUntil, signal)) ?? "pending";
}
