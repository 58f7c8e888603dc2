import { LeaseLostError, type LossReason } from "../shared/errors.ts";
import { LONGEST_TIMER_MS } from "../shared/timers.ts";
import { type Granted, type Hold, usableMs } from "./hold.ts";

/** The local view of a lease's time: how long it still lasts, and whether it is over. Nothing here asks the server. */
export interface Term {
  readonly holds: number;
  readonly expiresAt: number;
  /** Whether the server has said how long the lease lasts. */
  readonly known: boolean;
  /** Whether we gave it up. */
  readonly finished: boolean;
  /** The loss, if one was noticed. Does not look at the clock. */
  readonly lost: LeaseLostError | undefined;
  /** In ms, never below 0. */
  remaining(): number;
  /** Milliseconds to the end by the last answer, also after the lease is over; negative when it is past. */
  left(): number;
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

export function createTerm({ place: { name, emit }, token }: Pick<Hold, "place" | "token">): Term {
  let left: (() => number) | undefined;
  let expiresAt = 0;
  let holds = 0;
  let lost: LeaseLostError | undefined;
  let finished = false;
  let controller: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function end(): void {
    if (timer) clearTimeout(timer);
    controller?.abort(term.over());
  }

  function watch(): void {
    if (timer) clearTimeout(timer);
    if (!left || term.over()) return;
    timer = setTimeout(watch, Math.min(Math.ceil(term.remaining()), LONGEST_TIMER_MS));
    // In Node a timer is an object. A lease keeps no process alive.
    (timer as { unref?: () => void }).unref?.();
  }

  const term: Term = {
    get holds() {
      return holds;
    },
    get expiresAt() {
      return expiresAt;
    },
    get known() {
      return !!left;
    },
    get finished() {
      return finished;
    },
    get lost() {
      return lost;
    },
    remaining: () => (lost || finished ? 0 : Math.max(0, term.left())),
    left: () => left?.() ?? 0,
    learn({ remaining, holds: count, sentAt, since }) {
      holds = count;
      const usable = usableMs(remaining);
      if (left && usable - since() < term.remaining()) return;
      left = () => usable - since();
      expiresAt = Math.floor(sentAt + usable);
      if (controller) watch();
    },
    lose(reason, names) {
      if (lost) return;
      lost = new LeaseLostError(name, reason, names);
      emit({ type: "lost", token, reason });
      end();
    },
    finish() {
      finished = true;
      end();
    },
    loss() {
      if (left && !finished && term.remaining() <= 0) term.lose("expired");
      return lost;
    },
    over: () => term.loss() ?? (finished ? new LeaseLostError(name, "released") : undefined),
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
