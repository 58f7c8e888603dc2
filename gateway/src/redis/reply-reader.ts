import type { Reply } from "./backend.ts";
import { COST, errorOf, ReplyBuilder, type ReplySink } from "./reply-builder.ts";
import { ARRAY, BULK, CRLF_BYTES, INTEGER, MAP, MINUS, NULL, PUSH, SET, STATUS } from "./resp.ts";

/** The longest chunk that is converted to text as a whole, which is faster than converting each of several integers. */
const SHORT_CHUNK = 4_096;

const [CR, LF] = [0x0d, 0x0a];
const [ZERO, ONE, NINE] = [0x30, 0x31, 0x39];
/** The maximum length of a string and number of items of an array. Redis's own limits are 512 MB and 2^31 items. */
const MAX_LENGTH = 2 ** 32;
/** The maximum line of a length or an integer; Redis's lines have 20 characters. */
const MAX_NUMBER_BYTES = 32;
/** The maximum text of an error. The rest is dropped. */
const MAX_ERROR_BYTES = 64 * 1024;
/** The number of bytes that are searched one by one for a line break, which is faster for short lines. */
const SHORT_LINE = 24;

/** The position of the line break after the line at `from`; -1 if it has not arrived yet. */
function lineEnd(bytes: Buffer, from: number): number {
  const near = Math.min(from + SHORT_LINE, bytes.length);
  let end = from;
  while (end < near && bytes[end] !== CR) end++;
  if (end === near) end = bytes.indexOf(CR, near);
  while (end !== -1 && bytes[end + 1] !== LF) {
    if (end + 1 >= bytes.length) return -1;
    end = bytes.indexOf(CR, end + 1);
  }
  return end;
}

/** Whether there is a line break at a position. */
const isLineBreak = (bytes: Buffer, at: number): boolean => bytes[at] === CR && bytes[at + 1] === LF;

/** Whether the next byte can complete a line break. */
const endsInHalfBreak = (bytes: Buffer): boolean => bytes.at(-1) === CR;
const completesBreak = (bytes: Buffer): boolean => bytes[0] === LF;

/** The length in a line: -1 for null, `undefined` for one that is not a number, is too large or is negative. */
function lengthIn(bytes: Buffer, from: number, end: number): number | undefined {
  if (bytes[from] === MINUS) return end - from === 2 && bytes[from + 1] === ONE ? -1 : undefined;
  if (from === end || end - from > MAX_NUMBER_BYTES) return undefined;
  let length = 0;
  for (let at = from; at < end; at++) {
    const digit = bytes[at] ?? 0;
    if (digit < ZERO || digit > NINE) return undefined;
    length = length * 10 + digit - ZERO;
  }
  return length <= MAX_LENGTH ? length : undefined;
}

/** The error in a line. */
const errorIn = (bytes: Buffer, from: number, end: number): Error =>
  errorOf(bytes.toString("utf8", from, Math.min(end, from + MAX_ERROR_BYTES)));

/** The part of a reply in which a chunk ended. */
type State =
  | { readonly kind: "start of a line" }
  | { readonly kind: "line"; readonly type: number; readonly parts: Buffer[]; size: number; endsInHalfBreak: boolean }
  | { readonly kind: "string"; readonly into: Buffer; filled: number }
  | { readonly kind: "skipped string"; left: number }
  | { readonly kind: "broken" };

type Of<Kind extends State["kind"]> = Extract<State, { kind: Kind }>;

const START: State = { kind: "start of a line" };
const NO_BYTES: Buffer = Buffer.alloc(0);

/** The types of values that contain others. */
const isList = (type: number): boolean => type === ARRAY || type === PUSH || type === MAP || type === SET;
const isNumber = (type: number): boolean => type === BULK || type === INTEGER || type === NULL || isList(type);
/** The additional types of RESP3 that the gateway's own commands can receive. */
const isLater = (byte: number | undefined): boolean => byte === PUSH || byte === MAP || byte === SET || byte === NULL;
const isType = (byte: number): boolean =>
  byte === BULK || byte === ARRAY || byte === INTEGER || byte === STATUS || byte === MINUS;

