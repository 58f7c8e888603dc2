/** The most letters that may be wrong in a slip. */
const MAX_SLIPS = 2;
/** The fewest letters of a part that identifies a name; shorter parts occur in many names. */
const MIN_LETTERS = 4;

const plain = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[-_]/g, "")
    .replace(/^leasehold/, "");

/** Levenshtein's distance: the number of letters to add, leave out or exchange to get from one text to the other. */
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

/**
 * The name most probably meant by one with a slip in it, by one written as a flag or a variable, or by a part; if there
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
