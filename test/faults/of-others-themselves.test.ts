/** Reproduces faults of docs/faults-of-others.md with the libraries themselves, on a real server. */
import { IdempotencyConfig, makeIdempotent } from "@aws-lambda-powertools/idempotency";
import { CachePersistenceLayer } from "@aws-lambda-powertools/idempotency/cache";
import { Lock as UpstashLock } from "@upstash/lock";
import { Redis as UpstashRedis } from "@upstash/redis";
import { Redis } from "ioredis";
import { createClient } from "redis";
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

/** A function that Powertools makes idempotent, over its own layer for Redis. */
async function idempotent(config: object, work: () => Promise<string>) {
  const cache = createClient({ url: stack.redis.url });
  await cache.connect();
  const persistenceStore = new CachePersistenceLayer({ client: cache });
  const call = makeIdempotent(async (_event: { id: string; cents?: number }) => work(), {
    persistenceStore,
    config: new IdempotencyConfig({ eventKeyJmesPath: "id", ...config }),
    keyPrefix: freshName(),
  });
  return { call, close: () => cache.destroy() };
}

it.concurrent("powertools-lambda-typescript 5678: two calls of one key run at once", async () => {
  let runs = 0;
  const { call, close } = await idempotent({}, async () => {
    runs += 1;
    await pause(300);
    return "charged";
  });
  const first = call({ id: "1" });
  while (runs === 0) await pause(5);
  const second = call({ id: "1" });
  expect(await Promise.all([first, second])).toEqual(["charged", "charged"]);
  expect(runs).toBe(2);
  close();
});

it.concurrent("powertools-lambda-typescript 5705: an identical retry of a finished run fails validation", async () => {
  const { call, close } = await idempotent({ payloadValidationJmesPath: "cents" }, async () => "charged");
  expect(await call({ id: "1", cents: 100 })).toBe("charged");
  await expect(call({ id: "1", cents: 100 })).rejects.toMatchObject({ name: "IdempotencyValidationError" });
  close();
});
