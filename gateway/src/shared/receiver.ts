/**
 * Somebody who waits for a result. One of the two methods is called, once, and neither throws. A promise would cost
 * each request turns of the microtask queue.
 */
export interface Receiver<T> {
  receive(value: T): void;
  fail(error: unknown): void;
}

/** Gives a receiver what becomes of a promise. */
export function passOn<T>(promise: Promise<T>, to: Receiver<T>): void {
  promise.then(
    (value) => to.receive(value),
    (error: unknown) => to.fail(error),
  );
}

/** A promise of the result that `ask` gives to its receiver. */
export function received<T>(ask: (to: Receiver<T>) => void): Promise<T> {
  return new Promise((receive, fail) => ask({ receive, fail }));
}
