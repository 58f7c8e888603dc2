/** The `q` quantile of the values; NaN for none. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}

/** The mean of the two middle values if their number is even. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.slice(Math.floor((sorted.length - 1) / 2), Math.floor(sorted.length / 2) + 1);
  return middle.reduce((sum, value) => sum + value, 0) / middle.length;
}

/** Uniform in [0, 1) and the same for the same seed (mulberry32): every subject gets the same pauses. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

export interface Comparison {
  readonly verdict: "yes" | "no" | "same";
  /** The number of paired runs in which leasehold's value was smaller. */
  readonly betterIn: number;
  readonly runs: number;
}

/** Whether leasehold is better (smaller), by the medians of paired runs. A difference of 1 % counts as equal. */
export function compare(ours: readonly number[], theirs: readonly number[]): Comparison {
  const [mine, other] = [median(ours), median(theirs)];
  const same = Math.abs(mine - other) <= 0.01 * Math.max(mine, other);
  const betterIn = ours.filter((value, run) => value < (theirs[run] ?? Number.NaN)).length;
  return { verdict: same ? "same" : mine < other ? "yes" : "no", betterIn, runs: ours.length };
}
