import { nameIn } from "./prefixes.ts";

/** How long a key is watched after its last waiter left, since a contended key soon has another one. */
const LINGER_MS = 5_000;
/** The maximum number of keys that are watched without a waiter. */
const MAX_LINGERING = 1_000;

interface Watched {
  readonly name: string;
  waiters: number;
  writes: number;
  /** When the last waiter left, as of `performance.now()`. */
  idleSince: number;
}

/** The keys with waiters, now or a moment ago. */
export class WatchedKeys {
  /** Rises whenever a key is added or removed. */
  version = 0;
  readonly #keys = new Map<string, Watched>();
  readonly #onLess: () => void;
  /** The keys without a waiter, those without one for the longest time first. */
  readonly #lingering = new Set<string>();
  #sweeping: NodeJS.Timeout | undefined;

  /** @param onLess called when some keys no longer need to be watched */
  constructor(onLess: () => void) {
    this.#onLess = onLess;
  }

  /** Counts one more waiter for a key. A key without a name in braces is not leasehold's, and is not watched. */
  add(key: string): void {
    const name = nameIn(key);
    if (name === undefined) return;
    const known = this.#keys.get(key);
    if (known !== undefined) {
      known.waiters++;
      this.#lingering.delete(key);
      return;
    }
    this.#keys.set(key, { name, waiters: 1, writes: 0, idleSince: 0 });
    this.version++;
    this.#sweeping ??= setInterval(() => this.#sweep(), LINGER_MS).unref();
  }

  remove(key: string): void {
    const watched = this.#keys.get(key);
    if (watched === undefined) return;
    watched.waiters--;
    watched.idleSince = performance.now();
    if (watched.waiters > 0) return;
    this.#lingering.add(key);
    const [oldest] = this.#lingering;
    if (this.#lingering.size > MAX_LINGERING && oldest !== undefined) this.#forget([oldest]);
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  nameOf(key: string): string | undefined {
    return this.#keys.get(key)?.name;
  }

  /** The keys with waiters. */
  awaited(): readonly string[] {
    return [...this.#keys].filter(([, { waiters }]) => waiters > 0).map(([key]) => key);
  }

  /** The names of the matching keys. */
  names(fits: (key: string) => boolean): ReadonlySet<string> {
    const names = new Set<string>();
    for (const [key, { name }] of this.#keys) if (fits(key)) names.add(name);
    return names;
  }

  /** Counts a write of a key, or of all of them. */
  written(key?: string): void {
    if (key === undefined) for (const watched of this.#keys.values()) watched.writes++;
    else {
      const watched = this.#keys.get(key);
      if (watched !== undefined) watched.writes++;
    }
  }

  /** How many writes to a key were counted. */
  writesOf(key: string): number {
    return this.#keys.get(key)?.writes ?? 0;
  }

  close(): void {
    clearInterval(this.#sweeping);
  }

  #forget(keys: readonly string[]): void {
    for (const key of keys) {
      this.#keys.delete(key);
      this.#lingering.delete(key);
    }
    if (keys.length === 0) return;
    this.version++;
    this.#onLess();
  }

  #sweep(): void {
    const before = performance.now() - LINGER_MS;
    this.#forget([...this.#lingering].filter((key) => (this.#keys.get(key)?.idleSince ?? 0) < before));
    if (this.#keys.size > 0) return;
    clearInterval(this.#sweeping);
    this.#sweeping = undefined;
  }
}
