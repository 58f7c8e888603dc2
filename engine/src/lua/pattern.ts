import { type ClassOf, classesOf, isDigit, PatternError, readClass } from "./pattern-class.ts";
import { countStep, type Machine, type Value } from "./value.ts";

/** A part of a string that a pattern matched. */
export interface Match {
  readonly start: number;
  readonly end: number;
  /** The number of captures in the pattern. */
  readonly count: number;
  /**
   * Without captures in the pattern, the whole match. A position is a number. Valid until the next match.
   *
   * @throws PatternError for a capture without an end
   */
  readonly captures: () => Value[];
}

const PERCENT = 37;
const OPEN = 40;
const CLOSE = 41;
const STAR = 42;
const PLUS = 43;
const MINUS = 45;
const QUESTION = 63;
const DOLLAR = 36;
const BRACKET = 91;
const CARET = 94;
const BALANCED = 98;
const FRONTIER = 102;

const MOST_CAPTURES = 32;
const UNFINISHED = -1;
const POSITION = -2;

/** Matches a pattern at one position of a string. */
export class Matcher {
  private readonly machine: Machine;
  private readonly text: string;
  private readonly pattern: string;
  private readonly classes: (ClassOf | undefined)[];
  private level = 0;
  private readonly starts: number[] = [];
  private readonly lengths: number[] = [];

  constructor(machine: Machine, text: string, pattern: string) {
    this.machine = machine;
    this.text = text;
    this.pattern = pattern;
    this.classes = classesOf(pattern);
  }

  /**
   * The first position from `at` at which a match can begin, or -1; most patterns begin with a class.
   *
   * @param from where the pattern begins
   */
  firstPlace(at: number, from: number): number {
    const needed = this.needed(from);
    if (!needed) return at <= this.text.length ? at : -1;
    for (let here = at; here < this.text.length; here++) if (needed[this.text.charCodeAt(here)] === 1) return here;
    return -1;
  }

  /** @param from where the pattern begins, after a `^` */
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
        if (next === BALANCED) {
          at = this.balanced(at, p + 2);
          if (at === -1) return -1;
          p += 4;
          continue;
        }
        if (next === FRONTIER) {
          p += 2;
          if (pattern.charCodeAt(p) !== BRACKET) throw new PatternError("missing '[' after '%f' in pattern");
          const { end, bytes } = this.classAt(p);
          const before = at === 0 ? 0 : text.charCodeAt(at - 1);
          const here = at < text.length ? text.charCodeAt(at) : 0;
          if (bytes[before] === 1 || bytes[here] !== 1) return -1;
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
      const { end, bytes } = this.classAt(p);
      const suffix = pattern.charCodeAt(end);
      if (suffix === STAR) return this.longest(at, bytes, end, 0);
      if (suffix === PLUS) return this.longest(at, bytes, end, 1);
      if (suffix === MINUS) return this.shortest(at, bytes, end);
      const fits = at < text.length && bytes[text.charCodeAt(at)] === 1;
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

  /** The class that begins at `p`. */
  private classAt(p: number): ClassOf {
    const before = this.classes[p];
    if (before) return before;
    const made = readClass(this.pattern, p);
    this.classes[p] = made;
    return made;
  }

  /** The bytes of which one must follow for the rest of the pattern to match; undefined if none must. */
  private needed(from: number): Uint8Array | undefined {
    const { pattern } = this;
    let p = from;
    // A capture begins or ends here.
    while (pattern.charCodeAt(p) === CLOSE || (pattern.charCodeAt(p) === OPEN && pattern.charCodeAt(p + 1) !== CLOSE))
      p++;
    const c = pattern.charCodeAt(p);
    if (p >= pattern.length || c === OPEN || c === DOLLAR) return undefined;
    const next = pattern.charCodeAt(p + 1);
    if (c === PERCENT && (next === BALANCED || next === FRONTIER || isDigit(next) || p + 1 >= pattern.length))
      return undefined;
    const { bytes, isOne, end } = this.classAt(p);
    return isOne || pattern.charCodeAt(end) === PLUS ? bytes : undefined;
  }

  private longest(at: number, bytes: Uint8Array, end: number, least: number): number {
    const { text } = this;
    let count = 0;
    while (at + count < text.length && bytes[text.charCodeAt(at + count)] === 1) count++;
    countStep(this.machine, count);
    if (count < least) return -1;
    // If the next byte is not the required one, the rest need not be checked.
    const needed = this.needed(end + 1);
    for (; count >= least; count--) {
      if (needed && needed[text.charCodeAt(at + count)] !== 1) continue;
      const after = this.match(at + count, end + 1);
      if (after !== -1) return after;
    }
    return -1;
  }

  private shortest(start: number, bytes: Uint8Array, end: number): number {
    const { text } = this;
    const needed = this.needed(end + 1);
    for (let at = start; ; at++) {
      if (needed && needed[text.charCodeAt(at)] !== 1) countStep(this.machine);
      else {
        const after = this.match(at, end + 1);
        if (after !== -1) return after;
      }
      if (at >= text.length || bytes[text.charCodeAt(at)] !== 1) return -1;
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

  /** A back-reference to an earlier capture. */
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

/** The first match from a position. A `^` at the beginning of the pattern allows only that position. */
export function search(machine: Machine, text: string, pattern: string, from: number): Match | undefined {
  const matcher = new Matcher(machine, text, pattern);
  if (pattern.charCodeAt(0) === CARET) return matcher.matchAt(from, 1);
  for (let at = matcher.firstPlace(from, 0); at !== -1; at = matcher.firstPlace(at + 1, 0)) {
    const match = matcher.matchAt(at, 0);
    if (match) return match;
  }
  return undefined;
}
