/** One of a name's two keys is evicted: a release returns the permits and reads that still count. */
import { describe, expect, it } from "vitest";
import { createLocks, type Locks } from "../../src/index.ts";
import { createMemoryRedis } from "../../testing/src/index.ts";

function scene() {
  let ms = Date.now();
  const redis = createMemoryRedis({ now: () => ms });
  const make = (): Locks => createLocks({ url: redis.url, token: redis.token, fetch: redis.fetch });
  return {
    ours: make(),
    theirs: make(),
    evict: (name: string) => redis.command("DEL", `leasehold:{${name}}`),
    /** Moves the server's clock on. */
    later(moreMs: number): void {
      ms += moreMs;
    },
  };
}
const LONG = { lease: "1h" } as const;

describe("the record is evicted, and the hold in the crowd counts on", () => {
  it("a permit: verify says that it is lost, and release returns it (B36)", async () => {
    const { ours, theirs, evict } = scene();
    const lease = await ours.semaphore("a", { permits: 1 }).acquire(LONG);
    evict("a");
    expect(await lease.verify()).toBe(false);
    const other = theirs.semaphore("a", { permits: 1 });
    expect(await other.tryAcquire()).toBeNull();
    expect(await lease.release()).toBe(true);
    expect(await other.tryAcquire()).not.toBeNull();
    expect(await lease.release()).toBe(false);
  });

  it("a read hold: verify says that it is lost, and release returns it (B36)", async () => {
    const { ours, theirs, evict } = scene();
    const lease = await ours.readWriteLock("a").read.acquire(LONG);
    evict("a");
    expect(await lease.verify()).toBe(false);
    expect(await theirs.readWriteLock("a").write.tryAcquire()).toBeNull();
    expect(await lease.release()).toBe(true);
    expect(await theirs.readWriteLock("a").write.tryAcquire()).not.toBeNull();
  });

  it("a read hold, after another reader began a phase of its own (B36)", async () => {
    const { ours, theirs, evict, later } = scene();
    const lease = await ours.readWriteLock("a").read.acquire(LONG);
    evict("a");
    later(1000);
    const reader = await theirs.readWriteLock("a").read.acquire(LONG);
    expect(reader.token).toBeGreaterThan(lease.token);
    await expect(lease.extend()).rejects.toMatchObject({ code: "lease_lost", reason: "taken" });
    await lease.release();
    expect(await reader.verify()).toBe(true);
    expect(await reader.release()).toBe(true);
    expect(await theirs.readWriteLock("a").write.tryAcquire()).not.toBeNull();
  });

  it("a part of a multi-lock (B36)", async () => {
    const { ours, theirs, evict } = scene();
    const lease = await ours
      .multiLock([ours.semaphore("a", { permits: 1 }), ours.readWriteLock("b").read])
      .acquire(LONG);
    evict("a");
    evict("b");
    expect(await lease.verify()).toBe(false);
    await lease.release();
    expect(await theirs.semaphore("a", { permits: 1 }).tryAcquire()).not.toBeNull();
    expect(await theirs.readWriteLock("b").write.tryAcquire()).not.toBeNull();
  });

  it("a run that finds its permit lost returns it (B36)", async () => {
    const { ours, theirs, evict } = scene();
    const run = ours.semaphore("a", { permits: 1 }).run(LONG, async (lease) => {
      evict("a");
      await lease.verify();
    });
    await expect(run).rejects.toMatchObject({ code: "lease_lost", reason: "gone" });
    expect(await theirs.semaphore("a", { permits: 1 }).tryAcquire()).not.toBeNull();
  });

  it("a resumed permit (B36)", async () => {
    const { ours, theirs, evict } = scene();
    const ticket = (await ours.semaphore("a", { permits: 1 }).acquire(LONG)).ticket();
    const lease = await theirs.resume(ticket);
    evict("a");
    expect(await lease.verify()).toBe(false);
    expect(await lease.release()).toBe(true);
    expect(await ours.semaphore("a", { permits: 1 }).tryAcquire()).not.toBeNull();
  });

  it("is not given again by another client's cancel, while its lease lasts (B37)", async () => {
    const { ours, theirs, evict, later } = scene();
    await ours.semaphore("a", { permits: 1 }).acquire(LONG);
    await ours.readWriteLock("b").read.acquire(LONG);
    evict("a");
    evict("b");
    const timedOut = { code: "lock_timeout" };
    const fair = theirs.semaphore("a", { permits: 1, fair: true });
    // A waiter that gives up cancels its ID.
    await expect(fair.acquire({ wait: 100 })).rejects.toMatchObject(timedOut);
    await expect(theirs.readWriteLock("b").write.acquire({ wait: 100 })).rejects.toMatchObject(timedOut);
    later(59 * 60_000);
    expect(await theirs.semaphore("a", { permits: 1 }).tryAcquire()).toBeNull();
    expect(await theirs.readWriteLock("b").write.tryAcquire()).toBeNull();
  });
});

it("a lock that was lost is not released by one more request (B36)", async () => {
  const redis = createMemoryRedis();
  let requests = 0;
  const fetch: typeof redis.fetch = (...request) => {
    requests++;
    return redis.fetch(...request);
  };
  const locks = createLocks({ url: redis.url, token: redis.token, fetch });
  const lease = await locks.lock("a").acquire();
  await locks.lock("a").forceRelease();
  expect(await lease.verify()).toBe(false);
  const before = requests;
  expect(await lease.release()).toBe(false);
  expect(requests).toBe(before);
});
