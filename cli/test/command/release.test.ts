import { describe, expect, it } from "vitest";
import { serveGateway } from "../../../gateway/src/index.ts";
import { redisFence } from "../../../src/fence/index.ts";
import { type Lease, LeaseLostError } from "../../../src/index.ts";
import { list } from "../../../src/list/index.ts";
import { answerLost } from "../../../test/faults/faults.ts";
import { startProxy } from "../../../test/support/proxy.ts";
import { pause, useStack } from "../../../test/support/use-stack.ts";
import { command } from "../../../tools/run-command.ts";
import { setUp, until } from "./support.ts";

const stack = useStack();
const MINUTE = { lease: "1m" } as const;

/** Whether a lease is still its holder's. */
const lives = (lease: Lease): Promise<boolean> => lease.verify();

describe.concurrent("leasehold release", () => {
  it("releases what it showed after a yes, and says that the holder keeps running", async () => {
    const { locks, env, flags } = setUp(stack);
    const lease = await locks.lock("stuck").acquire({ ...MINUTE, label: "nightly" });
    const no = await command(["release", "stuck", ...flags], { env, typed: "n\n" });
    expect(no).toMatchObject({ code: 1, out: "", err: expect.stringContaining("you answered no") });
    expect(await lives(lease)).toBe(true);
    const yes = await command(["release", "stuck", ...flags], { env, typed: "yes\n" });
    expect(yes).toMatchObject({ code: 0, out: "released stuck\n" });
    expect(yes.err).toMatch(
      new RegExp(`stuck +lock[\\s\\S]*“nightly”[\\s\\S]*token ${lease.token}[\\s\\S]*fence[\\s\\S]*\\[y/N\\]`),
    );
    await expect(lease.extend()).rejects.toThrow(LeaseLostError);
    expect((await locks.lock("stuck").acquire()).token).toBeGreaterThan(lease.token);
  });

  it("asks nobody where there is no terminal: without --yes nothing is taken", async () => {
    const { locks, run } = setUp(stack);
    const lease = await locks.lock("stuck").acquire(MINUTE);
    expect(await run("release", "stuck")).toMatchObject({ code: 2, err: expect.stringContaining("--yes") });
    expect(await lives(lease)).toBe(true);
  });

  it("takes the tenure that it showed and not the one that came while it asked", async () => {
    const { locks, env, flags } = setUp(stack);
    const first = await locks.lock("moving").acquire(MINUTE);
    let second: Lease | undefined;
    let printed = "";
    const typed = new ReadableStream({
      async start(controller) {
        // The question stands; meanwhile the holder lets go and somebody else comes.
        await until(() => printed.includes("[y/N]"));
        await first.release();
        second = await locks.lock("moving").acquire(MINUTE);
        controller.enqueue("y\n");
        controller.close();
      },
    });
    const onErrors = (text: string): void => {
      printed = text;
    };
    const ended = await command(["release", "moving", ...flags], { env, typed, onErrors });
    expect(ended).toMatchObject({
      code: 1,
      err: expect.stringMatching(/not released moving: token \d+ no longer holds it/),
    });
    expect(await lives(second as Lease)).toBe(true);
  });

  it("refuses the token of a tenure that was overtaken", async () => {
    const { locks, run } = setUp(stack);
    const first = await locks.lock("taken").acquire(MINUTE);
    await first.release();
    const second = await locks.lock("taken").acquire(MINUTE);
    const late = await run("release", "taken", "--yes", "--fencing-token", String(first.token), "--json");
    expect(late.code).toBe(1);
    expect(JSON.parse(late.out)).toMatchObject({ name: "taken", released: false, status: "passed" });
    expect(await lives(second)).toBe(true);
    const right = await run("release", "taken", "--yes", "--fencing-token", String(second.token), "--json");
    expect(JSON.parse(right.out)).toMatchObject({ released: true, token: second.token });
    expect(await lives(second)).toBe(false);
  });

  it("also releases in a group, and not the same name outside of it", async () => {
    const { locks, run } = setUp(stack);
    const [inside, outside] = [await locks.group("g").lock("a").acquire(), await locks.lock("b").acquire()];
    expect(await run("release", "a", "--yes")).toMatchObject({
      code: 1,
      err: expect.stringContaining("nobody holds it"),
    });
    expect(await run("release", "a", "--group", "g", "--yes")).toMatchObject({ code: 0, out: "released g/a\n" });
    expect([await lives(inside), await lives(outside)]).toEqual([false, true]);
  });

  it("ends the holder of a fair lock, and the queue stays in its order", async () => {
    const { locks, run } = setUp(stack);
    const lock = locks.fairLock("queue", MINUTE);
    const holder = await lock.acquire();
    const order: number[] = [];
    const waiting = [1, 2].map(async (n) => {
      await pause(100 * n);
      const lease = await lock.acquire({ wait: "15s" });
      order.push(n);
      await lease.release();
    });
    await until(async () => (await lock.inspect()).waiters === 2);
    expect(await run("release", "queue", "--yes")).toMatchObject({ code: 0 });
    await Promise.all(waiting);
    expect(order).toEqual([1, 2]);
    expect(await lives(holder)).toBe(false);
  });

  it("ends both sides of a read-write lock, by the token of either", async () => {
    const { locks, run } = setUp(stack);
    const { read, write } = locks.readWriteLock("pages", MINUTE);
    const readers = [await read.acquire(), await read.acquire()];
    expect(await run("release", "pages", "--yes", "--fencing-token", String(readers[0]?.token))).toMatchObject({
      code: 0,
    });
    for (const reader of readers) expect(await lives(reader)).toBe(false);
    const writer = await write.acquire();
    expect(await run("release", "pages", "--yes", "--fencing-token", String(readers[0]?.token))).toMatchObject({
      code: 1,
    });
    expect(await lives(writer)).toBe(true);
    expect(await run("release", "pages", "--yes")).toMatchObject({ code: 0 });
    expect(await lives(writer)).toBe(false);
    expect(await (await read.acquire()).release()).toBe(true);
  });

  it("ends the permits of one token, or all of them, and the number that was set stays", async () => {
    const { locks, run } = setUp(stack);
    const pool = locks.semaphore("pool", MINUTE);
    await pool.setPermits(6);
    const leases = [await pool.acquire({ permits: 2 }), await pool.acquire(), await pool.acquire({ permits: 3 })];
    expect(await run("release", "pool", "--yes", "--fencing-token", String(leases[1]?.token))).toMatchObject({
      code: 0,
    });
    expect(await Promise.all(leases.map(lives))).toEqual([true, false, true]);
    expect(await pool.available()).toBe(1);
    expect(await run("release", "pool", "--yes", "--fencing-token", String(leases[1]?.token))).toMatchObject({
      code: 1,
    });
    expect(await run("release", "pool", "--yes")).toMatchObject({ code: 0 });
    expect(await Promise.all(leases.map(lives))).toEqual([false, false, false]);
    expect(await pool.available()).toBe(6);
    expect(await run("release", "pool", "--yes")).toMatchObject({ code: 1, err: expect.stringContaining("--forget") });
    expect(await run("release", "pool", "--yes", "--forget")).toMatchObject({ code: 0 });
    expect(await pool.available()).toBe(0);
  });

  it("ends the running attempt of a once, whose result is then refused; the next one counts on", async () => {
    const { locks, run } = setUp(stack);
    const delivery = locks.once("delivery", MINUTE);
    const first = await delivery.begin();
    expect(await run("release", "delivery", "--yes")).toMatchObject({ code: 0 });
    if (first.status === "started") await expect(first.complete("late")).rejects.toThrow(LeaseLostError);
    const second = await delivery.begin();
    expect(second).toMatchObject({ status: "started", attempt: 2 });
    if (second.status === "started") await second.complete("done");
    expect(await run("release", "delivery", "--yes")).toMatchObject({
      code: 1,
      err: expect.stringContaining("(done)"),
    });
    expect(await run("release", "delivery", "--yes", "--forget")).toMatchObject({ code: 0 });
    expect(await delivery.begin()).toMatchObject({ status: "started", attempt: 1 });
  });

  it("refuses what nobody can hold, and says what else there is", async () => {
    const { locks, run } = setUp(stack);
    await locks.latch("latch").trySetCount(2);
    await locks.counter("tickets").setPermits(5);
    await redisFence(locks).write({ name: "fenced", token: 7 }, "value");
    for (const name of ["latch", "tickets"])
      expect(await run("release", name, "--yes")).toMatchObject({ code: 1, err: expect.stringContaining("--forget") });
    for (const name of ["fenced", "unknown"]) expect(await run("release", name, "--yes")).toMatchObject({ code: 1 });
    for (const name of ["latch", "tickets"])
      expect(await run("release", name, "--yes", "--forget")).toMatchObject({ code: 0 });
    const left: string[] = [];
    for await (const { name, kind } of list(locks)) left.push(`${name} ${kind}`);
    expect(left.sort()).toEqual(["fenced fence", "latch none", "tickets none"]);
  });
});

