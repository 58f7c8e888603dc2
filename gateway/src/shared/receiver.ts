/**
 * A receiver of one result or error: one of the two methods is called once, and must not throw. A promise would cost
 * each request turns of the microtask queue.
 */
export interface Receiver<T> {
  receive(value: T): void;
  fail(error: unknown): void;
}

/** Passes the outcome of a promise to a receiver. */
export function passOn<T>(promise: Promise<T>, to: Receiver<T>): void {
  promise.then(
    (value) => to.receive(value),
    (error: unknown) => to.fail(error),
  );
}

/** A promise of the result that `ask` passes to its receiver. */
export function received<T>(ask: (to: Receiver<T>) => void): Promise<T> {
  return new Promise((receive, fail) => ask({ receive, fail }));
}

/** A receiver that passes the result of `map` to `to`, or the error that `map` throws. */
export function mapped<T, U>(to: Receiver<U>, map: (value: T) => U | Promise<U>): Receiver<T> {
  return {
    receive(value) {
      let made: U | Promise<U>;
      try {
        made = map(value);
      } catch (error) {
        to.fail(error);
        return;
      }
      if (made instanceof Promise) passOn(made, to);
      else to.receive(made);
    },
    fail: (error) => to.fail(error),
  };
}
