import { DatabaseSync } from "node:sqlite";
import { Hono } from "hono";
import { expect, it } from "vitest";
import { cloudflareCron } from "../../src/cron/index.ts";
import { redisFence, sqliteFence } from "../../src/fence/index.ts";
import { dedupe } from "../../src/hono/index.ts";
import { createLocks, type LeaseholdEvent } from "../../src/index.ts";
import { createTestRedis, type TestRedis } from "../src/index.ts";

/** A story takes no time: whatever it waits for, nobody waits in reality. */
function story(title: string, tell: (redis: TestRedis) => Promise<void>): void {
  it(title, async () => {
    const begin = performance.now();
    await tell(createTestRedis());
    expect(performance.now() - begin).toBeLessThan(10_000);
  });
}

story("busy: somebody else holds it, and it is free when their lease ends", async (redis) => {
  const locks = createLocks(redis.options);
  const theirs = await redis.hold("invoice:42", { lease: "20s", label: "somebody else" });
  expect(await locks.lock("invoice:42").tryAcquire()).toBeNull();
  expect(await locks.lock("invoice:42").inspect()).toMatchObject({
    state: "held",
    token: theirs.token,
    label: "somebody else",
  });
  await redis.advance("20s");
  expect((await locks.lock("invoice:42").tryAcquire())?.token).toBeGreaterThan(theirs.token);
  expect(await theirs.release()).toBe(false);
});

story("busy: somebody lets it go, and a waiter gets it", async (redis) => {
  const theirs = await redis.hold("invoice:42", { kind: "lock" });
  const waiting = createLocks(redis.options).lock("invoice:42").acquire({ wait: "25s" });
  await redis.advance("5s");
  expect(await theirs.release()).toBe(true);
  await redis.advance("15s");
  expect((await waiting).token).toBeGreaterThan(theirs.token);
  expect(redis.requests.filter(({ operation }) => operation === "acquire").length).toBeGreaterThan(2);
});

story("a waiter gives up", async (redis) => {
  await redis.hold("invoice:42", { lease: "10m" });
  const waiting = createLocks(redis.options)
    .lock("invoice:42")
    .acquire({ wait: "30s" })
    .catch((error: unknown) => error);
  await redis.advance("31s");
  expect(await waiting).toMatchObject({ code: "lock_timeout" });
});

