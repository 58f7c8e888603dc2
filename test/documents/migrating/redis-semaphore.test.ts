import { Redis } from "ioredis";
import {
  defaultTimeoutOptions,
  type LockOptions,
  LostLockError,
  MultiSemaphore,
  Mutex,
  RedlockMutex,
  RedlockSemaphore,
  Semaphore,
  TimeoutError,
} from "redis-semaphore";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import {
  type Acquirable,
  type Backoff,
  connect,
  constantBackoff,
  createLocks,
  type Lease,
  type LeaseholdEvent,
  LeaseLostError,
  type Lock,
  type Locks,
  LockTimeoutError,
  type Semaphore as OurSemaphore,
  quorumLock,
} from "../../../src/index.ts";
import { ioredis } from "../../../src/tcp/ioredis.ts";
import { pause, useStack } from "../../support/use-stack.ts";
import {
  evaluate,
  expectExclusion,
  expectSamePatience,
  type Holding,
  holdingBy,
  rowsOf,
  testRows,
  underLoad,
} from "./rows.ts";

type TheirLock = Pick<Mutex, "acquire" | "tryAcquire" | "release" | "isAcquired" | "stopRefresh">;

const HEADING = "From redis-semaphore";
const key = "a";
const stacks = [useStack(), useStack(), useStack()] as const;
let clients: Redis[];
let redis: Redis;
let locks: Locks;

beforeAll(() => {
  clients = stacks.map((stack) => new Redis(stack.redis.url));
  [redis] = clients as [Redis];
});
beforeEach(async () => {
  await Promise.all(clients.map((each) => each.flushall()));
  locks = createLocks({ redis: ioredis(redis) });
});
afterAll(() => {
  for (const each of clients) each.disconnect();
});

const mutex = (options: LockOptions = {}): Mutex => new Mutex(redis as never, key, options);
const lock = (more: object = {}): Lock => createLocks({ redis: ioredis(redis), ...more }).lock(key);
const scope = () => ({ Mutex, Semaphore, MultiSemaphore, RedlockMutex, redis, key, clients, locks, quorumLock });
const theirsOf =
  (code = ""): Holding =>
  async () => {
    const made = evaluate<TheirLock>(code, scope());
    await made.acquire();
    return () => made.release();
  };
const oursOf =
  (acquire: () => Promise<Lease>): Holding =>
  async () => {
    const lease = await acquire();
    return () => lease.release();
  };

