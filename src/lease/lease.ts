import type { Duration } from "../shared/checks.ts";
import type { WaitUntil } from "../shared/wait-until.ts";
import type { KeepAliveLimits } from "./keep-alive.ts";

/** Work done under a lease. Long work should listen to `lease.signal` or call `lease.verify()` regularly. */
export type Work<T, L = Lease> = (lease: L) => Promise<T> | T;

type AsyncDispose<S> = S extends { readonly asyncDispose: symbol } ? S["asyncDispose"] : never;

/** For `await using`: releases and never throws. Empty for compilers without the symbol (`esnext.disposable`). */
type AsyncDisposing = Readonly<Record<AsyncDispose<SymbolConstructor>, () => Promise<void>>>;

/** A hold that lasts until it is released or expires. */
export interface Lease extends AsyncDisposing {
  /**
   * The fencing token: larger than the token of every earlier tenure of this name. Pass it to the resource that you
   * write to.
   */
  readonly token: number;
  /** The tokens by name; several for a lease of several names. */
  readonly tokens: Readonly<Record<string, number>>;
  readonly name: string;
  /** The number of holds of the re-entry key, by the last answer: 1, or more after re-entries. */
  readonly holds: number;
  /** When the lease ends, in ms since 1970 by the local clock. It is early, never late. */
  readonly expiresAt: number;
  /** Milliseconds left, never below 0. On Workers the clock stands still between I/O: see {@link Lease.verify}. */
  readonly remaining: number;
  /**
   * Aborts with a {@link LeaseLostError} when the lease has ended: expired, released, or found lost. The first read
   * starts its timer, which does not keep the process alive. After a freeze, that timer is late. Reading `lease.signal`
   * reads the clock and aborts immediately; a signal read earlier does not, so call {@link Lease.throwIfEnded} right
   * before a write.
   */
  readonly signal: AbortSignal;
  /**
   * Throws if the lease has ended. It reads the clock, so it works even on the first line after a freeze. It sends
   * nothing. A resumed lease does not throw before its first `extend` or `verify`, since its end is unknown until then.
   *
   * @throws LeaseLostError if the lease has expired, was released, or was found lost.
   */
  throwIfEnded(this: void): void;
  /**
   * Extends the lease to `duration` from now, in ms or like `"30s"` (default: the length it was acquired for); a number
   * below 100 needs its unit. It never shortens it.
   *
   * @throws LeaseLostError if the lease has been lost; OutcomeUnknownError without an answer within `requestTimeout`;
   * LeaseholdError `unreachable`, within a second, if no server is reachable.
   */
  extend(duration?: Duration): Promise<void>;
  /**
   * Runs `work` and extends the lease until the work settles, the lease is lost or a limit is reached; then releases
   * the lease. All of this runs inside `waitUntil` if there is one. If other work runs under the same lease (another
   * `keepAlive`, a `run` around it), the last one to end releases it.
   *
   * @throws what `work` throws; LeaseLostError if the lease was lost meanwhile, or had already ended, in which case
   * `work` does not start.
   */
  keepAlive<T>(work: Work<T>, limits?: KeepAliveLimits): Promise<T>;
  keepAlive<T>(
    options: { readonly waitUntil?: WaitUntil | undefined },
    work: Work<T>,
    limits?: KeepAliveLimits,
  ): Promise<T>;
  /**
   * Asks the server whether the lease is still live. Returns false if it has ended.
   *
   * @throws LeaseholdError if there is no answer, since unknown does not mean "no".
   */
  verify(): Promise<boolean>;
  /**
   * Releases the lease. Returns true if this call ended it, false if it had already ended.
   *
   * @throws OutcomeUnknownError without an answer within `requestTimeout`; LeaseholdError `unreachable`, within a
   * second, if no server is reachable; the lease then expires.
   */
  release(): Promise<boolean>;
  /** Returns a ticket, with which another invocation resumes this lease; see `resume`. It is a secret. */
  ticket(): string;
  /** Leaves out secrets, for logs. */
  toJSON(): { name: string; token: number; holds: number; expiresAt: number };
}
