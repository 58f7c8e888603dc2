import { expect, it } from "vitest";
import { createLocks } from "../../../src/index.ts";
import { createTestRedis } from "../../../testing/src/index.ts";

it("a counter has all permits again once it has not changed for its ttl, as docs/locks.md says (54.10)", async () => {
  const redis = createTestRedis();
  const tickets = createLocks(redis.options).counter("concert");
  const sells = async (): Promise<boolean> => {
    await tickets.trySetPermits(1);
    return tickets.tryAcquire();
  };
  expect([await sells(), await sells()]).toEqual([true, false]);
  await redis.advance("6d");
  expect(await tickets.available()).toBe(0);
  await redis.advance("2d");
  expect(await sells()).toBe(true);
});
