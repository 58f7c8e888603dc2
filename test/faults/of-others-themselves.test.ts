/** The faults of docs/faults-of-others.md whose libraries are at hand: that they are as reported, on a real server. */
import { Lock as UpstashLock } from "@upstash/lock";
import { Redis as UpstashRedis } from "@upstash/redis";
import { Redis } from "ioredis";
import Redlock from "redlock";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freshName, pause, useStack } from "../support/use-stack.ts";

const stack = useStack();
let client: Redis;

beforeAll(() => {
  client = new Redis(stack.redis.url);
});
afterAll(() => client.disconnect());

it.concurrent("node-redlock 168: the release of a lock that expired is an error", async () => {
  const held = await new Redlock([client], { retryCount: 0 }).acquire([freshName()], 30);
  await pause(60);
  await expect(held.release()).rejects.toMatchObject({ name: "ExecutionError" });
});

it.concurrent("node-redlock 299: after a wait longer than the lease, the lock is given out as expired", async () => {
  const name = freshName();
  await client.set(name, "somebody else's", "PX", 500);
  const held = await new Redlock([client], { retryCount: 1000 }).acquire([name], 200);
  expect(held.expiration).toBeLessThan(Date.now());
});

it.concurrent("@upstash/lock 0.2.1: an extension by half a second, or of less than half a second, fails", async () => {
  const { url, token } = stack;
  type Config = ConstructorParameters<typeof UpstashLock>[0];
  // The same class: its types are resolved once as ESM and once as CommonJS.
  const redis = new UpstashRedis({ url, token }) as unknown as Config["redis"];
  const long = new UpstashLock({ id: freshName(), redis, lease: 20_000 });
  expect(await long.acquire()).toBe(true);
  await expect(long.extend(500)).rejects.toThrow("not an integer");
  const brief = new UpstashLock({ id: freshName(), redis, lease: 20_000 });
  expect(await brief.acquire()).toBe(true);
  await client.pexpire(brief.id, 400);
  expect(await brief.extend(2000)).toBe(false);
});
