import type { Reply } from "./backend.ts";
import { LongList } from "./long-list.ts";

/**
 * The deepest nesting of arrays. Redis cuts a script's reply at 7 994 levels, and few clients can parse JSON that is
 * nested that deep.
 */
export const MAX_DEPTH = 512;
/** The most values that one reply may announce while it is skipped. */
const MAX_MISSING = 2 ** 48;

/** The memory of a value besides its bytes, measured on Node 20 and 24, with its place in the array around it. */
export const COST = { integer: 64, string: 128, error: 192, array: 200 } as const;
/** The same for a short string in a long array. It takes some 20 bytes itself, and the rest as JSON soon after. */
const PACKED_COST = 64;
/** The most items of an array that is made as such, and not as a {@link LongList}. */
const SHORT_ARRAY = 1_000;

/** What becomes of a reply: it is parsed, or kept as the bytes that arrived, or read to its end and dropped. */
export type Keeping = "value" | "bytes" | "nothing";

/** The receiver of the replies of one connection. */
export interface ReplySink {
  /**
   * Called at the first byte of a reply: decides what becomes of it.
   *
   * @param isPush whether nobody asked for it, on a connection that may have such
   */
  begin(isPush: boolean): Keeping;
  /** Counts memory that the present reply takes. Returns false if there is no room: the reply is then skipped. */
  room(bytes: number): boolean;
  /**
   * Takes a whole reply; `undefined` for one that was not kept. A reply that is an error is an `Error`, also where
   * bytes are kept.
   *
   * @param hasMore whether more bytes have arrived after it
   */
  take(reply: Reply | undefined, hasMore: boolean): void;
  /** Called once, with the reason, when the bytes are not RESP2; nothing after them is read. */
  broken(reason: string): void;
}

/** The bytes that a reply is made of. */
interface Source {
  /** The present reply as it arrived. */
  wholeReply(): Reply;
  /** Drops what is kept of the present reply. */
  forget(): void;
  /** Whether more bytes have arrived after the present place. */
  hasMore(): boolean;
}

/** An array that is being read. */
interface Level {
  readonly items: Reply[] | LongList<Reply>;
  readonly count: number;
}

/**
 * Builds replies of their values. It keeps the open arrays in a list, so that no depth overflows the stack, and counts
 * the memory of a reply while it grows; a reply without room is skipped to its end, and nothing of it is kept.
 */
export class ReplyBuilder {
  keeping: Keeping = "nothing";
  /** Whether a reply has begun and not ended. */
  isOpen = false;
  /** How many values are still to be skipped: of the whole reply, or of an array in it that is too deep. */
  missing = 0;
  /** The memory of the present reply that is not counted yet. */
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

  /** Drops the present reply and all that was kept of it, since no more can be read. */
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

  /** Takes a value that is kept, and ends the arrays whose last item it is. */
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

  /** Takes the end of a value that is skipped. */
  skip(): void {
    this.missing--;
    if (this.missing > 0) return;
    if (this.keeping === "value") {
      this.take(errorOf(`ERR arrays in more than ${MAX_DEPTH} arrays are left out`), COST.error);
    } else this.#finish(this.keeping === "bytes" ? this.#source.wholeReply() : undefined);
  }

  /** Takes the head of an array; returns false for one that no reply can have. */
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

  /** Forgets what was kept of the present reply; the rest of it will be skipped. */
  #skipRest(): void {
    if (this.keeping === "value") {
      // An open array still counts in the array around it, although its own line has been read.
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
