import { type Lock as TheirLock, Verrou } from "@verrou/core";
import { redisStore } from "@verrou/core/drivers/redis";
import { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { createLocks, type Lease, type Lock, type Locks, LockTimeoutError } from "../../../src/index.ts";
import { ioredis } from "../../../src/tcp/ioredis.ts";
import { pause, useStack } from "../../support/use-stack.ts";
import { evaluate, expectExclusion, expectSamePatience, type Holding, holdingBy, testRows, underLoad } from "./rows.ts";

interface TheirFactory {
  createLock(name: string, ttl?: string | number | null): TheirLock;
  restoreLock(data: object): TheirLock;
}

const stack = useStack();
const ALL = { served: 5, refused: 0, maxInside: 1 };
const name = "a";
let client: Redis;
let verrou: TheirFactory;
let locks: Locks;

beforeAll(() => {
  client = new Redis(stack.redis.url);
  const driver = redisStore({ connection: client as never });
  verrou = new Verrou({ default: "redis", stores: { redis: { driver } } }) as unknown as TheirFactory;
});
beforeEach(async () => {
  await client.flushall();
  locks = createLocks({ redis: ioredis(client) });
});
afterAll(() => client.disconnect());

const theirs = (ttl: string | null = "30s"): TheirLock => verrou.createLock(name, ttl);
const ours = (): Lock => locks.lock(name);
const theirsOf =
  (make: () => TheirLock, options: object = {}): Holding =>
  async () => {
    const lock = make();
    if (!(await lock.acquire(options))) throw new Error("it is held");
    return () => lock.release();
  };
const oursOf =
  (make: () => Lock, options: object = {}): Holding =>
  async () => {
    const lease = await make().acquire(options);
    return () => lease.release();
  };
const holdBoth = async (): Promise<void> => {
  await theirs("60s").acquire();
  await ours().acquire();
};

testRows("From verrou", {
  async "verrou.createLock(name, ttl)"({ theirs: [left], ours: [right] }) {
    const before = theirsOf(() => evaluate<TheirLock>(left, { verrou, name, ttl: "30s" }));
    const now = oursOf(() => evaluate<Lock>(right, { locks, name, lease: "30s" }));
    await expectExclusion(before, before);
    await expectExclusion(now, now);
    expect([await underLoad(before), await underLoad(now)]).toEqual([ALL, ALL]);
  },
  async "lock.run(work)"({ theirs: [left], ours: [right] }) {
    const before = holdingBy((work) => evaluate(left, { work, lock: theirs() }));
    const now = holdingBy((work) => evaluate(right, { work, lock: ours() }));
    expect([await underLoad(before), await underLoad(now)]).toEqual([ALL, ALL]);
    const work = async (): Promise<string> => "done";
    expect(await evaluate(left, { work, lock: theirs() })).toEqual([true, "done"]);
    expect(await evaluate(right, { work, lock: ours() })).toBe("done");
  },
  async "lock.runImmediately(work)"({ theirs: [left], ours: [right] }) {
    await holdBoth();
    const work = async (): Promise<string> => "done";
    expect(await evaluate(left, { work, lock: theirs() })).toEqual([false, null]);
    await expect(evaluate<Promise<unknown>>(right, { work, lock: ours() })).rejects.toThrow(LockTimeoutError);
  },
  async "lock.acquire()"({ theirs: [left], ours: [right] }) {
    await holdBoth();
    let entered = false;
    const waiting = evaluate<Promise<boolean>>(left, { lock: theirs() }).then(() => {
      entered = true;
    });
    await pause(200);
    expect(entered).toBe(false);
    await client.del(...(await client.keys("*a")));
    await waiting;
    const lease = await evaluate<Promise<Lease>>(right, { lock: locks.lock("free") });
    expect(await lease.release()).toBe(true);
  },
  async "lock.acquireImmediately()"({ theirs: [left], ours: [right] }) {
    await holdBoth();
    expect(await evaluate(left, { lock: theirs() })).toBe(false);
    expect(await evaluate(right, { lock: ours() })).toBeNull();
  },
  async "retry: { attempts: 9, delay: 250 }"({ theirs: [left], ours: [right] }) {
    const before = theirsOf(theirs, evaluate<object>(`{ ${left} }`, {}));
    await expectSamePatience(before, oursOf(ours, evaluate<object>(`{ ${right} }`, {})), holdBoth);
  },
  async "retry: { timeout: 2000 }"({ theirs: [left], ours: [right] }) {
    const before = theirsOf(theirs, evaluate<object>(`{ ${left} }`, {}));
    await expectSamePatience(before, oursOf(ours, evaluate<object>(`{ ${right} }`, {})), holdBoth);
  },
  async "lock.release()"({ theirs: [left], ours: [right, no] }) {
    const lock = theirs();
    await lock.acquire();
    const lease = await ours().acquire();
    await client.flushall();
    await expect(evaluate<Promise<void>>(left, { lock })).rejects.toThrow();
    expect(await evaluate(right, { lease })).toBe(evaluate(no, {}));
  },
  async "lock.extend(duration)"({ theirs: [left], ours: [right] }) {
    const lock = theirs("10s");
    await lock.acquire();
    const lease = await ours().acquire({ lease: "10s" });
    await evaluate(left, { lock, duration: "30s" });
    await evaluate(right, { lease, duration: "30s" });
    expect(lock.getRemainingTime()).toBeGreaterThan(20_000);
    expect(lease.remaining).toBeGreaterThan(20_000);
  },
  async "ttl: null"() {
    const lock = theirs(null);
    await lock.acquire();
    const keys = await client.keys("*a");
    expect(await client.pttl(keys[0] ?? "")).toBe(-1);
    await ours().run({ lease: 2_000, keepAlive: true }, async () => {
      await pause(3_000);
      expect(await ours().tryAcquire()).toBeNull();
    });
  },
  async "lock.serialize()"({ theirs: [save, restore], ours: [make, take] }) {
    const lock = theirs();
    await lock.acquire();
    const data = evaluate<object>(save, { lock });
    await evaluate<TheirLock>(restore, { verrou, data }).release();
    const ticket = evaluate<string>(make, { lease: await ours().acquire() });
    const resumed = await evaluate<Promise<Lease>>(take, { locks, ticket });
    expect(await resumed.release()).toBe(true);
  },
});
