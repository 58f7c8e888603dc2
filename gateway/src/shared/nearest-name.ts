import { distance } from "fastest-levenshtein";

/** The maximum number of wrong letters in a typo. */
const MAX_SLIPS = 2;
/** The minimum length of a part that identifies a name; shorter parts occur in many names. */
const MIN_LETTERS = 4;
/** The number of letters that are compared; no name is longer. */
const MAX_LETTERS = 64;

const plain = (name: string): string =>
  name
    .slice(0, 2 * MAX_LETTERS)
    .toLowerCase()
    .replace(/[-_]/g, "")
    .replace(/^leasehold/, "")
    .slice(0, MAX_LETTERS);

/** The name that a text misspells by at most two letters, or writes in another case; if there is any. */
export function misspelt(name: string, names: Iterable<string>): string | undefined {
  const wanted = plain(name);
  return [...names].find((it) => distance(wanted, plain(it)) <= Math.min(MAX_SLIPS, wanted.length - MIN_LETTERS));
}

function slipsBetween(wanted: string, known: string): number {
  // A name that somebody began to type.
  if (known.startsWith(wanted)) return Math.min(1, known.length - wanted.length);
  const isPart = known.includes(wanted) || wanted.includes(known);
  const slips = distance(wanted, known);
  return isPart && Math.min(wanted.length, known.length) >= MIN_LETTERS ? Math.min(slips, MAX_SLIPS) : slips;
}

/**
 * The name most probably meant by a text: a typo, a name written as a flag or a variable, the beginning of a name or a
 * part of it; if there is any.
 */
export function nearest(name: string, names: Iterable<string>): string | undefined {
  const wanted = plain(name);
  const [best] = [...names]
    .map((it) => ({ it, slips: slipsBetween(wanted, plain(it)) }))
    .sort((a, b) => a.slips - b.slips);
  return best !== undefined && best.slips <= Math.min(MAX_SLIPS, wanted.length - 2) ? best.it : undefined;
}
