import { Redis } from "@upstash/redis";
import { afterAll, describe, expect, it } from "vitest";
import { redisFence } from "../../src/fence/index.ts";
import { type ConnectionSource, type ConnectOptions, createLocks, type Locks, quorumLock } from "../../src/index.ts";
import { inspect, type Listed, type ListOptions, list } from "../../src/list/index.ts";
import { MAX_BYTES } from "../../src/redis/pipelines.ts";
import { createMemoryRedis } from "../../testing/src/index.ts";
import { answerLost, heldBack, instead, rateLimited, unavailable } from "../faults/faults.ts";
import { startWorld } from "../faults/world.ts";
import { TCP_CLIENTS } from "../support/tcp-clients.ts";
import { freshName, pause, useStack } from "../support/use-stack.ts";

const stack = useStack();
const closing: (() => void)[] = [];
afterAll(() => {
  for (const close of closing) close();
});
/** Locks under a prefix of their own, so that tests see nothing of each other. */
const make = (more: Partial<ConnectOptions> = {}): Locks =>
  createLocks({ url: stack.url, token: stack.token, prefix: `${freshName("list")}:`, ...more } as ConnectOptions);

async function all(locks: ConnectionSource, options?: ListOptions): Promise<Listed[]> {
  const entries: Listed[] = [];
  for await (const entry of list(locks, options)) entries.push(entry);
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}
const names = async (locks: ConnectionSource, options?: ListOptions): Promise<string[]> =>
  (await all(locks, options)).map(({ name }) => name);

/** One name of each kind and state. */
async function oneOfEach(locks: Locks): Promise<void> {
  await locks.lock("lock", { reentryKey: "alice", label: "night, 50 %" }).acquire({ lease: "1m" });
  await locks.fairLock("fair").acquire({ lease: "1m" });
  await locks.readWriteLock("reading").read.acquire({ lease: "1m" });
  await locks.readWriteLock("reading").read.acquire({ lease: "2m" });
  await locks.readWriteLock("writing").write.acquire({ lease: "1m", label: "deploy" });
  await locks.semaphore("permits", { permits: 5 }).acquire({ permits: 3, lease: "1m" });
  await locks.semaphore("pool", { ttl: "1h" }).setPermits(4);
  await locks.counter("tickets").setPermits(500);
  await locks.latch("latch").trySetCount(3);
  await locks.once("running", { lease: "1m" }).begin();
  const failed = await locks.once("failed").begin();
  if (failed.status === "started") await failed.fail();
  await locks.once("done", { ttl: "1h" }).run(() => "secret result");
  await (await locks.lock("released").acquire()).release();
  await redisFence(locks).write({ name: "fenced", token: 7 }, "secret value");
}

function shows(entries: readonly Listed[], began: number): void {
  const byName = Object.fromEntries(entries.map((entry) => [entry.name, entry]));
  expect(Object.keys(byName)).toHaveLength(entries.length);
  const held = { held: true, holds: 1, since: expect.any(Number), until: expect.any(Number) };
  expect(byName).toMatchObject({
    lock: { kind: "lock", state: "held", ...held, label: "night, 50 %", reentryKey: expect.stringMatching(/^[\w-]+$/) },
    fair: { kind: "fair", state: "held", ...held, waiters: 0 },
    reading: { kind: "rw", state: "read", ...held, holds: 2, waiters: 0 },
    writing: { kind: "rw", state: "write", ...held, label: "deploy" },
    permits: { kind: "semaphore", state: "held", ...held, holds: 3 },
    pool: { kind: "semaphore", state: "set", held: false, holds: 0, count: 4 },
    tickets: { kind: "counter", state: "set", held: false, count: 500 },
    latch: { kind: "latch", state: "counting", held: false, count: 3 },
    running: { kind: "once", state: "running", ...held, attempts: 1 },
    failed: { kind: "once", state: "idle", held: false, holds: 0, attempts: 1 },
    done: { kind: "once", state: "done", held: false, holds: 0, attempts: 1 },
    released: { kind: "none", state: "free", held: false, holds: 0, token: expect.any(Number) },
    fenced: { kind: "fence", state: "fence", held: false, token: 7 },
  });
  expect(entries).toHaveLength(13);
  for (const { name, since, until, token, label } of entries) {
    if (since === undefined) expect(["tickets", "pool", "released", "fenced"]).toContain(name);
    else {
      expect(since).toBe(Math.floor(token / 1000));
      expect(since).toBeGreaterThan(began - 1000);
      expect(since).toBeLessThan(Date.now() + 1000);
    }
    if (until !== undefined) expect(until).toBeGreaterThan(Date.now() + 20_000);
    expect("label" in { ...(label !== undefined && { label }) }).toBe(["lock", "writing"].includes(name));
  }
  expect(byName["reading"]?.until).toBeGreaterThan(Date.now() + 60_000);
  expect(JSON.stringify(entries)).not.toMatch(/secret|[\da-f]{8}-[\da-f]{4}/);
}

