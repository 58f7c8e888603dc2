import { countStep, type Machine, type Value } from "./value.ts";

/** A part of a string that a pattern matched. */
export interface Match {
  readonly start: number;
  readonly end: number;
  /** The number of captures in the pattern. */
  readonly count: number;
  /**
   * Without captures in the pattern: the whole match. A position is a number. Valid until the next match.
   *
   * @throws PatternError for a capture that has no end
   */
  readonly captures: () => Value[];
}

export class PatternError extends Error {}

const PERCENT = 37;
const OPEN = 40;
const CLOSE = 41;
const STAR = 42;
const PLUS = 43;
const MINUS = 45;
const QUESTION = 63;
const DOLLAR = 36;
const DOT = 46;
const BRACKET = 91;
const END_BRACKET = 93;
const CARET = 94;

const MOST_CAPTURES = 32;
const UNFINISHED = -1;
const POSITION = -2;

const isDigit = (c: number): boolean => c >= 48 && c <= 57;
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

/** Matches a pattern at one place of a string. */
export class Matcher {
  private readonly machine: Machine;
  private readonly text: string;
  private readonly pattern: string;
  private level = 0;
  private readonly starts: number[] = [];
  private readonly lengths: number[] = [];

  constructor(machine: Machine, text: string, pattern: string) {
    this.machine = machine;
    this.text = text;
    this.pattern = pattern;
  }

  /** @param from where the pattern begins, behind a `^` */
  matchAt(at: number, from: number): Match | undefined {
    this.level = 0;
    const end = this.match(at, from);
    return end === -1 ? undefined : { start: at, end, count: this.level, captures: () => this.captures(at, end) };
  }

  private captures(start: number, end: number): Value[] {
    const { text, starts, lengths, level } = this;
    if (level === 0) return [text.slice(start, end)];
    const all: Value[] = [];
    for (let n = 0; n < level; n++) {
      const from = starts[n] as number;
      const length = lengths[n] as number;
      if (length === UNFINISHED) throw new PatternError("unfinished capture");
      all.push(length === POSITION ? from + 1 : text.slice(from, from + length));
    }
    return all;
  }

  private match(start: number, from: number): number {
    const { pattern, text } = this;
    let at = start;
    let p = from;
    while (p < pattern.length) {
      countStep(this.machine);
      const c = pattern.charCodeAt(p);
      if (c === OPEN)
        return pattern.charCodeAt(p + 1) === CLOSE ? this.open(at, p + 2, POSITION) : this.open(at, p + 1, UNFINISHED);
      if (c === CLOSE) return this.close(at, p + 1);
      if (c === DOLLAR && p + 1 === pattern.length) return at === text.length ? at : -1;
      if (c === PERCENT) {
        const next = pattern.charCodeAt(p + 1);
        if (next === 98) {
          at = this.balanced(at, p + 2);
          if (at === -1) return -1;
          p += 4;
          continue;
        }
        if (next === 102) {
          p += 2;
          if (pattern.charCodeAt(p) !== BRACKET) throw new PatternError("missing '[' after '%f' in pattern");
          const end = this.classEnd(p);
          const before = at === 0 ? 0 : text.charCodeAt(at - 1);
          const here = at < text.length ? text.charCodeAt(at) : 0;
          if (this.inSet(before, p, end - 1) || !this.inSet(here, p, end - 1)) return -1;
          p = end;
          continue;
        }
        if (isDigit(next)) {
          at = this.back(at, next);
          if (at === -1) return -1;
          p += 2;
          continue;
        }
      }
      const end = this.classEnd(p);
      const suffix = pattern.charCodeAt(end);
      if (suffix === STAR) return this.longest(at, p, end, 0);
      if (suffix === PLUS) return this.longest(at, p, end, 1);
      if (suffix === MINUS) return this.shortest(at, p, end);
      const fits = this.fits(at, p, end);
      if (suffix === QUESTION) {
        const after = fits ? this.match(at + 1, end + 1) : -1;
        if (after !== -1) return after;
        p = end + 1;
        continue;
      }
      if (!fits) return -1;
      at++;
      p = end;
    }
    return at;
  }

  /** Where the single-character class at `p` ends. */
  private classEnd(p: number): number {
    const { pattern } = this;
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

  private fits(at: number, p: number, end: number): boolean {
    const { pattern, text } = this;
    if (at >= text.length) return false;
    const c = text.charCodeAt(at);
    const class_ = pattern.charCodeAt(p);
    if (class_ === DOT) return true;
    if (class_ === PERCENT) return inClass(c, pattern.charCodeAt(p + 1));
    if (class_ === BRACKET) return this.inSet(c, p, end - 1);
    return class_ === c;
  }

  /** @param last the place of the closing bracket */
  private inSet(c: number, p: number, last: number): boolean {
    const { pattern } = this;
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

  private longest(at: number, p: number, end: number, least: number): number {
    let count = 0;
    while (this.fits(at + count, p, end)) count++;
    countStep(this.machine, count);
    for (; count >= least; count--) {
      const after = this.match(at + count, end + 1);
      if (after !== -1) return after;
    }
    return -1;
  }

  private shortest(start: number, p: number, end: number): number {
    for (let at = start; ; at++) {
      const after = this.match(at, end + 1);
      if (after !== -1) return after;
      if (!this.fits(at, p, end)) return -1;
    }
  }

  private open(at: number, p: number, length: number): number {
    if (this.level >= MOST_CAPTURES) throw new PatternError("too many captures");
    this.starts[this.level] = at;
    this.lengths[this.level] = length;
    this.level++;
    const after = this.match(at, p);
    if (after === -1) this.level--;
    return after;
  }

  private close(at: number, p: number): number {
    let n = this.level - 1;
    while (n >= 0 && this.lengths[n] !== UNFINISHED) n--;
    if (n < 0) throw new PatternError("invalid pattern capture");
    this.lengths[n] = at - (this.starts[n] as number);
    const after = this.match(at, p);
    if (after === -1) this.lengths[n] = UNFINISHED;
    return after;
  }

  private balanced(at: number, p: number): number {
    const { pattern, text } = this;
    if (p + 1 >= pattern.length) throw new PatternError("unbalanced pattern");
    if (at >= text.length || text.charCodeAt(at) !== pattern.charCodeAt(p)) return -1;
    const [begin, end] = [pattern.charCodeAt(p), pattern.charCodeAt(p + 1)];
    let depth = 1;
    for (let here = at + 1; here < text.length; here++) {
      countStep(this.machine);
      const c = text.charCodeAt(here);
      if (c === end) {
        if (--depth === 0) return here + 1;
      } else if (c === begin) depth++;
    }
    return -1;
  }

  /** The text of an earlier capture again. */
  private back(at: number, digit: number): number {
    const n = digit - 49;
    const length = this.lengths[n];
    if (n < 0 || n >= this.level || length === undefined || length === UNFINISHED)
      throw new PatternError("invalid capture index");
    if (length === POSITION) return -1;
    const start = this.starts[n] as number;
    const captured = this.text.slice(start, start + length);
    countStep(this.machine, length);
    return this.text.startsWith(captured, at) ? at + captured.length : -1;
  }
}

/** The first match from a place on. A `^` at the beginning of the pattern allows only that place. */
export function search(machine: Machine, text: string, pattern: string, from: number): Match | undefined {
  const matcher = new Matcher(machine, text, pattern);
  if (pattern.charCodeAt(0) === CARET) return matcher.matchAt(from, 1);
  for (let at = from; at <= text.length; at++) {
    const match = matcher.matchAt(at, 0);
    if (match) return match;
  }
  return undefined;
}
