import { describe, expect, it } from "vitest";
import {
  type ConnectOptions,
  createLocks,
  LeaseLostError,
  type Locks,
  LockTimeoutError,
  type Semaphore,
  type SemaphoreLease,
} from "../../src/index.ts";
import { freshName, pause } from "../support/names.ts";

/** The behaviour of semaphores on every way to Redis and in every runtime; the rows are those of Redisson's suites. */
export function semaphoreContract(label: string, options: () => ConnectOptions): void {
  const make = (more: Partial<ConnectOptions> = {}): Locks => createLocks({ ...options(), ...more } as ConnectOptions);

  describe.concurrent(`semaphore, ${label}`, () => {
    it("grants leases of permits, all or none, each acquisition with one token", async () => {
      const semaphore = make().semaphore(freshName(), { permits: 3 });
      expect(await semaphore.inspect()).toEqual({
        state: "free",
        token: 0,
        permits: 3,
        available: 3,
        acquired: 0,
        remaining: 0,
        waiters: 0,
      });
      const two = await semaphore.acquire({ permits: 2, lease: "20s" });
      expect([two.holds, two.permits]).toEqual([2, [1, 2]]);
      expect(await semaphore.tryAcquire({ permits: 2 })).toBeNull();
      const one = await semaphore.tryAcquire({ lease: "10s" });
      expect(one?.token).toBeGreaterThan(two.token);
      expect(await semaphore.tryAcquire()).toBeNull();
      const state = await semaphore.inspect();
      expect(state).toMatchObject({ state: "held", token: one?.token, permits: 3, available: 0, acquired: 3 });
      expect(state.remaining).toBeGreaterThan(15_000);
      expect(await two.verify()).toBe(true);
      expect(await two.release()).toBe(true);
      expect(await two.release()).toBe(false);
      expect([await semaphore.available(), await semaphore.acquired()]).toEqual([2, 1]);
      expect(await one?.release()).toBe(true);
      expect((await semaphore.inspect()).state).toBe("free");
    });

    it("is not reentrant: a second acquisition takes permits of its own, and a reentry key is refused (E19)", async () => {
      const semaphore = make().semaphore(freshName(), { permits: 1 });
      await semaphore.acquire({ label: "x", lease: "20s" });
      expect(await semaphore.tryAcquire({ label: "x" })).toBeNull();
      const keyed = { reentryKey: "alice" } as object;
      await expect(semaphore.acquire(keyed)).rejects.toThrow(/no option "reentryKey"/);
    });

    it("waits until as many as wanted are free, also when they come one by one", async () => {
      const locks = make();
      const name = freshName();
      const semaphore = locks.semaphore(name, { permits: 4 });
      const held = [];
      for (let n = 0; n < 4; n++) held.push(await semaphore.acquire({ lease: "20s" }));
      const waiting = make().semaphore(name, { permits: 4 }).acquire({ permits: 4, wait: "20s" });
      let done = false;
      waiting.then(() => (done = true));
      for (const lease of held) {
        expect(done).toBe(false);
        await pause(60);
        await lease.release();
      }
      expect((await waiting).holds).toBe(4);
      expect(await semaphore.available()).toBe(0);
    });

    it("waits its time and not much longer", async () => {
      const semaphore = make().semaphore(freshName(), { permits: 1 });
      await semaphore.acquire({ lease: "20s" });
      const start = performance.now();
      const error = await semaphore.acquire({ wait: "400ms" }).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(LockTimeoutError);
      expect((error as LockTimeoutError).remainingMs).toBeGreaterThan(10_000);
      expect(performance.now() - start).toBeGreaterThan(390);
      expect(performance.now() - start).toBeLessThan(3_000);
    });

    it("needs a number, its own or one that was set; none is a pause, and who acquires waits for more", async () => {
      const semaphore = make().semaphore(freshName());
      expect(await semaphore.available()).toBe(0);
      await expect(semaphore.tryAcquire()).rejects.toThrow(RangeError);
      await semaphore.setPermits(0);
      expect(await semaphore.tryAcquire()).toBeNull();
      const waiting = semaphore.acquire({ wait: "20s" });
      await pause(50);
      await semaphore.setPermits(1);
      expect((await waiting).holds).toBe(1);
    });

    it("D: one whose number nobody has given says so, and only then", async () => {
      const name = freshName();
      for (const options of [{}, { fair: true }]) {
        const unset = make().semaphore(name, options);
        await expect(unset.tryAcquire()).rejects.toThrow(RangeError);
        await expect(unset.tryAcquire({ permits: 3 })).rejects.toThrow(RangeError);
        await expect(unset.acquire({ wait: "200ms" })).rejects.toThrow(RangeError);
        await expect(unset.run({ wait: 0 }, () => 1)).rejects.toThrow(RangeError);
        // It would show only as a time-out.
        expect(() => make().semaphore(name, { ...options, permits: 0 })).toThrow(RangeError);
      }
      // Set at last, by whomever: then they are in use, or too few.
      const semaphore = make().semaphore(name);
      expect(await semaphore.trySetPermits(1)).toBe(true);
      const lease = await semaphore.acquire();
      expect(await make().semaphore(name).tryAcquire()).toBeNull();
      await expect(make().semaphore(name).acquire({ wait: 0 })).rejects.toMatchObject({ code: "lock_timeout" });
      await lease.release();
      await semaphore.setPermits(0);
      expect(await make().semaphore(name).tryAcquire()).toBeNull();
      await semaphore.forceRelease();
      await expect(make().semaphore(name).tryAcquire()).rejects.toThrow(RangeError);
      // One who knows the number itself needs no other.
      expect((await make().semaphore(name, { permits: 1 }).acquire()).holds).toBe(1);
      await expect(make().semaphore(name).tryAcquire()).rejects.toThrow(RangeError);
    });

    it("lets a waiter in when the leases of dead holders end, and the counts agree", async () => {
      const semaphore = make().semaphore(freshName(), { permits: 3 });
      const dead = await semaphore.acquire({ permits: 2, lease: 500 });
      const start = performance.now();
      const lease = await semaphore.acquire({ permits: 2, wait: "10s" });
      expect(performance.now() - start).toBeGreaterThan(300);
      expect(await semaphore.inspect()).toMatchObject({ permits: 3, acquired: 2, available: 1 });
      expect(await dead.release()).toBe(false);
      expect(await dead.releasePermits([1])).toBe(false);
      expect(await dead.verify()).toBe(false);
      await expect(dead.extend()).rejects.toThrow(LeaseLostError);
      expect(await semaphore.inspect()).toMatchObject({ acquired: 2, available: 1 });
      expect(await lease.release()).toBe(true);
      expect(await semaphore.inspect()).toMatchObject({ acquired: 0, available: 3 });
    });

    it("updates a lease, never shortens it, and not that of an id that is unknown or over", async () => {
      const semaphore = make().semaphore(freshName(), { permits: 2 });
      const lease = await semaphore.acquire({ permits: 2, lease: 600 });
      await lease.extend("30s");
      expect([lease.remaining > 20_000, lease.holds]).toEqual([true, 2]);
      await lease.extend(100);
      await pause(650);
      expect(await lease.verify()).toBe(true);
      expect((await semaphore.inspect()).remaining).toBeGreaterThan(20_000);
      await lease.release();
      await expect(lease.extend()).rejects.toMatchObject({ code: "lease_lost", reason: "released" });
      const forced = await semaphore.acquire();
      expect(await semaphore.forceRelease()).toBe(true);
      expect(await semaphore.forceRelease()).toBe(false);
      await expect(forced.extend()).rejects.toMatchObject({ reason: "forced" });
      expect((await semaphore.acquire()).token).toBeGreaterThan(forced.token);
    });

    it("releases some permits of a lease; with one that is not held, none", async () => {
      const semaphore = make().semaphore(freshName(), { permits: 5 });
      const lease = await semaphore.acquire({ permits: 5, lease: "20s" });
      expect(await lease.releasePermits([2, 4])).toBe(true);
      expect([lease.permits, lease.holds, await semaphore.available()]).toEqual([[1, 3, 5], 3, 2]);
      for (const numbers of [[1, 2], [6], [1, 1], [0], [1.5]]) expect(await lease.releasePermits(numbers)).toBe(false);
      expect(await lease.releasePermits([])).toBe(true);
      expect(await semaphore.available()).toBe(2);
      const twin = await make().resume(lease.ticket());
      await lease.extend();
      expect([lease.holds, await twin.verify(), twin.holds]).toEqual([3, true, 3]);
      expect(await lease.releasePermits([1, 3, 5])).toBe(true);
      expect([lease.permits, await lease.release(), await twin.verify()]).toEqual([[], false, false]);
      expect(await semaphore.available()).toBe(5);
    });

    it("spends permits for good, returns the others, and counts deliveries (51.3)", async () => {
      const stock = make().semaphore(freshName());
      expect(await stock.trySetPermits(5)).toBe(true);
      const lease = await stock.acquire({ permits: 3, lease: "20s" });
      expect(await lease.spend(2)).toBeUndefined();
      expect(await stock.inspect()).toMatchObject({ permits: 3, available: 3, acquired: 0 });
      // Again, in this process and in another one: it was made once.
      await lease.spend(2);
      await (await make().semaphore(stock.name).resume(lease.ticket())).spend(2);
      const twin = (await make().resume(lease.ticket())) as SemaphoreLease;
      await twin.spend(2);
      expect(await stock.available()).toBe(3);
      for (const other of [lease, await make().semaphore(stock.name).resume(lease.ticket())])
        await expect(other.spend(1)).rejects.toMatchObject({ code: "lease_lost", reason: "spent" });
      expect([lease.remaining, lease.signal.aborted, await lease.verify(), await lease.release()]).toEqual([
        0,
        true,
        false,
        false,
      ]);
      expect(await twin.release()).toBe(false);
      await stock.addPermits(4);
      expect(await stock.available()).toBe(7);
      const none = await stock.acquire({ permits: 7 });
      await none.spend(0);
      const all = await stock.acquire({ permits: 7 });
      await all.spend(7);
      expect(await stock.inspect()).toMatchObject({ permits: 0, available: 0, acquired: 0 });
      expect(await stock.tryAcquire()).toBeNull();
    });

    it("spends nothing of a lease that has ended, and lets a waiter in with what returns (51.3)", async () => {
      const name = freshName();
      const stock = make().semaphore(name, { fair: true });
      await stock.setPermits(3);
      const dead = await stock.acquire({ permits: 3, lease: 300 });
      const twin = await make().semaphore(name).resume(dead.ticket());
      const next = await stock.acquire({ permits: 3, wait: "20s", lease: "20s" });
      await expect(dead.spend(1)).rejects.toMatchObject({ code: "lease_lost", reason: "expired" });
      await expect(twin.spend(1)).rejects.toMatchObject({ code: "lease_lost", reason: "expired" });
      const waiting = stock.acquire({ permits: 2, wait: "20s" });
      await next.spend(1);
      const last = await waiting;
      expect(await stock.inspect()).toMatchObject({ permits: 2, available: 0, acquired: 2 });
      await last.release();
      await expect(last.spend(1)).rejects.toMatchObject({ code: "lease_lost", reason: "released" });
      const forced = await stock.acquire();
      const ticket = forced.ticket();
      await stock.forceRelease();
      await expect(forced.spend(1)).rejects.toMatchObject({ code: "lease_lost", reason: "forced" });
      await expect((await make().semaphore(name).resume(ticket)).spend(1)).rejects.toThrow(LeaseLostError);
    });

    it("refuses to spend what it does not have, before anything is sent (51.3)", async () => {
      const stock = make().semaphore(freshName());
      await stock.setPermits(5);
      const lease = await stock.acquire({ permits: 3, lease: "20s" });
      for (const count of [4, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
        await expect(lease.spend(count)).rejects.toThrow(RangeError);
      for (const count of [undefined, "2", null]) await expect(lease.spend(count as never)).rejects.toThrow(TypeError);
      await lease.releasePermits([1]);
      await expect(lease.spend(3)).rejects.toThrow(RangeError);
      // Another process does not know that some were released, and is told by the server.
      const twin = await make().semaphore(stock.name).resume(lease.ticket());
      await expect(twin.spend(3)).rejects.toMatchObject({ code: "lease_lost", reason: "released" });
      expect(await lease.verify()).toBe(true);
      await lease.spend(2);
      expect(await stock.available()).toBe(3);
    });

    it("needs a number: its own, which the first spend sets, or one on the server (51.3)", async () => {
      const name = freshName();
      const stock = make().semaphore(name, { permits: 4 });
      const lease = await stock.acquire({ permits: 2, lease: "20s" });
      const twin = await make().semaphore(name).resume(lease.ticket());
      await expect(twin.spend(1)).rejects.toMatchObject({ code: "state_lost" });
      await lease.spend(1);
      expect(await make().semaphore(name).available()).toBe(3);
      await twin.spend(1);
      expect(await stock.available()).toBe(3);
    });

    it("takes a number up, down, to what it is, and below what is in use", async () => {
      const semaphore = make().semaphore(freshName(), { permits: 2 });
      expect(await semaphore.trySetPermits(3)).toBe(true);
      expect(await semaphore.trySetPermits(9)).toBe(false);
      const lease = await semaphore.acquire({ permits: 3, lease: "20s" });
      for (const [permits, available] of [
        [5, 2],
        [3, 0],
        [3, 0],
        [1, -2],
      ] as const) {
        await semaphore.setPermits(permits);
        expect(await semaphore.inspect()).toMatchObject({ permits, available, acquired: 3 });
      }
      expect(await semaphore.tryAcquire()).toBeNull();
      await semaphore.addPermits(4);
      expect(await semaphore.available()).toBe(2);
      await semaphore.addPermits(-6);
      expect(await semaphore.inspect()).toMatchObject({ permits: -1, available: -4 });
      expect(await lease.verify()).toBe(true);
      await lease.release();
      expect(await semaphore.available()).toBe(-1);
      await semaphore.forceRelease();
      expect(await semaphore.available()).toBe(2);
      expect(await semaphore.trySetPermits(0)).toBe(true);
      await semaphore.setPermits(Number.MAX_SAFE_INTEGER);
      expect(await semaphore.available()).toBe(Number.MAX_SAFE_INTEGER);
    });

    it("drains what is available out of circulation", async () => {
      const semaphore = make().semaphore(freshName(), { permits: 5 });
      const lease = await semaphore.acquire({ permits: 2 });
      expect([await semaphore.drain(), await semaphore.drain()]).toEqual([3, 0]);
      await lease.release();
      expect(await semaphore.inspect()).toMatchObject({ permits: 2, available: 2 });
      expect(await make().semaphore(freshName()).drain()).toBe(0);
    });

    it("forgets a number after its ttl, which changes and grants renew", async () => {
      const semaphore = make().semaphore(freshName(), { ttl: 1_000, permits: 1 });
      await semaphore.setPermits(7);
      await pause(700);
      const renewed = performance.now();
      await (await semaphore.acquire({ lease: "50ms" })).release();
      await pause(400);
      const available = await semaphore.available();
      // Unless this took longer than it should.
      if (performance.now() - renewed < 900) expect(available).toBe(7);
      await pause(1_000);
      expect(await semaphore.available()).toBe(1);
      expect(await semaphore.trySetPermits(2)).toBe(true);
    });

    it("lets two contenders for two permits each get there", async () => {
      const name = freshName();
      const contender = async (): Promise<void> => {
        const semaphore = make().semaphore(name, { permits: 2 });
        for (let round = 0; round < 5; round++) await semaphore.run({ permits: 2, wait: "20s" }, () => pause(5));
      };
      await Promise.all([contender(), contender()]);
      expect(await make().semaphore(name, { permits: 2 }).available()).toBe(2);
    });

    it("runs work under permits, hands them over by ticket, and keeps them alive", async () => {
      const semaphore = make().semaphore(freshName(), { permits: 3 });
      expect(await semaphore.run({ permits: 2 }, ({ permits }) => permits.length)).toBe(2);
      const lease = await semaphore.acquire({ permits: 3, lease: "1s" });
      expect(await lease.keepAlive({}, () => pause(1_300))).toBeUndefined();
      const given = await semaphore.acquire({ permits: 3 });
      const resumed = await make().resume(given.ticket());
      await resumed.extend("1m");
      expect([resumed.holds, await resumed.release(), await given.verify()]).toEqual([3, true, false]);
      expect(await semaphore.available()).toBe(3);
    });

    it("refuses what cannot be before anything is sent", async () => {
      const locks = make();
      const semaphore = locks.semaphore(freshName(), { permits: 1 });
      for (const permits of [0, -1, 1.5, 1001, Number.POSITIVE_INFINITY, Number.NaN])
        await expect(semaphore.tryAcquire({ permits })).rejects.toThrow(RangeError);
      for (const count of [-1, 0.5, 2 ** 53, Number.POSITIVE_INFINITY])
        await expect(semaphore.setPermits(count)).rejects.toThrow(RangeError);
      await expect(semaphore.trySetPermits("3" as never)).rejects.toThrow(TypeError);
      expect(() => locks.semaphore("x", { permits: -1 })).toThrow(RangeError);
      expect(() => locks.semaphore("x", { ttl: 0 })).toThrow(RangeError);
      expect(() => locks.semaphore("x", { lease: 1 })).toThrow(RangeError);
    });

    it("is either leased or a counter", async () => {
      const locks = make();
      const name = freshName();
      const counter = locks.counter(name);
      await counter.setPermits(1);
      const kind = { code: "wrong_kind", kind: "counter" };
      await expect(locks.semaphore(name, { permits: 1 }).tryAcquire()).rejects.toMatchObject(kind);
      await expect(locks.semaphore(name).inspect()).rejects.toMatchObject(kind);
      await expect(locks.lock(name).tryAcquire()).rejects.toMatchObject(kind);
      expect(await counter.forceRelease()).toBe(true);
      const lease = await locks.semaphore(name, { permits: 1 }).acquire();
      await expect(counter.tryAcquire()).rejects.toMatchObject({ code: "wrong_kind", kind: "semaphore" });
      await expect(counter.release()).rejects.toMatchObject({ code: "wrong_kind" });
      await lease.release();
      await (await locks.lock(name).acquire()).release();
      const next = await locks.semaphore(name, { permits: 1 }).acquire();
      expect(next.token).toBeGreaterThan(lease.token);
    });
  });

  describe.concurrent(`semaphore, fair, ${label}`, () => {
    const fair = (name: string, permits: number): Semaphore => make().semaphore(name, { permits, fair: true });

    it("serves in order of arrival, and who wants many is not passed by those who want few", async () => {
      const name = freshName();
      const holders = [await fair(name, 3).acquire(), await fair(name, 3).acquire(), await fair(name, 3).acquire()];
      const order: number[] = [];
      const waiting: Promise<unknown>[] = [];
      for (const [n, permits] of [3, 1, 2, 1].entries()) {
        waiting.push(fair(name, 3).run({ permits, wait: "20s" }, () => order.push(n)));
        while ((await fair(name, 3).inspect()).waiters <= n) await pause(5);
      }
      await holders[0]?.release();
      await pause(100);
      // One is free, and those who want one wait behind who wants three.
      expect([order, await fair(name, 3).available()]).toEqual([[], 1]);
      expect(await fair(name, 3).tryAcquire()).toBeNull();
      await holders[1]?.release();
      await holders[2]?.release();
      await Promise.all(waiting);
      expect(order[0]).toBe(0);
      expect([...order].sort()).toEqual([0, 1, 2, 3]);
      expect(await fair(name, 3).inspect()).toMatchObject({ state: "free", waiters: 0, available: 3 });
    });

    it("keeps the order with one permit, past those who gave up or left", async () => {
      const name = freshName();
      const holder = await fair(name, 1).acquire();
      const order: number[] = [];
      const waiting: Promise<unknown>[] = [];
      const leaving = new AbortController();
      let gone = 0;
      for (let n = 0; n < 6; n++) {
        const more = n === 1 ? { wait: 500 } : n === 3 ? { signal: leaving.signal } : {};
        const settled = fair(name, 1).run({ wait: "20s", ...more }, () => order.push(n));
        waiting.push(settled.catch((error: unknown) => error));
        if (n === 1) waiting[n]?.then(() => gone++);
        while ((await fair(name, 1).inspect()).waiters + gone <= n) await pause(5);
      }
      leaving.abort("left");
      await Promise.all([waiting[1], waiting[3]]);
      await holder.release();
      const outcomes = await Promise.all(waiting);
      expect(outcomes[1]).toBeInstanceOf(LockTimeoutError);
      expect(outcomes[3]).toBe("left");
      expect(order).toEqual([0, 2, 4, 5]);
      expect(await fair(name, 1).inspect()).toMatchObject({ state: "free", waiters: 0 });
    });
  });

  describe.concurrent(`counter, ${label}`, () => {
    it("takes, gives back whoever asks, and says what is available", async () => {
      const counter = make().counter(freshName());
      expect(await counter.inspect()).toEqual({ state: "free", available: 0, remaining: 0 });
      expect(await counter.release()).toBe(false);
      expect(await counter.tryAcquire()).toBe(false);
      expect(await counter.trySetPermits(0)).toBe(true);
      expect(await counter.trySetPermits(5)).toBe(false);
      await counter.addPermits(4);
      expect(await counter.release(10)).toBe(true);
      expect(await counter.available()).toBe(14);
      expect(await counter.tryAcquire({ permits: 15 })).toBe(false);
      expect(await counter.tryAcquire({ permits: 14 })).toBe(true);
      expect(await counter.tryAcquire()).toBe(false);
      await counter.addPermits(-3);
      const state = await counter.inspect();
      expect(state).toMatchObject({ state: "set", available: -3 });
      expect(state.remaining).toBeGreaterThan(6 * 86_400_000);
      expect(await counter.forceRelease()).toBe(true);
      expect((await counter.inspect()).state).toBe("free");
    });

    it("waits for as many as wanted, in time or not", async () => {
      const counter = make().counter(freshName());
      await counter.setPermits(0);
      const start = performance.now();
      await expect(counter.acquire({ wait: 300 })).rejects.toThrow(LockTimeoutError);
      expect(performance.now() - start).toBeGreaterThan(290);
      const waiting = counter.acquire({ permits: 4, wait: "20s" });
      for (let n = 0; n < 4; n++) {
        await pause(40);
        expect(await counter.release()).toBe(true);
      }
      expect(await waiting).toBeUndefined();
      expect(await counter.available()).toBe(0);
    });

    it("drains, and counts to the largest integer", async () => {
      const counter = make().counter(freshName());
      expect(await counter.drain()).toBe(0);
      await counter.setPermits(Number.MAX_SAFE_INTEGER);
      expect(await counter.tryAcquire({ permits: Number.MAX_SAFE_INTEGER - 1 })).toBe(true);
      expect([await counter.drain(), await counter.drain()]).toEqual([1, 0]);
      await counter.setPermits(Number.MAX_SAFE_INTEGER - 1);
      expect(await counter.drain()).toBe(Number.MAX_SAFE_INTEGER - 1);
    });

    it("begins with the number in its options, and is forgotten after its ttl", async () => {
      const counter = make().counter(freshName(), { permits: 2, ttl: 1_500 });
      expect([await counter.tryAcquire({ permits: 2 }), await counter.tryAcquire()]).toEqual([true, false]);
      expect(await counter.release()).toBe(true);
      expect(await counter.available()).toBe(1);
      await pause(1_550);
      expect(await counter.available()).toBe(2);
    });
  });
}
