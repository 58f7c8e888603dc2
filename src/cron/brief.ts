import type { Connection } from "../redis/connect.ts";
import { type Background, noop, sleep } from "../wait.ts";

/**
 * Waits for what need not succeed, such as a release, but for one attempt that goes unanswered and another one at most: when Redis is
 * away a release goes on trying until its lease ends. What is left then goes on in the background.
 */
export async function briefly(
  promise: Promise<unknown>,
  { requestTimeoutMs }: Connection,
  waitUntil: Background | undefined,
): Promise<void> {
  const stop = new AbortController();
  const done = promise.catch(noop).then(() => stop.abort());
  await Promise.race([done, sleep(2 * requestTimeoutMs, stop.signal).catch(noop)]);
  if (!stop.signal.aborted) waitUntil?.(done);
}
