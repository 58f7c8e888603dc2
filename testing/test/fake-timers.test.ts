import { mock } from "node:test";
import { afterEach, expect, it, vi } from "vitest";
import { createLocks } from "../../src/index.ts";
import { createTestRedis, type TestRedis } from "../src/index.ts";

afterEach(() => {
  vi.useRealTimers();
  mock.timers.reset();
});

/** A lease that is kept alive, a waiter, and a timer of the test's own: all of them move together. */
async function scene(redis: TestRedis, advance: (ms: number) => Promise<void>): Promise<void> {
  const locks = createLocks(redis.options);
  const seen: string[] = [];
  // From then on the client knows its scripts by their digests, which are computed in real time.
  const known = await locks.lock("known").acquire();
  await known.extend();
  await known.release();
  const begin = Date.now();
  setTimeout(() => seen.push(`own ${Date.now() - begin}`), 4000);
  await redis.hold("a", { lease: "10s" });
  const waiting = locks.lock("a").acquire({ wait: "1m", lease: "5s" });
  const kept = await locks.lock("b").acquire({ lease: "6s" });
  const done = kept.keepAlive({}, () => new Promise<void>((resolve) => setTimeout(resolve, 60_000)));
  for (let second = 0; second < 30; second++) await advance(1000);
  const lease = await waiting;
  expect(seen).toEqual(["own 4000"]);
  expect(lease.signal.aborted).toBe(true);
  expect(redis.held()).toMatchObject([{ name: "b", token: kept.token }]);
  for (let second = 0; second < 31; second++) await advance(1000);
  await done;
  expect(redis.held()).toEqual([]);
}

it("goes with Vitest's fake timers, moved by Vitest", async () => {
  vi.useFakeTimers();
  await scene(createTestRedis(), async (ms) => {
    await vi.advanceTimersByTimeAsync(ms);
  });
});

it("moves Vitest's fake timers", async () => {
  vi.useFakeTimers();
  const redis = createTestRedis();
  await scene(redis, (ms) => redis.advance(ms));
});

it("goes with fake timers that are put in place later", async () => {
  const redis = createTestRedis();
  await redis.advance("1h");
  vi.useFakeTimers();
  await scene(redis, (ms) => redis.advance(ms));
});

it("says how to move the timers of node:test (54.10)", async () => {
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  await expect(createTestRedis().advance("1s")).rejects.toThrow(
    /call mock\.timers\.tick\(ms\), then await redis\.advance\(0\)$/,
  );
});

it("goes with the timers of node:test", async () => {
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const redis = createTestRedis();
  await scene(redis, async (ms) => {
    mock.timers.tick(ms);
    await redis.advance(0);
  });
});
