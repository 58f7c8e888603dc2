import { afterAll, describe, expect, it } from "vitest";
import { turn } from "../../agents/src/index.ts";
import { type ConnectOptions, createLocks, type Locks } from "../../src/index.ts";
import { freshName, pause } from "../../test/support/names.ts";
import { buildAll } from "../../tools/lua-scripts.ts";
import { type DurableObjectRedis, durableObject } from "../src/port.ts";
import { createWaitingServer, type WaitingServer } from "../src/waiting.ts";
import { localNamespace } from "./support/namespace.ts";
import { openSqlite } from "./support/sqlite-storage.ts";

const objects = localNamespace();
afterAll(() => objects.close());

interface Held {
  readonly redis: DurableObjectRedis;
  /** How many requests were sent, and how many of them were held. */
  readonly counts: { sent: number; held: number };
}

/** A way to the objects on which every request may be held. */
function holding(): Held {
  const { port, server } = durableObject(objects);
  const counts = { sent: 0, held: 0 };
  const held: DurableObjectRedis["port"] = Object.assign(
    async (...[command, signal, behind]: Parameters<DurableObjectRedis["port"]>) => {
      counts.sent++;
      const outcome = await port(command, signal, behind, 3000);
      if (outcome.type === "answered" && outcome.heldMs !== undefined) counts.held++;
      return outcome;
    },
    { isSingle: true as const },
  );
  return { redis: { port: held, server }, counts };
}

/** Less than what remains of a held request that nothing wakes. */
const SOON_MS = 2000;

const locksOver = (redis: DurableObjectRedis, options: Partial<ConnectOptions> = {}): Locks =>
  createLocks({ redis, ...options } as ConnectOptions);

describe.concurrent("a held request", () => {
  it("is granted by the release, in the order of arrival", async () => {
    const name = freshName();
    const { redis, counts } = holding();
    const first = await locksOver(redis).lock(name).acquire();
    const order: number[] = [];
    const waiters = [0, 1, 2, 3].map(async (n) => {
      await pause(60 * n);
      const lease = await locksOver(redis).lock(name).acquire({ wait: "20s" });
      order.push(n);
      await lease.release();
      return lease.token;
    });
    await pause(400);
    expect(counts.sent).toBeLessThanOrEqual(1 + 2 * 4);
    const released = performance.now();
    await first.release();
    const tokens = await Promise.all(waiters);
    expect(performance.now() - released).toBeLessThan(SOON_MS);
    expect(order).toEqual([0, 1, 2, 3]);
    expect(tokens).toEqual([...tokens].sort((a, b) => a - b));
    expect(counts.held).toBeGreaterThanOrEqual(4);
  });

  it("is granted when the lease ends that nobody releases", async () => {
    const name = freshName();
    const { redis, counts } = holding();
    await locksOver(redis).lock(name).acquire({ lease: 500 });
    const lease = await locksOver(redis).lock(name).acquire({ wait: "20s" });
    expect(lease.remaining).toBeGreaterThan(0);
    expect(counts.sent).toBeLessThan(6);
  });

  it("is served in the order of places, where the lock is fair", async () => {
    const name = freshName();
    const { redis } = holding();
    const lock = locksOver(redis).fairLock(name);
    const first = await lock.acquire();
    const order: number[] = [];
    const wait = async (n: number): Promise<void> => {
      const lease = await locksOver(redis).fairLock(name).acquire({ wait: "20s" });
      order.push(n);
      await lease.release();
    };
    const waiters: Promise<void>[] = [];
    for (const n of [0, 1, 2]) {
      waiters.push(wait(n));
      while ((await lock.inspect()).waiters <= n) await pause(20);
    }
    await first.release();
    await Promise.all(waiters);
    expect(order).toEqual([0, 1, 2]);
  });

  it("is woken by a crowd too: permits and readers", async () => {
    const name = freshName();
    const { redis } = holding();
    const semaphore = locksOver(redis).semaphore(name, { permits: 2 });
    const [one, two] = [await semaphore.acquire(), await semaphore.acquire()];
    const third = semaphore.acquire({ wait: "20s" });
    await pause(100);
    const released = performance.now();
    await two.release();
    expect((await third).token).toBeGreaterThan(one.token);
    expect(performance.now() - released).toBeLessThan(SOON_MS);

    const both = locksOver(redis).readWriteLock(freshName());
    const reader = await both.read.acquire();
    const writer = both.write.acquire({ wait: "20s" });
    await pause(100);
    const left = performance.now();
    await reader.release();
    expect((await writer).token).toBeGreaterThan(0);
    expect(performance.now() - left).toBeLessThan(SOON_MS);
  });

  it("is answered when a latch reaches zero", async () => {
    const name = freshName();
    const { redis, counts } = holding();
    const parts = locksOver(redis).latch(name);
    await parts.trySetCount(2);
    const { generation } = await parts.inspect();
    const waiters = [1, 2, 3].map(() => locksOver(redis).latch(name).wait({ wait: "20s" }));
    await pause(200);
    const begun = performance.now();
    for (const party of ["one", "two"]) await parts.countDown(party, { generation });
    expect(await Promise.all(waiters)).toEqual([true, true, true]);
    expect(performance.now() - begun).toBeLessThan(SOON_MS);
    expect(counts.held).toBeGreaterThanOrEqual(3);
  });

  it("comes back by itself when its object is shut down", async () => {
    const name = freshName();
    const { redis } = holding();
    const first = await locksOver(redis).lock(name).acquire({ lease: "20s" });
    const waiter = locksOver(redis, { requestTimeout: 1000 }).lock(name).acquire({ wait: "20s" });
    await pause(100);
    // The new instance knows nothing of what the old one holds.
    objects.object(name).restart();
    await first.release();
    expect((await waiter).token).toBeGreaterThan(first.token);
  });
});

