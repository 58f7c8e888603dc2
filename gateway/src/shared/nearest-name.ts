/** The maximum number of wrong letters in a typo. */
const MAX_SLIPS = 2;
/** The minimum length of a part that identifies a name; shorter parts occur in many names. */
const MIN_LETTERS = 4;

const plain = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[-_]/g, "")
    .replace(/^leasehold/, "");

/** The Levenshtein distance: the number of insertions, deletions and substitutions between two texts. */
function slips(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...from].entries()) {
    const next = [at + 1];
    for (let n = 1; n <= to.length; n++) {
      const exchanged = (row[n - 1] ?? 0) + (letter === to[n - 1] ? 0 : 1);
      next.push(Math.min(exchanged, (row[n] ?? 0) + 1, (next[n - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}

/** The name that a text misspells by at most two letters, or writes in another case; if there is any. */
export function misspelt(name: string, names: Iterable<string>): string | undefined {
  const given = plain(name).slice(0, 64);
  return [...names].find((it) => slips(given, plain(it)) <= Math.min(MAX_SLIPS, given.length - MIN_LETTERS));
}

/**
 * The name most probably meant by a text: a typo, a name written as a flag or a variable, or a part of a name; if there
 * is any.
 */
export function nearest(name: string, names: Iterable<string>): string | undefined {
  const given = plain(name).slice(0, 64);
  if (given.length < MIN_LETTERS - 1) return undefined;
  const ranked = [...names]
    .map((it) => {
      const known = plain(it);
      const isPart = given.length >= MIN_LETTERS && (known.includes(given) || given.includes(known));
      const distance = slips(given, known);
      return { it, distance: distance <= MAX_SLIPS || !isPart ? distance : MAX_SLIPS };
    })
    .sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  return best !== undefined && best.distance <= Math.min(MAX_SLIPS, given.length - 2) ? best.it : undefined;
}
