/** How long work goes on before others have their turn: about what the answer to one of them takes under load. */
const SLICE_MS = 5;

/**
 * For work that may take long and is done bit by bit: called after each bit, it lets everybody else have a turn when it is time. What it
 * gives is to be awaited where it is not `undefined`.
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
