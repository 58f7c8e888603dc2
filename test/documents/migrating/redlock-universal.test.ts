import { Redis } from "ioredis";
import {
  createLock,
  createRedlock,
  IoredisAdapter,
  type LockHandle,
  LockManager,
  type RedisAdapter,
  type Lock as TheirLock,
} from "redlock-universal";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import {
  type Acquirable,
  connect,
  createLocks,
  type Lease,
  LeaseLostError,
  type Lock,
  type Locks,
  quorumLock,
} from "../../../src/index.ts";
import { ioredis } from "../../../src/tcp/ioredis.ts";
import { pause, useStack } from "../../support/use-stack.ts";
import { evaluate, expectExclusion, expectSamePatience, type Holding, holdingBy, testRows, underLoad } from "./rows.ts";

const stacks = [useStack(), useStack(), useStack()] as const;
const [key, ttl] = ["a", 20_000];
const patient = { retryAttempts: 200, retryDelay: 20 };
const ALL = { served: 5, refused: 0, maxInside: 1 };
let clients: Redis[];
let adapters: RedisAdapter[];
let adapter: RedisAdapter;
let locks: Locks;

beforeAll(() => {
  clients = stacks.map(({ redis }) => new Redis(redis.url));
  adapters = clients.map((client) => new IoredisAdapter(client as never));
  [adapter] = adapters as [RedisAdapter];
});
beforeEach(async () => {
  await Promise.all(clients.map((client) => client.flushall()));
  locks = createLocks({ redis: ioredis(clients[0] as Redis) });
});
afterAll(() => {
  for (const client of clients) client.disconnect();
});

const theirs = (more: object = patient): TheirLock => createLock({ adapter, key, ttl, ...more });
const ours = (): Lock => locks.lock(key);
const theirsOf =
  (make: () => TheirLock): Holding =>
  async () => {
    const lock = make();
    const handle = await lock.acquire();
    return () => lock.release(handle);
  };
const oursOf =
  (make: () => Acquirable, options: object = {}): Holding =>
  async () => {
    const lease = await make().acquire(options);
    return () => lease.release();
  };

testRows("From redlock-universal", {
  async "createLock({ adapter, key, ttl })"({ theirs: [left], ours: [right] }) {
    const scope = { createLock: (made: object) => createLock({ ...made, ...patient } as never), adapter, key, ttl };
    const before = theirsOf(() => evaluate<TheirLock>(left, scope));
    const now = oursOf(() => evaluate<Lock>(right, { locks, key, lease: ttl }));
    await expectExclusion(before, before);
    await expectExclusion(now, now);
    expect([await underLoad(before), await underLoad(now)]).toEqual([ALL, ALL]);
  },
  async "lock.using(work)"({ theirs: [left], ours: [right] }) {
    const before = holdingBy((work) => evaluate(left, { work, lock: theirs() }));
    const now = holdingBy((work) => evaluate(right, { work, lock: ours() }));
    expect([await underLoad(before), await underLoad(now)]).toEqual([ALL, ALL]);
    const seen: unknown[] = [];
    await evaluate<Promise<unknown>>(left, {
      lock: theirs(),
      work: (signal: AbortSignal) => seen.push(signal.aborted),
    });
    await evaluate<Promise<unknown>>(right, {
      lock: ours(),
      work: ({ signal, token }: Lease) => seen.push(signal.aborted, typeof token),
    });
    expect(seen).toEqual([false, false, "number"]);
  },
  async "lock.acquire()"({ theirs: [acquire, release], ours: [take, free] }) {
    const lock = theirs();
    const handle = await evaluate<Promise<LockHandle>>(acquire, { lock });
    expect(await evaluate(release, { lock, handle })).toBe(true);
    const lease = await evaluate<Promise<Lease>>(take, { lock: ours() });
    expect(await evaluate(free, { lease })).toBe(true);
  },
  async "lock.extend(handle, ms)"({ theirs: [left], ours: [right] }) {
    const lock = theirs();
    const handle = await lock.acquire();
    const lease = await ours().acquire();
    expect(await evaluate(left, { lock, handle, ms: 30_000 })).toBe(true);
    await evaluate(right, { lease, ms: 30_000 });
    await clients[0]?.del(key);
    await ours().forceRelease();
    expect(await evaluate(left, { lock, handle, ms: 30_000 })).toBe(false);
    await expect(evaluate<Promise<void>>(right, { lease, ms: 60_000 })).rejects.toThrow(LeaseLostError);
  },
  async "retryAttempts: 20"({ theirs: [attempts, delay], ours: [wait] }) {
    const limits = evaluate<object>(`{ ${attempts}, ${delay} }`, {});
    const options = evaluate<object>(`{ ${wait} }`, {});
    await expectSamePatience(
      theirsOf(() => theirs(limits)),
      oursOf(ours, options),
      async () => {
        await theirs().acquire();
        await ours().acquire();
      },
    );
  },
  async "createRedlock({ adapters, key, ttl })"({ theirs: [left], ours: [right] }) {
    const scope = {
      createRedlock: (made: object) => createRedlock({ ...made, ...patient } as never),
      adapters,
      key,
      ttl,
    };
    const connections = clients.map((client) => connect({ redis: ioredis(client) }));
    const before = theirsOf(() => evaluate<TheirLock>(left, scope));
    const now = oursOf(() => evaluate<Acquirable>(right, { quorumLock, connections, key, lease: ttl }));
    await expectExclusion(before, before);
    await expectExclusion(now, now);
  },
  async "manager.acquireBatch(keys)"({ theirs: [left], ours: [right] }) {
    const keys = ["a", "b"];
    const manager = new LockManager({ nodes: [adapter], defaultTTL: ttl });
    const handles = await evaluate<Promise<LockHandle[]>>(left, { manager, keys });
    expect(await clients[0]?.exists(...keys)).toBe(2);
    await manager.releaseBatch(handles);
    const lease = await evaluate<Promise<Lease>>(right, { locks, keys });
    for (const each of keys) expect(await locks.lock(each).tryAcquire()).toBeNull();
    expect(await lease.release()).toBe(true);
  },
  async "JSON.stringify(handle)"({ theirs: [left], ours: [make, take] }) {
    const lock = theirs();
    const text = evaluate<string>(left, { handle: await lock.acquire() });
    expect(await theirs().release(JSON.parse(text))).toBe(true);
    const ticket = evaluate<string>(make, { lease: await ours().acquire() });
    const resumed = await evaluate<Promise<Lease>>(take, { locks, ticket });
    expect(await resumed.release()).toBe(true);
    await pause(0);
  },
});