testRows(HEADING, {
  async "new Mutex(redis, key)"({ theirs: [left], ours: [right] }) {
    const ours = oursOf(() => evaluate<Lock>(right, scope()).acquire());
    await expectExclusion(theirsOf(left), theirsOf(left));
    await expectExclusion(ours, ours);
    const all = { served: 5, refused: 0, maxInside: 1 };
    expect([await underLoad(theirsOf(left)), await underLoad(ours)]).toEqual([all, all]);
  },
  async "new Semaphore(redis, key, 5)"({ theirs: [left], ours: [right] }) {
    const [multi] = rowsOf(HEADING).get("new MultiSemaphore(redis, key, 5, 2)")?.theirs ?? [];
    const held = Array.from({ length: 4 }, () => evaluate<TheirLock>(left, scope()));
    for (const each of held) await each.acquire();
    // One is left: enough for a single, and not for two.
    await expectExclusion(theirsOf(left), theirsOf(left));
    await expectExclusion(theirsOf(left), theirsOf(left));
    const two = evaluate<TheirLock>(multi, scope());
    let entered = false;
    const waiting = two.acquire().then(() => {
      entered = true;
    });
    await pause(100);
    expect(entered).toBe(false);
    await held[0]?.release();
    await waiting;
    for (const each of [...held.slice(1), two]) await each.release();

    const ours = evaluate<OurSemaphore>(right, scope());
    const five = { served: 10, refused: 0, maxInside: 5 };
    expect(
      await underLoad(
        oursOf(() => ours.acquire()),
        10,
      ),
    ).toEqual(five);
    expect(await underLoad(theirsOf(left), 10)).toEqual(five);
    const leases = await Promise.all(Array.from({ length: 4 }, () => ours.acquire()));
    const single = oursOf(() => ours.acquire());
    await expectExclusion(single, single);
    expect(await ours.tryAcquire({ permits: 2 })).toBeNull();
    await leases[0]?.release();
    expect(await ours.tryAcquire({ permits: 2 })).not.toBeNull();
  },
  async "new MultiSemaphore(redis, key, 5, 2)"({ theirs: [left], ours: [right, call] }) {
    const made = [1, 2, 3].map(() => evaluate<TheirLock>(left, scope()));
    await made[0]?.acquire();
    await made[1]?.acquire();
    const waiting = made[2]?.acquire();
    await made[0]?.release();
    await waiting;
    for (const each of made.slice(1)) await each.release();
    const ours = evaluate<OurSemaphore>(right, scope());
    const acquire = () => evaluate<Promise<Lease & { permits: number[] }>>(`ours.${call}`, { ours });
    const leases = [await acquire(), await acquire()];
    expect(leases[0]?.permits).toHaveLength(2);
    await expectExclusion(async () => () => (leases[0] as Lease).release(), oursOf(acquire));
  },
  async "new RedlockMutex(clients, key)"({ theirs: [left], ours: [right] }) {
    await expectExclusion(theirsOf(left), theirsOf(left));
    const connections = clients.map((each) => connect({ redis: ioredis(each) }));
    const ours = oursOf(() => evaluate<Acquirable>(right, { quorumLock, connections, key }).acquire());
    await expectExclusion(ours, ours);
  },
  async "new RedlockSemaphore(clients, key, 5)"() {
    const lost = evaluate<TheirLock>("new RedlockSemaphore(clients, key, 5)", { RedlockSemaphore, clients, key });
    await lost.acquire();
    await lost.release();
  },
  async "mutex.acquire()"({ ours: [right] }) {
    const theirs = mutex({ lockTimeout: 1_500 });
    await theirs.acquire();
    const run = holdingBy((work) => evaluate(right, { work, lock: locks.lock(key, { lease: 1_500 }) }));
    const release = await run();
    // Both go on holding for longer than they hold at once.
    await pause(3_000);
    expect(await mutex({ acquireAttemptsLimit: 1 }).tryAcquire()).toBe(false);
    expect(await lock().tryAcquire()).toBeNull();
    await Promise.all([theirs.release(), release()]);
    expect(await mutex({ acquireAttemptsLimit: 1, refreshInterval: 0 }).tryAcquire()).toBe(true);
    expect(await lock().tryAcquire()).not.toBeNull();
  },
  async "mutex.tryAcquire()"({ ours: [waits, , tries] }) {
    const theirs = mutex();
    await theirs.acquire();
    const lease = await lock().acquire();
    expect(await evaluate<Promise<unknown>>(tries, { lock: lock() })).toBeNull();
    const second = mutex();
    const both = [second.tryAcquire(), evaluate<Promise<Lease>>(waits, { lock: lock() })] as const;
    await pause(100);
    await Promise.all([theirs.release(), lease.release()]);
    expect(await both[0]).toBe(true);
    expect(await (await both[1]).release()).toBe(true);
    await second.release();
  },
  async lockTimeout() {
    expect(defaultTimeoutOptions.lockTimeout).toBe(10_000);
    const { remaining } = await lock().acquire();
    expect(remaining).toBeGreaterThan(20_000);
    expect(remaining).toBeLessThanOrEqual(30_000);
  },
  async acquireTimeout() {
    expect(defaultTimeoutOptions.acquireTimeout).toBe(10_000);
    await mutex({ refreshInterval: 0 }).acquire();
    await lock().acquire();
    await expect(mutex({ acquireTimeout: 50 }).acquire()).rejects.toThrow(TimeoutError);
    await expect(lock().acquire({ wait: 50 })).rejects.toThrow(/within 50 ms/);
    // The default is told by the error of a wait that a clock ends early.
    let aheadMs = 0;
    const clock = { now: () => Date.now() + aheadMs, monotonic: () => performance.now() };
    const backoff = () => {
      aheadMs = 60_000;
      return 1;
    };
    await expect(lock({ clock }).acquire({ backoff })).rejects.toThrow(/its wait of 10000 ms ended early/);
  },
  async "acquireAttemptsLimit: 200"({ theirs: [limit], ours: [wait, , polls] }) {
    const options = { refreshInterval: 0, ...evaluate<object>(`{ ${limit} }`, {}) };
    const before: Holding = async () => {
      const made = mutex(options);
      await made.acquire();
      return () => made.release();
    };
    const now = oursOf(() => lock().acquire(evaluate<object>(`{ ${wait} }`, {})));
    await expectSamePatience(before, now, async () => {
      await mutex({ refreshInterval: 0, lockTimeout: 60_000 }).acquire();
      await lock().acquire();
    });
    // It limits requests.
    let asked = 0;
    const onEvent = (event: LeaseholdEvent) => event.type === "request" && event.operation === "acquire" && asked++;
    const few = lock({ onEvent }).acquire({ ...evaluate<object>(`{ ${polls} }`, {}), backoff: () => 1 });
    await expect(few).rejects.toThrow(LockTimeoutError);
    expect(asked).toBe(200);
  },
  async retryInterval({ ours: [often] }) {
    expect(defaultTimeoutOptions.retryInterval).toBe(10);
    const all = { served: 5, refused: 0, maxInside: 1 };
    expect(await underLoad(theirsOf("new Mutex(redis, key)"))).toEqual(all);
    expect(await underLoad(oursOf(() => lock().acquire()))).toEqual(all);
    const options = evaluate<{ backoff: Backoff }>(`{ ${often} }`, { constantBackoff });
    await mutex({ refreshInterval: 0, lockTimeout: 60_000 }).acquire();
    await lock().acquire();
    await redis.config("RESETSTAT");
    expect(await mutex({ acquireTimeout: 1_000 }).tryAcquire()).toBe(false);
    const theirs = Number(/cmdstat_set:calls=(\d+)/.exec(await redis.info("commandstats"))?.[1]);
    const polls = async (more: object): Promise<number> => {
      let asked = 0;
      const onEvent = (event: LeaseholdEvent) => event.type === "request" && event.operation === "acquire" && asked++;
      await expect(lock({ onEvent }).acquire({ wait: 1_000, ...more })).rejects.toThrow(LockTimeoutError);
      return asked;
    };
    expect(await polls({})).toBeLessThan(theirs);
    expect(await polls(options)).toBeGreaterThan(await polls({}));
  },
  async refreshInterval({ ours: [right] }) {
    const lease = await lock().acquire({ lease: 1_500 });
    await evaluate<Promise<void>>(right, { lease, work: () => pause(3_000) });
    expect(lease.signal.reason).toMatchObject({ reason: "released" });
    expect(await lock().tryAcquire()).not.toBeNull();
  },
  async "stopRefresh()"({ ours: [right] }) {
    const theirs = mutex({ lockTimeout: 1_500 });
    await theirs.acquire();
    theirs.stopRefresh();
    const lease = await evaluate<Promise<Lease>>(right, { lock: locks.lock(key, { lease: 1_500 }) });
    await pause(1_700);
    expect(await mutex({ refreshInterval: 0, acquireAttemptsLimit: 1 }).tryAcquire()).toBe(true);
    expect(await lock().tryAcquire()).not.toBeNull();
    expect(lease.signal.reason).toMatchObject({ reason: "expired" });
  },
  async onLockLost({ ours: [signal] }) {
    const lost = new Promise<unknown>((resolve) => {
      void mutex({ lockTimeout: 1_500, onLockLost: resolve })
        .acquire()
        .then(() => redis.del(`mutex:${key}`));
    });
    expect(await lost).toBeInstanceOf(LostLockError);
    const types: string[] = [];
    const lease = await lock({ onEvent: ({ type }: LeaseholdEvent) => types.push(type) }).acquire({ lease: 1_500 });
    await lock().forceRelease();
    await expect(lease.keepAlive(() => pause(2_000))).rejects.toThrow(LeaseLostError);
    expect(evaluate<AbortSignal>(signal, { lease }).aborted).toBe(true);
    expect(types).toContain("lost");
  },
  async "mutex.isAcquired"({ theirs: [left], ours: [held] }) {
    const theirs = mutex({ refreshInterval: 0 });
    await theirs.acquire();
    const lease = await lock().acquire();
    expect([evaluate(left, { mutex: theirs }), evaluate(held, { lease })]).toEqual([true, true]);
    await Promise.all([theirs.release(), lease.release()]);
    expect([evaluate(left, { mutex: theirs }), evaluate(held, { lease })]).toEqual([false, false]);
    expect(await lease.verify()).toBe(false);
  },
  async identifier({ ours: [make, take] }) {
    const theirs = mutex({ refreshInterval: 0 });
    await theirs.acquire();
    const elsewhere = mutex({ identifier: theirs.identifier, acquiredExternally: true, refreshInterval: 0 });
    expect(await elsewhere.tryAcquire()).toBe(true);
    const lease = await lock().acquire();
    const ticket = evaluate<string>(make, { lease });
    const resumed = await evaluate<Promise<Lease>>(take, { locks, ticket });
    expect(await resumed.verify()).toBe(true);
    expect(await resumed.release()).toBe(true);
    await elsewhere.release();
  },
  async TimeoutError({ theirs, ours }) {
    const all = { TimeoutError, LostLockError, LockTimeoutError, LeaseLostError };
    for (const name of [...theirs, ...ours]) expect(all).toHaveProperty(name);
    await lock().acquire();
    await expect(lock().acquire({ wait: 20 })).rejects.toThrow(LockTimeoutError);
  },
  async "mutex:a"({ theirs, ours: [ourKey = ""] }) {
    await mutex({ refreshInterval: 0 }).acquire();
    await new Semaphore(redis as never, key, 1, { refreshInterval: 0 }).acquire();
    await lock().acquire();
    expect((await redis.keys("*")).sort()).toEqual([...theirs, ourKey].sort());
    await expect(locks.semaphore(key, { permits: 1 }).tryAcquire()).rejects.toMatchObject({ code: "wrong_kind" });
  },
});
