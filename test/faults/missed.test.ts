import { expect, it } from "vitest";
import { createLocks } from "../../src/index.ts";
import { freshName, startStack } from "../support/stack.ts";

it("a waiter whose lease was over before the answer came waits on, and gets another", async () => {
  const stack = await startStack();
  try {
    let late = 2;
    const slow: typeof fetch = async (...request) => {
      const response = await fetch(...request);
      // The answer to a grant takes longer than the lease, twice.
      if (late-- > 0) await new Promise((resolve) => setTimeout(resolve, 500));
      return response;
    };
    const lock = createLocks({ url: stack.url, token: stack.token, fetch: slow as never }).lock(freshName());
    const start = performance.now();
    const lease = await lock.acquire({ lease: 300, wait: "20s" });
    expect(performance.now() - start).toBeGreaterThan(900);
    expect(lease.remaining).toBeGreaterThan(0);
    expect(await lease.verify()).toBe(true);
  } finally {
    await stack.stop();
  }
});
