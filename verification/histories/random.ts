/** Seeded random choices of operations and faults. The timing of a run is not repeatable. */
export interface Random {
  between(min: number, max: number): number;
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T;
}

/** The generator is mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  return {
    between: (min, max) => min + next() * (max - min),
    chance: (share) => next() < share,
    pick: (list) => {
      const one = list[Math.floor(next() * list.length)];
      if (one === undefined) throw new RangeError("nothing to pick from");
      return one;
    },
  };
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
