import type { Reply } from "./backend.ts";
import { ARRAY, BULK } from "./resp.ts";

/**
 * The deepest nesting of arrays, since what makes JSON of a reply calls itself for each level. Redis itself cuts a
 * script's reply at 7 994.
 */
export const MAX_DEPTH = 512;

const [CR, LF, MINUS, ZERO] = [0x0d, 0x0a, 0x2d, 0x30];
const [STATUS, INTEGER] = [0x2b, 0x3a];
const CRLF_BYTES = 2;
/** The bytes in which a line break is looked for one by one, which is quicker for short lines. */
const SHORT_LINE = 24;
/** The longest chunk that is made a text as a whole, which is quicker than a text for each of several integers. */
const SHORT_CHUNK = 4_096;

/** An array that is being read. */
interface Level {
  /** `undefined` for one that is nested too deep, and so left out. */
  readonly items: Reply[] | undefined;
  missing: number;
}

/** The error in place of an array that is too deep, like the one that Redis puts there at its own limit. */
const tooDeep = (): Error => new Error(`ERR arrays in more than ${MAX_DEPTH} arrays are left out`);

/** The place of the line break that ends the line from `at`; -1 while it is missing. */
function lineEnd(bytes: Buffer, at: number): number {
  const near = Math.min(at + SHORT_LINE, bytes.length);
  let end = at;
  while (end < near && bytes[end] !== CR) end++;
  if (end === near) end = bytes.indexOf(CR, near);
  while (end !== -1 && bytes[end + 1] !== LF) {
    if (end + 1 >= bytes.length) return -1;
    end = bytes.indexOf(CR, end + 1);
  }
  return end;
}

/** The number in a line, -1 for every negative one. */
function countAt(bytes: Buffer, from: number, end: number): number {
  if (bytes[from] === MINUS) return -1;
  let count = 0;
  for (let at = from; at < end; at++) count = count * 10 + (bytes[at] ?? 0) - ZERO;
  return count;
}

/**
 * Creates a reader of RESP2. It takes bytes that are cut anywhere, and is not recursive.
 *
 * @param onReply called with each whole reply
 * @param onBroken called once, when the bytes are not RESP2; what follows is not read
 */
export function createReplyReader(onReply: (reply: Reply) => void, onBroken: () => void): (chunk: Buffer) => void {
  const open: Level[] = [];
  /** The beginning of a line. */
  let rest: Buffer | undefined;
  /** A bulk string with its line break, and how much of it is there. */
  let bulk: Buffer | undefined;
  let filled = 0;
  /** The text of the present chunk, once it was asked for. */
  let text: string | undefined;
  let isBroken = false;

  /** Takes a value, and ends the arrays whose last item it is. */
  function take(value: Reply): void {
    let whole = value;
    for (let level = open.at(-1); level !== undefined; level = open.at(-1)) {
      level.items?.push(whole);
      if (--level.missing > 0) return;
      open.pop();
      whole = level.items ?? tooDeep();
    }
    onReply(whole);
  }

  function digitsAt(bytes: Buffer, from: number, end: number): string {
    if (bytes.length > SHORT_CHUNK) return bytes.toString("latin1", from, end);
    text ??= bytes.toString("latin1");
    return text.slice(from, end);
  }

  function fill(chunk: Buffer, from: number, into: Buffer): number {
    const copied = chunk.copy(into, filled, from);
    filled += copied;
    if (filled === into.length) {
      bulk = undefined;
      take(into.subarray(0, -CRLF_BYTES));
    }
    return from + copied;
  }

  /** Takes a bulk string, and gives the place after it. */
  function takeBulk(bytes: Buffer, from: number, length: number): number {
    const end = from + length;
    if (end + CRLF_BYTES <= bytes.length) {
      take(bytes.subarray(from, end));
      return end + CRLF_BYTES;
    }
    bulk = Buffer.allocUnsafe(length + CRLF_BYTES);
    filled = 0;
    return fill(bytes, from, bulk);
  }

  /** Takes the line with its type at `at`, and what belongs to it; gives the place after that. */
  function takeLine(bytes: Buffer, at: number, end: number): number {
    const [type, from, next] = [bytes[at], at + 1, end + CRLF_BYTES];
    if (type === BULK) {
      const length = countAt(bytes, from, end);
      if (length >= 0) return takeBulk(bytes, next, length);
      take(null);
    } else if (type === ARRAY) {
      const count = countAt(bytes, from, end);
      if (count > 0) open.push({ items: open.length < MAX_DEPTH ? [] : undefined, missing: count });
      else take(count === 0 ? [] : null);
    } else if (type === INTEGER) take(digitsAt(bytes, from, end));
    else if (type === STATUS) take(bytes.subarray(from, end));
    else if (type === MINUS) take(new Error(bytes.toString("utf8", from, end)));
    else {
      isBroken = true;
      onBroken();
    }
    return next;
  }

  return (chunk) => {
    let at = bulk === undefined ? 0 : fill(chunk, 0, bulk);
    const bytes = rest === undefined ? chunk : Buffer.concat([rest, chunk]);
    rest = undefined;
    text = undefined;
    while (at < bytes.length && !isBroken) {
      const end = lineEnd(bytes, at);
      if (end === -1) {
        rest = bytes.subarray(at);
        return;
      }
      at = takeLine(bytes, at, end);
    }
  };
}
