import type { Budget } from "../budget.ts";

/** So many comparisons take the time of a step. */
const COMPARED_IN_A_STEP = 16;
/** So many are made before they are counted. */
const WINDOW = 4096;

/** Redis compares the ends of a range as C's `char`, which has a sign on most machines. */
const signed = (byte: number): number => (byte << 24) >> 24;

/** Whether a character is in the set that begins at `p`, and the position after the set. */
function inSet(pattern: string, p: number, c: number): readonly [isIn: boolean, end: number] {
  const isOut = pattern[p + 1] === "^";
  let at = p + (isOut ? 2 : 1);
  let isIn = false;
  // A set without an end takes the rest of the pattern.
  for (; at < pattern.length; at++) {
    const member = pattern[at];
    const code = pattern.charCodeAt(at);
    if (member === "\\" && at + 1 < pattern.length) {
      at++;
      isIn ||= pattern.charCodeAt(at) === c;
    } else if (member === "]") break;
    else if (pattern[at + 1] === "-" && at + 2 < pattern.length) {
      at += 2;
      const [byte, one, other] = [c, code, pattern.charCodeAt(at)].map(signed) as [number, number, number];
      isIn ||= byte >= Math.min(one, other) && byte <= Math.max(one, other);
    } else isIn ||= code === c;
  }
  return [isIn !== isOut, Math.min(at + 1, pattern.length)];
}

/**
 * Redis's match of a name and a pattern. After a mismatch it returns to the last `*` only, since an earlier one could
 * not match more. So it compares each character of the pattern with each of the name at most once.
 */
function matches(pattern: string, name: string, budget: Budget | undefined): boolean {
  /** The position after the last `*`, and that in the name from which the rest is tried. */
  let star = -1;
  let from = 0;
  let p = 0;
  let at = 0;
  let compared = 0;
  while (at < name.length) {
    compared++;
    if (compared > WINDOW) {
      budget?.spend(Math.ceil(compared / COMPARED_IN_A_STEP));
      compared = 0;
    }
    let next = -1;
    const symbol = pattern[p];
    if (symbol === "*") {
      p++;
      if (p === pattern.length) {
        at = name.length;
        break;
      }
      star = p;
      from = at;
      continue;
    }
    if (symbol === "?") next = p + 1;
    else if (symbol === "[") {
      const [isIn, end] = inSet(pattern, p, name.charCodeAt(at));
      compared += end - p;
      if (isIn) next = end;
    } else {
      const literal = symbol === "\\" && p + 1 < pattern.length ? p + 1 : p;
      if (pattern[literal] === name[at]) next = literal + 1;
    }
    if (next !== -1) {
      p = next;
      at++;
    } else if (star !== -1) {
      p = star;
      at = ++from;
    } else break;
  }
  budget?.spend(Math.ceil(compared / COMPARED_IN_A_STEP));
  if (at < name.length) return false;
  // A `*` at the end also matches nothing, except in an empty name.
  while (name !== "" && pattern[p] === "*") p++;
  return p === pattern.length;
}

/**
 * A test for names by a Redis pattern with `*`, `?`, `[a-c]`, `[^a]` and `\`. It takes at most as many comparisons as
 * the product of both lengths.
 *
 * @returns a function of a name, and of a budget that counts the comparisons
 */
export function glob(pattern: string): (name: string, budget?: Budget) => boolean {
  if (pattern === "*") return () => true;
  return (name, budget) => matches(pattern, name, budget);
}
