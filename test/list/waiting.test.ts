import { describe, expect, it } from "vitest";
import { createLocks, type Locks } from "../../src/index.ts";
import { inspect, type ListedWaiter } from "../../src/list/index.ts";
import { createMemoryRedis } from "../../testing/src/index.ts";
import { freshName, pause, useStack } from "../support/use-stack.ts";

const stack = useStack();
const HOLDER = "iad1, cf-ray 8f2@α#3;";
const LABEL = "night, 50 % @ 3 o'clock #1";

const make = (more: object = {}): Locks =>
  createLocks({ url: stack.url, token: stack.token, prefix: `${freshName("waiting")}:`, ...more });

const waitingFor = async (locks: Locks, name: string): Promise<readonly ListedWaiter[] | undefined> =>
  (await inspect(locks, name)).waiting;

/** Begins waits one after the other, each once the one before is seen on the server. Returns how to end them. */
async function queueUp(locks: Locks, name: string, waits: readonly ((signal: AbortSignal) => Promise<unknown>)[]) {
  const stop = new AbortController();
  const ended: Promise<unknown>[] = [];
  for (const wait of waits) {
    ended.push(wait(stop.signal).catch(() => {}));
    while ((await waitingFor(locks, name))?.length !== ended.length) await pause(20);
  }
  return async (): Promise<void> => {
    stop.abort();
    await Promise.all(ended);
    // The cancels of aborted waits go on behind them.
    while ((await waitingFor(locks, name))?.length !== 0) await pause(20);
  };
}

describe.concurrent("who waits for a name", () => {
  const ways: Record<string, () => Locks> = {
    "a real Redis": () => make({ holder: HOLDER }),
    "a Redis in memory": () => {
      const { url, token, fetch } = createMemoryRedis();
      return createLocks({ url, token, fetch, holder: HOLDER });
    },
  };

  it.each(Object.entries(ways))("is known of a fair lock, in the order of the queue, over %s", async (_, way) => {
    const locks = way();
    const fair = locks.fairLock("fair");
    const first = await fair.acquire({ lease: "5m", label: "first" });
    const before = Date.now() - 1000;
    const end = await queueUp(locks, "fair", [
      (signal) => fair.acquire({ wait: "1m", label: LABEL, signal }),
      (signal) => fair.acquire({ wait: "1m", signal }),
      (signal) => fair.acquire({ wait: "1m", label: "last", signal }),
    ]);
    const { waiting = [], waiters } = await inspect(locks, "fair");
    expect(waiters).toBe(3);
    expect(waiting).toEqual([
      { since: expect.any(Number), label: LABEL, holder: HOLDER },
      { since: expect.any(Number), holder: HOLDER },
      { since: expect.any(Number), label: "last", holder: HOLDER },
    ]);
    for (const { since = 0 } of waiting) expect(since).toBeGreaterThan(before);
    expect(waiting.map(({ since }) => since)).toEqual([...waiting.map(({ since = 0 }) => since)].sort((a, b) => a - b));
    await end();
    expect(await inspect(locks, "fair")).toMatchObject({ waiters: 0, waiting: [] });
    await first.release();
  });

  it.each(Object.entries(ways))("is known of a fair semaphore, over %s", async (_, way) => {
    const locks = way();
    const permits = locks.semaphore("permits", { permits: 2, fair: true });
    const held = await permits.acquire({ permits: 2, lease: "5m" });
    const end = await queueUp(locks, "permits", [
      (signal) => permits.acquire({ wait: "1m", permits: 2, label: LABEL, signal }),
      (signal) => permits.acquire({ wait: "1m", label: "second", signal }),
    ]);
    expect(await waitingFor(locks, "permits")).toEqual([
      { since: expect.any(Number), label: LABEL, holder: HOLDER },
      { since: expect.any(Number), label: "second", holder: HOLDER },
    ]);
    await end();
    expect(await inspect(locks, "permits")).toMatchObject({ waiters: 0, waiting: [] });
    await held.release();
  });

  it.each(Object.entries(ways))("is known of both sides of a read-write lock, over %s", async (_, way) => {
    const locks = way();
    const { read, write } = locks.readWriteLock("page");
    const held = await write.acquire({ lease: "5m" });
    const end = await queueUp(locks, "page", [
      (signal) => write.acquire({ wait: "1m", label: LABEL, signal }),
      (signal) => read.acquire({ wait: "1m", label: "reader", reentryKey: "bob", signal }),
    ]);
    const waiting = await waitingFor(locks, "page");
    expect(waiting).toHaveLength(2);
    expect(waiting).toContainEqual({ mode: "write", label: LABEL, holder: HOLDER });
    expect(waiting).toContainEqual({ mode: "read", label: "reader", holder: HOLDER });
    await end();
    expect(await inspect(locks, "page")).toMatchObject({ waiters: 0, waiting: [] });
    await held.release();
  });

  it("is not known of kinds without a queue", async () => {
    const locks = make();
    await locks.lock("lock").acquire();
    await locks.semaphore("permits", { permits: 1 }).acquire();
    expect(await inspect(locks, "lock")).not.toHaveProperty("waiting");
    expect((await inspect(locks, "permits")).waiting).toEqual([]);
    expect(await inspect(locks, "never")).not.toHaveProperty("waiting");
  });

  it("is limited to the first 100, and leaves out those that no longer poll", async () => {
    const locks = make();
    const name = "crowd";
    await locks.fairLock(name).acquire({ lease: "5m" });
    const now = Date.now() * 1000;
    const members = Array.from({ length: 130 }, (_, n) => {
      const id = `${n}`.padStart(36, "0");
      const deadline = n < 20 ? now - 1_000_000 : now + 300_000_000;
      return [`${-deadline}`, `w${id}@worker%20${n}`, `${4.5e15 + now + n}`, `p${id}@worker%20${n}`];
    });
    await stack.redis.command("ZADD", `${locks.connection.prefix}{${name}}%crowd`, ...members.flat());
    const { waiting = [], waiters } = await inspect(locks, name);
    expect(waiters).toBe(110);
    expect(waiting[0]).toMatchObject({ label: "worker 20" });
    expect(waiting.length).toBeGreaterThanOrEqual(80);
    expect(waiting.length).toBeLessThanOrEqual(100);
  });

  it("is listed without the IDs, which are secrets (R10)", async () => {
    const locks = make({ holder: HOLDER });
    const fair = locks.fairLock("fair");
    const held = await fair.acquire({ lease: "5m" });
    const end = await queueUp(locks, "fair", [(signal) => fair.acquire({ wait: "1m", label: "waiter", signal })]);
    const crowd = await stack.redis.command("ZRANGE", `${locks.connection.prefix}{fair}%crowd`, "0", "-1");
    const ids = crowd.match(/[\da-f-]{36}/g) ?? [];
    expect(ids.length).toBeGreaterThan(0);
    const shown = JSON.stringify(await inspect(locks, "fair"));
    for (const id of ids) expect(shown).not.toContain(id);
    await end();
    await held.release();
  });
});