describe.concurrent("list", () => {
  const ways: Record<string, () => Locks> = {
    "our own transport": () => make(),
    "@upstash/redis": () =>
      createLocks({
        redis: new Redis({ url: stack.url, token: stack.token, enableTelemetry: false }),
        prefix: `${freshName("list")}:`,
      }),
    ioredis() {
      const { redis, close } = TCP_CLIENTS.ioredis(stack.redis.url);
      closing.push(close);
      return createLocks({ redis, prefix: `${freshName("list")}:` });
    },
    "a Redis in memory": () => {
      const { url, token, fetch } = createMemoryRedis();
      return createLocks({ url, token, fetch });
    },
  };
  it.each(Object.entries(ways))("tells every kind and state apart, over %s", async (_, way) => {
    const locks = way();
    const began = Date.now();
    await oneOfEach(locks);
    shows(await all(locks), began);
  });

  it("is a function of its entry only, and so is inspect, both of a connection and of what createLocks makes", async () => {
    const locks = make();
    await locks.semaphore("permits", { permits: 5 }).acquire({ permits: 3, lease: "1m" });
    expect(locks).not.toHaveProperty("list");
    expect(locks).not.toHaveProperty("inspect");
    expect(await all(locks.connection, { held: true })).toEqual(await all(locks, { held: true }));
    expect(await inspect(locks, "permits")).toMatchObject({ kind: "semaphore", holders: [{ permits: 3 }] });
    await expect(inspect(locks, "")).rejects.toThrow(RangeError);
    expect(() => list(locks, { held: true, any: 1 } as ListOptions)).toThrow(/no option "any"/);
  });

  it("has what is held, what is not, and one kind, as asked", async () => {
    const locks = make();
    await oneOfEach(locks);
    expect(await names(locks, { held: true })).toEqual([
      ...["fair", "lock", "permits", "reading", "running", "writing"],
    ]);
    expect(await names(locks, { held: false })).toHaveLength(7);
    expect(await names(locks, { kind: "once" })).toEqual(["done", "failed", "running"]);
    expect(await names(locks, { kind: "once", held: true })).toEqual(["running"]);
    expect(await names(locks, { kind: "fence" })).toEqual(["fenced"]);
  });

  it("keeps to the prefix, to the letter, and to the group", async () => {
    const prefix = `${freshName("list")}*[a]?\\:`;
    const locks = make({ prefix });
    const odd = ["a*b", "a[b]", "axb", "a{b}%25/c", "a/b", "🔒 ü", "%fence", "%crowd"];
    for (const name of odd) await locks.lock(name).acquire();
    await locks.group("a {group}").multiLock(["x", "y/{z}"]).acquire();
    await make({ prefix }).lock("x").acquire();
    expect((await names(locks)).sort()).toEqual([...odd, "x", "x", "y/{z}"].sort());
    expect(await names(locks, { prefix: "a*" })).toEqual(["a*b"]);
    expect(await names(locks, { prefix: "a[" })).toEqual(["a[b]"]);
    expect(await names(locks, { prefix: "a{" })).toEqual(["a{b}%25/c"]);
    expect(await all(locks, { prefix: "a {" })).toMatchObject([{ name: "x", group: "a {group}" }, { name: "y/{z}" }]);
    expect(await names(locks.group("a {group}"), { prefix: "y" })).toEqual(["y/{z}"]);
    expect(await all(locks, { prefix: "x" })).toEqual([expect.not.objectContaining({ group: expect.anything() })]);
    const stranger = createLocks({ url: stack.url, token: stack.token, prefix: freshName() });
    expect(await names(stranger)).toEqual([]);
  });

  it("leaves out other programs' keys, and reads neither another format nor another type", async () => {
    const prefix = `${freshName("list")}:`;
    const locks = make({ prefix });
    await locks.fairLock("ours").acquire();
    await stack.redis.command("SET", `${prefix}plain`, "1");
    await stack.redis.command("SET", `${prefix}{a}b`, "1");
    await stack.redis.command("SET", `${prefix}{}`, "1");
    await stack.redis.command("SET", `${prefix}{${"long".repeat(200)}}`, "1");
    await stack.redis.command("SET", `${prefix}{newer}`, "lock 2 17 1 a b c");
    await stack.redis.command("SET", `${prefix}{text}`, "somebody else's");
    await stack.redis.command("RPUSH", `${prefix}{typed}`, "1");
    expect(await all(locks)).toMatchObject([
      { name: "newer", kind: "lock/2", state: "unreadable", held: false },
      { name: "ours", kind: "fair", held: true },
      { name: "text", kind: "foreign", state: "unreadable" },
      { name: "typed", kind: "foreign", state: "unreadable" },
    ]);
  });

  it("shows the waiters of a fair lock, and a quorum lock on each of its servers", async () => {
    const locks = make();
    const queue = locks.fairLock("queue", { lease: "30s" });
    const holder = await queue.acquire();
    const caller = new AbortController();
    const waiting = [1, 2].map(() => queue.acquire({ wait: "20s", signal: caller.signal }).catch(() => {}));
    await expect.poll(async () => (await all(locks))[0]?.waiters).toBe(2);
    caller.abort();
    await Promise.all(waiting);
    await holder.release();
    const lease = await quorumLock([locks], "quorum").acquire();
    expect(await all(locks, { held: true })).toMatchObject([{ name: "quorum", kind: "lock", token: lease.token }]);
  });

  it("says no since for a token that the clock did not give", async () => {
    const prefix = `${freshName("list")}:`;
    const locks = make({ prefix });
    const ahead = (Date.now() + 3_600_000) * 1000;
    await stack.redis.command("SET", `${prefix}{ahead}`, `none 1 ${ahead} 0   `);
    const lease = await locks.lock("ahead").acquire();
    expect(lease.token).toBe(ahead + 1);
    const [entry] = await all(locks);
    expect(entry).toMatchObject({ state: "held", token: ahead + 1 });
    expect(entry).not.toHaveProperty("since");
  });

  it("refuses options that cannot be", () => {
    const locks = make();
    expect(() => list(locks, { pageSize: 0 })).toThrow(RangeError);
    expect(() => list(locks, { count: 10 } as never)).toThrow(TypeError);
    expect(() => list(locks, { prefix: "\ud800" })).toThrow(TypeError);
    expect(() => list({} as never)).toThrow(TypeError);
  });
});

