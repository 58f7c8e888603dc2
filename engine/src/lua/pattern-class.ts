import { Recent } from "./recent.ts";

/** A pattern that Lua rejects. */
export class PatternError extends Error {}

const PERCENT = 37;
const STAR = 42;
const PLUS = 43;
const MINUS = 45;
const QUESTION = 63;
const DOT = 46;
const BRACKET = 91;
const END_BRACKET = 93;
const CARET = 94;

export const isDigit = (c: number): boolean => c >= 48 && c <= 57;
const isUpper = (c: number): boolean => c >= 65 && c <= 90;
const isLower = (c: number): boolean => c >= 97 && c <= 122;
const isLetter = (c: number): boolean => isUpper(c) || isLower(c);
const isSpace = (c: number): boolean => c === 32 || (c >= 9 && c <= 13);
const isPrintable = (c: number): boolean => c > 32 && c < 127;

/** Whether a character is in the class of a letter: `%a`, and all others in `%A`. */
function inClass(c: number, letter: number): boolean {
  let inside: boolean;
  switch (letter | 32) {
    case 97:
      inside = isLetter(c);
      break;
    case 99:
      inside = c < 32 || c === 127;
      break;
    case 100:
      inside = isDigit(c);
      break;
    case 108:
      inside = isLower(c);
      break;
    case 112:
      inside = isPrintable(c) && !isLetter(c) && !isDigit(c);
      break;
    case 115:
      inside = isSpace(c);
      break;
    case 117:
      inside = isUpper(c);
      break;
    case 119:
      inside = isLetter(c) || isDigit(c);
      break;
    case 120:
      inside = isDigit(c) || (c >= 65 && c <= 70) || (c >= 97 && c <= 102);
      break;
    case 122:
      inside = c === 0;
      break;
    default:
      return letter === c;
  }
  return isUpper(letter) ? !inside : inside;
}

/** Where the single-character class at `p` ends. */
function classEnd(pattern: string, p: number): number {
  const c = pattern.charCodeAt(p);
  if (c === PERCENT) {
    if (p + 1 >= pattern.length) throw new PatternError("malformed pattern (ends with '%')");
    return p + 2;
  }
  if (c !== BRACKET) return p + 1;
  let end = p + 1;
  if (pattern.charCodeAt(end) === CARET) end++;
  // A bracket that comes first is a member.
  do {
    if (end >= pattern.length) throw new PatternError("malformed pattern (missing ']')");
    end += pattern.charCodeAt(end) === PERCENT && end + 1 < pattern.length ? 2 : 1;
  } while (pattern.charCodeAt(end) !== END_BRACKET);
  return end + 1;
}

/** Whether a character is in a set. @param last the position of the closing bracket */
function inSet(pattern: string, c: number, p: number, last: number): boolean {
  let at = p + 1;
  const isOut = pattern.charCodeAt(at) === CARET;
  if (isOut) at++;
  for (; at < last; at++) {
    const member = pattern.charCodeAt(at);
    if (member === PERCENT) {
      at++;
      if (inClass(c, pattern.charCodeAt(at))) return !isOut;
    } else if (pattern.charCodeAt(at + 1) === MINUS && at + 2 < last) {
      at += 2;
      if (member <= c && c <= pattern.charCodeAt(at)) return !isOut;
    } else if (member === c) return !isOut;
  }
  return isOut;
}

/** A single-character class of a pattern. */
export interface ClassOf {
  /** The position after it. */
  readonly end: number;
  /** 1 for each byte that is in it. */
  readonly bytes: Uint8Array;
  /** Whether exactly one such byte must follow, since there is no quantifier. */
  readonly isOne: boolean;
}

/** Reads the class that begins at `p`. @throws PatternError */
export function readClass(pattern: string, p: number): ClassOf {
  const end = classEnd(pattern, p);
  const first = pattern.charCodeAt(p);
  const bytes = new Uint8Array(256);
  for (let c = 0; c < 256; c++) {
    let isIn: boolean;
    if (first === DOT) isIn = true;
    else if (first === PERCENT) isIn = inClass(c, pattern.charCodeAt(p + 1));
    else if (first === BRACKET) isIn = inSet(pattern, c, p, end - 1);
    else isIn = first === c;
    if (isIn) bytes[c] = 1;
  }
  const suffix = pattern.charCodeAt(end);
  const isOne = suffix !== STAR && suffix !== PLUS && suffix !== MINUS && suffix !== QUESTION;
  return { end, bytes, isOne };
}

/**
 * The classes of used patterns, by position. A script uses the same few patterns repeatedly. Each class needs some 400
 * bytes.
 */
const known = new Recent<(ClassOf | undefined)[]>({ count: 500, weight: 5_000 });

/** The classes of a pattern that were read so far. */
export function classesOf(pattern: string): (ClassOf | undefined)[] {
  const before = known.get(pattern);
  if (before) return before;
  const made: (ClassOf | undefined)[] = [];
  known.add(pattern, made, pattern.length);
  return made;
}