story("a multi-lock is held by its names, in a group or in none, and one of them can be lost", async (redis) => {
  const locks = createLocks(redis.options);
  const grouped = await locks.group("tenant").multiLock(["a", "b/c"]).acquire();
  const spread = await locks.multiLock(["x", "y"]).acquire();
  expect(
    redis
      .held()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(["a", "b/c", "x", "y"]);
  await redis.lose("b/c", "forced");
  expect([await grouped.verify(), await spread.verify()]).toEqual([false, true]);
  await expect(redis.lose("b/c")).rejects.toThrow('nobody holds "b/c"');
});

story("an attempt of somebody else that died counts, and what is done cannot be held", async (redis) => {
  const once = createLocks(redis.options).once("delivery 1");
  const theirs = await redis.hold("delivery 1", { kind: "once", lease: "20s" });
  expect(await once.begin()).toMatchObject({ status: "running" });
  await redis.lose("delivery 1", "expired");
  const second = await redis.hold("delivery 1", { kind: "once" });
  expect(second.token).toBeGreaterThan(theirs.token);
  expect([await theirs.release(), await second.release()]).toEqual([false, true]);
  const turn = await once.begin();
  expect(turn).toMatchObject({ status: "started", attempt: 3 });
  if (turn.status === "started") await turn.complete("result");
  await expect(redis.hold("delivery 1", { kind: "once" })).rejects.toThrow("is done already");
});

for (const how of ["expired", "forced", "flushed"] as const)
  story(`lost during the work: ${how}`, async (redis) => {
    const lock = createLocks(redis.options).lock("invoice:42");
    const lease = await lock.acquire({ lease: "30s" });
    await redis.lose("invoice:42", how);
    expect(await lease.verify()).toBe(false);
    expect(lease.signal.reason).toMatchObject({ code: "lease_lost", ...(how !== "flushed" && { reason: how }) });
    expect((await lock.tryAcquire())?.token).toBeGreaterThan(lease.token);
  });

story("the lease ends during the work, and its signal says so", async (redis) => {
  const lease = await createLocks(redis.options).lock("invoice:42").acquire({ lease: "30s" });
  const { signal } = lease;
  await redis.advance("29s");
  expect(signal.aborted).toBe(false);
  await redis.advance("1s");
  expect(signal.reason).toMatchObject({ code: "lease_lost", reason: "expired" });
});

story("keepAlive holds it for as long as the work runs", async (redis) => {
  const lock = createLocks(redis.options).lock("invoice:42");
  const lease = await lock.acquire({ lease: "10s" });
  let finish = (): void => {};
  const work = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const done = lease.keepAlive(() => work);
  await redis.advance("5m");
  expect(redis.held()).toMatchObject([{ name: "invoice:42", kind: "lock", token: lease.token }]);
  finish();
  await done;
  expect(redis.held()).toEqual([]);
});

/** An instance of an application that counts what all of them do. */
function instance(redis: TestRedis, runs: number[], work: () => Promise<void> = async () => {}) {
  const locks = createLocks(redis.options);
  const app = new Hono();
  const key = ({ headers }: Request): string => headers.get("id") ?? "";
  app.post("/hook", dedupe({ locks, key, lease: "20s", ttl: "1d", replay: true }), async (c) => {
    runs.push(runs.length + 1);
    await work();
    return c.text(`run ${runs.length}`);
  });
  const deliver = (id: string): Promise<Response> =>
    Promise.resolve(app.request("/hook", { method: "POST", headers: { id }, body: "{}" }));
  return { locks, deliver };
}

story("a duplicate gets the answer of the first", async (redis) => {
  const runs: number[] = [];
  const { deliver } = instance(redis, runs);
  const answers = [await deliver("evt_1"), await deliver("evt_1")];
  expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(["run 1", "run 1"]);
  expect(runs).toEqual([1]);
});

story("a redelivery after a crash runs once more", async (redis) => {
  const runs: number[] = [];
  const crashed = instance(redis, runs, () => new Promise(() => {}));
  crashed.deliver("evt_1");
  await redis.advance("1s");
  redis.freeze(crashed.locks, "1d");
  const { deliver } = instance(redis, runs);
  expect((await deliver("evt_1")).status).toBe(409);
  await redis.advance("20s");
  expect(await (await deliver("evt_1")).text()).toBe("run 2");
});

story("a cron that is invoked twice runs once", async (redis) => {
  const locks = createLocks(redis.options);
  let runs = 0;
  const scheduled = cloudflareCron({ locks, name: "reports" }, async () => {
    runs++;
  });
  const event = { cron: "0 3 * * *", scheduledTime: Math.floor(redis.options.clock.now() / 60_000) * 60_000 };
  const context = { waitUntil: () => {} };
  await scheduled(event, {}, context);
  await scheduled(event, {}, context);
  expect(runs).toBe(1);
});

story("a stale write is refused, in SQLite and in Redis", async (redis) => {
  const locks = createLocks(redis.options);
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE TABLE balances (cents INTEGER)");
  const sqlite = sqliteFence(database);
  const fence = redisFence(locks);
  await sqlite.setup();
  const stale = await locks.lock("account").acquire({ lease: "10s" });
  await redis.advance("11s");
  const lease = await locks.lock("account").acquire();
  await sqlite.write(lease, "INSERT INTO balances VALUES (?)", [1]);
  await fence.write(lease, "paid");
  await expect(sqlite.write(stale, "UPDATE balances SET cents = 2", [])).rejects.toMatchObject({ code: "stale_token" });
  await expect(fence.write(stale, "old")).rejects.toMatchObject({ code: "stale_token" });
  expect(database.prepare("SELECT cents FROM balances").all()).toMatchObject([{ cents: 1 }]);
  expect(await fence.read("account")).toMatchObject({ value: "paid" });
});

story("Redis is away, and comes back", async (redis) => {
  const lock = createLocks(redis.options).lock("invoice:42");
  const back = redis.fault({ kind: "away", times: Number.POSITIVE_INFINITY });
  const failed = lock.tryAcquire().catch((error: unknown) => error);
  await redis.advance("10s");
  expect(await failed).toMatchObject({ code: "unreachable" });
  back();
  expect(await lock.tryAcquire()).not.toBeNull();
});

for (const kind of ["request lost", "answer lost", "late", "twice", "status 503", "away"] as const)
  story(`an acquisition overcomes: ${kind}`, async (redis) => {
    const lock = createLocks(redis.options).lock("invoice:42");
    await (await lock.acquire()).release();
    redis.fault({ on: "acquire", kind });
    const acquiring = lock.acquire({ wait: "20s" });
    await redis.advance("20s");
    const lease = await acquiring;
    expect(redis.held()).toMatchObject([{ token: lease.token }]);
    expect(await lease.release()).toBe(true);
    expect(redis.held()).toEqual([]);
  });

story("of two clients one freezes for 10 s, and is overtaken", async (redis) => {
  const [first, second] = [createLocks(redis.options), createLocks(redis.options)];
  const frozen = await first.lock("invoice:42").acquire({ lease: "5s" });
  const { signal } = frozen;
  redis.freeze(first, "10s");
  const other = second.lock("invoice:42").acquire({ wait: "9s" });
  await redis.advance("8s");
  expect((await other).token).toBeGreaterThan(frozen.token);
  expect(signal.aborted).toBe(false);
  const verified = frozen.verify();
  await redis.advance("2s");
  expect(signal.aborted).toBe(true);
  expect(await verified).toBe(false);
});

story("the server's clock is stepped: leases end early or late, and tokens rise all the same", async (redis) => {
  const lock = createLocks(redis.options).lock("invoice:42");
  const early = await lock.acquire({ lease: "20s" });
  redis.stepClock("30s");
  expect(early.remaining).toBeGreaterThan(19_000);
  expect(redis.held()).toEqual([]);
  const next = await lock.acquire({ lease: "20s" });
  expect(next.token).toBeGreaterThan(early.token);
  redis.stepClock("-1m");
  await redis.advance("30s");
  expect(next.remaining).toBe(0);
  expect(redis.held()).toMatchObject([{ token: next.token }]);
  await redis.lose("invoice:42");
  expect((await lock.acquire()).token).toBe(next.token + 1);
  expect(() => redis.stepClock("soon")).toThrow(TypeError);
});

story("the same seed gives the same run", async () => {
  const run = async (seed: number): Promise<unknown> => {
    const redis = createTestRedis({ seed, start: 1_800_000_000_000 });
    const events: LeaseholdEvent[] = [];
    const locks = createLocks({ ...redis.options, onEvent: (event) => events.push(event) });
    await redis.hold("a", { lease: "40s" });
    redis.fault({ on: "acquire", kind: "answer lost", times: 2 });
    const waiting = Promise.all([1, 2, 3].map(() => locks.lock("a").run({ wait: "2m", lease: "1s" }, async () => {})));
    await redis.advance("2m");
    await waiting;
    return [redis.requests.map(({ operation, at }) => [operation, at]), events];
  };
  expect(await run(7)).toEqual(await run(7));
  expect(await run(7)).not.toEqual(await run(8));
});

story("what is held and what was sent can be seen", async (redis) => {
  const locks = createLocks({ ...redis.options, holder: "host:1" });
  const lease = await locks.lock("odd {name}%").acquire({ lease: "10s", label: "a label" });
  const permits = await locks.semaphore("seats", { permits: 3 }).acquire({ permits: 2, lease: "5s", label: "guest" });
  const writer = await locks.readWriteLock("file").write.acquire({ label: "writer" });
  const [one, ...others] = redis.held();
  expect(one).toEqual({
    name: "odd {name}%",
    kind: "lock",
    token: lease.token,
    since: Math.floor(lease.token / 1000),
    until: Math.floor(lease.token / 1000) + 10_000,
    label: "a label",
    holder: "host:1",
  });
  expect(others).toMatchObject([
    { name: "seats", kind: "semaphore", token: permits.token, label: "guest", holder: "host:1" },
    { name: "seats", kind: "semaphore", token: permits.token, label: "guest", holder: "host:1" },
    { name: "file", kind: "rw", token: writer.token, label: "writer", holder: "host:1" },
  ]);
  await lease.extend();
  await lease.verify();
  await lease.release();
  const operations = redis.requests.filter(({ name }) => name === "odd {name}%").map(({ operation }) => operation);
  // A script that the server does not know yet is sent once more.
  expect(operations.filter((operation) => operation !== "script")).toEqual(["acquire", "extend", "verify", "release"]);
  expect(redis.requests[0]).toMatchObject({
    at: Math.floor(lease.token / 1000),
    commands: [
      [
        "EVALSHA",
        expect.any(String),
        "1",
        "leasehold:{odd %7Bname%7D%25}",
        expect.anything(),
        expect.anything(),
        expect.anything(),
        expect.anything(),
        expect.anything(),
        expect.anything(),
        expect.anything(),
        expect.anything(),
        expect.anything(),
        expect.anything(),
      ],
    ],
  });
});

story("somebody holds what other kinds take, too", async (redis) => {
  const locks = createLocks(redis.options);
  await redis.hold("queue", { kind: "fair", lease: "10s", label: "x" });
  await redis.hold("file", { kind: "rw", lease: "10s", label: "y" });
  await redis.hold("job", { kind: "once", lease: "10s" });
  expect(await locks.fairLock("queue").tryAcquire()).toBeNull();
  expect(await locks.readWriteLock("file").read.tryAcquire()).toBeNull();
  expect(await locks.once("job").begin()).toMatchObject({ status: "running" });
  await expect(redis.hold("job", { kind: "once" })).rejects.toThrow("held already");
  await redis.advance("10001ms");
  expect(await locks.fairLock("queue").tryAcquire()).not.toBeNull();
  expect(await locks.readWriteLock("file").read.tryAcquire()).not.toBeNull();
  expect(await locks.once("job").begin()).toMatchObject({ status: "started" });
});

it("with real time it is an ordinary small server", async () => {
  const redis = createTestRedis({ time: "real" });
  const lock = createLocks(redis.options).lock("invoice:42");
  await redis.hold("invoice:42", { lease: "80ms" });
  expect(await lock.tryAcquire()).toBeNull();
  await (await lock.acquire({ wait: "5s" })).release();
  await expect(redis.advance("1s")).rejects.toThrow("manual");
});
