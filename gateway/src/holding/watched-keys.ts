import { nameIn } from "./prefixes.ts";

/** How long a key is watched after its last waiter left, since a contended key soon has another one. */
const LINGER_MS = 5_000;

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

  #sweep(): void {
    const now = performance.now();
    const before = this.#keys.size;
    for (const [key, { waiters, idleSince }] of this.#keys) {
      if (waiters === 0 && now - idleSince > LINGER_MS) this.#keys.delete(key);
    }
    if (this.#keys.size < before) {
      this.version++;
      this.#onLess();
    }
    if (this.#keys.size > 0) return;
    clearInterval(this.#sweeping);
    this.#sweeping = undefined;
  }
}
