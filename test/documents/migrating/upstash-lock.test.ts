import { Lock as UpstashLock } from "@upstash/lock";
import { Redis } from "@upstash/redis";
import { beforeEach, expect } from "vitest";
import { createLocks, type Lease, type Locks, type Lock as OurLock } from "../../../src/index.ts";
import { freshName, useStack } from "../../support/use-stack.ts";
import { evaluate, expectSamePatience, type Holding, testRows } from "./rows.ts";

type Config = ConstructorParameters<typeof UpstashLock>[0];

const stack = useStack();
let id: string;
// The same class: its types are resolved once as ESM and once as CommonJS.
let redis: Config["redis"];
let locks: Locks;
const theirs = (more: Partial<Config> = {}): UpstashLock => new UpstashLock({ id, redis, ...more });

beforeEach(() => {
  id = freshName();
  const { url, token } = stack;
  const client = new Redis({ url, token });
  redis = client as unknown as Config["redis"];
  locks = createLocks({ redis: client });
});

testRows("From @upstash/lock", {
  async "new Lock({ id, redis })"({ theirs: [left], ours: [right] }) {
    const make = () => evaluate<UpstashLock>(left, { Lock: UpstashLock, id, redis });
    expect([await make().acquire(), await make().acquire()]).toEqual([true, false]);
    const lease = await evaluate<OurLock>(right, { locks, id }).tryAcquire();
    expect(lease).not.toBeNull();
    expect(await evaluate<OurLock>(right, { locks, id }).tryAcquire()).toBeNull();
  },
  async lease() {
    const lock = theirs();
    await lock.acquire();
    const left = Number(/\d+/.exec(await stack.redis.command("PTTL", id))?.[0]);
    expect(left).toBeGreaterThan(5_000);
    expect(left).toBeLessThanOrEqual(10_000);
    const { remaining } = await locks.lock(id).acquire();
    expect(remaining).toBeGreaterThan(20_000);
    expect(remaining).toBeLessThanOrEqual(30_000);
  },
  async "retry: { attempts: 21, delay: 100 }"({ theirs: [retry], ours: [wait] }) {
    const options = evaluate<object>(`{ ${retry} }`, {});
    const before: Holding = async () => {
      const lock = theirs(options);
      if (!(await lock.acquire())) throw new Error("it is held");
      return () => lock.release();
    };
    const now: Holding = async () => {
      const lease = await locks.lock(id).acquire(evaluate<object>(`{ ${wait} }`, {}));
      return () => lease.release();
    };
    await expectSamePatience(before, now, async () => {
      await theirs({ lease: 60_000 }).acquire();
      await locks.lock(id).acquire();
    });
    await stack.redis.command("CONFIG", "RESETSTAT");
    expect(await theirs().acquire()).toBe(false);
    expect(await stack.commandCalls()).toMatchObject({ set: 3 });
  },
  async "lock.acquire()"({ theirs: [left], ours: [waits, , tries] }) {
    const [first, second] = [theirs(), theirs({ retry: { attempts: 1_000, delay: 20 } })];
    await first.acquire();
    const lease = await locks.lock(id).acquire();
    const lock = locks.lock(id);
    expect(await evaluate<Promise<unknown>>(tries, { lock })).toBeNull();
    const both = [
      evaluate<Promise<boolean>>(left, { lock: second }),
      evaluate<Promise<Lease>>(waits, { lock }),
    ] as const;
    await Promise.all([first.release(), lease.release()]);
    expect(await both[0]).toBe(true);
    expect(await (await both[1]).verify()).toBe(true);
  },
  async "lock.release()"({ theirs: [left], ours: [right] }) {
    const lock = theirs();
    await lock.acquire();
    const lease = await locks.lock(id).acquire();
    const release = () => [evaluate(left, { lock }), evaluate(right, { lease })];
    expect(await Promise.all(release())).toEqual([true, true]);
    expect(await Promise.all(release())).toEqual([false, false]);
  },
  async "lock.extend(5000)"({ theirs: [left], ours: [right] }) {
    const lock = theirs({ lease: 20_000 });
    await lock.acquire();
    expect(await evaluate<Promise<boolean>>(left, { lock })).toBe(true);
    const lease = await locks.lock(id).acquire({ lease: 20_000 });
    await evaluate<Promise<void>>(right, { lease });
    const lefts = [Number(/\d+/.exec(await stack.redis.command("PTTL", id))?.[0]), lease.remaining];
    for (const ms of lefts) {
      expect(ms).toBeGreaterThan(20_500);
      expect(ms).toBeLessThanOrEqual(25_000);
    }
    await lease.extend(5_000);
    expect(lease.remaining).toBeGreaterThan(10_000);
  },
  async "lock.getStatus()"({ theirs: [left], ours: [ours, anybody] }) {
    const lock = theirs();
    await lock.acquire();
    expect(await evaluate<Promise<string>>(left, { lock })).toBe("ACQUIRED");
    expect(await evaluate<Promise<string>>(left, { lock: theirs() })).toBe("FREE");
    const lease = await locks.lock(id).acquire();
    expect(await evaluate<Promise<boolean>>(ours, { lease })).toBe(true);
    expect(await evaluate<Promise<object>>(anybody, { lock: locks.lock(id) })).toMatchObject({ state: "held" });
    await lease.release();
    expect(await evaluate<Promise<boolean>>(ours, { lease })).toBe(false);
  },
  async "lock.acquire({ uuid })"({ theirs: [left], ours: [make, take] }) {
    const lock = theirs();
    const uuid = crypto.randomUUID();
    expect(await evaluate<Promise<boolean>>(left, { lock, uuid })).toBe(true);
    // The same id does not enter again.
    expect(await evaluate<Promise<boolean>>(left, { lock: theirs(), uuid })).toBe(false);
    const lease = await locks.lock(id).acquire();
    const ticket = evaluate<string>(make, { lease });
    const resumed = await evaluate<Promise<Lease>>(take, { locks, ticket });
    expect(await resumed.verify()).toBe(true);
  },
  async id({ theirs: [key = ""], ours: [ourKey = ""] }) {
    await theirs().acquire();
    await locks.lock(id).acquire();
    for (const each of [key, ourKey])
      expect(await stack.redis.command("EXISTS", each.replace("id", id))).toContain(":1");
  },
});
