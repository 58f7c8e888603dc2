import type { Reply } from "./backend.ts";
import { LongList } from "./long-list.ts";

/**
 * The maximum nesting of arrays. Redis truncates a script's reply at 7 994 levels, and few clients can parse JSON
 * nested that deeply.
 */
export const MAX_DEPTH = 512;
/** The error that replaces an array which is nested too deeply. */
export const TOO_DEEP: string = `ERR arrays in more than ${MAX_DEPTH} arrays are left out`;
/** The maximum number of values that one reply may announce while it is skipped. */
const MAX_MISSING = 2 ** 48;

/**
 * The memory of a value in addition to its bytes, measured on Node 20 and 24, including its place in the surrounding
 * array.
 */
export const COST = { integer: 64, string: 128, error: 192, array: 200 } as const;
/** The same for a short string in a long array. It takes about 20 bytes itself, and the rest as JSON soon after. */
export const PACKED_COST = 64;
/** The maximum number of items of a plain array; larger ones become a {@link LongList}. */
export const SHORT_ARRAY = 1_000;

/** How a reply is handled: it is parsed, kept as bytes, or read to its end and dropped. */
export type Keeping = "value" | "bytes" | "nothing";

/** The receiver of the replies of one connection. */
export interface ReplySink {
  /**
   * Called at the first byte of a reply: decides how to handle it.
   *
   * @param isPush whether it is unsolicited, on a connection that may receive such replies
   */
  begin(isPush: boolean): Keeping;
  /** Counts memory for the current reply. Returns false without room; the reply is then skipped. */
  room(bytes: number): boolean;
  /**
   * Receives a complete reply; `undefined` if it was not kept. An error reply is an `Error`, also if bytes are kept.
   *
   * @param hasMore whether more bytes have arrived after it
   */
  take(reply: Reply | undefined, hasMore: boolean): void;
  /** Called once, with the reason, when the bytes are not RESP2; nothing after them is read. */
  broken(reason: string): void;
}

/** The bytes of a reply. */
interface Source {
  /** The current reply as it arrived. */
  wholeReply(): Reply;
  /** Drops the kept part of the current reply. */
  forget(): void;
  /** Whether more bytes have arrived after the current position. */
  hasMore(): boolean;
}

/** An array that is being read. */
interface Level {
  readonly items: Reply[] | LongList<Reply>;
  readonly count: number;
}

/**
 * Builds replies from their values. It keeps the open arrays in a list, so that no depth overflows the stack, and
 * counts the memory of a reply while it grows. A reply without room is skipped to its end, and nothing of it is kept.
 */
export class ReplyBuilder {
  keeping: Keeping = "nothing";
  /** Whether a reply has begun but not ended. */
  isOpen = false;
  /** The number of values still to skip: of the whole reply, or of an array that is nested too deeply. */
  missing = 0;
  /** The uncounted memory of the current reply. */
  owed = 0;
  readonly #levels: Level[] = [];
  readonly #sink: ReplySink;
  readonly #source: Source;

  constructor(sink: ReplySink, source: Source) {
    this.#sink = sink;
    this.#source = source;
  }

  begin(isPush: boolean): void {
    this.keeping = this.#sink.begin(isPush);
    this.isOpen = true;
    this.missing = this.keeping === "value" ? 0 : 1;
  }

  /** Drops the current reply and its kept part, since no more can be read. */
  abandon(): void {
    this.#levels.length = 0;
    this.isOpen = false;
  }

  /** Counts the memory since the last time. */
  count(): void {
    const { owed } = this;
    this.owed = 0;
    if (owed > 0 && this.keeping !== "nothing" && !this.#sink.room(owed)) this.#skipRest();
  }

  /** Adds a kept value, and closes the arrays whose last item it is. */
  take(value: Reply, cost: number): void {
    this.owed += cost;
    const levels = this.#levels;
    let whole = value;
    for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
      if (level.items instanceof LongList && LongList.packs(whole)) this.owed += PACKED_COST - COST.string;
      level.items.push(whole);
      if (level.items.length < level.count) return;
      levels.pop();
      whole = level.items;
    }
    this.#finish(whole);
  }

  /** Handles the end of a skipped value. */
  skip(): void {
    this.missing--;
    if (this.missing > 0) return;
    if (this.keeping === "value") {
      this.take(errorOf(TOO_DEEP), COST.error);
    } else this.#finish(this.keeping === "bytes" ? this.#source.wholeReply() : undefined);
  }

  /** Handles the head of an array; returns false for one that no reply can have. */
  open(count: number): boolean {
    if (this.missing > 0) {
      this.missing += Math.max(count, 0);
      if (this.missing > MAX_MISSING) return false;
      this.skip();
    } else if (count <= 0) this.take(count === 0 ? [] : null, COST.integer);
    else if (this.#levels.length === MAX_DEPTH) this.missing = count;
    else {
      this.owed += COST.array;
      this.#levels.push({ items: count > SHORT_ARRAY ? new LongList() : [], count });
    }
    return true;
  }

  #finish(reply: Reply | undefined): void {
    this.count();
    this.isOpen = false;
    const isKept = this.keeping !== "nothing";
    this.#source.forget();
    this.#sink.take(isKept ? reply : undefined, this.#source.hasMore());
  }

  /** Drops the kept part of the current reply; the rest of it will be skipped. */
  #skipRest(): void {
    if (this.keeping === "value") {
      // An open array still counts in the surrounding array, although its own line has been read.
      let values = this.#levels.length === 0 ? 1 : 1 - this.#levels.length;
      for (const { items, count } of this.#levels) values += count - items.length;
      this.missing = this.missing > 0 ? values - 1 + this.missing : values;
    }
    this.#levels.length = 0;
    this.keeping = "nothing";
    this.#source.forget();
  }
}

/** An error without a stack, which would take most of the time and memory of a reply with many errors. */
export function errorOf(message: string): Error {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const error = new Error(message);
  Error.stackTraceLimit = stackTraceLimit;
  return error;
}
