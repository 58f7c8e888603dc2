/** The time that work may take before others get a turn: about the time of one answer under load. */
const SLICE_MS = 5;

/**
 * Creates a function for long work that is done bit by bit. Call it after each bit and await the result: when 5 ms are
 * over, it is a promise that lets everybody else have a turn.
 */
export function createTurns(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < SLICE_MS) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        since = performance.now();
        resolve();
      });
    });
  };
}
