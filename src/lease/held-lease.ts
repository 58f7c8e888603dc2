import type { Call } from "../redis/call.ts";
import { stopwatch } from "../redis/clock.ts";
import { patienceOf } from "../redis/connect.ts";
import { Doubt } from "../redis/doubt.ts";
import { LAST_MOMENT_MS, MAX_CANCELS, MAX_DELAY_SHARE } from "../redis/retry-policy.ts";
import { callOf, type Target } from "../redis/target.ts";
import { checkOptions, type Duration, toHold, toMs, toWork } from "../shared/checks.ts";
import { LeaseLostError, type LossReason, OutcomeUnknownError } from "../shared/errors.ts";
import { inCall } from "../shared/misuse.ts";
import { alarm, sleep, until } from "../shared/timers.ts";
import { refuseUnstarted } from "../shared/unstarted.ts";
import { type Background, boundWaitUntil, handOver, noop, type WaitUntil } from "../shared/wait-until.ts";
import {
  type ExtendCall,
  type Hold,
  type HoldReply,
  REQUEST_SHARE,
  type SpendReply,
  usableMs,
  type VerifyCall,
} from "./hold.ts";
import { isFresh, type KeepAliveLimits, type Limits, lasts, pauseMs, toLimits } from "./keep-alive.ts";
import type { Lease, Work } from "./lease.ts";
import { type LeaveRunning, runAround } from "./run-around.ts";

/**
 * A run that gave up for lack of time leaves at most this of its budget: the delay before another attempt would have
 * taken at most {@link MAX_DELAY_SHARE} of it, and left less than {@link LAST_MOMENT_MS}.
 */
const NO_RETRY_MS: number = LAST_MOMENT_MS / (1 - MAX_DELAY_SHARE);
/** The share of a lease that is left when its listeners are warned that it will expire. */
const WARN_SHARE = 1 / 5;

/** Whether the lease is live, by the answer to a verification or an extension. */
type Found = "live" | "ended";

/**
 * A hold that a client was granted: what the client knows of its end, the requests about it, and the work under it.
 * {@link HeldLease.lease} is the part that users get.
 */
export class HeldLease {
  /** The holds of leases. A lease has no member for it, since its ID is a secret. */
  static readonly #all: WeakMap<Lease, HeldLease> = new WeakMap();
  /** Returns the hold of a lease that this library has made. */
  static holdOf(lease: Lease): Hold | undefined {
    const held = HeldLease.#all.get(lease);
    return held === undefined ? undefined : held.#hold;
  }

  readonly lease: Lease;
  readonly target: Target;
  readonly token: number;
  /** Returns the milliseconds since the lease was granted, or resumed from a ticket. */
  readonly heldMs: () => number;
  readonly #hold: Hold;
  /** The same object as `lease`: the number of holds and the end are written to it. */
  readonly #shown: WritableLease;
  readonly #patienceMs: number;

  /** Returns the milliseconds until the end by the answer that promised most; undefined before the first answer. */
  #leftMs: (() => number) | undefined;
  /*
   * How it ended, as far as this client knows. What a further `release()` does:
   *
   * | lost | released | settled |                                                   | `release()`   |
   * | ---- | -------- | ------- | ------------------------------------------------- | ------------- |
   * | -    | -        | -       | live                                              | sends         |
   * | yes  | -        | -       | expired here, or some of its names are left       | sends         |
   * | yes  | -        | yes     | the server reported the loss of all names         | returns false |
   * | -    | yes      | yes     | released or completed, or a release is on its way | returns false |
   * | any  | yes      | -       | the release or a spend got no answer, or failed   | sends again   |
   * | yes  | yes      | yes     | lost or expired, and then released                | returns false |
   */
  /** The loss, if one was noticed. */
  #lost: LeaseLostError | undefined;
  /** Whether this client has ended it: by a release, or by completing what it was for. */
  #isReleased = false;
  /** Whether a further release would change nothing. */
  #isSettled = false;

  /** The signal does not exist before it is first read; nor does its timer. */
  #controller: AbortController | undefined;
  #stopTimer = noop;
  /** The time left at which listeners are warned; 0 after the warning, or without listeners. */
  #warnAtMs = 0;

  /** The doubt of the unanswered releases, and whether one of them was sent while the lease was live. */
  #releaseDoubt: Doubt | undefined;
  #releasedInTime = false;

