/** The runtime's own clock and timers, saved when this module was loaded, since fake timers replace the global ones. */
const { setTimeout: start, Date: RealDate } = globalThis;

interface Immediate {
  readonly setImmediate?: (callback: () => void) => unknown;
}
const { setImmediate: immediate } = globalThis as Immediate;
/** Browsers delay nested time-outs, especially in background pages. */
const isPage = "document" in globalThis && "MessageChannel" in globalThis;

/** Whether fake timers are installed, with a fake `Date`. */
export const isFaked = (): boolean => globalThis.setTimeout !== start && globalThis.Date !== RealDate;

/** Calls back in a task of its own. */
function post(callback: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    callback();
  };
  port2.postMessage(0);
}

/** A real turn of the event loop. */
const turn = (): Promise<void> =>
  new Promise((resolve) => {
    if (immediate) immediate(resolve);
    else if (isPage) post(resolve);
    else start(resolve, 0);
  });

/** Lets promises continue that wait only for the runtime, such as bodies being read. */
export async function breathe(): Promise<void> {
  await turn();
  await turn();
}

/** The clock of fake timers, if it can be advanced: Vitest's and Jest's. */
export function fakeClock(): { tickAsync(ms: number): Promise<unknown> } | undefined {
  const { clock } = globalThis.setTimeout as unknown as { clock?: { tickAsync?(ms: number): Promise<unknown> } };
  return clock?.tickAsync ? (clock as { tickAsync(ms: number): Promise<unknown> }) : undefined;
}