describe("a server with held requests", () => {
  const scripts = new Map(buildAll().map((script) => [script.name, script]));
  const RECORD = "{a}";
  const CROWD = "{a}%crowd";
  async function open(): Promise<WaitingServer> {
    const server = createWaitingServer({ storage: openSqlite() });
    for (const { lua } of scripts.values()) await server.run([["SCRIPT", "LOAD", lua]]);
    return server;
  }
  type Values = Readonly<Record<string, string | number>>;
  function command(script: string, keys: readonly string[], values: Values): string[] {
    const { sha = [], args = [] } = scripts.get(script) ?? {};
    const all: Values = {
      notAfter: (Date.now() + 60_000) * 1000,
      retention: 60_000,
      lease: 60_000,
      listens: 0,
      ...values,
    };
    return ["EVALSHA", sha[0] ?? "", String(keys.length), ...keys, ...args.map((name) => String(all[name]))];
  }
  const id = (name: string): string => name.padStart(36, "0");
  /** Waits for a grant, or for its offer to a request that was held for longer. */
  async function grantedSoon(waiting: ReturnType<WaitingServer["runWaiting"]>): Promise<void> {
    const since = performance.now();
    const { reply, isOffered } = await waiting;
    expect((reply as unknown[])[0]).toBe(isOffered ? "held" : "granted");
    expect(performance.now() - since).toBeLessThan(SOON_MS);
  }

  it("tries a request at once if its name was freed before its refusal was known", async () => {
    const server = await open();
    const acquire = (name: string): string[] =>
      command("lock-acquire", [RECORD], {
        id: id(name),
        ...{ reentryKey: "", note: "", reentrant: 1, waited: 0, asked: "" },
      });
    const [granted] = (await server.run([acquire("1")])) as [unknown[]];
    const waiting = server.runWaiting(acquire("2"), 3000);
    // It runs in the same turn, after the refusal.
    const released = server.run([command("lock-close", [RECORD], { id: id("1"), token: String(granted[2]), due: 0 })]);
    await grantedSoon(waiting);
    await released;
  });

  it("tries a request after any script for its name that wrote another key", async () => {
    const server = await open();
    const acquire = (name: string): string[] =>
      command("semaphore-acquire", [RECORD, CROWD], {
        id: `${id(name)}#1`,
        ...{ kind: "semaphore", permits: 1, ttl: 60_000, waited: 0 },
      });
    await server.run([acquire("1")]);
    const waiting = server.runWaiting(acquire("2"), 3000);
    await pause(10);
    await server.run([["EVAL", "return redis.call('DEL', KEYS[2])", "2", RECORD, CROWD]]);
    await grantedSoon(waiting);
  });
});

it("ends the turn of a conversation as soon as a newer one has it", async () => {
  const name = freshName();
  const { redis } = holding();
  const options = { onBusy: "supersede", lease: "60s" } as const;
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const older = turn(locksOver(redis), name, options, async ({ signal }) => {
    begin();
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
  }).catch((error: unknown) => error);
  await begun;
  const since = performance.now();
  await turn(createLocks({ redis: durableObject(objects) }), name, options, async () => {
    expect(await older).toMatchObject({ code: "lease_lost", reason: "forced" });
  });
  // Its heartbeat would have come after 20 s.
  expect(performance.now() - since).toBeLessThan(10_000);
});
