import type { Readable } from "node:stream";

/** The time of one slice of work before others continue: about the time of one answer under load. */
const SLICE_MS = 5;
/** The largest chunk that is always read in one step, since it takes less than a slice. */
const SMALL_CHUNK = 16 * 1024;

/**
 * Work that continues later: one slice in each turn of the event loop, for all clients together, so that slices do not
 * add up.
 */
const waiting: (() => void)[] = [];

function continueNext(): void {
  const next = waiting.shift();
  if (waiting.length > 0) setImmediate(continueNext);
  next?.();
}

function wait(work: () => void): void {
  if (waiting.push(work) === 1) setImmediate(continueNext);
}

/**
 * Creates a function for long work done in steps. Call it after each step and await the result: after 5 ms, it is a
 * promise that lets all others continue first.
 */
export function createTurns(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < SLICE_MS) return undefined;
    return new Promise((resolve) => {
      wait(() => {
        since = performance.now();
        resolve();
      });
    });
  };
}

/** The time that reading took in this turn of the event loop, in ms. */
let spentMs = 0;
let isMeasured = false;

function measure(read: (chunk: Buffer) => void, chunk: Buffer): void {
  const since = performance.now();
  read(chunk);
  spentMs += performance.now() - since;
  if (isMeasured) return;
  isMeasured = true;
  setImmediate(() => {
    isMeasured = false;
    spentMs = 0;
  });
}

/**
 * Reads a stream in slices: once reading all streams has taken 5 ms in this turn of the event loop, a large chunk waits
 * for its turn, and its stream with it.
 */
export function readInTurns(stream: Readable, read: (chunk: Buffer) => void): void {
  stream.on("data", (chunk: Buffer) => {
    if (chunk.length <= SMALL_CHUNK || spentMs < SLICE_MS) {
      measure(read, chunk);
      return;
    }
    stream.pause();
    wait(() => {
      if (stream.destroyed) return;
      measure(read, chunk);
      stream.resume();
    });
  });
}
