/** The longest delay of `setTimeout`, in ms. A longer one fires at once. */
export const LONGEST_TIMER_MS: number = 2 ** 31 - 1;

/**
 * Calls `end` after `ms` and when the signal aborts. The function that it returns removes the timer and the listener.
 */
export function alarm(ms: number, signal: AbortSignal | undefined, end: () => void): () => void {
  const timer = setTimeout(end, Math.min(ms, LONGEST_TIMER_MS));
  signal?.addEventListener("abort", end);
  return () => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  };
}

/** Sleeps, or rejects with the signal's reason as soon as it aborts. It leaves no timer and no listener. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      stop();
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    };
    const stop = alarm(ms, signal, end);
    if (signal?.aborted) end();
  });
}