describe.concurrent("list, when something goes wrong", () => {
  const isScan = ({ verb }: { verb: string }): boolean => verb === "SCAN";
  const isPage = ({ verb }: { verb: string }): boolean => /^EVAL/.test(verb);

  it.each([
    ["a SCAN whose answer is lost", isScan, answerLost],
    ["a SCAN without an answer", isScan, heldBack],
    ["503 to a SCAN", isScan, instead(unavailable)],
    ["429 to a SCAN", isScan, instead(rateLimited(0))],
    ["a page whose answer is lost", isPage, answerLost],
    ["503 to a page", isPage, instead(unavailable)],
  ])("continues after %s", async (_, match, fault) => {
    await using world = await startWorld(stack);
    const locks = world.client({ prefix: `${freshName("list")}:` });
    await oneOfEach(locks);
    const began = Date.now() - 10_000;
    world.proxy.next(match, fault);
    shows(await all(locks), began);
    expect(world.proxy.unmet()).toBe(0);
  });

  it("throws when the server does not answer, and the signal's reason", async () => {
    await using world = await startWorld(stack);
    const locks = world.client({ prefix: `${freshName("list")}:`, requestTimeout: "1500ms" });
    await locks.lock("one").acquire();
    const caller = new AbortController();
    const end = world.proxy.always(isScan, heldBack);
    await expect(all(locks)).rejects.toMatchObject({ code: "outcome_unknown" });
    const aborted = all(locks, { signal: caller.signal });
    await pause(50);
    caller.abort("enough");
    await expect(aborted).rejects.toBe("enough");
    end();
    world.proxy.next(isScan, ({ answer }) => answer({ status: 200, headers: {}, body: '{"result":"OK"}' }));
    await expect(all(locks)).rejects.toMatchObject({ code: "malformed_answer" });
    const stranger = createLocks({ url: stack.url, token: "another-token-0123456789" });
    await expect(all(stranger)).rejects.toMatchObject({ code: "unauthorized" });
  });
});

