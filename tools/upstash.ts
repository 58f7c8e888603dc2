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

const HOLD_MS = 5000;
/** How long a silent stream is watched, in ms. Longer with UPSTASH_STREAM_SECONDS. */
const STREAM_MS = Number(process.env["UPSTASH_STREAM_SECONDS"] ?? 10) * 1000;
/** How long before the end of that time it must still be open to count as "longer". */
const SLACK_MS = 500;

/** Measures one waiter behind a holder of some seconds. What the service bills, its console shows. */
async function measureWait(way: string, holding: Locks, waiting: Locks): Promise<void> {
  const name = `wait ${way}`;
  const held = await holding.lock(name).acquire();
  const waiter = waiting.lock(name).acquire({ wait: "30s" });
  await new Promise((go) => setTimeout(go, HOLD_MS));
  await held.release();
  const releasedAt = performance.now();
  const lease = await waiter;
  const gapMs = Math.round(performance.now() - releasedAt);
  await lease.release();
  console.log(`      ${way}: a waiter of ${HOLD_MS / 1000} s had the lock ${gapMs} ms after its release`);
}

/** Measures how long a stream without messages lives. */
async function measureStream({ url, token }: { url: string; token: string }): Promise<void> {
  const began = performance.now();
  const response = await fetch(`${url}/subscribe/leasehold-smoke`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, accept: "text/event-stream" },
    signal: AbortSignal.timeout(STREAM_MS),
  });
  assert.equal(response.status, 200);
  const end = await response.text().then(
    () => "it was ended",
    (error: unknown) => String(error),
  );
  const ms = performance.now() - began;
  const lives =
    ms > STREAM_MS - SLACK_MS ? `for longer than ${STREAM_MS / 1000} s` : `for ${Math.round(ms)} ms (${end})`;
  console.log(`      subscribe: a stream without messages lives ${lives}`);
  console.log("      The console of the database shows how many commands this run was billed.");
}

const { UPSTASH_REDIS_REST_URL: url, UPSTASH_REDIS_REST_TOKEN: token } = process.env;
if (!url || !token) {
  console.log("skipped: UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN are not set, so nothing was tested");
} else {
  const options = { url, token, prefix: `leasehold-smoke:${randomUUID()}:`, requestTimeout: "10s" } as const;
  const locks = createLocks(options);
  for (const [what, run] of CHECKS) {
    const began = performance.now();
    await run(locks);
    console.log(`ok    ${what} (${Math.round(performance.now() - began)} ms)`);
  }
  await measureWait("polling", locks, createLocks(options));
  await measureWait("subscribe", locks, createLocks({ ...options, wake: "subscribe" }));
  await measureStream({ url, token });
}
