/**
 * The parts of a simulation: seeded chance, simulated time, and tasks that wait for things without the microtask queue.
 */

/** Uniform in [0, 1), the same for the same seed (mulberry32). */
export type Random = () => number;

export function randomFrom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Uniform in [low, high). */
export const between = (random: Random, low: number, high: number): number => low + random() * (high - low);

/** Positive with this mean, many of them small: how far apart things that happen at random are. */
export const spacing = (random: Random, mean: number): number => -mean * Math.log(1 - random());

/** A value that will come: a promise whose listener is called at once, inside the event that brings the value. */
export class Future<T> {
  #value: { readonly value: T } | undefined;
  #listener: ((value: T) => void) | undefined;

  /** The first value counts. */
  settle(value: T): void {
    if (this.#value) return;
    this.#value = { value };
    this.#listener?.(value);
  }

  /** One listener is enough here. */
  listen(listener: (value: T) => void): void {
    if (this.#value) listener(this.#value.value);
    else this.#listener = listener;
  }

  get settled(): boolean {
    return this.#value !== undefined;
  }

  promise(): Promise<T> {
    return new Promise((resolve) => this.listen(resolve));
  }
}

/** Code that waits: what an async function is, but for who goes on with it. */
// biome-ignore lint/suspicious/noExplicitAny: a generator cannot say that each yield gives the value of what it yielded.
export type Task<T> = Generator<Future<any>, T, any>;

/** `yield* wait(future)` is to a task what `await` is to an async function. */
export function* wait<T>(future: Future<T>): Task<T> {
  return (yield future) as T;
}

/** Runs a task inside the events that it waits for. */
export function start<T>(task: Task<T>): Future<T> {
  const result = new Future<T>();
  const step = (value?: unknown): void => {
    const { done, value: next } = task.next(value);
    if (done) result.settle(next as T);
    else (next as Future<unknown>).listen(step);
  };
  step();
  return result;
}

/** Runs a task as an async function would run, which proves that one could stand in its place. */
export async function startAsync<T>(task: Task<T>): Promise<T> {
  let step = task.next();
  while (!step.done) step = task.next(await (step.value as Future<unknown>).promise());
  return step.value;
}

interface Event {
  readonly at: number;
  /** Two events at the same time come in the order in which they were planned. */
  readonly order: number;
  readonly run: () => void;
}

const earlier = (a: Event, b: Event): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);

/** Simulated time in ms, and what is yet to happen: a binary heap. */
export class Timeline {
  now = 0;
  #heap: Event[] = [];
  #planned = 0;

  after(delayMs: number, run: () => void): void {
    const heap = this.#heap;
    const event = { at: this.now + Math.max(0, delayMs), order: this.#planned++, run };
    let hole = heap.push(event) - 1;
    while (hole > 0) {
      const up = (hole - 1) >> 1;
      const parent = heap[up] as Event;
      if (!earlier(event, parent)) break;
      heap[hole] = parent;
      hole = up;
    }
    heap[hole] = event;
  }

  /** Makes the next event happen; false when there is none before `end`. */
  step(end: number): boolean {
    const heap = this.#heap;
    const first = heap[0];
    if (!first || first.at > end) return false;
    const last = heap.pop() as Event;
    if (heap.length > 0) this.#sink(last);
    this.now = first.at;
    first.run();
    return true;
  }

  #sink(event: Event): void {
    const heap = this.#heap;
    const { length } = heap;
    let hole = 0;
    for (;;) {
      let down = 2 * hole + 1;
      if (down >= length) break;
      const right = heap[down + 1];
      if (right && earlier(right, heap[down] as Event)) down++;
      const child = heap[down] as Event;
      if (!earlier(child, event)) break;
      heap[hole] = child;
      hole = down;
    }
    heap[hole] = event;
  }
}
