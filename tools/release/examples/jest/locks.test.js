// CommonJS in Jest, on a server and on the Redis in memory.
const { createLocks, LeaseholdError } = require("leasehold");
const { createMemoryRedis } = require("leasehold-testing");

const url = process.env.UPSTASH_REDIS_REST_URL;
const token = process.env.UPSTASH_REDIS_REST_TOKEN;

test.each([
  ["a server", () => ({ url, token })],
  ["a Redis in memory", () => createMemoryRedis()],
])("one holder at a time on %s", async (_where, options) => {
  const { url: at, token: by, fetch } = options();
  const locks = createLocks({ url: at, token: by, ...(fetch && { fetch }) });
  const name = `jest:${process.pid}`;
  const lease = await locks.lock(name).acquire();
  expect(await locks.lock(name).tryAcquire()).toBeNull();
  expect(await lease.release()).toBe(true);
  await expect(lease.extend()).rejects.toBeInstanceOf(LeaseholdError);
});
