import { expect, it } from "vitest";
import { createLocks } from "../../../src/index.ts";
import { createTestRedis } from "../../../testing/src/index.ts";

it("busy: another client holds the lock until its lease expires", async () => {
  const redis = createTestRedis();
  const lock = createLocks(redis.options).lock("invoice:42");
  await redis.hold("invoice:42", { lease: "20s" });
  expect(await lock.tryAcquire()).toBeNull();
  await redis.advance("20s");
  expect(await lock.tryAcquire()).not.toBeNull();
});
