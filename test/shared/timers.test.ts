import { expect, it } from "vitest";
import { sleep } from "../../src/shared/timers.ts";

it("ends at once on an abort, with its reason, and takes its listener with it", async () => {
  const controller = new AbortController();
  const reason = new Error("enough");
  let listeners = 0;
  const { signal } = controller;
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listeners++;
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listeners--;
    remove(...args);
  };
  await sleep(1, signal);
  expect(listeners).toBe(0);
  const long = sleep(60_000, signal);
  controller.abort(reason);
  await expect(long).rejects.toBe(reason);
  await expect(sleep(1, signal)).rejects.toBe(reason);
});
