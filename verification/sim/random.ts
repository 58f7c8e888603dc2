/**
 * Random numbers seeded by a string: each purpose has its own stream, so that leaving one out does not change the
 * others.
 */
export interface Random {
  /** Uniform in [0, 1). */
  (): number;
  /** An integer from 0 to below `end`. */
  below(end: number): number;
  between(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
}

export function createRandom(text: string): Random {
  let state = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) state = Math.imul(state ^ text.charCodeAt(index), 0x01000193);
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return Object.assign(next, {
    below: (end: number) => Math.floor(next() * end),
    between: (min: number, max: number) => min + next() * (max - min),
    chance: (probability: number) => next() < probability,
    pick: <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T,
  });
}
