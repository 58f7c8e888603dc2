import { onAbort } from "./abort.ts";

/** The maximum delay of `setTimeout`, in ms. A longer one fires immediately. */
export const LONGEST_TIMER_MS: number = 2 ** 31 - 1;

/** Timers of another clock than the runtime's. */
interface Timers {
  setTimeout(callback: () => void, ms: number): unknown;
  clearTimeout(timer: never): void;
}

/** A clock that may have its own timers. */
export interface Timed {
  /** Timers driven by this clock, for tests. Default: those of the runtime. */
  readonly timers?: Timers | undefined;
}

/**
 * Calls `end` after `ms` and when the signal aborts. Returns a function that removes the timer and the listener. A
 * `weak` timer does not keep the process alive.
 */
export function alarm(
  ms: number,
  signal: AbortSignal | undefined,
  end: () => void,
  clock?: Timed,
  weak?: boolean,
): () => void {
  const timers = clock?.timers ?? globalThis;
  const timer = timers.setTimeout(end, Math.min(ms, LONGEST_TIMER_MS));
  // In Node, a timer is an object.
  if (weak) (timer as { unref?(): void }).unref?.();
  const forget = signal && onAbort(signal, end);
  return () => {
    timers.clearTimeout(timer as never);
    forget?.();
  };
}

/**
 * Waits for a promise that never rejects, for at most `ms` or until the signal aborts; then it resolves with undefined.
 * It leaves no timer and no listener.
 */
export const until = <T>(
  promise: Promise<T> | undefined,
  ms: number,
  signal?: AbortSignal,
  clock?: Timed,
): Promise<T | undefined> =>
  new Promise((resolve) => {
    const end = (value?: T): void => {
      stop();
      resolve(value);
    };
    const stop = alarm(ms, signal, () => end(), clock);
    if (signal?.aborted) end();
    else promise?.then(end);
  });

/** Sleeps, or rejects with the signal's reason as soon as it aborts. */
export async function sleep(ms: number, signal?: AbortSignal, clock?: Timed): Promise<void> {
  await until(undefined, ms, signal, clock);
  signal?.throwIfAborted();
}
