/**
 * A short test on a real database of Upstash, named by UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN.
 *
 *   npm run test:upstash
 *
 * Without them, nothing is tested, and it says so. It uses its own names, which expire after some minutes.
 */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { createLocks, type Locks } from "../src/index.ts";

type Check = readonly [what: string, run: (locks: Locks) => Promise<void>];

const CHECKS: readonly Check[] = [
  [
    "one holder at a time, and the token rises",
    async (locks) => {
      const held = await locks.lock("lock").acquire({ lease: "20s" });
      assert.equal(await locks.lock("lock").tryAcquire(), null);
      assert.equal(await held.verify(), true);
      await held.extend("40s");
      assert.equal(await held.release(), true);
      const next = await locks.lock("lock").acquire();
      assert.ok(next.token > held.token);
      await next.release();
    },
  ],
  [
    "a waiter is served, and a queue keeps its order",
    async (locks) => {
      const held = await locks.fairLock("fair").acquire();
      const waiting = locks.fairLock("fair").acquire({ wait: "20s" });
      while ((await locks.fairLock("fair").inspect()).waiters === 0) await new Promise((go) => setTimeout(go, 100));
      assert.equal(await locks.fairLock("fair").tryAcquire(), null);
      await held.release();
      await (await waiting).release();
    },
  ],
  [
    "an expired lease is taken over",
    async (locks) => {
      const expired = await locks.lock("expired").acquire({ lease: "500ms" });
      const next = await locks.lock("expired").acquire({ wait: "20s" });
      await assert.rejects(expired.extend(), { code: "lease_lost" });
      await next.release();
    },
  ],
  [
    "permits, readers and several names at once",
    async (locks) => {
      const permits = locks.semaphore("permits", { permits: 2 });
      const taken = [await permits.acquire(), await permits.acquire()];
      assert.equal(await permits.tryAcquire(), null);
      for (const permit of taken) await permit.release();
      const reader = await locks.readWriteLock("rw").read.acquire();
      assert.equal(await locks.readWriteLock("rw").write.tryAcquire(), null);
      await reader.release();
      await locks.multiLock(["a", "b"]).run({ wait: "20s" }, async () => undefined);
    },
  ],
  [
    "work runs once",
    async (locks) => {
      const key = locks.once("once", { ttl: "5m" });
      assert.equal((await key.run({}, () => "first")).status, "done");
      const again = await key.run({}, () => "second");
      assert.deepEqual(again.status === "done" && again.result, "first");
    },
  ],
];

const { UPSTASH_REDIS_REST_URL: url, UPSTASH_REDIS_REST_TOKEN: token } = process.env;
if (!url || !token) {
  console.log("skipped: UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN are not set, so nothing was tested");
} else {
  const locks = createLocks({ url, token, prefix: `leasehold-smoke:${randomUUID()}:`, requestTimeout: "10s" });
  for (const [what, run] of CHECKS) {
    const began = performance.now();
    await run(locks);
    console.log(`ok    ${what} (${Math.round(performance.now() - began)} ms)`);
  }
}
