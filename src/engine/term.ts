import { LeaseLostError, type LossReason } from "../shared/errors.ts";
import { alarm } from "../shared/timers.ts";
import { noop } from "../shared/wait-until.ts";
import { type Granted, type Hold, usableMs } from "./hold.ts";

/** The local view of a lease's time: how long it still lasts, and whether it is over. Nothing here asks the server. */
export interface Term {
  /** As of the last answer. */
  readonly holds: number;
  readonly expiresAt: number;
  /** Milliseconds to the end by the last answer, negative when that is past; undefined before the first answer. */
  readonly left: (() => number) | undefined;
  /** The loss, if one was noticed. */
  readonly lost: LeaseLostError | undefined;
  /** Whether we gave it up. */
  readonly finished: boolean;
  /** Whether the server knows that it is over, or is being told. */
  told: boolean;
  /** Milliseconds left, 0 when it is over. */
  remaining(): number;
  /** Takes in an answer, unless an earlier one promised more: a deadline is never moved nearer. */
  learn(granted: Granted): void;
  lose(reason: LossReason, names?: readonly string[]): void;
  /** Ends the lease because we gave it up. */
  finish(): void;
  /** The loss, if the lease was lost before we gave it up. Looks at the clock. */
  loss(): LeaseLostError | undefined;
  /** The loss or our giving up, if the lease is over as far as we know. */
  over(): LeaseLostError | undefined;
  signal(): AbortSignal;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

export function createTerm({ place: { name, emit, connection }, token }: Pick<Hold, "place" | "token">): Term {
  let controller: AbortController | undefined;
  let stop = noop;

  function end(): void {
    stop();
    controller?.abort(term.over());
  }

  function watch(): void {
    stop();
    if (!term.left || term.over()) return;
    // A lease keeps no process alive.
    stop = alarm(term.remaining(), undefined, watch, connection.clock, true);
  }

  const term: Mutable<Term> = {
    holds: 0,
    expiresAt: 0,
    left: undefined,
    lost: undefined,
    finished: false,
    told: false,
    remaining: () => (term.left && !term.lost && !term.finished ? Math.max(0, term.left()) : 0),
    learn({ remaining, holds, sentAt, since }) {
      term.holds = holds;
      const usable = usableMs(remaining);
      if (term.left && usable - since() < term.remaining()) return;
      term.left = () => usable - since();
      term.expiresAt = Math.floor(sentAt + usable);
      if (controller) watch();
    },
    lose(reason, names) {
      if (term.lost) return;
      term.lost = new LeaseLostError(name, reason, names);
      emit({ type: "lost", token, reason });
      end();
    },
    finish() {
      term.told = term.finished = true;
      end();
    },
    loss() {
      if (term.left && !term.finished && term.remaining() <= 0) term.lose("expired");
      return term.lost;
    },
    over: () => term.loss() ?? (term.finished ? new LeaseLostError(name, "released") : undefined),
    signal() {
      if (!controller) {
        controller = new AbortController();
        if (term.over()) end();
        else watch();
      }
      return controller.signal;
    },
  };
  return term;
}
