import { type Doubt, LAST_MOMENT_MS, type Place, patienceOf, type Timing } from "../redis/run.ts";
import { type Duration, toMs } from "../shared/checks.ts";
import { LeaseLostError, type LossReason, OutcomeUnknownError } from "../shared/errors.ts";
import { type Background, LONGEST_TIMER_MS, noop, type WaitUntil } from "../shared/wait.ts";
import { giveBack, type Holding } from "./hold.ts";
import { type KeepAliveLimits, keepAlive } from "./keep-alive.ts";
import type { Polled } from "./poll.ts";
import { ticketOf } from "./ticket.ts";

/** What is done under a lease. Long work should listen to `lease.signal` or ask `lease.verify()` now and then. */
export type Work<T, L = Lease> = (lease: L) => Promise<T> | T;

type AsyncDispose<S> = S extends { readonly asyncDispose: symbol } ? S["asyncDispose"] : never;

/** For `await using`: releases; never throws. Nothing for compilers that are not told of the symbol (`esnext.disposable`). */
type AsyncDisposing = Readonly<Record<AsyncDispose<SymbolConstructor>, () => Promise<void>>>;

/** Something held until it is released or its time is over. */
export interface Lease extends AsyncDisposing {
  /** The fencing token: larger than that of every earlier tenure of this name. Give it to whatever you write to. */
  readonly token: number;
  /** The token by name: of every name, where the lease stands for several. */
  readonly tokens: Readonly<Record<string, number>>;
  readonly name: string;
  /** How many holds the owner has, as of the last answer: 1, and more after re-entries. */
  readonly holds: number;
  /** When it ends, in ms since 1970 by the local clock: early rather than late. */
  readonly expiresAt: number;
  /** Milliseconds left, never below 0. On Workers the clock stands still between I/O: see {@link Lease.verify}. */
  readonly remaining: number;
  /** Aborted with a {@link LeaseLostError} when the lease is over: run out, released, or found lost. Its timer is made on first use. */
  readonly signal: AbortSignal;
  /**
   * Makes it last for `duration` from now (default: as long as when it was acquired), never shorter than it already does.
   *
   * @throws LeaseLostError when it is no longer ours; OutcomeUnknownError when no answer came while it was.
   */
  extend(duration?: Duration): Promise<void>;
  /**
   * Runs `work` and extends the lease until it settles, the lease is lost or a limit is reached, then releases it; all of it inside
   * `waitUntil` if there is one. Where other work goes on under the lease (another `keepAlive`, a `run` around it), the last to end
   * releases it.
   *
   * @throws what `work` throws; LeaseLostError when the lease was lost meanwhile, or is over already: then `work` does not start.
   */
  keepAlive<T>(
    options: { readonly waitUntil?: WaitUntil | undefined },
    work: Work<T>,
    limits?: KeepAliveLimits,
  ): Promise<T>;
  /** Asks the server whether it is still ours. @throws LeaseholdError when there is no answer: unknown is not "no". */
  verify(): Promise<boolean>;
  /** True: we let it go. False: it was already gone. @throws OutcomeUnknownError when no answer came within `requestTimeout`; it then ends by itself. */
  release(): Promise<boolean>;
  /** A secret text by which another invocation takes this lease over; see `resume`. */
  ticket(): string;
  /** Without secrets, for logs. */
  toJSON(): { name: string; token: number; holds: number; expiresAt: number };
}

/** What a lease stands for on the server. */
export interface Hold extends Holding {
  readonly place: Place;
  readonly id: string;
  readonly token: number;
  /** What `extend()` asks for when it is not told. */
  readonly leaseMs: number;
  /** Whether a request of its acquisition may still be on its way. */
  readonly doubted: boolean;
  /** How much work goes on under it from the start. With 1 the end of what `keepAlive` runs does not release it. */
  readonly works?: number;
  /** What its kind adds to the lease, or has otherwise there. What its requests learn of the lease, it tells by `learn`. */
  readonly adds?: (hold: Hold, lease: Lease, learn: (granted: Granted) => void) => object;
}