it("a Redis in memory releases, too", async () => {
  const token = "memory-token-0123456789";
  const server = await serveGateway({ memory: true, token, port: 0 });
  const { locks, run } = setUp({ url: server.url, token });
  // It answers 503 while it loads.
  await until(async () => (await run("ls")).code === 1);
  const leases = [
    await locks.lock("lock").acquire(MINUTE),
    await locks.fairLock("fair").acquire(MINUTE),
    await locks.readWriteLock("rw").read.acquire(MINUTE),
    await locks.semaphore("semaphore", { permits: 2 }).acquire(MINUTE),
  ];
  for (const lease of leases) {
    expect(await run("release", lease.name, "--yes", "--fencing-token", "5")).toMatchObject({ code: 1 });
    expect(await lives(lease)).toBe(true);
    expect(await run("release", lease.name, "--yes", "--fencing-token", String(lease.token))).toMatchObject({
      code: 0,
    });
    expect(await lives(lease)).toBe(false);
  }
  await server.close();
});

describe.concurrent("a release that goes astray", () => {
  it("a retry after a lost answer gets the first answer, and a late duplicate releases nothing (R3)", async () => {
    await using proxy = await startProxy(stack.url);
    const { locks, run } = setUp({ url: proxy.url, token: stack.token });
    const lease = await locks.lock("lost").acquire(MINUTE);
    proxy.next("name-release", answerLost);
    expect(await run("release", "lost", "--yes")).toMatchObject({ code: 0, out: "released lost\n" });
    expect(proxy.unmet()).toBe(0);
    expect(await lives(lease)).toBe(false);
    const next = await locks.lock("lost").acquire(MINUTE);
    const pool = locks.semaphore("pool", { permits: 2, ...MINUTE });
    await pool.acquire();
    expect(await run("release", "pool", "--yes")).toMatchObject({ code: 0 });
    const permit = await pool.acquire();
    const copies = await proxy.replay("name-release");
    expect(copies.length).toBeGreaterThan(2);
    // On a machine that is slow, their time may be over.
    expect(copies.filter((status) => status !== "released" && status !== "late")).toEqual([]);
    expect([await lives(next), await lives(permit)]).toEqual([true, true]);
  });
});

it("a release works when memory is full", async () => {
  const { locks, run } = setUp(stack);
  const lease = await locks.lock("full").acquire(MINUTE);
  const pool = locks.semaphore("full pool", { permits: 2, ...MINUTE });
  const permit = await pool.acquire();
  const fair = await locks.fairLock("full fair").acquire(MINUTE);
  await stack.redis.command("CONFIG", "SET", "maxmemory", "1");
  const ended = [];
  for (const name of ["full", "full pool", "full fair"]) ended.push((await run("release", name, "--yes")).code);
  await stack.redis.command("CONFIG", "SET", "maxmemory", "0");
  expect(ended).toEqual([0, 0, 0]);
  for (const each of [lease, permit, fair]) expect(await lives(each)).toBe(false);
});
