import type { Budget } from "../budget.ts";
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

/** A single-character class of a pattern. */
export interface ClassOf {
  /** The position after it. */
  readonly end: number;
  /** 1 for each byte that is in it. */
  readonly bytes: Uint8Array;
  /** Whether exactly one such byte must follow, since there is no quantifier. */
  readonly isOne: boolean;
}

const BYTES = 256;
const ANY = new Uint8Array(BYTES).fill(1);

/** The bytes of the classes that are no sets, by character: those of `%a` and the like, and the characters themselves. */
const letters: Uint8Array[] = [];
const literals: Uint8Array[] = [];

const bytesBy = (isIn: (c: number) => boolean): Uint8Array => Uint8Array.from(ANY, (_, c) => Number(isIn(c)));

function letterClass(letter: number): Uint8Array {
  letters[letter] ??= bytesBy((c) => inClass(c, letter));
  return letters[letter];
}

function literalClass(c: number): Uint8Array {
  literals[c] ??= bytesBy((each) => each === c);
  return literals[c];
}

/** The bytes of a set. @param last the position of the closing bracket */
function setClass(pattern: string, p: number, last: number): Uint8Array {
  const bytes = new Uint8Array(BYTES);
  let at = p + 1;
  const isOut = pattern.charCodeAt(at) === CARET;
  if (isOut) at++;
  for (; at < last; at++) {
    const member = pattern.charCodeAt(at);
    if (member === PERCENT) {
      at++;
      const others = letterClass(pattern.charCodeAt(at));
      for (let c = 0; c < BYTES; c++) if (others[c] === 1) bytes[c] = 1;
    } else if (pattern.charCodeAt(at + 1) === MINUS && at + 2 < last) {
      at += 2;
      bytes.fill(1, member, pattern.charCodeAt(at) + 1);
    } else bytes[member] = 1;
  }
  return isOut ? bytes.map((isIn) => 1 - isIn) : bytes;
}

/** The time of one member of a set. */
const MEMBER_STEPS = 1;
/** The memory of a class that was read. */
const CLASS_BYTES = 100 + BYTES;

/** Reads the class that begins at `p`. @throws PatternError */
export function readClass(pattern: string, p: number, budget: Budget): ClassOf {
  const end = classEnd(pattern, p);
  budget.spend((end - p) * MEMBER_STEPS);
  budget.allot(CLASS_BYTES);
  const first = pattern.charCodeAt(p);
  const suffix = pattern.charCodeAt(end);
  const isOne = suffix !== STAR && suffix !== PLUS && suffix !== MINUS && suffix !== QUESTION;
  if (first === DOT) return { end, bytes: ANY, isOne };
  if (first === PERCENT) return { end, bytes: letterClass(pattern.charCodeAt(p + 1)), isOne };
  if (first === BRACKET) return { end, bytes: setClass(pattern, p, end - 1), isOne };
  return { end, bytes: literalClass(first), isOne };
}

/** What was read of a pattern so far, by position. */
export interface ReadPattern {
  readonly classes: (ClassOf | undefined)[];
  /** The bytes of which one must follow for the rest of the pattern to match; null if none must. */
  readonly needed: (Uint8Array | null | undefined)[];
}

/** The patterns that were used. A script uses the same few patterns repeatedly. Each class needs some 400 bytes. */
const known = new Recent<ReadPattern>({ count: 500, weight: 5_000 });

/** What was read of a pattern so far. */
export function readPattern(pattern: string): ReadPattern {
  const before = known.get(pattern);
  if (before) return before;
  const made: ReadPattern = { classes: [], needed: [] };
  known.add(pattern, made, pattern.length);
  return made;
}
