/**
 * A script whose refused requests a server may hold, from the line `WAIT` of its header. Numbers are positions: in the
 * reply, which begins with its status and the server's time, or in ARGV.
 */
export interface Waitable {
  readonly name: string;
  /** SHA-1 of the plain text, of the flagged text, and of the flagged text whose first line was emptied. */
  readonly shas: readonly [plain: string, flagged: string, stripped: string];
  /**
   * The status for which a request is held: a refusal that may end, or a live lease, for a holder that wants to know
   * when it is lost.
   */
  readonly refusal: string;
  /** Whether every key is watched, as for a group; otherwise the first one, the record. */
  readonly allKeys: boolean;
  /** In ARGV: the server time (µs) after which the request is void. */
  readonly notAfter: number;
  /** In ARGV: the ID of the request. Two requests with one ID are one waiter. */
  readonly id: number;
  /** In ARGV: label and process of the waiter, for people. If absent, the text after an `@` in the ID, if any. */
  readonly note?: number;
  /** In the reply: the time (µs) until the blocking lease ends, 0 if no lease blocks. */
  readonly until?: number;
  /** In the reply: the time (µs) until the waiter's next poll is due. */
  readonly back?: number;
  /** How late a waiter may poll: a position in ARGV, or a number of ms. */
  readonly grace?: number;
  readonly graceMs?: number;
  /** In the reply: the place in a queue; and its position in ARGV of the next request. */
  readonly ticket?: number;
  readonly ticketArg?: number;
  /** In the reply: a value that the waiter carries; and its position in ARGV of the next request. */
  readonly carries?: number;
  readonly carriesArg?: number;
  /** In ARGV: how long the caller had waited, in ms. */
  readonly waited?: number;
  /** In ARGV: the server time (µs) of the last answer that the caller got. */
  readonly seen?: number;
  /** In ARGV: the server's time as known by the caller, with which the script may skip reading the clock. */
  readonly clock?: number;
  /**
   * In ARGV: the class of the waiter, a word or the number in `id#n`. Waiters of different classes can succeed
   * independently.
   */
  readonly class?: number;
  readonly classIsCount?: boolean;
  /** In the reply: not 0 if the waiter precedes others of its class, so that it can succeed without them. */
  readonly placed?: number;
  /** In ARGV: the key by which a waiter joins a holder of the same key; empty for none. */
  readonly joins?: number;
  /** In ARGV: a number that must be 0, since the script writes with any other. */
  readonly zero?: number;
  /** Which grants leave room for others: all (`permits`), or those of one class (`read`). Absent: none. */
  readonly many?: "permits" | "read";
  /** Answers that every other waiter would also receive. */
  readonly all?: readonly string[];
}

/** A request that may be held: its script, the keys to watch, and its arguments. */
export interface WaitableCall {
  readonly waitable: Waitable;
  readonly keys: readonly string[];
  readonly args: readonly string[];
}