/** What the server said of it, and when we asked. */
export interface Granted extends Pick<Timing, "sentAt" | "since"> {
  /** In µs. */
  readonly remaining: number;
  readonly holds: number;
}

/** What may be counted on of so many µs: clocks drift apart by 1 % at most, and 2 ms are lost in rounding. */
export const usableMs = (remainingUs: number): number => remainingUs * 0.00099 - 2;

// Vercel's edge runtime does not have the symbol; `await using` is compiled to the registered one there.
const asyncDispose: typeof Symbol.asyncDispose =
  Symbol.asyncDispose ?? (Symbol.for("Symbol.asyncDispose") as typeof Symbol.asyncDispose);

/** The lease, and what is not for users. */
export interface Held {
  readonly lease: Lease;
  /** How much work goes on under it; the last to end releases it. */
  works: number;
  /** Whether a `keepAlive` is extending it. */
  extending?: boolean;
  /** That it was lost, unless we let it go ourselves. Looks at the clock. */
  loss(): LeaseLostError | undefined;
  /** The same, or that we let it go. */
  over(): LeaseLostError | undefined;
  /** It has ended as it should, on the server too, and without a release. */
  finish(): void;
}

/**
 * Makes the lease of a hold that was granted. Where tickets are signed, its is signed now, so that `ticket()` need not wait. If
 * anything fails after the grant the hold is given back, since nobody would know of it.
 */
export async function grantLease(
  hold: Hold,
  answer: Granted & Pick<Polled<unknown>, "waitedMs" | "polls">,
  waitUntil: Background | undefined,
  signal: AbortSignal | undefined,
  granted: Promise<Granted> | Granted = answer,
): Promise<Held> {
  const { place, token } = hold;
  const { waitedMs, polls } = answer;
  try {
    const last = await granted;
    place.emit({ type: "acquired", token, waitedMs, polls });
    return createLease(hold, last, await ticketOf(hold));
  } catch (error) {
    const known = await giveBack(hold, "acquire", 0.25 * patienceOf(place.connection), waitUntil, signal);
    if (known === false && !signal?.aborted)
      throw new OutcomeUnknownError(place.name, "it may have been granted", error);
    throw error;
  }
}

