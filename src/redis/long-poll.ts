/**
 * The time for the answer to a parked request to arrive: a fifth of the attempt, at most half a second, or twice that
 * after a time-out.
 */
const ANSWER_PART = 0.2;
const ANSWER_MS = 500;
/** The minimum time for which a request is parked, in ms. */
const MIN_PARK_MS = 20;
/** After so many time-outs no request is parked: on the way, long requests get no answer. */
const MAX_TIME_OUTS = 2;

/**
 * The places of a connection for requests that a server holds. A host may limit the requests of an invocation that wait
 * for their answers (six on Cloudflare Workers): those that hold a name must not queue behind those that wait for it.
 *
 * It has the ends of the requests only, so that an invocation that was killed does not keep its places for longer.
 */
export class HeldPlaces {
  readonly #max: number;
  readonly #ends: number[] = [];

  /** @param max the number of places */
  constructor(max: number) {
    this.#max = max;
  }

  /** Takes a place until `endMs`, if one is free at `nowMs`. */
  take(nowMs: number, endMs: number): boolean {
    const taken = this.#ends.filter((end) => end > nowMs);
    this.#ends.splice(0, this.#ends.length, ...taken);
    if (taken.length >= this.#max) return false;
    this.#ends.push(endMs);
    return true;
  }

  /** Gives the place back that was taken until `endMs`. */
  giveBack(endMs: number): void {
    const at = this.#ends.indexOf(endMs);
    if (at >= 0) this.#ends.splice(at, 1);
  }
}

/** What became of a request. */
export interface PollOutcome {
  /** For how long it was to be parked at most, and when its attempt ended, in ms since it was sent. */
  readonly parkMs: number;
  readonly limitMs: number;
  readonly tookMs: number;
  /** How long the server says that it parked it, in ms; undefined for not at all. */
  readonly parkedMs: number | undefined;
  readonly isAnswered: boolean;
  /** Whether it got no answer and may have run. */
  readonly mayHaveRun: boolean;
  /** Whether any request of the operation may still run. */
  readonly isDoubted: boolean;
}

/**
 * The long poll of a waiter: a server that supports it parks a request until the name may be free, instead of refusing
 * it.
 */
export class LongPoll {
  readonly #leftMs: () => number;
  /** Whether no request is to be parked for now, since a parked one failed and may still run. */
  #isPaused = false;
  /** How many parked requests got no answer before their limit. After the first, the next ones leave more time. */
  #timeOuts = 0;
  #wasParked = false;

  /** @param leftMs returns how long a request may be parked from now on, in ms */
  constructor(leftMs: () => number) {
    this.#leftMs = leftMs;
  }

  /** Whether the server parked the last request that it answered. */
  get wasParked(): boolean {
    return this.#wasParked;
  }

  /**
   * Returns how long a server may park an attempt that ends after `limitMs`, in whole ms; 0 for not at all. It is
   * shorter than the attempt, so that the answer has time to arrive.
   */
  parkMs(limitMs: number, maxMs: number = Number.POSITIVE_INFINITY): number {
    if (this.#isPaused || this.#timeOuts >= MAX_TIME_OUTS) return 0;
    const answerMs = Math.min(ANSWER_MS, limitMs * ANSWER_PART) * (this.#timeOuts > 0 ? 2 : 1);
    // Rounded up, so that a wait ends when its last request does.
    const parkMs = Math.ceil(Math.min(this.#leftMs(), maxMs, limitMs - answerMs));
    return parkMs < MIN_PARK_MS ? 0 : parkMs;
  }

  /** Records the outcome of a request. It decides whether the next one is parked. */
  record({ parkMs, limitMs, tookMs, parkedMs, isAnswered, mayHaveRun, isDoubted }: PollOutcome): void {
    if (isAnswered) this.#wasParked = parkedMs !== undefined;
    if (isAnswered && !isDoubted) this.#isPaused = false;
    if (parkMs === 0 || !mayHaveRun) return;
    // At the limit, the network may just be slow. Before it, the server or a proxy ended the request.
    if (tookMs >= limitMs) this.#timeOuts++;
    else this.#isPaused = true;
  }
}
