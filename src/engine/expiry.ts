import { stopwatch } from "../redis/clock.ts";
import { LeaseLostError, type LossReason } from "../shared/errors.ts";
import { alarm } from "../shared/timers.ts";
import { noop } from "../shared/wait-until.ts";
import { type Hold, type HoldReply, usableMs } from "./hold.ts";

/** The local view of a lease's time: how long it still lasts, and whether it has ended. Nothing here asks the server. */
export interface Expiry {
  /** Milliseconds until the end by the last answer, negative if it has passed; undefined before the first answer. */
  readonly left: (() => number) | undefined;
  /** The loss, if one was noticed. */
  readonly lost: LeaseLostError | undefined;
  /** Whether this client has released it. */
  readonly finished: boolean;
  /** Whether the server knows that it has ended, or a release has been sent. */
  told: boolean;
  /** Milliseconds since the lease was granted, or resumed from a ticket. */
  readonly heldMs: () => number;
  /** Milliseconds left, 0 if it has ended. */
  remaining(): number;
  /** Applies an answer, unless an earlier one promised more: a deadline never moves closer. */
  learn(granted: HoldReply): void;
  lose(reason: LossReason, names?: readonly string[]): void;
  /** Ends the lease because this client releases it. */
  finish(): void;
  /**
   * Reads the clock, and ends an expired lease. Returns the loss if the lease was lost before this client released it.
   */
  noticeLoss(): LeaseLostError | undefined;
  /** The loss or the release, if the lease has ended as far as this client knows. */
  over(): LeaseLostError | undefined;
  /** The signal, already aborted if the lease has ended: after a freeze its timer is late. */
  signal(): AbortSignal;
}

export type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** The hold that an expiry describes. */
type Viewed = Pick<Hold, "target" | "token">;

/** The signal of a lease, and its timer. Neither exists before the signal is first read. */
function createSignal({ target: { emit, connection }, token }: Viewed, expiry: Expiry) {
  /** The time left at which listeners are warned of the end; 0 after the warning. */
  let lastMs = 0;
  let controller: AbortController | undefined;
  let stop = noop;

  /** Aborts the signal: the lease has ended. */
  function end(): void {
    stop();
    controller?.abort(expiry.over());
  }

  function watch(): void {
    stop();
    if (!expiry.left || expiry.over()) return;
    const remainingMs = expiry.remaining();
    if (remainingMs <= lastMs) {
      lastMs = 0;
      emit?.({ type: "expiring", token, remainingMs });
    }
    // The timer must not keep the process alive.
    stop = alarm(remainingMs - lastMs, undefined, watch, connection.clock, true);
  }

  return {
    end,
    /** Moves the end: the lease lasts `usableMs` from the answer. */
    moved(usableMs: number): void {
      lastMs = emit ? usableMs / 5 : 0;
      if (controller) watch();
    },
    read(): AbortSignal {
      const isOver = expiry.over() !== undefined;
      if (!controller) {
        controller = new AbortController();
        if (isOver) end();
        else watch();
      }
      return controller.signal;
    },
  };
}

/** Makes the view of a hold. It writes the number of holds and the end, by the last answer, into its `lease`. */
export function createExpiry(hold: Viewed, lease: { holds: number; expiresAt: number }): Expiry {
  const { target, token } = hold;
  const { name, emit, connection } = target;
  const expiry: Mutable<Expiry> = {
    left: undefined,
    lost: undefined,
    finished: false,
    told: false,
    heldMs: stopwatch(connection.clock),
    remaining: () => (expiry.left && !expiry.lost && !expiry.finished ? Math.max(0, expiry.left()) : 0),
    learn({ remaining, holds, sentAt, since }) {
      lease.holds = holds;
      const usable = usableMs(remaining);
      if (expiry.left && usable - since() < expiry.remaining()) return;
      expiry.left = () => usable - since();
      lease.expiresAt = Math.floor(sentAt + usable);
      signal.moved(usable);
    },
    lose(reason, names) {
      if (expiry.lost) return;
      expiry.lost = new LeaseLostError(name, reason, names);
      emit?.({ type: "lost", token, reason, heldMs: expiry.heldMs() });
      signal.end();
    },
    finish() {
      expiry.told = expiry.finished = true;
      signal.end();
    },
    noticeLoss() {
      if (expiry.left && !expiry.finished && expiry.remaining() <= 0) expiry.lose("expired");
      return expiry.lost;
    },
    over: () => expiry.noticeLoss() ?? (expiry.finished ? new LeaseLostError(name, "released") : undefined),
    signal: () => signal.read(),
  };
  const signal = createSignal(hold, expiry);
  return expiry;
}
