/** During a deployment, clients of two releases share names on one server. */
import { describe, expect, it } from "vitest";
import { serveGateway } from "../../gateway/src/index.ts";
import { lastRun, runCron } from "../../src/cron/index.ts";
import { redisFence } from "../../src/fence/index.ts";
import * as present from "../../src/index.ts";
import { freshName, useStack } from "../support/use-stack.ts";

/** Recorded by the last release; its types are those of the present one as far as this file goes. */
const CLIENT: string = "./client.gen.js";
const last = (await import(CLIENT)) as typeof present;

const stack = useStack();
const WAIT = "20s";

describe.concurrent.each([
  ["of the last release, then of the present one", last, present],
  ["of the present release, then of the last one", present, last],
] as const)("two clients, %s", (_title, first, second) => {
  const clients = () => {
    const options = { url: stack.url, token: stack.token, prefix: `${freshName("releases")}:` };
    return [first.createLocks(options), second.createLocks(options)] as const;
  };

  it("exclude each other, and the token rises from one to the other (R1, R2)", async () => {
    const [a, b] = clients();
    const held = await a.lock("lock").acquire();
    expect(await b.lock("lock").tryAcquire()).toBeNull();
    expect(await b.lock("lock").inspect()).toMatchObject({ state: "held", token: held.token });
    const next = b.lock("lock").acquire({ wait: WAIT });
    expect(await held.release()).toBe(true);
    const lease = await next;
    expect(lease.token).toBeGreaterThan(held.token);
    expect(await held.verify()).toBe(false);
    expect(await lease.release()).toBe(true);
  });

  it("take over what the other left, and end its lease (R3b)", async () => {
    const [a, b] = clients();
    const expired = await a.lock("expired").acquire({ lease: "100ms" });
    const lease = await b.lock("expired").acquire({ wait: WAIT });
    await expect(expired.extend()).rejects.toMatchObject({ code: "lease_lost" });
    expect(lease.token).toBeGreaterThan(expired.token);
    await a.lock("expired").forceRelease();
    expect(await lease.verify()).toBe(false);
  });

  it("count together: no update of a crowd of both is lost", async () => {
    const locks = clients();
    let inside = 0;
    let most = 0;
    const turn = (n: number) =>
      (locks[n % 2] ?? locks[0]).lock("crowd").run({ wait: WAIT }, async () => {
        inside++;
        most = Math.max(most, inside);
        await new Promise((resolve) => setTimeout(resolve, 5));
        inside--;
      });
    await Promise.all(Array.from({ length: 8 }, (_, n) => turn(n)));
    expect([inside, most]).toEqual([0, 1]);
  });

  it("stand in one queue", async () => {
    const [a, b] = clients();
    const holder = await a.fairLock("queue").acquire();
    const waiting = b.fairLock("queue").acquire({ wait: WAIT });
    await expect.poll(async () => (await a.fairLock("queue").inspect()).waiters, { timeout: 20_000 }).toBe(1);
    expect(await a.fairLock("queue").tryAcquire()).toBeNull();
    await holder.release();
    expect((await waiting).token).toBeGreaterThan(holder.token);
  });

  it("share readers, permits, latches and results", async () => {
    const [a, b] = clients();
    const readers = [await a.readWriteLock("rw").read.acquire(), await b.readWriteLock("rw").read.acquire()];
    expect(await b.readWriteLock("rw").write.tryAcquire()).toBeNull();
    for (const reader of readers) expect(await reader.release()).toBe(true);
    expect(await a.readWriteLock("rw").write.tryAcquire()).not.toBeNull();

    const permit = await a.semaphore("permits", { permits: 2 }).acquire();
    expect(await b.semaphore("permits", { permits: 2 }).tryAcquire()).not.toBeNull();
    expect(await b.semaphore("permits", { permits: 2 }).tryAcquire()).toBeNull();
    expect(await permit.release()).toBe(true);
    expect(await b.semaphore("permits", { permits: 2 }).tryAcquire()).not.toBeNull();

    await a.latch("latch").trySetCount(1);
    const opened = b.latch("latch").wait({ wait: WAIT });
    await a.latch("latch").countDown();
    await opened;

    expect(await a.once("once").run({}, () => "first")).toMatchObject({ status: "done", result: "first" });
    expect(await b.once("once").run({}, () => "second")).toMatchObject({ status: "done", result: "first" });
  });

  it("hand a lease over by ticket", async () => {
    const [a, b] = clients();
    const lease = await a.lock("ticket").acquire();
    const resumed = await b.resume(lease.ticket());
    expect(await resumed.verify()).toBe(true);
    await resumed.extend("40s");
    expect(await resumed.release()).toBe(true);
    expect(await lease.verify()).toBe(false);
  });

  it("wait at a gateway that holds requests", async () => {
    const token = "held-token-0123456789";
    const gateway = await serveGateway({ redis: stack.redis.url, token, port: 0 });
    try {
      const options = { url: gateway.url, token, prefix: `${freshName("releases")}:` };
      const [a, b] = [first.createLocks(options), second.createLocks(options)];
      const held = await a.lock("held").acquire();
      const waiting = b.lock("held").acquire({ wait: WAIT });
      await new Promise((resolve) => setTimeout(resolve, 50));
      await held.release();
      expect((await waiting).token).toBeGreaterThan(held.token);
    } finally {
      await gateway.close();
    }
  });
});

