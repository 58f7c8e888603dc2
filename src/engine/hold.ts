import { type Call, dueOf, type Place, type Ran, type Timing } from "../redis/call.ts";
import type { Clock } from "../redis/clock.ts";
import { runScript } from "../redis/run.ts";
import type { Script } from "../redis/script.ts";
import type { Duration } from "../shared/checks.ts";
import type { LeaseLostError } from "../shared/errors.ts";
import { type Background, settled, type WaitUntil } from "../shared/wait-until.ts";
import type { Mode } from "./ticket.ts";

/** Work done under a lease. Long work should listen to `lease.signal` or call `lease.verify()` now and then. */
export type Work<T, L = Lease> = (lease: L) => Promise<T> | T;

/** Limits of a `keepAlive`. */
export interface KeepAliveLimits {
  /**
   * How long to go on extending. Default 25 s with a `waitUntil` (Workers end it 30 s after the response), else 1 h.
   */
  readonly maxHold?: Duration | undefined;
  /** How many times to extend at most. Default: no limit. */
  readonly maxExtends?: number | undefined;
}

type AsyncDispose<S> = S extends { readonly asyncDispose: symbol } ? S["asyncDispose"] : never;

/** For `await using`: releases and never throws. Empty for compilers without the symbol (`esnext.disposable`). */
type AsyncDisposing = Readonly<Record<AsyncDispose<SymbolConstructor>, () => Promise<void>>>;

/** Something held until it is released or its time is over. */
export interface Lease extends AsyncDisposing {
  /**
   * The fencing token: larger than the token of every earlier tenure of this name. Pass it to whatever you write to.
   */
  readonly token: number;
  /** The tokens by name; one for each name where the lease stands for several. */
  readonly tokens: Readonly<Record<string, number>>;
  readonly name: string;
  /** How many holds the reentry key has, as of the last answer: 1, and more after re-entries. */
  readonly holds: number;
  /** When the lease ends, in ms since 1970 by the local clock; rather too early than too late. */
  readonly expiresAt: number;
  /** Milliseconds left, never below 0. On Workers the clock stands still between I/O: see {@link Lease.verify}. */
  readonly remaining: number;
  /**
   * Aborted with a {@link LeaseLostError} when the lease has ended: expired, released, or found lost. The first read
   * starts its timer, which keeps no process alive. After a freeze that timer is late. Reading `lease.signal` looks at
   * the clock and aborts at once; a signal that was read before does not, so call {@link Lease.throwIfEnded} right
   * before a write.
   */
  readonly signal: AbortSignal;
  /**
   * Throws if the lease has ended. It looks at the clock, so it also knows on the first line after a freeze, and sends
   * nothing. A resumed lease throws no error before its first `extend` or `verify`: nothing is known of it yet.
   *
   * @throws LeaseLostError when the lease has expired, was released, or was found lost.
   */
  throwIfEnded(this: void): void;
  /**
   * Extends the lease to `duration` from now, in ms or like `"30s"` (default: the length it was acquired for). It never
   * shortens it.
   *
   * @throws LeaseLostError when the lease is no longer ours; OutcomeUnknownError when no answer came within
   * `requestTimeout` while it was, or within a second where no server is reachable.
   */
  extend(duration?: Duration): Promise<void>;
  /**
   * Runs `work` and extends the lease until the work settles, the lease is lost or a limit is reached, then releases
   * it; all of it inside `waitUntil` if there is one. If other work runs under the same lease (another `keepAlive`, a
   * `run` around it), the last one to end releases it.
   *
   * @throws what `work` throws; LeaseLostError when the lease was lost meanwhile, or is over already, and then `work`
   * does not start.
   */
  keepAlive<T>(work: Work<T>, limits?: KeepAliveLimits): Promise<T>;
  keepAlive<T>(
    options: { readonly waitUntil?: WaitUntil | undefined },
    work: Work<T>,
    limits?: KeepAliveLimits,
  ): Promise<T>;
  /**
   * Asks the server whether the lease is still ours.
   *
   * @throws LeaseholdError when there is no answer: unknown is not "no".
   */
  verify(): Promise<boolean>;
  /**
   * Releases the lease. Returns true if that ended it, false if it was over already.
   *
   * @throws OutcomeUnknownError when no answer came within `requestTimeout`, or within a second where no server is
   * reachable; the lease then ends by itself.
   */
  release(): Promise<boolean>;
  /** Returns a secret text with which another invocation takes this lease over; see `resume`. */
  ticket(): string;
  /** Leaves out secrets, for logs. */
  toJSON(): { name: string; token: number; holds: number; expiresAt: number };
}

/**
 * The second argument of a lease's `extend`, for this library only. With `waits` it insists on an answer while the
 * lease lasts, as a `keepAlive` does.
 */
