import { toFunction } from "./checks.ts";
import { until } from "./timers.ts";

/**
 * The platform's `waitUntil`: it lets a promise finish after the response was sent. Where no other option is given, the
 * context itself can be passed as the options: `lock.run(ctx, work)`.
 */
export type WaitUntil = (promise: Promise<unknown>) => void;

/** Does nothing: for promises that nobody waits for. */
export const noop = (): void => {};

/** Hands a promise to the platform. It returns the promise, to be awaited, when the platform does not take it. */
export type Background = <T>(promise: Promise<T>) => Promise<T> | undefined;

interface MayWait {
  readonly waitUntil?: WaitUntil | undefined;
}

/** Binds the first `waitUntil` of these options: the platforms' are methods, and throw when they are detached. */
export function boundWaitUntil(given: MayWait, otherwise: MayWait = given): Background | undefined {
  const owner = given.waitUntil ? given : otherwise;
  if (!owner.waitUntil) return undefined;
  toFunction(owner.waitUntil, "waitUntil");
  return (promise) => {
    try {
      owner.waitUntil?.(promise);
      return undefined;
    } catch {
      return promise;
    }
  };
}

/** Hands a promise over where there is a `waitUntil`; otherwise it returns the promise, to be awaited. */
export const handOver = <T>(promise: Promise<T>, waitUntil: Background | undefined): Promise<T> | undefined =>
  waitUntil ? waitUntil(promise) : promise;

/** How long an aborted caller is kept waiting for the clean-up, most of which ends sooner. */
const ABORTED_MS = 200;

/**
 * Waits for clean-up work unless the platform takes it over, and never rejects. After an abort the work continues in the
 * background. Resolves with undefined when the result is not known yet.
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