  /** What was spent, if the server has said so. */
  #spent: string | undefined;
  /** The doubt of the spends that failed. */
  #spendDoubt: Doubt | undefined;
  /** Whether permits may have been spent. Then they are not released unless the caller asks for it. */
  #maySpend = false;

  /** How many works run under it; the last one to end releases it, unless the caller of the hold counts as one. */
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
    const members = hold.adds?.(hold, {
      release: () => this.release(),
      learn: (answer) => this.#learn(answer),
      spend: (...args) => this.#spend(...args),
    });
    Object.assign(this.#shown, members);
    HeldLease.#all.set(this.lease, this);
    if (granted) this.#learn(granted);
  }

  // What the client knows of its end. Nothing here sends a request.

  /** Milliseconds left, 0 if it has ended. */
  remaining(): number {
    return this.#leftMs && !this.#lost && !this.#isReleased ? Math.max(0, this.#leftMs()) : 0;
  }

  /** Reads the clock, and ends an expired lease. Returns the loss if it was lost before this client released it. */
  noticeLoss(): LeaseLostError | undefined {
    if (this.#leftMs && !this.#isReleased && this.remaining() <= 0) this.#lose("expired");
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

  /** Marks it as ended by this client. A release calls this before it sends anything. */
  finish(): void {
    this.#isSettled = true;
    this.#isReleased = true;
    this.#abort();
  }

  /** Applies an answer, unless an earlier one promised more: a deadline never moves closer. */
  #learn({ remaining, holds, sentAt, since }: HoldReply): void {
    this.#shown.holds = holds;
    if (this.#lost) return;
    const usable = usableMs(remaining);
    if (this.#leftMs && usable - since() < this.remaining()) return;
    this.#leftMs = () => usable - since();
    this.#shown.expiresAt = Math.floor(sentAt + usable);
    this.#warnAtMs = this.target.emit ? usable * WARN_SHARE : 0;
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
    if (!this.#leftMs || this.ended()) return;
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

  /** Extends the lease to `ms` from now; 0 only verifies it. Members of `more` replace what is said here. */
  async #ask(operation: "extend" | "verify", ms: number, more?: ExtendCall & VerifyCall): Promise<Found> {
    if (this.ended()) return "ended";
    const { target, id, token, leaves, extend } = this.#hold;
    const isExtension = operation === "extend";
    const doubt = new Doubt();
    const elapsed = stopwatch(target.connection.clock);
    // The rest of the time is for closing a hold that was extended too late.
    const askingMs = isExtension ? REQUEST_SHARE * this.#patienceMs : this.#patienceMs;
    const maxMs = more?.waits ? Number.POSITIVE_INFINITY : askingMs;
    // Once the lease has ended, the answer is known.
    const budgetMs = Math.min(this.#leftMs ? this.remaining() : this.#patienceMs, maxMs);
    /** Closes a hold that was, or may still be, extended after its lease had ended: it must not last for another `ms`. */
    const closeExtended = async (): Promise<void> => {
      const restMs = Math.max(this.#patienceMs - elapsed(), this.#patienceMs - askingMs);
      const tries = { made: 0, max: MAX_CANCELS };
      if (isExtension) await this.#close({ budgetMs: restMs, tries, routes: more?.routes });
    };

    let answer: Awaited<ReturnType<typeof extend>>;
    try {
      answer = await extend(id, token, ms, { operation, budgetMs, doubt, ...more });
    } catch (error) {
      // An extension without an answer, and so little time left that no retry fits: the lease is lost. A verification
      // waits for the end, if that is near.
      const isLost = isExtension ? doubt.isOpen() && this.#isEnding() : await this.#endsSoon(more?.signal);
      if (!isLost) throw error;
      if (!this.#isReleased) {
        this.#lose("expired");
        await closeExtended().catch(() => {
          throw error;
        });
      }
      return "ended";
    }
    if (answer.status === "extended") {
      this.#learn(answer);
      // The end was noticed while the answer was on its way. One that nobody noticed is undone by the answer.
      if (this.#lost) await closeExtended();
    } else {
      // The names that were not lost stay held until the release or their expiry, and so does what is left of a hold.
      const isLeft = leaves?.test(answer.reason);
      this.#isSettled ||= !isLeft && target.names.every((each) => answer.lost?.includes(each) ?? true);
      if (!this.#isReleased) this.#lose(answer.reason as LossReason, answer.lost);
    }
    return this.ended() ? "ended" : "live";
  }

  #isEnding(): boolean {
    return this.#leftMs !== undefined && this.remaining() <= NO_RETRY_MS;
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
    // The server has forgotten earlier releases: another one does no harm, and its reply says nothing about theirs, so
    // their doubt counts no more.
    if (this.#releaseDoubt && this.#releaseDoubt.ageMs() >= connection.retentionMs) {
      this.#releaseDoubt = undefined;
      this.#releasedInTime = false;
    }
    this.#releaseDoubt ??= new Doubt();
    const doubt = this.#releaseDoubt;
    this.#releasedInTime ||= !this.#lost && this.#leftMs !== undefined && this.#leftMs() > 0;
    this.finish();
    try {
      const answer = await this.#close({ doubt });
      // An unanswered release that was sent in time has ended the lease, unless the server reports another end. It
      // reports `released` while it remembers the ID, and `unknown` afterwards.
      const wasReleased = answer.status === "lost" && /unknown|released/.test(answer.reason);
      const wasOwn = wasReleased && this.#releasedInTime && doubt.isOpen();
      if (answer.status === "closed" || wasOwn) {
        emit?.({ type: "released", token: this.token, heldMs: this.heldMs() });
        return true;
      }
      // Nothing of this client ended a hold that the server does not know.
      this.#lose(answer.reason === "unknown" ? "taken" : (answer.reason as LossReason), answer.lost);
      return false;
    } catch (error) {
      this.#isSettled = false;
      emit?.({ type: "unanswered", operation: "release" });
      throw error;
    }
  }

  /**
   * Spends `count` permits, which `which` describes, and ends the lease. Once it was sent, it can be repeated: what is
   * spent is remembered, and a lease that ended meanwhile may have been spent before.
   */
  async #spend(which: string, count: number, send: (call: Call) => Promise<SpendReply>): Promise<void> {
    const { name, connection, emit } = this.target;
    if (this.#spent === which) return;
    if (this.#spent !== undefined) throw new LeaseLostError(name, "spent");
    const ended = this.#spendDoubt ? undefined : this.ended();
    if (ended) throw ended;
    // A hold that is still there was not spent, so it may be sent when the server has forgotten earlier requests.
    if (!this.#spendDoubt || this.#spendDoubt.ageMs() >= connection.retentionMs) this.#spendDoubt = new Doubt();
    const doubt = this.#spendDoubt;
    this.finish();
    try {
      const answer = await send({ operation: "spend", doubt, doubted: this.#hold.doubted });
      if (answer.status === "spent") {
        this.#maySpend = false;
        this.#spent = which;
        emit?.({ type: "released", token: this.token, heldMs: this.heldMs(), spent: count });
        return;
      }
      if (answer.reason === "gone" && (this.#maySpend || doubt.wasUnanswered()))
        throw new OutcomeUnknownError(name, "the server no longer knows whether it was spent", undefined, "spend");
      this.#maySpend = false;
      this.#lose(answer.reason as LossReason, answer.lost);
      throw this.ended();
    } catch (error) {
      this.#isSettled = false;
      const isUnknown = error instanceof OutcomeUnknownError;
      this.#maySpend ||= isUnknown;
      if (isUnknown) emit?.({ type: "unanswered", operation: "spend" });
      throw error;
    }
  }

  /** Releases the lease at the end of what ran under it, unless its permits may have been spent: then it expires. */
  leave(): Promise<unknown> {
    return this.#maySpend ? Promise.resolve() : this.release().catch(noop);
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
    return runAround(this, (leaveRunning) =>
      limits ? this.#runAlive(work, waitUntil, limits, leaveRunning) : this.#run(work, waitUntil, leaveRunning),
    );
  }

  async #run<T>(work: Work<T>, waitUntil: Background | undefined, leaveRunning: LeaveRunning): Promise<T> {
    // The hook may have released it.
    const ended = this.ended();
    if (ended) throw ended;
    let result: T;
    this.#works++;
    try {
      result = refuseUnstarted(await work(this.lease), () => callOf(this.target));
      // Before the release, after which a loss is no longer noticed.
      this.noticeLoss();
    } finally {
      // Without an answer, the lease expires; an event has reported it.
      const released = --this.#works ? undefined : this.leave();
      if (released) {
        leaveRunning(released);
        await handOver(released, waitUntil);
      }
    }
    const lost = this.noticeLoss();
    if (lost) throw lost;
    return result;
  }

  #runAlive<T>(
    work: Work<T>,
    waitUntil: Background | undefined,
    limits: Limits,
    leaveRunning: LeaveRunning,
  ): Promise<T> {
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
    const done = this.#run(confirmed, waitUntil, leaveRunning).finally(() => stop.abort());
    waitUntil?.(done.catch(noop));
    return done;
  }

  /** Extends the lease after a third of the time left, again and again, and the last time up to `maxHoldMs`. */
  async #keepExtending({ maxHoldMs, maxExtends }: Limits, signal: AbortSignal): Promise<void> {
    const { leaseMs, target } = this.#hold;
    const { clock } = target.connection;
    const elapsed = stopwatch(clock);
    let extendsLeft = maxExtends;
    while (extendsLeft > 0 && !this.ended()) {
      await sleep(pauseMs(this.remaining()), signal, clock);
      const maxHoldLeftMs = maxHoldMs - elapsed();
      if (lasts(this.remaining(), maxHoldLeftMs)) return;
      // Another `keepAlive` of this lease has extended it, or is extending it.
      if (this.#isExtending || isFresh(this.remaining(), leaseMs)) continue;
      this.#isExtending = true;
      // After a failure, there is time for another try while the lease is live.
      await this.extend(Math.min(leaseMs, maxHoldLeftMs), { signal, waits: true }).then(() => {
        extendsLeft = maxHoldLeftMs > leaseMs ? extendsLeft - 1 : 0;
      }, noop);
      this.#isExtending = false;
    }
  }
}

/** A lease as this library writes it. */
type WritableLease = { -readonly [Key in keyof Lease]: Lease[Key] };

// Vercel's edge runtime lacks the symbol; `await using` is compiled to the registered one there.
const asyncDispose: typeof Symbol.asyncDispose =
  Symbol.asyncDispose ?? (Symbol.for("Symbol.asyncDispose") as typeof Symbol.asyncDispose);

/**
 * The length of an extension: by default, the length the lease was acquired for. This library's own calls have `more`,
 * and their numbers are ms.
 */
function extensionMs(duration: Duration | undefined, leaseMs: number, more: ExtendCall | undefined): number {
  if (duration === undefined) return leaseMs;
  return inCall("lease.extend", () => (more ? toMs(duration, "duration") : toHold(duration, "duration")));
}

/** Makes the object that users get of a lease. It checks their arguments; its functions work without their object. */
function publicLease(held: HeldLease, { target, token, leaseMs }: Hold, ticket: () => string): WritableLease {
  const { name } = target;
  // Two accessors only: making one takes longer than making all the plain members.
  const lease = {
    name,
    token,
    tokens: { [name]: token },
    holds: 0,
    expiresAt: 0,
    get remaining(): number {
      // After a freeze, the signal's timer is late.
      held.noticeLoss();
      return held.remaining();
    },
    get signal(): AbortSignal {
      return held.signal();
    },
    throwIfEnded() {
      const ended = held.ended();
      if (ended) throw ended;
    },
    extend: async (duration?: Duration, more?: ExtendCall) => held.extend(extensionMs(duration, leaseMs, more), more),
    verify: (more?: VerifyCall) => held.verify(more),
    release: () => held.release(),
    keepAlive<T>(
      options: { waitUntil?: WaitUntil | undefined } | Work<T>,
      work?: unknown,
      limits: KeepAliveLimits = {},
    ): Promise<T> {
      if (typeof options === "function") return lease.keepAlive({}, options, work as KeepAliveLimits);
      toWork(work, "lease.keepAlive", "keepAlive({ waitUntil }, work, limits)");
      const [waitUntil, checked] = inCall("lease.keepAlive", () => {
        checkOptions(options, "waitUntil maxHold>limits");
        const background = boundWaitUntil(options);
        return [background, toLimits(limits, background, "limits")];
      });
      return held.run(work as Work<T>, waitUntil, checked);
    },
    ticket,
    toJSON: () => ({ name, token: lease.token, holds: lease.holds, expiresAt: lease.expiresAt }),
  } as WritableLease;
  // Not in the literal, where a computed name takes longer.
  lease[asyncDispose] = () => held.leave().then(noop);
  return lease;
}
