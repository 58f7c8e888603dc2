/** The default limits of a request. About a second, and a part of a small heap. */
const MAX_STEPS = 10_000_000;
const MAX_BYTES = 256 * 2 ** 20;

/** How many bytes are read, and how many are copied, in the time of one step. */
const READ_IN_A_STEP = 16;
const COPIED_IN_A_STEP = 256;
/** How many values are read or copied in that time. */
const VALUES_IN_A_STEP = 8;
/** The memory of a string besides its characters. */
const STRING_BYTES = 32;

/** The maximum work and memory of a request. */
export interface Limits {
  /**
   * Steps: an iteration of a loop, a call, a member that is visited. Default ten million, about a second. Nothing could
   * stop a script or a command that runs for longer.
   */
  readonly maxSteps?: number | undefined;
  /**
   * Bytes of all strings and tables that are made or stored, also of those that are no longer needed. Default 256 MB.
   */
  readonly maxBytes?: number | undefined;
}

/** The steps of a request that may not even do what costs nothing. */
const NOTHING_LEFT = -1;

/** What a request may have used up. */
type Used = "many steps" | "much memory";

/** A request has used up its budget. No script can catch it. */
export class OutOfBudget extends Error {
  override readonly name = "OutOfBudget";
  readonly used: Used;

  constructor(used: Used) {
    super(`takes too ${used}`);
    this.used = used;
  }
}

/**
 * The work and the memory that a request may still use. Whatever a caller can make long is counted here before it is
 * done. Requests that are passed the same budget share it.
 */
export class Budget {
  #steps: number;
  #bytes: number;
  /** Thrown again for whatever comes next, since making an error takes long. */
  #error: OutOfBudget | undefined;

  constructor({ maxSteps = MAX_STEPS, maxBytes = MAX_BYTES }: Limits = {}) {
    this.#steps = maxSteps;
    this.#bytes = maxBytes;
  }

  /** Counts work: a whole number of steps. @throws {OutOfBudget} after too many */
  spend(steps: number): void {
    const left = this.#steps - steps;
    if (!(left >= 0)) this.#end("many steps");
    this.#steps = left;
  }

  /** Counts work that is done already: after too much, whatever is counted next is refused. */
  charge(steps: number): void {
    this.#steps = Math.max(this.#steps - steps, NOTHING_LEFT);
  }

  /** Counts memory. @throws {OutOfBudget} after too much */
  allot(bytes: number): void {
    const left = this.#bytes - bytes;
    if (!(left >= 0)) this.#end("much memory");
    this.#bytes = left;
  }

  #end(used: Used): never {
    // Out of memory is out of steps too, so that nothing more is done.
    this.#steps = NOTHING_LEFT;
    this.#error ??= new OutOfBudget(used);
    throw this.#error;
  }

  /** A text of this length is read, character by character. */
  read(length: number): void {
    if (length >= READ_IN_A_STEP) this.spend(Math.floor(length / READ_IN_A_STEP));
  }

  /** Texts of this length are copied or compared as a whole. */
  copy(length: number): void {
    if (length >= COPIED_IN_A_STEP) this.spend(Math.floor(length / COPIED_IN_A_STEP));
  }

  /** A text of this length is made. */
  text(length: number): void {
    this.allot(length + STRING_BYTES);
    this.copy(length);
  }

  /** So many values are read, moved or skipped, one after the other. */
  values(count: number): void {
    if (count >= VALUES_IN_A_STEP) this.spend(Math.floor(count / VALUES_IN_A_STEP));
  }
}
