import { describe, expect, it } from "vitest";
import { runCron } from "../../src/cron/index.ts";
import { redisFence } from "../../src/fence/index.ts";
import { dedupeKey } from "../../src/hono/index.ts";
import { createLocks, type Locks, quorumLock } from "../../src/index.ts";
import { type Inspected, inspect, type Listed, type ListedHolder, list } from "../../src/list/index.ts";
import { createMemoryRedis } from "../../testing/src/index.ts";
import { freshName, pause, useStack } from "../support/use-stack.ts";

const stack = useStack();
const make = (more: object = {}): Locks =>
  createLocks({ url: stack.url, token: stack.token, prefix: `${freshName("inspect")}:`, ...more });
const time = expect.any(Number);

describe.concurrent("inspect", () => {
  it("tells the kind, and the holders one by one", async () => {
    const locks = make();
    await locks.lock("lock", { reentryKey: "alice", label: "night, 50 %" }).acquire({ lease: "1m" });
    await locks.lock("lock", { reentryKey: "alice", label: "later" }).acquire({ lease: "2m" });
    const lock = await inspect(locks, "lock");
    expect(lock).toMatchObject({ kind: "lock", state: "held", holds: 2, label: "night, 50 %" });
    const who = { since: lock.since, label: "night, 50 %", reentryKey: lock.reentryKey };
    expect(lock.holders).toEqual([
      { ...who, until: lock.until },
      { ...who, until: time },
    ]);
    expect(lock.until).toBeGreaterThan(Date.now() + 110_000);
    expect(lock.holders[1]?.until).toBeLessThan(Date.now() + 61_000);

    const permits = locks.semaphore("permits", { permits: 5 });
    const first = await permits.acquire({ permits: 3, lease: "1m" });
    const second = await permits.acquire({ lease: "2m" });
    expect((await inspect(locks, "permits")).holders).toEqual([
      { since: Math.floor(second.token / 1000), until: time, permits: 1, token: second.token },
      { since: Math.floor(first.token / 1000), until: time, permits: 3, token: first.token },
    ]);
    await locks.readWriteLock("page").read.acquire({ reentryKey: "bob", lease: "1m" });
    const page = await inspect(locks, "page");
    expect(page).toMatchObject({ kind: "rw", state: "read" });
    expect(page.holders).toEqual([
      { until: page.until, reentryKey: expect.stringMatching(/^[\w-]{22}$/), mode: "read" },
    ]);
  });

  it("tells a name that is not in use, and a fence next to one", async () => {
    const locks = make();
    expect(await inspect(locks, "never")).toEqual({
      ...{ name: "never", kind: "none", state: "free", held: false, token: 0, holds: 0, holders: [] },
    });
    const lease = await locks.lock("invoice").acquire();
    await redisFence(locks).claim(lease);
    await lease.release();
    expect(await inspect(locks, "invoice")).toMatchObject({ kind: "none", token: lease.token, fence: lease.token });
    await redisFence(locks.group("g")).claim({ name: "alone", token: 7 });
    expect(await inspect(locks.group("g"), "alone")).toMatchObject({ name: "alone", group: "g", fence: 7 });
  });

  it("tells what nobody holds from what somebody does: a queue, a latch, a number, fences of several names", async () => {
    const locks = make();
    const stop = new AbortController();
    const queue = locks.fairLock("queue");
    const first = await queue.acquire();
    const waiting = queue.acquire({ wait: "20s", signal: stop.signal }).catch(() => {});
    await expect.poll(async () => (await queue.inspect()).waiters).toBe(1);
    await first.release();
    // The waiter may be the holder by now, or on its way.
    const { held, holders, waiters } = await inspect(locks, "queue");
    expect(holders).toHaveLength(held ? 1 : 0);
    expect(waiters).toBeLessThanOrEqual(held ? 0 : 1);
    await locks.latch("latch").trySetCount(2);
    await locks.semaphore("number").setPermits(3);
    const remembered = { held: false, holders: [], rememberedUntil: time };
    expect(await inspect(locks, "latch")).toMatchObject({ ...remembered, state: "counting", count: 2 });
    expect(await inspect(locks, "number")).toMatchObject({ ...remembered, state: "set", count: 3 });
    const { tokens } = await locks.group("g").multiLock(["a", "b"]).acquire();
    const fence = redisFence(locks.group("g"));
    for (const [name, token] of Object.entries(tokens)) await fence.claim({ name, token });
    for (const [name, token] of Object.entries(tokens))
      expect(await inspect(locks.group("g"), name)).toMatchObject({ held: true, token, fence: token });
    const fences: Listed[] = [];
    for await (const entry of list(locks, { kind: "fence" })) fences.push(entry);
    expect(fences).toHaveLength(2);
    expect(fences).toEqual(expect.arrayContaining([expect.objectContaining({ name: "a", group: "g", held: false })]));
    stop.abort();
    await waiting;
  });

  it("tells the cron job and the sender that a name belongs to", async () => {
    const locks = make();
    const slot = "2026-03-01T04:00:00.000Z";
    let during: Listed | undefined;
    const work = async (): Promise<void> => {
      during = await inspect(locks, "cron:nightly: all");
    };
    await runCron({ locks, name: "nightly: all", slot }, work);
    expect(during).toMatchObject({ kind: "lock", held: true, job: "nightly: all" });
    const key = await dedupeKey({ sender: "git:hub", scope: "/hook", id: "1" });
    await locks.once(key).begin();
    await locks.once("plain").begin();
    const all: Listed[] = [];
    for await (const entry of list(locks)) all.push(entry);
    const belongs = all.map(({ name, kind, job, slot, sender }) => ({ name, kind, job, slot, sender }));
    expect(belongs.sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
      { name: "cron-last:nightly: all", kind: "fence", job: "nightly: all" },
      { name: `cron-slot:12:nightly: all:${slot}`, kind: "once", job: "nightly: all", slot },
      { name: "cron:nightly: all", kind: "none" },
      { name: key, kind: "once", sender: "git:hub" },
      { name: "plain", kind: "once" },
    ]);
  });

  it("lists and inspects the slots and the last run of a cron job by their names, in no group (50.1)", async () => {
    const locks = make();
    await runCron({ locks, name: "nightly", slot: "one" }, () => {});
    await locks.lock("other").acquire();
    const named = async (prefix: string): Promise<readonly string[]> => {
      const found: string[] = [];
      for await (const { name, group } of list(locks, { prefix })) found.push(group === undefined ? name : `${group}/`);
      return found.sort();
    };
    const [last, slot, lock] = ["cron-last:nightly", "cron-slot:7:nightly:one", "cron:nightly"];
    expect(await named("")).toEqual([last, slot, lock, "other"]);
    for (const prefix of ["c", "cron"]) expect(await named(prefix)).toEqual([last, slot, lock]);
    expect(await named("cron-")).toEqual([last, slot]);
    expect(await named("cron-slot:7:")).toEqual([slot]);
    expect(await named("cron:")).toEqual([lock]);
    expect(await inspect(locks, slot)).toMatchObject({ name: slot, kind: "once", state: "done", job: "nightly" });
    expect(await inspect(locks, slot)).not.toHaveProperty("group");
    expect((await inspect(locks, last)).fence).toBeGreaterThan(0);
    const group = locks.group("g");
    await runCron({ locks: group, name: "nightly", slot: "one" }, () => {});
    expect(await inspect(group, slot)).toMatchObject({ name: slot, group: "g", state: "done" });
  });
});