export type ExtendCall = Pick<Call, "via" | "signal" | "waits" | "budgetMs">;
/** A lease as this library extends it. */
export interface Extending {
  extend(duration: Duration | undefined, more: ExtendCall): Promise<void>;
}

/** A lease, and what only this library sees of it. */
export interface Held {
  readonly lease: Lease;
  /** The length that it was acquired for. */
  readonly leaseMs: number;
  readonly clock: Clock;
  /** How much work runs under it; the last to end releases it. */
  works: number;
  /** Whether a `keepAlive` is extending it. */
  extending?: boolean;
  /** The loss, if the lease was lost rather than released by us. Looks at the clock. */
  loss(): LeaseLostError | undefined;
  /** The loss or our release, if the lease is over. */
  over(): LeaseLostError | undefined;
  /** Ends the lease without a release: the server knows that it is over. */
  finish(): void;
  /** Milliseconds since it was granted. */
  readonly heldMs: () => number;
}

/** The server's statement about a hold, and when we asked. */
export interface Granted extends Pick<Timing, "sentAt" | "since"> {
  /** In µs. */
  readonly remaining: number;
  readonly holds: number;
}

/**
 * The part of a remaining time (µs) that we rely on, in ms: clocks drift apart by at most 1 %, and 2 ms cover rounding.
 */
export const usableMs = (remainingUs: number): number => remainingUs * 0.00099 - 2;

/** `names`: the numbers of the lost names, where a hold has several. */
type ExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names?: string }
  | { readonly status: "late"; readonly now: number };
type CloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names?: string };

type Extend = Script<readonly [id: string, token: number, duration: number, retention: number], ExtendReply>;
type Close = Script<readonly [id: string, token: number, retention: number, due: number], CloseReply>;

/** A kind of hold, and the scripts that extend and close it. */
export interface HoldKind {
  /** As in the record. */
  readonly kind: string;
  readonly extend: Extend;
  readonly close: Close;
  /** Whether a crowd stands next to the record. */
  readonly crowd?: boolean;
  /** Whether a hold is of several names in one slot. */
  readonly several?: boolean;
}

/** The names that were lost; undefined where there is only one. */
interface Lost {
  readonly lost?: readonly string[];
}

/** The most requests of a cancel, and of a roll-back. */
export const MOST_CANCELS = 2;

/** Extends and closes a hold by its id and its token. */
export interface Holding {
  /** Extends the hold to `ms` from now, and never shortens it; 0 only asks. */
  extend(id: string, token: number, ms: number, call: Call): Promise<Ran<ExtendReply> & Lost>;
  /** Closes the hold; a token of 0 cancels it, whatever came of its requests. */
  close(id: string, token: number, call: Call): Promise<Ran<CloseReply> & Lost>;
}

/** Extends and closes holds on one server, by one script each. */
export function holding(place: Place, { extend, close }: HoldKind): Holding {
  const { retentionMs } = place.connection;
  return {
    extend: (id, token, ms, call) => runScript(place, extend, [id, token, ms, retentionMs], call),
    close(id, token, call) {
      const due = token === 0 || call.doubted ? dueOf(place) : 0;
      return runScript(place, close, [id, token, retentionMs, due], call);
    },
  };
}

/** A hold on the server, for which a lease stands. */
export interface Hold extends Holding {
  readonly place: Place;
  readonly id: string;
  readonly token: number;
  /** The duration of `extend()` when none is given. */
  readonly leaseMs: number;
  /** The side of a read-write lock. */
  readonly mode?: Mode | undefined;
  /** Whether a request of its acquisition may still arrive. */
  readonly doubted: boolean;
  /** How much work runs under it from the start. With 1 the end of a `keepAlive` does not release it. */
  readonly works?: number;
  /**
   * Makes extra members for this kind's lease, or replacements. It calls `learn` with whatever a request revealed about
   * the lease.
   */
  readonly adds?: (hold: Hold, lease: Lease, learn: (granted: Granted) => void) => object;
}

/**
 * What came of a cancel. `closed`: nothing is held under the id, nor ever will be. `unanswered`: no answer says so.
 * `pending`: it goes on in the background, after an abort or with a `waitUntil`.
 */
export type Cancelled = "closed" | "unanswered" | "pending";

/** Cancels an id, whatever came of its requests. It never rejects. */
export async function cancel(
  { place, id, close }: { readonly place: Place; readonly id: string } & Pick<Holding, "close">,
  operation: string,
  budgetMs: number,
  waitUntil: Background | undefined,
  signal: AbortSignal | undefined,
): Promise<Cancelled> {
  const work = close(id, 0, { operation: "cancel", budgetMs, tries: { made: 0, most: MOST_CANCELS } }).then(
    ({ status }): Cancelled => (status === "closed" ? "closed" : "unanswered"),
    (): Cancelled => {
      place.emit?.({ type: "unanswered", operation });
      return "unanswered";
    },
  );
  return (await settled(work, waitUntil, signal)) ?? "pending";
}
