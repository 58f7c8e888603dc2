import type { Call } from "../redis/call.ts";
import { stopwatch } from "../redis/clock.ts";
import { patienceOf } from "../redis/connect.ts";
import { Doubt } from "../redis/doubt.ts";
import { LAST_MOMENT_MS } from "../redis/retry-policy.ts";
import { callOf, type Target } from "../redis/target.ts";
import { LeaseLostError, type LossReason } from "../shared/errors.ts";
import { alarm, sleep, until } from "../shared/timers.ts";
import { refuseUnstarted } from "../shared/unstarted.ts";
import { type Background, handOver, noop } from "../shared/wait-until.ts";
import { type Remaining, runAround } from "./around.ts";
import { ASKING, type ExtendCall, type Hold, type HoldReply, MOST_CANCELS, usableMs, type VerifyCall } from "./hold.ts";
import type { Limits } from "./keep-alive.ts";
import type { Lease, Work } from "./lease.ts";
import { publicLease, type WritableLease } from "./public-lease.ts";

/** Retries end once a fifth of the time left is less than this. */
const NO_TIME_MS = 5 * LAST_MOMENT_MS;
/** The part of a lease that is left when its listeners are warned that it will expire. */
const WARN_PART = 1 / 5;
/** `keepAlive` extends after this part of the time left, but not sooner than {@link MIN_PAUSE_MS}. */
const EXTEND_PART = 1 / 3;
const MIN_PAUSE_MS = 50;
/** With more than this part of its length left, a lease was just extended by another `keepAlive`. */
const FRESH_PART = 0.8;
/** The time left is always a little less than the time requested: an extension that adds less than this is not sent. */
const HARDLY_LESS = 0.97;

/** An outcome on the server, as a verification or an extension found it. */
type Found = "live" | "ended";

/**
 * A hold that a client was granted: what the client knows of its end, the requests about it, and the work under it.
 * {@link HeldLease.lease} is the part that users get.
 */
export class HeldLease {
  readonly lease: Lease;
  readonly target: Target;
  readonly token: number;
  /** Returns the milliseconds since the lease was granted, or resumed from a ticket. */
  readonly heldMs: () => number;
  readonly #hold: Hold;
  /** The same object as `lease`: the number of holds and the end are written to it. */
  readonly #shown: WritableLease;
  readonly #patienceMs: number;

  /** Returns the milliseconds until the end by the last answer; undefined before the first answer. */
  #left: (() => number) | undefined;
  /** The loss, if one was noticed. */
  #lost: LeaseLostError | undefined;
  /** Whether this client has released it. */
  #isReleased = false;
  /** Whether the server knows that it has ended, or a release is on its way. A further release would change nothing. */
  #isSettled = false;

  /** The signal does not exist before it is first read; nor does its timer. */
  #controller: AbortController | undefined;
  #stopTimer = noop;
  /** The time left at which listeners are warned; 0 after the warning, or without listeners. */
  #warnAtMs = 0;

  /** The doubt of the unanswered releases, and whether the first of them was sent while the lease was live. */
  #releaseDoubt: Doubt | undefined;
  #releasedInTime = false;

  /** How many works run under it; the last one to end releases it. */
  #works: number;
  /** Whether a `keepAlive` is extending it. */
  #isExtending = false;

