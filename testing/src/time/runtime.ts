/**
 * The runtime's own clock and timers, as they were when this module was loaded: fake timers replace the global ones.
 */
const { setTimeout: start, Date: RealDate } = globalThis;

interface Immediate {
  readonly setImmediate?: (callback: () => void) => unknown;
}
const { setImmediate: immediate } = globalThis as Immediate;
/** Browsers delay a time-out that another one sets, and those of a page in the background most of all. */
const isPage = "document" in globalThis && "MessageChannel" in globalThis;

/** Whether somebody's fake timers are in place, with a fake `Date`. */
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

/** Lets promises go on that wait for nothing but the runtime, such as answers that are read. */
export async function breathe(): Promise<void> {
  await turn();
  await turn();
}

/** The clock of fake timers that can be moved, where they have one: those of Vitest and Jest. */
export function fakeClock(): { tickAsync(ms: number): Promise<unknown> } | undefined {
  const { clock } = globalThis.setTimeout as unknown as { clock?: { tickAsync?(ms: number): Promise<unknown> } };
  return clock?.tickAsync ? (clock as { tickAsync(ms: number): Promise<unknown> }) : undefined;
}