it("permits that the present release spends are gone for the last one, which keeps counting (51.3)", async () => {
  const options = { url: stack.url, token: stack.token, prefix: `${freshName("releases")}:` };
  const [older, newer] = [
    last.createLocks(options).semaphore("stock"),
    present.createLocks(options).semaphore("stock"),
  ];
  await older.setPermits(10);
  const lease = await older.acquire({ permits: 3, lease: "20s" });
  await (await newer.resume(lease.ticket())).spend(2);
  expect([await older.available(), await newer.available()]).toEqual([8, 8]);
  expect([await lease.verify(), await lease.release(), await lease.releasePermits([1])]).toEqual([false, false, false]);
  const queued = await last.createLocks(options).semaphore("stock", { fair: true }).acquire({ permits: 8, wait: WAIT });
  expect(await newer.tryAcquire()).toBeNull();
  await older.addPermits(4);
  const own = await newer.acquire({ permits: 4, lease: "20s" });
  await own.spend(1);
  await (await newer.resume(queued.ticket())).spend(5);
  await own.spend(1);
  expect(await older.inspect()).toMatchObject({ permits: 6, available: 6, acquired: 0 });
  expect(await older.drain()).toBe(6);
});

describe.concurrent("a cron job of the last release, which has three names in three slots", () => {
  const SLOT = "2026-11-21T03:00:00.000Z";
  const NEXT = "2026-11-22T03:00:00.000Z";
  const clients = () => {
    const options = { url: stack.url, token: stack.token, prefix: `${freshName("releases")}:` };
    return { theirs: last.createLocks(options), ours: present.createLocks(options) };
  };
  /** What its `runCron` sends, but for the record. */
  async function runFormer(locks: Pick<present.Locks, "lock" | "once">, slot: string, work: () => Promise<unknown>) {
    const turn = await locks.once(`cron-slot:3:job:${slot}`).begin();
    if (turn.status !== "started") return turn.status;
    const lease = await locks.lock("cron:job").tryAcquire();
    if (!lease) {
      await turn.fail();
      return "held";
    }
    await work();
    const token = Number(lease.token);
    await turn.complete({ token, startedAt: "2026-11-21T03:00:00.100Z", durationMs: 7 });
    await lease.release();
    return token;
  }
  const never = () => expect.unreachable("it must not run");

  it("has the lock for both, while it runs and while the present one runs (50.1)", async () => {
    const { theirs, ours } = clients();
    const token = await runFormer(theirs, SLOT, async () => {
      for (const slot of [SLOT, NEXT]) {
        const skipped = await runCron({ locks: ours, name: "job", slot }, never);
        expect(skipped).toMatchObject({ status: "skipped: still running", retryAfterMs: expect.any(Number) });
      }
    });
    const report = await runCron({ locks: ours, name: "job", slot: NEXT }, async ({ token: mine }) => {
      expect(mine).toBeGreaterThan(Number(token));
      for (const slot of [SLOT, NEXT, "third"])
        expect(await runFormer(theirs, slot, never)).toBe(slot === SLOT ? "done" : "held");
    });
    expect(report).toMatchObject({ status: "ran", attempt: 1 });
    expect(await runFormer(theirs, "third", async () => {})).toBeGreaterThan(
      report.status === "ran" ? report.token : Number.POSITIVE_INFINITY,
    );
  });

  it("ran a slot just now: the present one finds that, remembers it, and needs one request from then on (50.1)", async () => {
    const { theirs, ours } = clients();
    const token = await runFormer(theirs, SLOT, async () => {});
    const same = { status: "skipped: already ran", token, startedAt: "2026-11-21T03:00:00.100Z", durationMs: 7 };
    for (let n = 0; n < 2; n++)
      expect(await runCron({ locks: ours, name: "job", slot: SLOT }, never)).toMatchObject(same);
    expect(await ours.lock("cron:job").inspect()).toMatchObject({ state: "free" });
    expect(await lastRun(ours, "job")).toMatchObject({ slot: SLOT, outcome: "ran", durationMs: 7 });
    expect(await runCron({ locks: ours, name: "job", slot: NEXT }, () => {})).toMatchObject({ status: "ran" });
  });

  it("has a record of its last run, which is read until there is one of the present release (50.1)", async () => {
    const { ours } = clients();
    const record = JSON.stringify({ name: "job", slot: SLOT, outcome: "ran", token: 5 });
    await redisFence(ours).write({ name: "cron-last:job", token: 5 }, record);
    expect(await lastRun(ours, "job")).toMatchObject({ slot: SLOT, token: 5 });
    await runCron({ locks: ours, name: "job", slot: NEXT }, () => {});
    expect(await lastRun(ours, "job")).toMatchObject({ slot: NEXT });
  });

  it("in a group has the same names: its slots count for the present release, and the other way round (50.1)", async () => {
    const { ours } = clients();
    const group = ours.group("g");
    await runFormer(group, SLOT, async () => {});
    expect((await runCron({ locks: group, name: "job", slot: SLOT }, never)).status).toBe("skipped: already ran");
    await runCron({ locks: group, name: "job", slot: NEXT }, () => {});
    expect(await runFormer(group, NEXT, never)).toBe("done");
  });
});
