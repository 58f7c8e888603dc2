import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLocks, type Lease, type Locks, type ReadWriteLock } from "../../../src/index.ts";
import { type FaultProxy, startProxy } from "../../support/proxy.ts";
import { shiftableClock } from "../../support/server-clock.ts";
import { freshName, pause, useStack } from "../../support/use-stack.ts";

// Readers that have died: more of them than one script takes out.

const MANY = 60;
const stack = useStack();
let proxy: FaultProxy;
let locks: Locks;
beforeAll(async () => {
  proxy = await startProxy(stack.url);
  // Nothing that is replayed is void for its age, however busy the machine is.
  locks = createLocks({ url: proxy.url, token: stack.token, requestTimeout: "2m" });
});
afterAll(async () => {
  await proxy.close();
});

/** Reads under these reentry keys that end by themselves. */
async function dead(rw: ReadWriteLock, reentryKeys: readonly (string | undefined)[]): Promise<Lease[]> {
  const leases = await Promise.all(reentryKeys.map((reentryKey) => rw.read.acquire({ reentryKey, lease: "5s" })));
  await pause(5_100);
  return leases;
}
const numbered = Array.from({ length: MANY }, (_, n) => `reentry key ${n}`);

describe.concurrent("9: more dead readers than one script takes out", () => {
  it.each([
    ["of as many reentry keys", numbered],
    ["of one reentry key", numbered.map(() => "reentry key 59")],
  ])("%s: the reentry key of one reads anew, under a new token, again and again", async (_what, reentryKeys) => {
    const rw = locks.readWriteLock(freshName(), { reentrant: false });
    // Not reentrant: one reentry key reads through another handle.
    const [first] = await dead(locks.readWriteLock(rw.name), reentryKeys);
    for (const reentryKey of ["reentry key 59", "reentry key 0", "reentry key 59"]) {
      const lease = await rw.read.acquire({ reentryKey, wait: 0 });
      expect(lease.token).toBeGreaterThan(first?.token ?? 0);
      await expect(rw.read.tryAcquire({ reentryKey })).rejects.toMatchObject({ code: "not_reentrant" });
      expect(await lease.release()).toBe(true);
    }
  });

  it("the reentry key of one writes: neither upgrade_refused nor held", async () => {
    const rw = locks.readWriteLock(freshName());
    const [first] = await dead(rw, numbered);
    const lease = await rw.write.acquire({ reentryKey: "reentry key 59", wait: 0 });
    expect(lease.token).toBeGreaterThan(first?.token ?? 0);
    expect(lease.holds).toBe(1);
  });

  it("while others read: the reentry key of one waits behind a writer like anybody else, and gets no upgrade error", async ({
    expect,
  }) => {
    const rw = locks.readWriteLock(freshName());
    const alive = await rw.read.acquire({ reentryKey: "alive", lease: "30s" });
    await dead(rw, numbered);
    expect(await rw.write.tryAcquire({ reentryKey: "reentry key 59" })).toBeNull();
    const writer = rw.write.acquire({ reentryKey: "writer", wait: "20s" });
    await expect.poll(async () => (await rw.inspect()).waitingWriters).toBe(1);
    expect(await rw.read.tryAcquire({ reentryKey: "reentry key 59" })).toBeNull();
    // A reentry key that does hold it re-enters at once, under the token of the phase.
    const again = await rw.read.acquire({ reentryKey: "alive", wait: 0 });
    expect(again.token).toBe(alive.token);
    await again.release();
    await alive.release();
    await (await writer).release();
  });

  it("a re-entry key with one dead and one live hold stays a holder until the live one ends", async () => {
    const rw = locks.readWriteLock(freshName(), { reentryKey: "alice" });
    const live = await rw.read.acquire({ lease: "30s" });
    await dead(rw, [undefined, "alice"]);
    await expect(rw.write.tryAcquire()).rejects.toMatchObject({ code: "upgrade_refused" });
    await live.extend("40s");
    expect(await live.release()).toBe(true);
    expect((await rw.write.acquire({ wait: 0 })).token).toBeGreaterThan(live.token);
  });

  it("64 read holds of one reentry key are the most", async () => {
    const rw = locks.readWriteLock(freshName(), { reentryKey: "alice" });
    await Promise.all(Array.from({ length: 64 }, () => rw.read.acquire()));
    await expect(rw.read.tryAcquire()).rejects.toMatchObject({ code: "too_many_holds" });
    expect(await rw.read.tryAcquire({ reentryKey: "bob" })).not.toBeNull();
  });
});

