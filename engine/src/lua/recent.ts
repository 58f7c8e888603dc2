/** The maximum of a {@link Recent}. */
export interface Room {
  readonly count: number;
  /** The sum of the weights of all entries. */
  readonly weight: number;
}

interface Entry<Value> {
  readonly value: Value;
  readonly weight: number;
}

/**
 * What was made from callers' texts, to be used again. A server keeps it for all its callers, so it has a maximum
 * number and a maximum weight.
 *
 * It has two generations, each with half of the room. New entries, and those of the older generation that are used,
 * come into the younger one. When that is full, the older one is forgotten, and a new one begins.
 */
export class Recent<Value> {
  readonly #count: number;
  readonly #max: number;
  #young = new Map<string, Entry<Value>>();
  #old = new Map<string, Entry<Value>>();
  #weight = 0;

  constructor({ count, weight }: Room) {
    this.#count = count / 2;
    this.#max = weight / 2;
  }

  get(key: string): Value | undefined {
    const entry = this.#young.get(key);
    if (entry) return entry.value;
    const older = this.#old.get(key);
    if (older) this.add(key, older.value, older.weight);
    return older?.value;
  }

  /** Adds a new entry, unless it needs more than half of the room. */
  add(key: string, value: Value, weight: number): void {
    if (weight > this.#max) return;
    if (this.#young.size >= this.#count || this.#weight + weight > this.#max) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#weight = 0;
    }
    this.#young.set(key, { value, weight });
    this.#weight += weight;
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
    this.#weight = 0;
  }
}
