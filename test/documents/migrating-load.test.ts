/** The limits of tries in the tables of docs/migrating.md, as programs of both libraries under the same load. */
import { Redis } from "ioredis";
import { Mutex } from "redis-semaphore";
import Redlock from "redlock";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createLocks } from "../../src/index.ts";
import { ioredis } from "../../src/tcp/ioredis.ts";
import { freshName, pause, useStack } from "../support/use-stack.ts";

const stack = useStack();
let client: Redis;
beforeAll(() => {
  client = new Redis(stack.redis.url);
});
afterAll(() => client.disconnect());

const LEASE_MS = 5000;
/** Takes the name and gives back what releases it; null if it was not had in time. */
type Take = () => Promise<(() => Promise<unknown>) | null>;
/** One library's way to take a name. */
type Library = (name: string) => Take;

const redlock =
  (settings: { readonly retryCount?: number }): Library =>
  (name) => {
    // With jitter, it sometimes waits for longer than the row says.
    const locks = new Redlock([client], { ...settings, retryJitter: 0 });
    // It reports each refusal as an error.
    locks.on("error", () => {});
    return async () => {
      const lock = await locks.acquire([name], LEASE_MS).catch(() => null);
      return lock && (() => lock.release());
    };
  };
const redisSemaphore =
  (settings: object): Library =>
  (name) =>
  async () => {
    const mutex = new Mutex(client, name, { lockTimeout: LEASE_MS, ...settings });
    return (await mutex.tryAcquire()) ? () => mutex.release() : null;
  };
const leasehold =
  (wait: number): Library =>
  (name) => {
    const lock = createLocks({ redis: ioredis(client) }).lock(name);
    return async () => {
      const lease = await lock.acquire({ lease: LEASE_MS, wait }).catch(() => null);
      return lease && (() => lease.release());
    };
  };

/** How many of so many callers get the name, each of whom keeps it for a while. */
async function grantsOf(library: Library, callers: number, workMs: number): Promise<number> {
  const name = freshName();
  const grants = await Promise.all(
    Array.from({ length: callers }, async () => {
      const release = await library(name)();
      if (!release) return 0;
      await pause(workMs);
      await release();
      return 1;
    }),
  );
  return grants.reduce<number>((sum, grant) => sum + grant, 0);
}

/** Callers, and the time for which each keeps the name: fewer, as many, and more than fit into the wait. */
const LOADS = [
  { callers: 3, workMs: 100 },
  { callers: 5, workMs: 200 },
  { callers: 12, workMs: 150 },
];
/** On a busy machine, one of them may be slowed down for a round. */
const MAX_ROUNDS = 3;
const ROWS: readonly [row: string, theirs: Library, ours: Library][] = [
  ["redlock, retryCount: 10 (its default): wait 2 s", redlock({}), leasehold(2000)],
  ["redlock, retryCount: 5: wait 1 s", redlock({ retryCount: 5 }), leasehold(1000)],
  ["redlock, retryCount: 0: wait 0", redlock({ retryCount: 0 }), leasehold(0)],
  ["redis-semaphore, acquireTimeout: 1000", redisSemaphore({ acquireTimeout: 1000 }), leasehold(1000)],
  [
    "redis-semaphore, acquireAttemptsLimit: 1",
    redisSemaphore({ acquireAttemptsLimit: 1, acquireTimeout: 1000 }),
    leasehold(0),
  ],
];

it.each(ROWS)("%s: leasehold grants no fewer under the same load (49)", async (row, theirs, ours) => {
  for (const { callers, workMs } of LOADS) {
    let best = Number.NEGATIVE_INFINITY;
    for (let round = 0; round < MAX_ROUNDS && best < 0; round++) {
      const granted = [await grantsOf(theirs, callers, workMs), await grantsOf(ours, callers, workMs)] as const;
      console.info(`${row}, ${callers} callers × ${workMs} ms: ${granted.join(" and ")} grants`);
      best = Math.max(best, granted[1] - granted[0]);
    }
    expect(best).toBeGreaterThanOrEqual(0);
  }
});
