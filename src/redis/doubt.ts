/** All unanswered requests together. */
interface Unanswered {
  /** The time since the first of them was sent. */
  readonly since: () => number;
  /** The server time (µs) after which all of them are void. */
  readonly voidAfterUs: number;
}

/** The part of `retention` after which an ID is old. */
const OLD_PART = 0.5;
/** Waiters of one outage stop to retry their IDs at different parts of `retention`, so that they do not return at once. */
const LEAST_LAST_PART = 0.6;

/** Nothing has been left so far. */
const NO_AGE = (): number => 0;

/**
 * The doubt of an operation: what its requests with unknown outcomes may have left on the server, and for how long.
 *
 * The rules are those of ARCHITECTURE.md:
 *
 * - R3b: `ageMs` is the age of the oldest request that was unanswered, or granted without a lease, or of a closed ID. The
 *   server remembers an ID for `retention`, so after that no request under the ID is sent.
 * - R4: while `isOpen`, the operation may hold something, or may still be granted something. If it ends without a lease
 *   while it `owesCancel`, it closes its ID.
 */
export class Doubt {
  /** How many requests have no outcome yet. */
  #underWay = 0;
  #unanswered: Unanswered | undefined;
  #wasUnanswered = false;
  #isGranted = false;
  #grantedSince = NO_AGE;
  #closedSince = NO_AGE;
  #isQueued = false;
  #parts: readonly Doubt[] = [];

  /** Whether something without a lease may be held, or may still be granted. */
  isOpen(): boolean {
    return (
      this.#underWay > 0 ||
      this.#unanswered !== undefined ||
      this.#isGranted ||
      this.#parts.some((part) => part.isOpen())
    );
  }

  /** Whether a request was ever unanswered, also if it is void by now. */
  wasUnanswered(): boolean {
    return this.#wasUnanswered;
  }

  /** Whether the server reported a grant of which no lease is made. */
  hasGrant(): boolean {
    return this.#isGranted || this.#parts.some((part) => part.hasGrant());
  }

  /** Whether an operation that ends now must close its ID. */
  owesCancel(): boolean {
    return this.#isQueued || this.isOpen();
  }

  /**
   * The time in ms since the first request that may have left something, or whose ID is closed; 0 if there is none.
   * Requests of parts do not count, since each part has its own doubt.
   */
  ageMs(): number {
    return Math.max(this.#unanswered?.since() ?? 0, this.#grantedSince(), this.#closedSince());
  }

  /** Whether the server may soon forget the ID, so that a call that goes on needs another one. */
  isOld(retentionMs: number): boolean {
    return this.ageMs() >= OLD_PART * retentionMs || this.#parts.some((part) => part.isOld(retentionMs));
  }

  /** Records that a request is sent: its outcome is unknown until `answered` or `unanswered` is called for it. */
  sends(): void {
    this.#underWay++;
  }

  /**
   * Records that a request was answered, or cannot run: it left nothing that the answer does not report. `nowUs` is the
   * server's time in the answer, if the server read its clock.
   */
  answered(nowUs = 0): void {
    this.#underWay--;
    // All earlier requests are void by now, so the answer settles them as well.
    if (this.#unanswered && nowUs > this.#unanswered.voidAfterUs) this.#unanswered = undefined;
  }

  /**
   * Records that a request may have run, or may still run. `since` measures the time since it was sent; after
   * `voidAfterUs`, in the server's time, it changes nothing (R3c).
   */
  unanswered(since: () => number, voidAfterUs: number): void {
    this.#underWay--;
    this.#wasUnanswered = true;
    this.#unanswered = {
      since: this.#unanswered?.since ?? since,
      voidAfterUs: Math.max(this.#unanswered?.voidAfterUs ?? 0, voidAfterUs),
    };
  }

  /**
   * Records a grant of which no lease is made, or not yet: it must be released, unless a lease is made. `since` measures
   * the time since the request, for a repeated request.
   */
  granted(since?: () => number): void {
    if (!this.#isGranted && since) this.#grantedSince = since;
    this.#isGranted = true;
  }

  /**
   * Records the answer that the ID is closed. Nothing is left of it, but the server forgets that. `since`
   * measures the time since the first request under the ID.
   */
  idClosed(since: () => number): void {
    this.#closedSince = since;
  }

  /** Records that a waiter was refused, so it may have a place in a queue. */
  joinsQueue(): void {
    this.#isQueued = true;
  }

  /** Records that there is no place in a queue any more. */
  leavesQueue(): void {
    this.#isQueued = false;
  }

  /** Adds the doubt of a part: what is unknown about a part is unknown about the operation. */
  covers(part: Doubt): void {
    this.#parts = [...this.#parts, part];
  }
}

/**
 * How long the server still remembers an unanswered attempt, in ms. No request under its ID may take effect later than
 * that.
 */
export const rememberedMs = (doubt: Doubt, retentionMs: number): number => retentionMs - doubt.ageMs();

/** For how long a waiter retries an ID, in ms: it goes on under another one before the server forgets this one. */
export const waitedUnderMs = (retentionMs: number, random: () => number): number =>
  retentionMs * (LEAST_LAST_PART + (1 - LEAST_LAST_PART) * random());
