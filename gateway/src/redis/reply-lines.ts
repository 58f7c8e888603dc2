import { MINUS } from "./resp.ts";

const [CR, LF] = [0x0d, 0x0a];
const [ZERO, NINE] = [0x30, 0x39];
/** The longest string and the most items of one array. Redis itself stops at 512 MB and at 2^31 items. */
const MAX_LENGTH = 2 ** 32;
/** The longest line of a length or an integer; those of Redis have 20 characters. */
export const MAX_NUMBER_BYTES = 32;
/** The longest text of an error. The rest is left out. */
const MAX_ERROR_BYTES = 64 * 1024;
/** The bytes in which a line break is looked for one by one, which is quicker for short lines. */
const SHORT_LINE = 24;

/** The position of the line break that ends the line at `from`; -1 if it has not arrived yet. */
export function lineEnd(bytes: Buffer, from: number): number {
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
export const isLineBreak = (bytes: Buffer, at: number): boolean => bytes[at] === CR && bytes[at + 1] === LF;

/** Whether the next byte can complete a line break. */
export const endsInHalfBreak = (bytes: Buffer): boolean => bytes.at(-1) === CR;
export const completesBreak = (bytes: Buffer): boolean => bytes[0] === LF;

/** The length in a line: -1 for every negative one, `undefined` for one that is not a number or is too large. */
export function lengthIn(bytes: Buffer, from: number, end: number): number | undefined {
  if (bytes[from] === MINUS) return -1;
  if (from === end || end - from > MAX_NUMBER_BYTES) return undefined;
  let length = 0;
  for (let at = from; at < end; at++) {
    const digit = bytes[at] ?? 0;
    if (digit < ZERO || digit > NINE) return undefined;
    length = length * 10 + digit - ZERO;
  }
  return length <= MAX_LENGTH ? length : undefined;
}

/** An error without a stack, which would take most of the time and memory of a reply with many errors. */
export function errorOf(message: string): Error {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const error = new Error(message);
  Error.stackTraceLimit = stackTraceLimit;
  return error;
}

/** The error in a line. */
export const errorIn = (bytes: Buffer, from: number, end: number): Error =>
  errorOf(bytes.toString("utf8", from, Math.min(end, from + MAX_ERROR_BYTES)));
