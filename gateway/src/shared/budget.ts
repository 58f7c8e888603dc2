/**
 * The bytes that every request may hold whatever others hold, so that small requests succeed while large ones are
 * refused. The total of these is small.
 */
export const SMALL_BYTES: number = 16 * 1024;

/** The bytes held for one request. */
export interface Hold {
  /** Counts this many more bytes. Returns false and counts nothing without room, and after `release`. */
  take(bytes: number): boolean;
  /** Replaces all counted bytes with this number, since something else is held from now on. */
  settle(bytes: number): void;
  /** Counts nothing from now on. */
  release(): void;
}

/** The bytes held for all requests with one token. */
export interface Portion {
  /** Whether there is room for small requests only. */
  readonly isFull: boolean;
  /** @param max the bytes for one request */
  hold(max?: number): Hold;
}

/** The bytes held for all requests in flight. */
export interface Budget {
  readonly held: number;
  portion(): Portion;
}

/** The bytes held for all requests in flight, and for those with one token. */
class Sum {
  held = 0;
  readonly max: number;
  readonly onFull: () => void;

  constructor(max: number, onFull: () => void) {
    this.max = max;
    this.onFull = onFull;
  }

  portion(): Portion {
    return new PortionOf(this);
  }
}

class PortionOf implements Portion {
  own = 0;
  readonly sum: Sum;

  constructor(sum: Sum) {
    this.sum = sum;
  }

  get isFull(): boolean {
    return !this.fits(1);
  }

  fits(bytes: number): boolean {
    return this.own + bytes <= this.sum.max - this.sum.held - bytes;
  }

  change(by: number): void {
    this.own += by;
    this.sum.held += by;
  }

  hold(max: number = Number.POSITIVE_INFINITY): Hold {
    return new HoldOf(this, max);
  }
}

class HoldOf implements Hold {
  #mine = 0;
  #isOver = false;
  readonly #portion: PortionOf;
  readonly #max: number;

  constructor(portion: PortionOf, max: number) {
    this.#portion = portion;
    this.#max = max;
  }

  take(bytes: number): boolean {
    if (this.#isOver || this.#mine + bytes > this.#max) return false;
    if (this.#mine + bytes > SMALL_BYTES && !this.#portion.fits(bytes)) {
      this.#portion.sum.onFull();
      return false;
    }
    this.#change(bytes);
    return true;
  }

  settle(bytes: number): void {
    if (!this.#isOver) this.#change(bytes - this.#mine);
  }

  release(): void {
    this.#change(-this.#mine);
    this.#isOver = true;
  }

  #change(by: number): void {
    this.#mine += by;
    this.#portion.change(by);
  }
}

/**
 * Shares a number of bytes on demand: no portion becomes larger than the rest that is left for the others. A single
 * portion gets at most half, two get a third each, and some is always left for the next. These are the dynamic
 * thresholds of Choudhury and Hahne, by which switches divide their buffers.
 *
 * @param max the bytes for all portions together
 * @param onFull called for each request without room
 */
export const createBudget = (max: number, onFull: () => void): Budget => new Sum(max, onFull);

/** A separate hold, of at most this many bytes. */
export const holdOf = (max: number): Hold =>
  createBudget(2 * max, () => {})
    .portion()
    .hold();
