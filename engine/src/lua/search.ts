import type { Budget } from "../budget.ts";

/** A text this short is found by JavaScript's own search, which may compare all of it at each position. */
const SHORT = 32;
const COMPARED_IN_A_STEP = 64;
/** Passing a position takes the time of so many comparisons. */
const LOOKED_AT = 4;
/** So many positions are searched before they are counted. */
const WINDOW = 4096;

/** For each part at the beginning of a text: the length of the longest shorter part that begins and ends it. */
function bordersOf(text: string): Uint32Array {
  const borders = new Uint32Array(text.length);
  let length = 0;
  for (let at = 1; at < text.length; at++) {
    const c = text.charCodeAt(at);
    while (length > 0 && text.charCodeAt(length) !== c) length = borders[length - 1] as number;
    if (text.charCodeAt(length) === c) length++;
    borders[at] = length;
  }
  return borders;
}

/** Knuth, Morris and Pratt's search, which goes back nowhere. */
function findLong(budget: Budget, text: string, wanted: string, from: number): number {
  budget.allot(wanted.length * Uint32Array.BYTES_PER_ELEMENT);
  budget.read(wanted.length);
  const borders = bordersOf(wanted);
  let length = 0;
  let counted = from;
  let found = -1;
  for (let at = from; at < text.length && found === -1; at++) {
    if (at - counted === WINDOW) {
      budget.read(WINDOW);
      counted = at;
    }
    const c = text.charCodeAt(at);
    while (length > 0 && wanted.charCodeAt(length) !== c) length = borders[length - 1] as number;
    if (wanted.charCodeAt(length) === c) length++;
    if (length === wanted.length) found = at - length + 1;
  }
  budget.read((found === -1 ? text.length : found) - counted);
  return found;
}

/** The first position from `from` at which a text occurs in another, or -1. */
export function indexIn(budget: Budget, text: string, wanted: string, from: number): number {
  if (wanted.length > SHORT) return findLong(budget, text, wanted, from);
  for (let at = from; at + wanted.length <= text.length; at += WINDOW) {
    const found = text.slice(at, at + WINDOW + wanted.length - 1).indexOf(wanted);
    const passed = found === -1 ? Math.min(WINDOW, text.length - at) : found;
    budget.spend(Math.floor((passed * (wanted.length + LOOKED_AT)) / COMPARED_IN_A_STEP));
    if (found !== -1) return at + found;
  }
  return -1;
}