it("reads a page of many long names by several requests, each below a stated size (E24)", async () => {
  const prefix = `${freshName("long")}:`;
  const wanted = Array.from({ length: 600 }, (_, n) => `${n} `.padEnd(500, "x"));
  await Promise.all(
    wanted.map((name) => stack.redis.command("SET", `${prefix}{${name}}`, "lock 1 17 8999999999999999   ")),
  );
  let largest = 0;
  const noting: typeof fetch = (input, init) => {
    largest = Math.max(largest, Buffer.byteLength(`${init?.body}`));
    return fetch(input, init);
  };
  expect(new Set(await names(make({ prefix, fetch: noting, requestTimeout: "25s" }), { pageSize: 1000 }))).toEqual(
    new Set(wanted),
  );
  expect(largest).toBeLessThanOrEqual(MAX_BYTES + 2);
  expect(largest).toBeGreaterThan(0.9 * MAX_BYTES);
}, 120_000);

it("pages by SCAN, two requests for each page, and never asks for all keys", async () => {
  const redis = createLocks({ url: stack.url, token: stack.token, prefix: "paged:" });
  const wanted = Array.from({ length: 400 }, (_, n) => `name ${n}`);
  await Promise.all(wanted.map((name) => redis.lock(name).acquire()));
  let requests = 0;
  const counted: typeof fetch = (...args) => {
    requests++;
    return fetch(...args);
  };
  const locks = createLocks({ url: stack.url, token: stack.token, prefix: "paged:", fetch: counted });
  await stack.redis.command("CONFIG", "RESETSTAT");
  const seen = new Set(await names(locks, { pageSize: 50 }));
  expect(seen).toEqual(new Set(wanted));
  const calls = await stack.commandCalls();
  expect(calls["keys"]).toBeUndefined();
  expect(calls["scan"]).toBeGreaterThan(7);
  expect(requests).toBeLessThanOrEqual(2 * (calls["scan"] ?? 0) + 1);
  // A caller that has seen enough asks for no more.
  requests = 0;
  for await (const _ of list(locks, { pageSize: 50 })) break;
  expect(requests).toBeLessThanOrEqual(4);
});

it("lists a semaphore and a counter whose number is below zero as what they are (51.3)", async () => {
  const locks = make();
  const [stock, tickets] = [locks.semaphore("stock"), locks.counter("tickets")];
  await stock.setPermits(3);
  await tickets.setPermits(1);
  const reserved = await stock.acquire({ permits: 3, lease: "1m" });
  await stock.setPermits(1);
  await reserved.spend(3);
  await tickets.addPermits(-5);
  const spent = await all(locks);
  expect(spent).toMatchObject([
    { name: "stock", kind: "semaphore", state: "set", count: -2 },
    { name: "tickets", kind: "counter", state: "set", count: -4 },
  ]);
  expect(spent.some(({ unreadable }) => unreadable !== undefined)).toBe(false);
  expect(await inspect(locks, "stock")).toMatchObject({ kind: "semaphore", count: -2, holders: [] });
});
