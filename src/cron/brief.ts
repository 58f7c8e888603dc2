import type { Connection } from "../redis/connect.ts";
import { sleep } from "../shared/timers.ts";
import { type Background, noop } from "../shared/wait-until.ts";

/** What it is given however long everything took. */
const LEAST_MS = 250;

/**
 * Waits for what need not succeed, such as a release, until `requestTimeout` is over with what went before. What is left then goes on
 * in the background.
 */
export async function briefly(
  promise: Promise<unknown>,
  { requestTimeoutMs }: Connection,
  waitUntil: Background | undefined,
  elapsedMs = 0,
): Promise<void> {
  const stop = new AbortController();
  const done = promise.catch(noop).then(() => stop.abort());
  await Promise.race([done, sleep(Math.max(requestTimeoutMs - elapsedMs, LEAST_MS), stop.signal).catch(noop)]);
  if (!stop.signal.aborted) waitUntil?.(done);
}