/** The process and the text of people, in the forms that need care. */
const HOLDER = "iad1, cf-ray 8f2@α#3;";
const LABEL = "night, 50 % @ 3 o'clock #1";
const who = { label: LABEL, holder: HOLDER };

describe.concurrent("holder", () => {
  const ways: Record<string, () => Locks> = {
    "a real Redis": () => make({ holder: HOLDER }),
    "a Redis in memory": () => {
      const { url, token, fetch } = createMemoryRedis();
      return createLocks({ url, token, fetch, holder: HOLDER });
    },
  };
  it.each(Object.entries(ways))("is returned for every kind beside the label, over %s", async (_, way) => {
    const locks = way();
    const { lock, fairLock, readWriteLock, semaphore, once } = locks;
    const holders = async (name: string): Promise<readonly ListedHolder[]> => (await inspect(locks, name)).holders;
    await lock("lock", { label: LABEL }).acquire();
    await fairLock("fair").acquire({ label: LABEL });
    await readWriteLock("page").write.acquire({ label: LABEL });
    for (const one of [lock("lock"), fairLock("fair"), readWriteLock("page")]) {
      expect(await one.inspect()).toMatchObject(who);
      expect(await inspect(locks, one.name)).toMatchObject({ ...who, holders: [who] });
    }
    await lock("unlabelled").acquire();
    expect(await lock("unlabelled").inspect()).toMatchObject({ holder: HOLDER });
    expect(await lock("unlabelled").inspect()).not.toHaveProperty("label");
    await once("task").begin();
    expect(await once("task").inspect()).toMatchObject({ state: "running", holder: HOLDER });
    const task = await inspect(locks, "task");
    expect(task).toMatchObject({ holder: HOLDER, holders: [{ holder: HOLDER, since: task.since, until: task.until }] });
    expect(task.rememberedUntil).toBeGreaterThan((task.until ?? 0) + 3_600_000);
    await once("done").run(() => "result");
    expect(await once("done").inspect()).not.toHaveProperty("holder");
    expect(await inspect(locks, "done")).not.toHaveProperty("holder");

    const reads = readWriteLock("reads").read;
    const before = Date.now() - 5;
    await reads.acquire({ label: LABEL, reentryKey: "bob", lease: "1m" });
    await pause(20);
    await reads.acquire({ lease: "2m" });
    const [second, first] = await holders("reads");
    expect(first).toEqual({ ...who, since: time, until: time, reentryKey: expect.any(String), mode: "read" });
    expect(second).toEqual({ holder: HOLDER, since: time, until: time, mode: "read" });
    expect(second?.since).toBeGreaterThan(first?.since ?? 0);
    expect(first?.since).toBeGreaterThanOrEqual(before);

    const permits = semaphore("permits", { permits: 9, label: LABEL });
    const [a, b] = [await permits.acquire({ permits: 2, lease: "1m" }), await permits.acquire({ permits: 3 })];
    expect(a.permits).toEqual([1, 2]);
    await a.extend("3m");
    await b.releasePermits([1, 3]);
    expect(await holders("permits")).toEqual([
      { ...who, since: Math.floor(a.token / 1000), until: time, permits: 2, token: a.token },
      { ...who, since: Math.floor(b.token / 1000), until: time, permits: 1, token: b.token },
    ]);
    const elsewhere = await locks.resume(b.ticket());
    expect(await elsewhere.verify()).toBe(true);
    expect(await elsewhere.release()).toBe(true);
    expect(await a.release()).toBe(true);
    expect(await inspect(locks, "permits")).toMatchObject({ held: false, holders: [] });
  });

  it("of a part of a multi-lock is returned with the part's label, and of a quorum lock on every server", async () => {
    const locks = make({ holder: HOLDER });
    const parts = [locks.lock("a", { label: "own" }), locks.semaphore("b", { permits: 1 })];
    const lease = await locks.multiLock(parts).acquire();
    expect((await inspect(locks, "a")).holders).toMatchObject([{ label: "own", holder: HOLDER }]);
    expect((await inspect(locks, "b")).holders).toMatchObject([{ holder: HOLDER, permits: 1 }]);
    await lease.release();
    await locks.multiLock(parts).acquire({ label: LABEL });
    expect((await inspect(locks, "a")).holders).toMatchObject([who]);
    expect((await inspect(locks, "b")).holders).toMatchObject([who]);
    await locks.group("g").multiLock(["c", "d"]).acquire({ label: LABEL });
    expect(await inspect(locks.group("g"), "d")).toMatchObject({ ...who, group: "g", holders: [who] });
    await quorumLock([locks], "q", { label: LABEL }).acquire();
    expect((await inspect(locks, "q")).holders).toMatchObject([who]);
  });

  it("goes with its hold: nothing of it is left after a release, an end or a force (R8)", async () => {
    const prefix = `${freshName("inspect")}:`;
    const locks = make({ prefix, holder: HOLDER });
    const crowd = (name: string): Promise<string> =>
      stack.redis.command("ZRANGE", `${prefix}{${name}}%crowd`, "0", "-1");
    const { read } = locks.readWriteLock("page");
    const released = await read.acquire({ label: LABEL, reentryKey: "bob" });
    expect(await crowd("page")).toContain("@");
    await released.release();
    expect(await crowd("page")).not.toMatch(/[@t]/);
    await Promise.all(Array.from({ length: 5 }, () => read.acquire({ lease: 400, label: LABEL })));
    await pause(420);
    await read.acquire({ lease: "10s" });
    // Those that ended stay until no request of theirs can arrive, and their times do not.
    expect((await crowd("page")).match(/t[\da-f-]{36}/g)).toHaveLength(1);
    expect(await locks.readWriteLock("page").forceRelease()).toBe(true);
    expect((await inspect(locks, "page")).holders).toEqual([]);
    const permits = locks.semaphore("permits", { permits: 3 });
    await permits.acquire({ lease: 400, permits: 2 });
    await pause(420);
    const lease = await permits.acquire({ permits: 3 });
    expect((await inspect(locks, "permits")).holders).toHaveLength(1);
    await lease.release();
    expect(await crowd("permits")).not.toContain("@");
  });

  it("is not there in records of releases that knew none, and such releases show it behind the label", async () => {
    const prefix = `${freshName("inspect")}:`;
    const [locks, id] = [make({ prefix, holder: HOLDER }), "00000000-0000-4000-8000-000000000000"];
    const now = Date.now() * 1000;
    const ends = now + 60e6;
    const put = (name: string, record: string): Promise<string> =>
      stack.redis.command("SET", `${prefix}{${name}}`, record, "PX", "60000");
    await put("lock", `lock 1 ${now} ${ends}  ${id}:${ends},  night%20run 0 0`);
    await put("page", `rw 1 ${now} ${ends}  ${id}:${ends}, 0  deploy ${now} 0 `);
    await put("task", `once 1 ${now} ${ends}  ${id}:${ends}, 1   `);
    expect((await inspect(locks, "lock")).holders).toEqual([{ since: time, until: time, label: "night run" }]);
    expect((await inspect(locks, "page")).holders).toMatchObject([{ label: "deploy", mode: "write" }]);
    const { holders } = await inspect(locks, "task");
    expect(holders).toEqual([{ since: time, until: time }]);
    for (const each of [locks.lock("lock"), locks.readWriteLock("page"), locks.once("task")])
      expect(await each.inspect()).not.toHaveProperty("holder");
    await locks.lock("lock").forceRelease();
    await locks.lock("lock").acquire({ label: LABEL });
    // Two words and two numbers, as a release without holders reads them.
    const body = (await stack.redis.command("GET", `${prefix}{lock}`)).trimEnd().split(", ")[1] ?? "";
    expect(decodeURIComponent(/^(\S*) (\S*) (\d+) (\d+)$/.exec(body)?.[2] ?? "")).toBe(`${LABEL}@${HOLDER}`);
  });

  it("has 1 to 200 bytes of well-formed text", () => {
    for (const holder of ["", "x".repeat(201), "é".repeat(101)]) expect(() => make({ holder })).toThrow(RangeError);
    for (const holder of ["\ud800", 1]) expect(() => make({ holder })).toThrow(TypeError);
    make({ holder: "é".repeat(100) });
  });
});

