/** The number of insertions, deletions, substitutions and swaps of neighbours between two words. */
function distance(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, n) => n)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= from.length; row++) {
    rows[row] = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const changed = at(row - 1, column - 1) + (isSame ? 0 : 1);
      const swapped = isSwapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY;
      (rows[row] as number[])[column] = Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, changed, swapped);
    }
  }
  return at(from.length, to.length);
}

/** Returns the known word that was probably meant; undefined if none is similar. */
export function nearest(given: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((word) => ({ word, far: word.startsWith(given) && given.length > 1 ? 1 : distance(given, word) }))
    .sort((a, b) => a.far - b.far);
  return best && best.far <= Math.max(1, Math.floor(given.length / 3)) ? best.word : undefined;
}
