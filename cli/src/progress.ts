import type { Output } from "./command.ts";
import { duration } from "./text.ts";

const EVERY_MS = 200;

/** Shows on a terminal, in one line, that work is in progress. Returns a function that removes the line. */
export function showProgress(err: Output, say: () => string): () => void {
  if (!err.isTerminal) return () => {};
  const began = Date.now();
  let isShown = false;
  const timer = setInterval(() => {
    isShown = true;
    err.raw(`\r\u001b[K${say()}, ${duration(Date.now() - began)}`);
  }, EVERY_MS);
  return () => {
    clearInterval(timer);
    if (isShown) err.raw("\r\u001b[K");
  };
}