/** Reads RESP2 from chunks split at any position. */
export type ReplyReader = (chunk: Buffer) => void;

interface ReaderOptions {
  /** Whether the connection uses RESP3, so that unsolicited data may arrive between replies. */
  readonly hasPushes?: boolean;
}

class Reader {
  #state: State = START;
  /** The current chunk, the position in it, and where the current reply begins in it. */
  #bytes: Buffer = NO_BYTES;
  #at = 0;
  #begun = 0;
  /** The bytes of the current reply from earlier chunks, if bytes are kept. */
  #earlier: Buffer[] = [];
  /** The text of the current chunk, once it was needed. */
  #text: string | undefined;
  readonly #sink: ReplySink;
  readonly #builder: ReplyBuilder;
  readonly #hasPushes: boolean;

  constructor(sink: ReplySink, { hasPushes = false }: ReaderOptions) {
    this.#sink = sink;
    this.#hasPushes = hasPushes;
    this.#builder = new ReplyBuilder(sink, {
      wholeReply: () => this.#wholeReply(),
      forget: () => this.#forget(),
      hasMore: () => this.#at < this.#bytes.length,
    });
  }

  read(chunk: Buffer): void {
    this.#bytes = chunk;
    this.#at = 0;
    this.#begun = 0;
    this.#text = undefined;
    try {
      while (this.#at < chunk.length) this.#readOn();
      this.#countChunk();
    } catch {
      this.#fail("it could not be kept");
    }
    this.#bytes = NO_BYTES;
  }

  #readOn(): void {
    const state = this.#state;
    if (state.kind === "start of a line") this.#startLine();
    else if (state.kind === "line") this.#goOnLine(state);
    else if (state.kind === "string") this.#goOnString(state);
    else if (state.kind === "skipped string") this.#goOnSkipping(state);
    else this.#at = this.#bytes.length;
  }

  /** Counts the part of the chunk that belongs to an unfinished reply. */
  #countChunk(): void {
    const builder = this.#builder;
    if (!builder.isOpen) return;
    if (builder.keeping === "bytes") {
      const piece = this.#bytes.subarray(this.#begun);
      this.#earlier.push(piece);
      builder.owed += COST.string + piece.length;
    }
    builder.count();
  }

  #fail(reason: string): void {
    if (this.#state.kind === "broken") return;
    this.#state = { kind: "broken" };
    this.#earlier = [];
    this.#builder.abandon();
    this.#sink.broken(reason);
  }

  /** Drops the kept part of the current reply. */
  #forget(): void {
    const state = this.#state;
    this.#earlier = [];
    if (state.kind === "string") {
      this.#state = { kind: "skipped string", left: state.into.length - state.filled };
    } else if (state.kind === "line" && !isNumber(state.type)) state.parts.length = 0;
  }

  #wholeReply(): Reply {
    const last = this.#bytes.subarray(this.#begun, this.#at);
    this.#builder.owed += last.length;
    const whole = this.#earlier.length === 0 ? last : Buffer.concat([...this.#earlier, last]);
    return whole[0] === MINUS ? errorIn(whole, 1, whole.length - CRLF_BYTES) : whole;
  }

  #startLine(): void {
    const bytes = this.#bytes;
    const type = bytes[this.#at];
    if (!this.#builder.isOpen) {
      this.#builder.begin(type === PUSH);
      this.#begun = this.#at;
    }
    if (type === undefined || !(isType(type) || (this.#hasPushes && isLater(type)))) {
      this.#fail("a type that RESP2 does not have");
      return;
    }
    const from = this.#at + 1;
    const end = lineEnd(bytes, from);
    if (end === -1) {
      this.#at = from;
      this.#state = { kind: "line", type, parts: [], size: 0, endsInHalfBreak: false };
    } else {
      this.#at = end + CRLF_BYTES;
      this.#takeLine(type, bytes, from, end);
    }
  }

  /** Continues a line that began in an earlier chunk. */
  #goOnLine(line: Of<"line">): void {
    const { type, parts } = line;
    const here = this.#bytes.subarray(this.#at);
    const isHalf = line.endsInHalfBreak && completesBreak(here);
    const end = isHalf ? 1 - CRLF_BYTES : lineEnd(here, 0);
    const isWhole = isHalf || end !== -1;
    const piece = isWhole ? here.subarray(0, end + CRLF_BYTES) : here;
    const isKept = isNumber(type) || this.#builder.missing === 0;
    this.#at += piece.length;
    line.size += piece.length;
    line.endsInHalfBreak = endsInHalfBreak(piece);
    if (isKept) parts.push(piece);
    if (isNumber(type) && line.size > MAX_NUMBER_BYTES + CRLF_BYTES) this.#fail("a number that is too long");
    else if (isWhole) {
      this.#state = START;
      const whole = Buffer.concat(parts);
      this.#takeLine(type, whole, 0, whole.length - CRLF_BYTES);
    } else if (isKept) this.#builder.owed += COST.string + piece.length;
  }

  /** Handles a complete line, without its type byte. */
  #takeLine(type: number, line: Buffer, from: number, end: number): void {
    const builder = this.#builder;
    if (type === NULL) this.#startString(-1);
    else if (type === BULK || isList(type)) {
      const length = lengthIn(line, from, end);
      if (length === undefined) this.#fail("a length that is not a number or is too large");
      else if (type === BULK) this.#startString(length);
      else if (!builder.open(type === MAP ? 2 * length : length)) this.#fail("more items than a reply can have");
    } else if (type === INTEGER && end - from > MAX_NUMBER_BYTES) this.#fail("a number that is too long");
    else if (builder.missing > 0) builder.skip();
    else if (type === INTEGER) builder.take(this.#digitsIn(line, from, end), COST.integer);
    else if (type === STATUS) builder.take(line.subarray(from, end), COST.string + end - from);
    else builder.take(errorIn(line, from, end), COST.error + end - from);
  }

  #digitsIn(line: Buffer, from: number, end: number): string {
    if (line !== this.#bytes || line.length > SHORT_CHUNK) return line.toString("latin1", from, end);
    this.#text ??= line.toString("latin1");
    return this.#text.slice(from, end);
  }

  #startString(length: number): void {
    const builder = this.#builder;
    if (length === -1) {
      if (builder.missing > 0) builder.skip();
      else builder.take(null, COST.integer);
      return;
    }
    const from = this.#at;
    const end = from + length;
    if (builder.missing === 0 && end + CRLF_BYTES <= this.#bytes.length) {
      this.#at = end + CRLF_BYTES;
      if (isLineBreak(this.#bytes, end)) builder.take(this.#bytes.subarray(from, end), COST.string + length);
      else this.#fail("a string that is longer than its length");
      return;
    }
    if (builder.missing === 0) {
      // Before the allocation; without room, values are missing afterwards.
      builder.owed += COST.string + length;
      builder.count();
    }
    const size = length + CRLF_BYTES;
    this.#state =
      builder.missing > 0
        ? { kind: "skipped string", left: size }
        : { kind: "string", into: Buffer.allocUnsafe(size), filled: 0 };
  }

  #goOnString(string: Of<"string">): void {
    const { into } = string;
    const copied = this.#bytes.copy(into, string.filled, this.#at);
    string.filled += copied;
    this.#at += copied;
    if (string.filled < into.length) return;
    this.#state = START;
    if (isLineBreak(into, into.length - CRLF_BYTES)) this.#builder.take(into.subarray(0, -CRLF_BYTES), 0);
    else this.#fail("a string that is longer than its length");
  }

  #goOnSkipping(string: Of<"skipped string">): void {
    const skipped = Math.min(string.left, this.#bytes.length - this.#at);
    string.left -= skipped;
    this.#at += skipped;
    if (string.left > 0) return;
    this.#state = START;
    this.#builder.skip();
  }
}

/**
 * Creates a reader of the replies of one connection. It reads each byte once, so that every reply takes linear time.
 */
export function createReplyReader(sink: ReplySink, options: ReaderOptions = {}): ReplyReader {
  const reader = new Reader(sink, options);
  return (chunk) => reader.read(chunk);
}