/** Makes the lease of a hold; without `granted` it has to be asked first whether it is still ours. */
export function createLease(hold: Hold, granted: Granted | undefined, ticket: string): Held {
  const { place, id, token, leaseMs, doubted, works = 0 } = hold;
  const { name, emit } = place;
  let left: (() => number) | undefined;
  let expiresAt = 0;
  let holds = 0;
  let lost: LeaseLostError | undefined;
  /** We gave it up. */
  let released = false;
  /** The server knows that it is over, or is being told; before that it is only we who say so. */
  let told = false;
  /** What is not known of our releases, and whether the first was sent while it was ours. */
  let releasing: Doubt = { open: false };
  let inTime = false;
  let controller: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const remaining = (): number => (left && !lost && !released ? Math.max(0, left()) : 0);

  /** Takes in what the server said, unless an earlier answer promises more: a deadline is never moved nearer. */
  function learn({ remaining: us, holds: count, sentAt, since }: Granted): void {
    holds = count;
    const usable = usableMs(us);
    if (left && usable - since() < remaining()) return;
    left = () => usable - since();
    expiresAt = Math.floor(sentAt + usable);
    if (controller) watch();
  }

  /** That it was lost, and if it was not, that we gave it up; undefined while it is ours, for all we know. */
  const over = (): LeaseLostError | undefined =>
    loss() ?? (released ? new LeaseLostError(name, "released") : undefined);

  function end(): void {
    if (timer) clearTimeout(timer);
    controller?.abort(over());
  }

  function lose(reason: LossReason, names?: readonly string[]): void {
    if (lost) return;
    lost = new LeaseLostError(name, reason, names);
    emit({ type: "lost", token, reason });
    end();
  }

  function loss(): LeaseLostError | undefined {
    if (left && !released && remaining() <= 0) lose("expired");
    return lost;
  }

  function watch(): void {
    if (timer) clearTimeout(timer);
    if (!left || over()) return;
    timer = setTimeout(watch, Math.min(Math.ceil(remaining()), LONGEST_TIMER_MS));
    // In Node a timer is an object. A lease keeps no process alive.
    (timer as { unref?: () => void }).unref?.();
  }

  const letGo = (doubt?: Doubt) => hold.close(id, token, { operation: "release", waits: true, doubted, doubt });

  /** Asks for `ms` more, 0 to ask only; false when it is no longer ours. */
  async function ask(operation: string, ms: number): Promise<boolean> {
    if (over()) return false;
    const doubt = { open: false };
    // After the lease's end the answer is known.
    const patienceMs = patienceOf(place.connection);
    const budgetMs = left ? Math.min(remaining(), ms ? 1 / 0 : patienceMs) : patienceMs;
    const call = { operation, budgetMs, doubt, waits: ms > 0 };
    try {
      const answer = await hold.extend(id, token, ms, call);
      if (answer.status === "extended") {
        learn(answer);
        // Found over while the answer was on its way: then it must not go on over there.
        if (lost && ms) await letGo();
      } else {
        // Of several names those that are left wait for our release, or the lease's end.
        told = !answer.lost || answer.lost.length === place.names.length;
        if (!released) lose(answer.reason as LossReason, answer.lost);
      }
    } catch (error) {
      // Sending again ends when a fifth of what is left is less than the last moment.
      if (ms ? !doubt.open || !left || remaining() > 5 * LAST_MOMENT_MS : !loss()) throw error;
      // Our time is over, and a request of ours may still be on its way: it must not hold the name for another `ms`.
      if (!released) lose("expired");
      if (ms)
        await letGo().catch(() => {
          throw error;
        });
    }
    return !over();
  }

  async function extend(duration?: Duration): Promise<void> {
    const ms = duration === undefined ? leaseMs : toMs(duration, "duration");
    if (!(await ask("extend", ms))) throw over();
    emit({ type: "extended", token, remainingMs: remaining() });
  }

  function finish(): void {
    told = released = true;
    end();
  }

  async function release(): Promise<boolean> {
    if (told) return false;
    // The server has forgotten what came of earlier ones: to send it again does no harm, and says nothing of those.
    if ((releasing.since?.() ?? 0) >= place.connection.retentionMs) {
      releasing = { open: false };
      inTime = false;
    }
    inTime ||= !lost && left !== undefined && left() > 0;
    finish();
    try {
      const answer = await letGo(releasing);
      // A release that was sent while it was ours and went unanswered has let it go, unless the server remembers another end.
      const ours = inTime && releasing.open && answer.status === "lost" && /unknown|released/.test(answer.reason);
      if (ours || answer.status === "closed") {
        emit({ type: "released", token, heldMs: granted?.since() ?? 0 });
        return true;
      }
      const reason = answer.reason === "unknown" ? "taken" : (answer.reason as LossReason);
      lose(reason, answer.lost);
      return false;
    } catch (error) {
      told = false;
      emit({ type: "unanswered", operation: "release" });
      throw error;
    }
  }

  const lease: Lease = {
    name,
    token,
    tokens: { [name]: token },
    get holds() {
      return holds;
    },
    get expiresAt() {
      return expiresAt;
    },
    get remaining() {
      return remaining();
    },
    get signal() {
      if (!controller) {
        controller = new AbortController();
        if (over()) end();
        else watch();
      }
      return controller.signal;
    },
    extend,
    keepAlive: (options, work, limits) => keepAlive(held, leaseMs, options, work, limits),
    verify: () => ask("verify", 0),
    release,
    ticket: () => ticket,
    toJSON: () => ({ name, token: lease.token, holds, expiresAt }),
    [asyncDispose]: () => release().then(noop, noop),
  };
  const held: Held = { lease, works, loss, over, finish };
  Object.assign(lease, hold.adds?.(hold, lease, learn));
  if (granted) learn(granted);
  return held;
}
