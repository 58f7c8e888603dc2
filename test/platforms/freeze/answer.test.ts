import { beforeAll, describe, expect, it } from "vitest";
import { useStack } from "../../support/use-stack.ts";
import { setStage } from "./stage.ts";

const LEASE_MS = 5_000;
const stack = useStack();
beforeAll(async () => {
  // The server knows the script, so that the first request is the one that is granted.
  await using stage = await setStage(stack, 5000);
  await (await stage.theirs.lock("warm").acquire()).release();
});

// With the short time-out the timer is what it finds first when it wakes, with the long one the answer.
describe.each([4_000, 10_000])("frozen between sending and reading, requestTimeout %i ms", (requestTimeoutMs) => {
  it.each(["tryAcquire", "acquire"])("%s does not return an ended lease", async (step) => {
    await using stage = await setStage(stack, requestTimeoutMs);
    const { frozen, proxy, theirs, name, ledger } = stage;
    let letThrough = (): void => {};
    proxy.next("lock-acquire", async ({ forward, answer }) => {
      const granted = await forward();
      await new Promise<void>((resolve) => {
        letThrough = resolve;
      });
      answer(granted);
    });

    const outcome = frozen.ask(step, LEASE_MS);
    while (proxy.count(({ answers }) => answers.includes("granted")) === 0) await new Promise(setImmediate);
    await frozen.freeze();
    // Its answer lies in its socket, and stays there until its lease is over.
    letThrough();
    const lease = await theirs.lock(name).acquire({ lease: "30s", wait: "20s" });
    ledger.raise(lease.token);
    frozen.wake();

    const result = await outcome;
    if (step === "tryAcquire") expect(result).toBeNull();
    else expect(result).toMatchObject({ code: "lock_timeout" });
    expect(await lease.verify()).toBe(true);
    expect(await theirs.lock(name).inspect()).toMatchObject({ token: lease.token, holds: 1 });
    expect(await lease.release()).toBe(true);
    // And it left nothing behind.
    expect(await theirs.lock(name).inspect()).toMatchObject({ state: "free" });
  });
});
