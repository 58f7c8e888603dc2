import { toOptionalFunction } from "./checks.ts";
import { until } from "./timers.ts";

/**
 * The platform's `waitUntil`, which lets a promise finish after the response was sent. Without other options, pass the
 * platform's context itself as the options: `lock.run(ctx, work)`.
 */
export type WaitUntil = (promise: Promise<unknown>) => void;

/** Does nothing: for promises that are not awaited. */
export const noop = (): void => {};

/** Passes a promise to the platform. If the platform does not accept it, returns the promise, to be awaited. */
export type Background = <T>(promise: Promise<T>) => Promise<T> | undefined;

interface MayWait {
  readonly waitUntil?: WaitUntil | undefined;
}

/**
 * Binds the first `waitUntil` of these options: the platforms' are methods, which throw if they are called without
 * their object.
 */
export function boundWaitUntil(option: MayWait, otherwise: MayWait = option): Background | undefined {
  const owner = toOptionalFunction(option.waitUntil, "waitUntil") ? option : otherwise;
  if (!toOptionalFunction(owner.waitUntil, "waitUntil")) return undefined;
  return (promise) => {
    try {
      owner.waitUntil?.(promise);
      return undefined;
    } catch {
      return promise;
    }
  };
}

/** Passes a promise to `waitUntil`, if there is one; otherwise returns the promise, to be awaited. */
export const handOver = <T>(promise: Promise<T>, waitUntil: Background | undefined): Promise<T> | undefined =>
  waitUntil ? waitUntil(promise) : promise;

/** The maximum time that an aborted caller waits for the clean-up, which usually ends sooner. */
const ABORTED_MS = 200;

/**
 * Waits for clean-up work, unless the platform takes it over. It never rejects. After an abort, the work continues in
 * the background. Resolves with undefined if the result is not known yet.
 */
export async function settled<T>(
  work: Promise<T>,
  waitUntil: Background | undefined,
  signal: AbortSignal | undefined,
): Promise<T | undefined> {
  const awaited = handOver(work, waitUntil);
  if (!awaited) return undefined;
  const result = await until(awaited, Number.POSITIVE_INFINITY, signal);
  return signal?.aborted ? until(awaited, ABORTED_MS) : result;
}
