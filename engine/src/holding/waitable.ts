/**
 * A script whose refusals a server may hold, from the line `WAIT` of its header. Numbers are positions: in the reply,
 * which begins with its status and the server's time, or in ARGV.
 */
export interface Waitable {
  readonly name: string;
  /** SHA-1 of the plain text, of the flagged text, and of the flagged text whose first line was emptied. */
  readonly shas: readonly [plain: string, flagged: string, stripped: string];
  /**
   * The status that is held back: of a refusal that waiting can heal, or of a lease that is still live, for a holder who
   * wants to know when it is lost.
   */
  readonly refusal: string;
  /** Whether every key is watched, as for a group; otherwise the first one, the record. */
  readonly allKeys: boolean;
  /** In ARGV: the server time (µs) after which the request is void. */
  readonly notAfter: number;
  /** In ARGV: the id of the request. Two requests with one id are one waiter. */
  readonly id: number;
  /** In ARGV: label and process of the waiter, for people. Absent: what follows an `@` in the id, if anything does. */
  readonly note?: number;
  /** In the reply: the time (µs) until the blocking lease ends, 0 if no lease blocks. */
  readonly until?: number;
  /** In the reply: the time (µs) after which the server expects its waiter back. */
  readonly back?: number;
  /** How much later than that a waiter may come back: a position in ARGV, or a number of ms. */
  readonly grace?: number;
  readonly graceMs?: number;
  /** In the reply: the place in a queue, and where in ARGV the next request names it. */
  readonly ticket?: number;
  readonly ticketArg?: number;
  /** In the reply: a number of the waiter's own, and where in ARGV the next request names it. */
  readonly carries?: number;
  readonly carriesArg?: number;
  /** In ARGV: how long the caller had waited, in ms. */
  readonly waited?: number;
  /** In ARGV: the server time (µs) of the last answer that the caller got. */
  readonly seen?: number;
  /** In ARGV: the server's time as the caller knew it, by which the script may spare a look at the clock. */
  readonly clock?: number;
  /** In ARGV: what tells apart waiters that can succeed without each other, a word or the number in `id#n`. */
  readonly class?: number;
  readonly classIsCount?: boolean;
  /** In the reply: not 0 where the waiter is before others of its class, so that it can succeed without them. */
  readonly placed?: number;
  /** In ARGV: the key by which a waiter joins a holder of the same key; empty for none. */
  readonly joins?: number;
  /** In ARGV: a number that has to be 0, since the script writes something with any other. */
  readonly zero?: number;
  /** Which grants leave room for others: all (`permits`), or those of one class (`read`). Absent: none. */
  readonly many?: "permits" | "read";
  /** Answers that every other waiter would get, too. */
  readonly all?: readonly string[];
}

/** A request that may be held: its script, the keys to watch, and its arguments. */
export interface WaitableCall {
  readonly waitable: Waitable;
  readonly keys: readonly string[];
  readonly args: readonly string[];
}
