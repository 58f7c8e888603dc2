import { LeaseLostError, type LossReason } from "./errors.ts";
import { type KeepAliveLimits, keepAlive } from "./keep-alive.ts";
import { type Duration, toMs } from "./options.ts";
import { elapsedMs, type Instant } from "./redis/clock.ts";
import { LAST_MOMENT_MS, type Place, runScript } from "./redis/run.ts";
import type { Answered, Script } from "./redis/script.ts";
import { holdExtend } from "./redis/scripts/hold-extend.gen.ts";
import { writeTicket } from "./ticket.ts";
import type { WaitUntil } from "./wait.ts";

/** What is done under a lease. Long work should listen to `lease.signal` or ask `lease.verify()` now and then. */
export type Work<T> = (lease: Lease) => Promise<T> | T;

/** Something held until it is released or its time is over. */
export interface Lease {
  /** The fencing token: larger than that of every earlier tenure of this name. Give it to whatever you write to. */
  readonly token: number;
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
   * `waitUntil` if there is one.
   *
   * @throws what `work` throws; LeaseLostError when the lease was lost meanwhile.
   */
  keepAlive<T>(
    options: { readonly waitUntil?: WaitUntil | undefined },
    work: Work<T>,
    limits?: KeepAliveLimits,
  ): Promise<T>;
  /** Asks the server whether it is still ours. @throws LeaseholdError when there is no answer: unknown is not "no". */
  verify(): Promise<boolean>;
  /** True: we let it go. False: it was already gone. @throws OutcomeUnknownError when no answer came; it then ends by itself. */
  release(): Promise<boolean>;
  /** A secret text by which another invocation takes this lease over; see `resume`. */
  ticket(): string;
  /** Without secrets, for logs. */
  toJSON(): { name: string; token: number; holds: number; expiresAt: number };
  /** Releases; never throws. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** What a lease stands for on the server. */
export interface Hold {
  readonly place: Place;
  readonly id: string;
  readonly token: number;
  /** What `extend()` asks for when it is not told. */
  readonly leaseMs: number;
  /** Ends it, named by id and token. */
  readonly close: Script<readonly [id: string, token: number, retention: number], Answered>;
}

/** What the server said of it, and when we asked; undefined for a resumed lease until it was asked. */
export interface Granted {
  readonly remainingUs: number;
  readonly holds: number;
  readonly sentAt: Instant;
}

/** The time that may be counted on: clocks drift apart by 1 % at most, and 2 ms are lost in rounding. */
export const usableMs = (remainingUs: number): number => remainingUs / 1000 - (remainingUs / 100_000 + 2);

const LONGEST_TIMER_MS = 2 ** 31 - 1;
// Vercel's edge runtime does not have the symbol, and `await using` falls back to the registered one there.
const asyncDispose: typeof Symbol.asyncDispose =
  Symbol.asyncDispose ?? (Symbol.for("Symbol.asyncDispose") as typeof Symbol.asyncDispose);

const noop = (): void => {};

/** The lease, and what is not for users. */
export interface Held {
  readonly lease: Lease;
  /** Why it is over, unless we let it go ourselves. Looks at the clock. */
  lossReason(): LossReason | undefined;
}

/** Makes the lease of a hold that was granted. */
export async function grantLease(hold: Hold, granted: Granted): Promise<Held> {
  const { place, id, token } = hold;
  const { kind, name, group, connection } = place;
  // Signed now, so that `ticket()` need not wait.
  return createLease(hold, await writeTicket({ kind, name, group, id, token }, connection.signer), granted);
}

/** Makes the lease of a hold, which is unknown to be ours until `granted`. */
export function createLease(hold: Hold, ticket: string, granted?: Granted): Held {
  const { place, id, token } = hold;
  const { connection, kind, name } = place;
  const { clock, emit, retentionMs, requestTimeoutMs } = connection;
  let sentAt: Instant | undefined;
  let usable = 0;
  let holds = 0;
  let lost: LossReason | undefined;
  /** The server told us that it is lost; before that it is only our clock that says so. */
  let told = false;
  let releasing: Promise<boolean> | undefined;
  let controller: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const remaining = (): number => (lost || releasing || !sentAt ? 0 : Math.max(0, usable - elapsedMs(clock, sentAt)));

  /** Takes in what the server said, unless an earlier answer promises more: a deadline is never moved nearer. */
  function learn(answer: Granted): void {
    holds = answer.holds;
    const usableNow = usableMs(answer.remainingUs);
    if (sentAt && usableNow - elapsedMs(clock, answer.sentAt) < remaining()) return;
    sentAt = answer.sentAt;
    usable = usableNow;
  }

  function end(reason: LossReason): void {
    if (timer !== undefined) clearTimeout(timer);
    controller?.abort(new LeaseLostError(name, reason));
  }

  function lose(reason: LossReason): void {
    if (lost || releasing) return;
    lost = reason;
    emit({ type: "lost", kind, name, token, reason });
    end(reason);
  }

  function lossReason(): LossReason | undefined {
    if (sentAt && remaining() <= 0) lose("expired");
    return lost;
  }

  function watch(): void {
    if (lossReason()) return;
    timer = setTimeout(watch, Math.min(Math.ceil(remaining()), LONGEST_TIMER_MS));
    // In Node a timer is an object. A lease keeps no process alive.
    (timer as { unref?: () => void }).unref?.();
  }

  const close = (budgetMs: number) =>
    runScript(place, hold.close, [id, token, retentionMs], { operation: "release", budgetMs });

  /** Asks for `ms` more, 0 to ask only; false when it is no longer ours. */
  async function ask(operation: string, ms: number, doubt?: { open: boolean }): Promise<boolean> {
    if (releasing || lossReason()) return false;
    const budgetMs = sentAt && ms > 0 ? remaining() : 2 * requestTimeoutMs;
    const { reply, sentAt: asked } = await runScript(place, holdExtend, [id, token, ms, retentionMs], {
      operation,
      budgetMs,
      doubt,
    });
    if (reply.status === "extended") learn({ remainingUs: reply.remaining, holds: reply.holds, sentAt: asked });
    if (reply.status === "lost") {
      told = true;
      lose(reply.reason as LossReason);
    }
    return !releasing && !lossReason();
  }

  async function extend(duration?: Duration): Promise<void> {
    const ms = duration === undefined ? hold.leaseMs : toMs(duration, "duration");
    const doubt = { open: false };
    let ours: boolean;
    try {
      ours = await ask("extend", ms, doubt);
    } catch (error) {
      if (!doubt.open || !sentAt || remaining() > LAST_MOMENT_MS) throw error;
      // Our time is over, and a request of ours may still be on its way: it must not hold the name for another `ms`.
      const known = await close(requestTimeoutMs).then(
        () => true,
        () => false,
      );
      lose("expired");
      if (!known) throw error;
      ours = false;
    }
    if (!ours) throw new LeaseLostError(name, lost ?? "released");
    emit({ type: "extended", kind, name, token, remainingMs: remaining() });
  }

  async function letGo(budgetMs: number): Promise<boolean> {
    try {
      const { reply } = await close(budgetMs);
      if (reply.status === "closed") {
        emit({ type: "released", kind, name, token, heldMs: granted ? elapsedMs(clock, granted.sentAt) : 0 });
        return true;
      }
      if (!lost) {
        lost = (reply as Answered & { reason: LossReason }).reason;
        emit({ type: "lost", kind, name, token, reason: lost });
      }
      return false;
    } catch (error) {
      emit({ type: "unanswered", kind, name, operation: "release" });
      throw error;
    }
  }

  async function release(): Promise<boolean> {
    if (releasing || told) return false;
    // Until the lease's end; and past it once, since the server counts it a little longer than we do.
    releasing = letGo(Math.max(remaining(), requestTimeoutMs));
    end("released");
    return releasing;
  }

  const lease = {
    name,
    token,
    get holds() {
      return holds;
    },
    get expiresAt() {
      return sentAt ? Math.floor(sentAt.wall + usable) : 0;
    },
    get remaining() {
      return remaining();
    },
    get signal() {
      if (!controller) {
        controller = new AbortController();
        if (releasing || lossReason()) end(lost ?? "released");
        else if (sentAt) watch();
      }
      return controller.signal;
    },
    extend,
    keepAlive: (options, work, limits) => keepAlive(held, hold.leaseMs, options, work, limits),
    verify: () => ask("verify", 0),
    release,
    ticket: () => ticket,
    toJSON: () => ({ name, token, holds, expiresAt: lease.expiresAt }),
    [asyncDispose]: () => release().then(noop, noop),
  } as Lease;
  const held: Held = { lease, lossReason };
  if (granted) learn(granted);
  return held;
}
