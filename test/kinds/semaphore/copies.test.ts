import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Connection, connect, createLocks, type Locks } from "../../../src/index.ts";
import { runScript } from "../../../src/redis/run.ts";
import { semaphoreClose } from "../../../src/redis/scripts/semaphore-close.gen.ts";
import { targetOf, withCrowd } from "../../../src/redis/target.ts";
import { type FaultProxy, startProxy } from "../../support/proxy.ts";
import { freshName, pause, useStack } from "../../support/use-stack.ts";

const stack = useStack();
let proxy: FaultProxy;
let locks: Locks;
let connection: Connection;
beforeAll(async () => {
  connection = connect({ url: stack.url, token: stack.token });
});
beforeEach(async () => {
  proxy = await startProxy(stack.url);
  locks = createLocks({ url: proxy.url, token: stack.token });
});

/** The id of the last request of a script. */
const lastId = (script: string): string => String(proxy.seen.findLast((seen) => seen.script === script)?.args[1]);

describe("late duplicates", () => {
  it("of a counter's requests do nothing after it was forced and set anew", async () => {
    const counter = locks.counter(freshName());
    await counter.setPermits(5);
    expect(await counter.tryAcquire({ permits: 3 })).toBe(true);
    await counter.forceRelease();
    expect(await counter.inspect()).toMatchObject({ state: "free" });
    await proxy.replay(({ script }) => script !== "crowd-force");
    expect(await counter.inspect()).toMatchObject({ state: "free" });
    await counter.setPermits(5);
    await proxy.replay(({ script }) => script === "semaphore-acquire");
    expect(await counter.available()).toBe(5);
    await proxy.close();
  });

  it("of requests for permits that expired many at a time are not granted again", async () => {
    const semaphore = locks.semaphore(freshName(), { permits: 20 });
    await Promise.all(Array.from({ length: 12 }, () => semaphore.acquire({ lease: "3s" })));
    await pause(3100);
    const last = await semaphore.acquire();
    const statuses = await proxy.replay(({ script }) => script === "semaphore-acquire");
    expect(statuses.filter((status) => status === "granted").length).toBeLessThanOrEqual(1);
    expect(await semaphore.acquired()).toBe(1);
    expect(await last.release()).toBe(true);
    await proxy.close();
  });
});

describe("a cancelled take of a counter", () => {
  it.each([
    ["set", async (counter: ReturnType<typeof take>) => counter.setPermits(5), 5],
    [
      "forced and set",
      async (counter: ReturnType<typeof take>) => {
        await counter.forceRelease();
        await counter.setPermits(5);
      },
      5,
    ],
    ["added to", async (counter: ReturnType<typeof take>) => counter.addPermits(1), 6],
  ])("is returned only to the number that it was taken from: %s in between", async (_, meanwhile, available) => {
    const counter = take(freshName());
    await counter.setPermits(5);
    expect(await counter.tryAcquire({ permits: 3 })).toBe(true);
    const id = lastId("semaphore-acquire");
    await meanwhile(counter);
    const target = withCrowd(targetOf(connection, "counter", [counter.name]));
    const call = { operation: "cancel", budgetMs: 1000 };
    await runScript(target, semaphoreClose, [id, 0, connection.retentionMs, 0], call);
    expect(await counter.available()).toBe(available);
    await proxy.close();
  });
  const take = (name: string) => locks.counter(name);
});

describe("permits", () => {
  it("released two at a time are reported as they are", async () => {
    const semaphore = locks.semaphore(freshName(), { permits: 4 });
    const lease = await semaphore.acquire({ permits: 4 });
    expect(await Promise.all([lease.releasePermits([1]), lease.releasePermits([2])])).toEqual([true, true]);
    expect([lease.permits, lease.holds, await semaphore.acquired()]).toEqual([[3, 4], 2, 2]);
    await proxy.close();
  });

  it("take over a name of readers who are gone with at most 10 commands", async () => {
    const name = freshName();
    for (let n = 0; n < 3; n++) await locks.readWriteLock(name).read.acquire({ lease: "1s", reentryKey: `${n}` });
    await (await locks.semaphore(freshName(), { permits: 1 }).acquire()).release();
    await pause(1100);
    const semaphore = locks.semaphore(name, { permits: 1 });
    expect(await stack.commandsOf(() => semaphore.acquire())).toBeLessThanOrEqual(10);
    await proxy.close();
  });
});

describe("run", () => {
  it("takes undefined for options, and holds nothing when it throws", async () => {
    const lock = locks.lock(freshName());
    expect(await lock.run(undefined as never, () => 1)).toBe(1);
    await expect(lock.run(undefined as never, "no work" as never)).rejects.toThrow(TypeError);
    expect(await lock.inspect()).toMatchObject({ state: "free" });
    await proxy.close();
  });
});