  /** Without `granted`, the server must first confirm that the hold is live. */
  constructor(hold: Hold, granted: HoldReply | undefined, ticket: () => string) {
    const { target, token, works = 0 } = hold;
    this.#hold = hold;
    this.target = target;
    this.token = token;
    this.heldMs = stopwatch(target.connection.clock);
    this.#patienceMs = patienceOf(target.connection);
    this.#works = works;
    this.#shown = publicLease(this, hold, ticket);
    this.lease = this.#shown;
    const members = hold.adds?.(hold, this.lease, (answer) => this.#learn(answer));
    Object.assign(this.#shown, members);
    if (granted) this.#learn(granted);
  }

  // What the client knows of its end. Nothing here sends a request.

  /** Milliseconds left, 0 if it has ended. */
  remaining(): number {
    return this.#left && !this.#lost && !this.#isReleased ? Math.max(0, this.#left()) : 0;
  }

  /** Reads the clock, and ends an expired lease. Returns the loss if it was lost before this client released it. */
  noticeLoss(): LeaseLostError | undefined {
    if (this.#left && !this.#isReleased && this.remaining() <= 0) this.#lose("expired");
    return this.#lost;
  }

  /** Returns the loss or the release, if the lease has ended as far as this client knows. */
  ended(): LeaseLostError | undefined {
    return this.noticeLoss() ?? (this.#isReleased ? new LeaseLostError(this.target.name, "released") : undefined);
  }

  /** The signal, already aborted if the lease has ended: after a freeze its timer is late. */
  signal(): AbortSignal {
    const hasEnded = this.ended() !== undefined;
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (hasEnded) this.#abort();
      else this.#watch();
    }
    return this.#controller.signal;
  }

  /** Ends the lease because this client releases it, or because the server knows that it has ended. */
  finish(): void {
    this.#isSettled = true;
    this.#isReleased = true;
    this.#abort();
  }

  /** Applies an answer, unless an earlier one promised more: a deadline never moves closer. */
  #learn({ remaining, holds, sentAt, since }: HoldReply): void {
    this.#shown.holds = holds;
    const usable = usableMs(remaining);
    if (this.#left && usable - since() < this.remaining()) return;
    this.#left = () => usable - since();
    this.#shown.expiresAt = Math.floor(sentAt + usable);
    this.#warnAtMs = this.target.emit ? usable * WARN_PART : 0;
    if (this.#controller) this.#watch();
  }

  #lose(reason: LossReason, names?: readonly string[]): void {
    if (this.#lost) return;
    const { name, emit } = this.target;
    this.#lost = new LeaseLostError(name, reason, names);
    emit?.({ type: "lost", token: this.token, reason, heldMs: this.heldMs() });
    this.#abort();
  }

  #abort(): void {
    this.#stopTimer();
    this.#controller?.abort(this.ended());
  }

  /** Sets the timer of the signal, for the warning or for the end. */
  #watch(): void {
    this.#stopTimer();
    if (!this.#left || this.ended()) return;
    const { emit, connection } = this.target;
    const remainingMs = this.remaining();
    if (remainingMs <= this.#warnAtMs) {
      this.#warnAtMs = 0;
      emit?.({ type: "expiring", token: this.token, remainingMs });
    }
    // The timer must not keep the process alive.
    this.#stopTimer = alarm(remainingMs - this.#warnAtMs, undefined, () => this.#watch(), connection.clock, true);
  }

  // The requests about it.

  /** Extends the lease to `ms` from now. @throws LeaseLostError if it has ended; LeaseholdError without an answer. */
  async extend(ms: number, more?: ExtendCall): Promise<void> {
    if ((await this.#ask("extend", ms, more)) === "ended") throw this.ended();
    this.target.emit?.({ type: "extended", token: this.token, remainingMs: this.remaining() });
  }

  /** Asks the server whether the lease is live. @throws LeaseholdError without an answer. */
  async verify(more?: VerifyCall): Promise<boolean> {
    return (await this.#ask("verify", 0, more)) === "live";
  }

  /** Extends the lease to `ms` from now; 0 only verifies it. */
  async #ask(operation: string, ms: number, more?: ExtendCall & VerifyCall): Promise<Found> {
    if (this.ended()) return "ended";
    const { target, id, token, leaves, extend } = this.#hold;
    const isExtension = ms > 0;
    const doubt = new Doubt();
    const elapsed = stopwatch(target.connection.clock);
    const askingMs = isExtension ? ASKING * this.#patienceMs : this.#patienceMs;
    const maxMs = more?.waits ? Number.POSITIVE_INFINITY : askingMs;
    // Once the lease has ended, the answer is known.
    const budgetMs = Math.min(this.#left ? this.remaining() : this.#patienceMs, maxMs);
    /** An extension that was or may still be granted must not hold the name for another `ms`. */
    const rollBack = async (): Promise<void> => {
      const restMs = Math.max(this.#patienceMs - elapsed(), this.#patienceMs - askingMs);
      const tries = { made: 0, most: MOST_CANCELS };
      if (isExtension) await this.#close({ budgetMs: restMs, tries, routes: more?.routes });
    };

    try {
      const answer = await extend(id, token, ms, { operation, budgetMs, doubt, ...more });
      if (answer.status === "extended") {
        this.#learn(answer);
        // The lease had ended locally while the answer was on its way.
        if (this.#lost) await rollBack();
      } else {
        // The names that were not lost stay held until the release or their expiry, and so does what is left of a hold.
        const isLeft = leaves?.test(answer.reason);
        this.#isSettled = !isLeft && target.names.every((each) => answer.lost?.includes(each) ?? true);
        if (!this.#isReleased) this.#lose(answer.reason as LossReason, answer.lost);
      }
    } catch (error) {
      const isLost = isExtension ? doubt.isOpen() && this.#isEnding() : await this.#endsSoon(more?.signal);
      if (!isLost) throw error;
      if (!this.#isReleased) {
        this.#lose("expired");
        await rollBack().catch(() => {
          throw error;
        });
      }
    }
    return this.ended() ? "ended" : "live";
  }

  #isEnding(): boolean {
    return this.#left !== undefined && this.remaining() <= NO_TIME_MS;
  }

  /** Waits for the end of a lease that is near, since an unanswered verification can report that it has ended. */
  async #endsSoon(signal: AbortSignal | undefined): Promise<boolean> {
    const { clock } = this.target.connection;
    while (!this.ended() && this.#isEnding() && !signal?.aborted)
      await until(undefined, this.remaining(), signal, clock);
    return this.noticeLoss() !== undefined;
  }

  /** Releases the lease. Returns whether this call ended it. @throws LeaseholdError without an answer. */
  async release(): Promise<boolean> {
    if (this.#isSettled) return false;
    const { connection, emit } = this.target;
    // The server has forgotten earlier releases: another one does no harm, and its reply says nothing about those.
    if (this.#releaseDoubt && this.#releaseDoubt.ageMs() >= connection.retentionMs) {
      this.#releaseDoubt = undefined;
      this.#releasedInTime = false;
    }
    this.#releaseDoubt ??= new Doubt();
    const doubt = this.#releaseDoubt;
    this.#releasedInTime ||= !this.#lost && this.#left !== undefined && this.#left() > 0;
    this.finish();
    try {
      const answer = await this.#close({ doubt });
      // An unanswered release that was sent in time has ended the lease, unless the server reports another end.
      const wasReleased = answer.status === "lost" && /unknown|released/.test(answer.reason);
      const wasOwn = wasReleased && this.#releasedInTime && doubt.isOpen();
      if (answer.status === "closed" || wasOwn) {
        emit?.({ type: "released", token: this.token, heldMs: this.heldMs() });
        return true;
      }
      this.#lose(answer.reason === "unknown" ? "taken" : (answer.reason as LossReason), answer.lost);
      return false;
    } catch (error) {
      this.#isSettled = false;
      emit?.({ type: "unanswered", operation: "release" });
      throw error;
    }
  }

  #close(more: Pick<Call, "doubt" | "budgetMs" | "tries" | "routes">) {
    const { close, id, token, doubted } = this.#hold;
    return close(id, token, { operation: "release", doubted, ...more });
  }

  // The work under it.

  /**
   * Runs `work` under the lease, inside the connection's `around`, and always releases the lease, unless other work
   * runs under it. With `limits`, it extends the lease meanwhile. A failed release never hides the result or the error
   * of the work. With a `waitUntil`, the release continues in the background.
   *
   * @throws what `work` throws; LeaseLostError if the lease was lost meanwhile, or had already ended.
   */
  async run<T>(work: Work<T>, waitUntil: Background | undefined, limits: Limits | undefined): Promise<T> {
    const ended = this.ended();
    if (ended) throw ended;
    return runAround(this, (remains) =>
      limits ? this.#runAlive(work, waitUntil, limits, remains) : this.#run(work, waitUntil, remains),
    );
  }

  async #run<T>(work: Work<T>, waitUntil: Background | undefined, remains: Remaining): Promise<T> {
    const ended = this.ended();
    if (ended) throw ended;
    let result: T;
    this.#works++;
    try {
      result = refuseUnstarted(await work(this.lease), () => callOf(this.target));
      this.noticeLoss();
    } finally {
      // Without an answer, the lease expires; an event has reported it.
      const released = --this.#works ? undefined : this.release().catch(noop);
      if (released) {
        remains(released);
        await handOver(released, waitUntil);
      }
    }
    const lost = this.noticeLoss();
    if (lost) throw lost;
    return result;
  }

  #runAlive<T>(work: Work<T>, waitUntil: Background | undefined, limits: Limits, remains: Remaining): Promise<T> {
    const stop = new AbortController();
    this.#keepExtending(limits, stop.signal).catch(noop);
    const confirmed: Work<T> = async (lease) => {
      // The lease was resumed from a ticket, and the server has not confirmed it yet.
      if (lease.expiresAt === 0) await this.extend(this.#hold.leaseMs);
      // With `await`, since a Worker with an old compatibility date reports a rejected promise that is handled a
      // microtask later.
      return await work(lease);
    };
    // Otherwise a retried extension would continue after the release.
    const done = this.#run(confirmed, waitUntil, remains).finally(() => stop.abort());
    waitUntil?.(done.catch(noop));
    return done;
  }

  /** Extends the lease after a third of the time left, again and again, and the last time up to `maxHoldMs`. */
  async #keepExtending({ maxHoldMs, maxExtends }: Limits, signal: AbortSignal): Promise<void> {
    const { leaseMs, target } = this.#hold;
    const { clock } = target.connection;
    const elapsed = stopwatch(clock);
    let left = maxExtends;
    while (left > 0 && !this.ended()) {
      await sleep(Math.max(this.remaining() * EXTEND_PART, MIN_PAUSE_MS), signal, clock);
      const leftMs = maxHoldMs - elapsed();
      if (this.remaining() > leftMs * HARDLY_LESS) return;
      // Another `keepAlive` of this lease has extended it, or is extending it.
      if (this.#isExtending || this.remaining() > leaseMs * FRESH_PART) continue;
      this.#isExtending = true;
      // After a failure, there is time for another try while the lease is live.
      await this.extend(Math.min(leaseMs, leftMs), { signal, waits: true }).then(() => {
        left = leftMs > leaseMs ? left - 1 : 0;
      }, noop);
      this.#isExtending = false;
    }
  }
}
