/** The one listener of a signal, and the callbacks that it calls. */
interface Shared {
  readonly callbacks: Set<() => void>;
  readonly listener: () => void;
}

/**
 * The listeners of signals with callbacks. An entry is removed with its last callback, so that nothing outlives its
 * request. Only the abort of its own signal calls a callback.
 */
const listeners = new WeakMap<AbortSignal, Shared>();

function share(signal: AbortSignal): Shared {
  const callbacks = new Set<() => void>();
  const listener = (): void => {
    listeners.delete(signal);
    // A callback removed meanwhile is not called.
    for (const callback of callbacks) callback();
  };
  const shared = { callbacks, listener };
  listeners.set(signal, shared);
  signal.addEventListener("abort", listener, { once: true });
  return shared;
}

/**
 * Calls `callback`, which must not throw, when the signal aborts; never if it has already aborted. Returns a function
 * that removes the callback.
 *
 * All callbacks of a signal share one listener: Node warns of a leak at the eleventh listener, and a process may have
 * many waits under one shutdown signal.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const shared = listeners.get(signal) ?? share(signal);
  // A new function, so that a callback that is passed twice is called twice.
  const own = (): void => callback();
  shared.callbacks.add(own);
  return () => {
    shared.callbacks.delete(own);
    if (shared.callbacks.size > 0) return;
    signal.removeEventListener("abort", shared.listener);
    if (listeners.get(signal) === shared) listeners.delete(signal);
  };
}
