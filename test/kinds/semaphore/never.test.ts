import { describe, expect, it } from "vitest";
import { createLocks, type LeaseholdEvent, type Locks, LockTimeoutError } from "../../../src/index.ts";
import { freshName, pause, useStack } from "../../support/use-stack.ts";

const stack = useStack();
let requests = 0;
const counting: typeof fetch = (...args) => {
  requests++;
  return fetch(...args);
};
const make = (more: object = {}): Locks =>
  createLocks({ url: stack.url, token: stack.token, fetch: counting, ...more });
const caught = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe.each([{ fair: false }, { fair: true }])("what can never be granted (%o)", ({ fair }) => {
  it("more permits than the semaphore has of its own is a RangeError at once, whoever asks how", async () => {
    const name = freshName();
    const semaphore = make().semaphore(name, { permits: 3, fair });
    await (await semaphore.acquire({ permits: 3 })).release();
    const message = new RegExp(`"${name}" has 3 permits.* 4`);
    for (const ask of [
      () => semaphore.acquire({ permits: 4, wait: "20s" }),
      () => semaphore.tryAcquire({ permits: 4 }),
      () => semaphore.run({ permits: 4, wait: "20s" }, () => "worked"),
    ]) {
      requests = 0;
      const error = await caught(ask());
      expect(error).toBeInstanceOf(RangeError);
      expect((error as Error).message).toMatch(message);
      expect(requests).toBe(1);
    }
    // Also while others hold some: to wait for them would not help.
    const held = await semaphore.acquire({ lease: "20s" });
    expect(await caught(semaphore.acquire({ permits: 4, wait: "20s" }))).toBeInstanceOf(RangeError);
    expect(await held.release()).toBe(true);
    expect(await semaphore.inspect()).toMatchObject({ state: "free", waiters: 0 });
  });

  it("what counts is the number that was set on the server, above its own and below", async () => {
    const semaphore = make().semaphore(freshName(), { permits: 3, fair });
    await semaphore.setPermits(5);
    const lease = await semaphore.acquire({ permits: 5, lease: "20s" });
    expect(await caught(semaphore.tryAcquire({ permits: 6 }))).toBeInstanceOf(RangeError);
    await semaphore.setPermits(2);
    expect((await caught(semaphore.acquire({ permits: 3, wait: "20s" }))) as Error).toMatchObject({
      name: "RangeError",
      message: expect.stringContaining("2 permits"),
    });
    // A holder of more than there are now keeps them, and a copy of its request is still answered.
    expect(await lease.verify()).toBe(true);
    expect(await semaphore.tryAcquire({ permits: 2 })).toBeNull();
    await lease.release();
  });

  it("one that waits learns it when the number is set below what it wants", async () => {
    const semaphore = make().semaphore(freshName(), { permits: 3, fair });
    const holder = await semaphore.acquire({ lease: "20s" });
    const waiting = caught(semaphore.acquire({ permits: 3, wait: "20s" }));
    await pause(100);
    await semaphore.setPermits(2);
    expect(await waiting).toBeInstanceOf(RangeError);
    expect((await semaphore.inspect()).waiters).toBe(0);
    await holder.release();
  });

  it("without any number it says that one is needed", async () => {
    const name = freshName();
    const semaphore = make().semaphore(name, { fair });
    for (const ask of [() => semaphore.acquire({ wait: "20s" }), () => semaphore.tryAcquire()]) {
      const error = await caught(ask());
      expect(error).toBeInstanceOf(RangeError);
      expect((error as Error).message).toMatch(/permits/);
      expect((error as Error).message).toContain(name);
    }
    await semaphore.setPermits(1);
    await (await semaphore.acquire()).release();
  });

  it("none because somebody set none is a pause: it is waited for, and no time is said", async () => {
    const semaphore = make().semaphore(freshName(), { permits: 2, fair });
    await semaphore.setPermits(0);
    expect(await semaphore.tryAcquire()).toBeNull();
    const error = await caught(semaphore.acquire({ wait: 200 }));
    expect(error).toBeInstanceOf(LockTimeoutError);
    expect((error as LockTimeoutError).remainingMs).toBeUndefined();
    const waiting = semaphore.acquire({ wait: "20s" });
    await pause(50);
    await semaphore.addPermits(1);
    await (await waiting).release();
    await semaphore.drain();
    expect(await semaphore.tryAcquire()).toBeNull();
  });

  it("as a part of a multi-lock it gives back the others", async () => {
    const locks = make();
    const names = [freshName("a"), freshName("b")].sort();
    const multi = locks.multiLock([locks.lock(names[0] ?? ""), locks.semaphore(names[1] ?? "", { fair })]);
    expect(await caught(multi.acquire({ wait: "20s" }))).toBeInstanceOf(RangeError);
    expect(await locks.lock(names[0] ?? "").inspect()).toMatchObject({ state: "free" });
  });

  it("a wait that a lease blocks reports the time of the lease", async () => {
    const semaphore = make().semaphore(freshName(), { permits: 1, fair });
    const holder = await semaphore.acquire({ lease: "20s" });
    const error = (await caught(semaphore.acquire({ wait: 200 }))) as LockTimeoutError;
    expect(error.remainingMs).toBeGreaterThan(15_000);
    expect(error.remainingMs).toBeLessThanOrEqual(20_000);
    await holder.release();
  });
});

describe("a counter", () => {
  it("that has too few reports no time: no lease blocks it", async () => {
    const events: LeaseholdEvent[] = [];
    const counter = make({ onEvent: (event: LeaseholdEvent) => events.push(event) }).counter(freshName());
    for (const count of [undefined, 0, 2]) {
      if (count !== undefined) await counter.setPermits(count);
      const error = await caught(counter.acquire({ permits: 3, wait: 200 }));
      expect(error).toBeInstanceOf(LockTimeoutError);
      expect((error as LockTimeoutError).remainingMs).toBeUndefined();
      expect(await counter.tryAcquire({ permits: 3 })).toBe(false);
    }
    for (const event of events) {
      if (event.type === "refused" || event.type === "polled") expect(event.remainingMs).toBe(Number.POSITIVE_INFINITY);
    }
    // It does not ask without pause, either.
    expect(events.filter(({ type }) => type === "polled").length).toBeLessThan(60);
    // Anybody may give back, at any time.
    const waiting = counter.acquire({ permits: 3, wait: "20s" });
    await pause(50);
    await counter.release();
    expect(await waiting).toBeUndefined();
  });
});
