/** The one listener of a signal, and the callbacks that it calls. */
interface Shared {
  readonly callbacks: Set<() => void>;
  readonly listener: () => void;
}

/**
 * The listeners of the signals that somebody waits for. An entry goes with its last callback, so that nothing of a
 * request outlives the request; a callback is called by the abort of its own signal alone.
 */
const listeners = new WeakMap<AbortSignal, Shared>();

function share(signal: AbortSignal): Shared {
  const callbacks = new Set<() => void>();
  const listener = (): void => {
    listeners.delete(signal);
    // A callback that is removed meanwhile is not called any more.
    for (const callback of callbacks) callback();
  };
  const shared = { callbacks, listener };
  listeners.set(signal, shared);
  signal.addEventListener("abort", listener, { once: true });
  return shared;
}

/**
 * Calls `callback`, which must not throw, when the signal aborts; never for a signal that has aborted already. The
 * function that it returns removes the callback.
 *
 * All callbacks of a signal share one listener: Node warns of a leak from the eleventh listener on, and a process has
 * many waits under its one shutdown signal.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const shared = listeners.get(signal) ?? share(signal);
  // A function of its own, so that a callback that is given twice is called twice.
  const own = (): void => callback();
  shared.callbacks.add(own);
  return () => {
    shared.callbacks.delete(own);
    if (shared.callbacks.size > 0) return;
    signal.removeEventListener("abort", shared.listener);
    if (listeners.get(signal) === shared) listeners.delete(signal);
  };
}
