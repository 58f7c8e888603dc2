import type { Budget } from "../budget.ts";
import { type ClassOf, isDigit, PatternError, type ReadPattern, readClass, readPattern } from "./pattern-class.ts";
import type { Machine, Value } from "./value.ts";

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
  /** One capture, from 0. The first of a pattern without captures is the whole match. @throws PatternError */
  readonly capture: (n: number) => Value;
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

/** The memory of a captured part of a text. */
const CAPTURE_BYTES = 32;

const MAX_CAPTURES = 32;
const UNFINISHED = -1;
const POSITION = -2;

/** Matches a pattern at one position of a string. */
export class Matcher {
  private readonly budget: Budget;
  private readonly text: string;
  private readonly pattern: string;
  private readonly read: ReadPattern;
  private level = 0;
  private readonly starts: number[] = [];
  private readonly lengths: number[] = [];

  constructor(machine: Machine, text: string, pattern: string) {
    this.budget = machine.budget;
    this.text = text;
    this.pattern = pattern;
    this.read = readPattern(pattern);
  }

  /**
   * The first position from `at` at which a match can begin, or -1; most patterns begin with a class.
   *
   * @param from where the pattern begins
   */
  firstPlace(at: number, from: number): number {
    const { text, budget } = this;
    const needed = this.needed(from);
    if (!needed) return at <= text.length ? at : -1;
    let here = at;
    while (here < text.length && needed[text.charCodeAt(here)] !== 1) here++;
    budget.read(here - at);
    return here < text.length ? here : -1;
  }

  /** @param from where the pattern begins, after a `^` */
  matchAt(at: number, from: number): Match | undefined {
    this.level = 0;
    const end = this.match(at, from);
    if (end === -1) return undefined;
    const capture = (n: number): Value => this.capture(n, at, end);
    return { start: at, end, count: this.level, captures: () => this.captures(capture), capture };
  }

  private captures(capture: (n: number) => Value): Value[] {
    const all: Value[] = [];
    for (let n = 0; n < Math.max(this.level, 1); n++) all.push(capture(n));
    return all;
  }

  private capture(n: number, start: number, end: number): Value {
    const { text, starts, lengths, level, budget } = this;
    budget.allot(CAPTURE_BYTES);
    if (n === 0 && level === 0) return text.slice(start, end);
    if (n >= level) throw new PatternError("invalid capture index");
    const from = starts[n] as number;
    const length = lengths[n] as number;
    if (length === UNFINISHED) throw new PatternError("unfinished capture");
    return length === POSITION ? from + 1 : text.slice(from, from + length);
  }

  private match(start: number, from: number): number {
    const { pattern, text } = this;
    let at = start;
    let p = from;
    while (p < pattern.length) {
      this.budget.spend(1);
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
    const { classes } = this.read;
    classes[p] ??= readClass(this.pattern, p, this.budget);
    return classes[p];
  }

  /** The bytes of which one must follow for the rest of the pattern to match; null if none must. */
  private needed(from: number): Uint8Array | null {
    const { needed } = this.read;
    if (needed[from] === undefined) needed[from] = this.readNeeded(from);
    return needed[from];
  }

  private readNeeded(from: number): Uint8Array | null {
    const { pattern } = this;
    let p = from;
    // A capture begins or ends here.
    while (pattern.charCodeAt(p) === CLOSE || (pattern.charCodeAt(p) === OPEN && pattern.charCodeAt(p + 1) !== CLOSE))
      p++;
    this.budget.read(p - from);
    const c = pattern.charCodeAt(p);
    if (p >= pattern.length || c === OPEN || c === DOLLAR) return null;
    const next = pattern.charCodeAt(p + 1);
    if (c === PERCENT && (next === BALANCED || next === FRONTIER || isDigit(next) || p + 1 >= pattern.length))
      return null;
    const { bytes, isOne, end } = this.classAt(p);
    return isOne || pattern.charCodeAt(end) === PLUS ? bytes : null;
  }

  private longest(at: number, bytes: Uint8Array, end: number, min: number): number {
    const { text } = this;
    let count = 0;
    while (at + count < text.length && bytes[text.charCodeAt(at + count)] === 1) count++;
    this.budget.read(count);
    if (count < min) return -1;
    // If the next byte is not the required one, the rest need not be checked.
    const needed = this.needed(end + 1);
    for (; count >= min; count--) {
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
      if (needed && needed[text.charCodeAt(at)] !== 1) this.budget.spend(1);
      else {
        const after = this.match(at, end + 1);
        if (after !== -1) return after;
      }
      if (at >= text.length || bytes[text.charCodeAt(at)] !== 1) return -1;
    }
  }

  private open(at: number, p: number, length: number): number {
    if (this.level >= MAX_CAPTURES) throw new PatternError("too many captures");
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
    let here = at + 1;
    for (; here < text.length; here++) {
      const c = text.charCodeAt(here);
      if (c === end) {
        if (--depth === 0) break;
      } else if (c === begin) depth++;
    }
    this.budget.read(here - at);
    return here < text.length ? here + 1 : -1;
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
    this.budget.copy(length);
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