describe.concurrent("20: steal and force release leave no hold to be granted again", () => {
  const replayed = async (script: string, name: string): Promise<string[]> => {
    const statuses = await proxy.replay((seen) => seen.script === script && seen.body.includes(name));
    return [...new Set(statuses)];
  };

  it.each<[string, (rw: ReadWriteLock) => Promise<unknown>]>([
    ["forceRelease of both sides", (rw) => rw.forceRelease()],
    ["forceRelease of the read side", (rw) => rw.read.forceRelease()],
    ["steal", (rw) => locks.request(rw.name, { steal: true }, () => "stolen")],
  ])("%s, with readers that are alive and readers that have expired", async (what, force) => {
    const rw = locks.readWriteLock(freshName());
    await dead(rw, numbered);
    const alive = await Promise.all(numbered.map((reentryKey) => rw.read.acquire({ reentryKey })));
    await force(rw);
    for (const lease of alive.slice(0, 20)) {
      await expect(lease.extend()).rejects.toMatchObject({ code: "lease_lost", reason: "forced" });
    }
    expect(await replayed("rw-acquire", rw.name)).toEqual(what === "steal" ? ["closed", "superseded"] : ["closed"]);
    const writer = await rw.write.acquire({ wait: 0 });
    for (const lease of alive) expect(lease.token).toBeLessThan(writer.token);
    await writer.release();
    expect(await rw.read.acquire({ reentryKey: "reentry key 7", wait: 0 })).toMatchObject({ holds: 1 });
  });

  it("forceRelease of a semaphore, with permits in use and permits that have expired", async () => {
    const semaphore = locks.semaphore(freshName(), { permits: 2 * MANY });
    await Promise.all(numbered.map(() => semaphore.acquire({ lease: "5s" })));
    await pause(5_100);
    const alive = await Promise.all(numbered.map(() => semaphore.acquire()));
    expect(await semaphore.forceRelease()).toBe(true);
    expect(await semaphore.acquired()).toBe(0);
    for (const lease of alive)
      await expect(lease.extend()).rejects.toMatchObject({ code: "lease_lost", reason: "forced" });
    expect(await replayed("semaphore-acquire", semaphore.name)).toEqual(["closed"]);
    expect(await semaphore.acquired()).toBe(0);
    const all = await semaphore.acquire({ permits: 2 * MANY, wait: 0 });
    expect(all.permits).toHaveLength(2 * MANY);
    // Swept meanwhile, and still known.
    for (const lease of alive.slice(0, 9)) expect(await lease.release()).toBe(false);
    expect(await replayed("semaphore-acquire", semaphore.name)).not.toContain("held");
  });

  it("forceRelease of a fair semaphore empties its queue, and who is alive joins again", async ({ expect }) => {
    const semaphore = locks.semaphore(freshName(), { permits: 1, fair: true });
    const holder = await semaphore.acquire();
    const waiting = Array.from({ length: 3 }, () => semaphore.run({ wait: "20s" }, ({ token }) => token));
    await expect.poll(async () => (await semaphore.inspect()).waiters).toBe(3);
    expect(await semaphore.forceRelease()).toBe(true);
    const tokens = await Promise.all(waiting);
    for (const token of tokens) expect(token).toBeGreaterThan(holder.token);
    expect(await holder.verify()).toBe(false);
  });
});

describe.concurrent("20: a read that was released by force stays released", () => {
  it("although the server's clock is set back right behind that", async () => {
    const server = shiftableClock();
    const { read } = createLocks({ url: stack.url, token: stack.token, fetch: server.fetch }).readWriteLock(
      freshName(),
    );
    const lease = await read.acquire({ lease: "60s" });
    expect(await read.forceRelease()).toBe(true);
    server.shiftMs -= 20_000;
    await expect(lease.extend()).rejects.toMatchObject({ code: "lease_lost" });
    const next = await read.acquire({ wait: 0 });
    expect(next.token).toBeGreaterThan(lease.token);
  });
});

it.concurrent("9: a read that has expired is not granted again when the server's clock is set back behind a write", async () => {
  const server = shiftableClock();
  const { url, token } = stack;
  const rw = createLocks({ url, token, fetch: server.fetch, requestTimeout: "25s" }).readWriteLock(freshName());
  await rw.read.acquire({ lease: "5s" });
  const body = server.sent.find(({ status }) => status === "granted")?.body ?? "";
  server.shiftMs += 6_000;
  await (await rw.write.acquire({ wait: 0 })).release();
  server.shiftMs -= 3_000;
  await server.fetch(url, { method: "POST", headers: { authorization: `Bearer ${token}` }, body });
  expect(server.sent.at(-1)?.status).toBe("closed");
});

// Not mended yet: the number of a reentry key's reads counts those that have died and are still in the crowd, for
// `retention`.
describe.concurrent("9: the reentry key of a read that has died, and of another that was released", () => {
  const scene = async () => {
    const server = shiftableClock();
    const rw = createLocks({ url: stack.url, token: stack.token, fetch: server.fetch }).readWriteLock(freshName());
    const alice = { reentryKey: "alice", lease: "1h" } as const;
    const write = await rw.write.acquire(alice);
    const read = await rw.read.acquire(alice);
    await rw.read.acquire({ ...alice, lease: "5s" });
    await write.release();
    const other = await rw.read.acquire({ reentryKey: "bob", lease: "1h" });
    server.shiftMs += 6_000;
    expect(await read.release()).toBe(true);
    return { rw, alice, other };
  };

  it("reads anew under the token of the phase, not that of the write before it", async () => {
    const { rw, alice, other } = await scene();
    expect((await rw.read.acquire({ ...alice, wait: 0 })).token).toBeGreaterThanOrEqual(other.token);
  });

  it("waits to write like anybody else, and gets no upgrade error", async () => {
    const { rw, alice } = await scene();
    expect(await rw.write.tryAcquire(alice)).toBeNull();
  });

  it("passes no writer that waits", async ({ expect }) => {
    const { rw, alice, other } = await scene();
    const writer = rw.write.acquire({ reentryKey: "carol", wait: "20s" });
    await expect.poll(async () => (await rw.inspect()).waitingWriters).toBe(1);
    const passed = await rw.read.tryAcquire(alice);
    await passed?.release();
    await other.release();
    await (await writer).release();
    expect(passed).toBeNull();
  });

  it("may hold 64 that are alive, whatever has died meanwhile", async () => {
    const server = shiftableClock();
    const rw = createLocks({ url: stack.url, token: stack.token, fetch: server.fetch }).readWriteLock(freshName());
    await rw.read.acquire({ reentryKey: "alice", lease: "1h" });
    for (let n = 0; n < 63; n++) await rw.read.acquire({ reentryKey: "alice", lease: "2s" });
    server.shiftMs += 3_000;
    expect(await rw.read.tryAcquire({ reentryKey: "alice" })).not.toBeNull();
  });
});