it("tells a hundred of a crowd at most, in ten commands, and all permits of each", async () => {
  const locks = make({ holder: HOLDER });
  const permits = locks.semaphore("permits", { permits: 10_000 });
  await Promise.all(Array.from({ length: 130 }, () => permits.acquire({ permits: 8, lease: "1m" })));
  await permits.acquire({ permits: 1000, lease: "2m" });
  const reads = locks.readWriteLock("page").read;
  await Promise.all(Array.from({ length: 130 }, () => reads.acquire()));
  await inspect(locks, "page");
  let inspected: Inspected | undefined;
  // The fence is looked for too.
  expect(await stack.commandsOf(async () => (inspected = await inspect(locks, "page")))).toBeLessThanOrEqual(12);
  expect(inspected).toMatchObject({ holds: 130 });
  expect(new Set(inspected?.holders.map(({ until }) => until)).size).toBeGreaterThan(1);
  expect(inspected?.holders).toHaveLength(100);
  expect((await inspect(locks, "permits")).holders).toMatchObject([{ permits: 1000 }]);
  await locks.semaphore("permits").forceRelease();
  const small = locks.semaphore("small", { permits: 10_000 });
  await Promise.all(Array.from({ length: 130 }, () => small.acquire({ permits: 11, lease: "1m" })));
  const { holders } = await inspect(locks, "small");
  expect(holders).toHaveLength(90);
  expect(holders.every((each) => each.permits === 11)).toBe(true);
});
