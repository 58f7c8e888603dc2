import { describe, expect, it } from "vitest";
import {
  type ConnectOptions,
  constantBackoff,
  createLocks,
  exponentialBackoff,
  type Latch,
  type LatchOptions,
  type LatchWaitOptions,
  type LeaseholdEvent,
  type Locks,
} from "../../src/index.ts";
import { freshName, pause } from "../support/names.ts";
import { polling } from "../support/polling.ts";

/** The behaviour of a latch on every way to Redis and in every runtime; the rows are those of Redisson's own suites. */
export function latchContract(label: string, options: () => ConnectOptions): void {
  const make = (more: Partial<ConnectOptions> = {}): Locks => createLocks({ ...options(), ...more } as ConnectOptions);
  /** As another client would have it. */
  const another = ({ name }: Latch, more?: LatchOptions): Latch => make().latch(name, more);
  const fresh = (more?: LatchOptions): Latch => make().latch(freshName(), more);
  const soon: LatchWaitOptions = { wait: "10s", backoff: constantBackoff(20) };
  /** Waits as another client does, which has looked once when this resolves. */
  function waiting({ name }: Latch, given: LatchWaitOptions): Promise<{ done: Promise<boolean> }> {
    return new Promise((resolve) => {
      const onEvent = ({ type }: LeaseholdEvent): void => {
        if (type === "polled") resolve({ done });
      };
      const done = make({ onEvent }).latch(name).wait(given);
      done.catch(() => {});
    });
  }
  /** Its outcome so far. */
  function follow<T>(promise: Promise<T>): { outcome: T | "waiting" | "failed" } {
    const state: { outcome: T | "waiting" | "failed" } = { outcome: "waiting" };
    promise.then(
      (value) => {
        state.outcome = value;
      },
      () => {
        state.outcome = "failed";
      },
    );
    return state;
  }

  describe.concurrent(`latch, ${label}`, () => {
    it("is set when it is absent or at zero, and only then", async () => {
      const latch = fresh();
      expect(await latch.trySetCount(2)).toBe(true);
      expect(await another(latch).trySetCount(5)).toBe(false);
      expect(await latch.count()).toBe(2);
      expect(await latch.countDown()).toBe(1);
      expect(await another(latch).trySetCount(5)).toBe(false);
      expect(await latch.countDown()).toBe(0);
      expect(await another(latch).trySetCount(3)).toBe(true);
      expect(await latch.count()).toBe(3);
    });

    it("counts down to zero and never below", async () => {
      const latch = fresh();
      await latch.trySetCount(3);
      const left = await Promise.all(Array.from({ length: 8 }, () => another(latch).countDown()));
      expect(left.filter((count) => count > 0).sort()).toEqual([1, 2]);
      expect(left.every((count) => count >= 0)).toBe(true);
      expect(await latch.countDown()).toBe(0);
      expect(await latch.count()).toBe(0);
    });

    it("makes nothing of a latch that was never set: nothing is done, and a count down counts nothing", async () => {
      const latch = fresh();
      expect(await latch.wait({ wait: 0 })).toBe(false);
      expect(await latch.wait({ wait: "200ms" })).toBe(false);
      expect(await latch.count()).toBe(0);
      expect(await latch.countDown()).toBe(0);
      expect(await latch.countDown("alice")).toBe(0);
      const free = { state: "free", generation: 0, count: 0, of: 0, remaining: 0 };
      expect(await latch.inspect()).toEqual(free);
      expect(await latch.trySetCount(1)).toBe(true);
      expect(await latch.count()).toBe(1);
    });

    it("D: who waits before a count is set waits for it, and for zero", async () => {
      const latch = fresh();
      const early = Promise.all([latch.wait({ wait: "20s" }), another(latch).wait({ wait: "20s", maxPolls: 500 })]);
      let reached = false;
      early.then(() => (reached = true)).catch(() => {});
      await pause(200);
      expect(await latch.trySetCount(2)).toBe(true);
      expect(await latch.countDown("alice")).toBe(1);
      await pause(200);
      expect(reached).toBe(false);
      expect(await latch.countDown("bob")).toBe(0);
      expect(await early).toEqual([true, true]);
      expect(await latch.wait({ wait: 0 })).toBe(true);
      await latch.forceRelease();
      expect(await latch.wait({ wait: 0 })).toBe(false);
    });

    it("D: one that is never set costs a waiter few requests", async () => {
      let polls = 0;
      const onEvent = ({ type }: { readonly type: string }) => (polls += +(type === "polled"));
      expect(await make({ onEvent }).latch(freshName()).wait({ wait: "1s" })).toBe(false);
      expect(polls).toBeGreaterThan(0);
      expect(polls).toBeLessThan(20);
    });

    it("counts a party once, however often it calls, and anew in the next generation", async () => {
      const latch = fresh();
      await latch.trySetCount(2);
      expect(await latch.countDown("alice")).toBe(1);
      expect(await another(latch).countDown("alice")).toBe(1);
      const together = await Promise.all(["bob", "bob", "bob"].map((party) => another(latch).countDown(party)));
      expect(together).toEqual([0, 0, 0]);
      await latch.trySetCount(2);
      expect(await latch.countDown("bob")).toBe(1);
      expect(await latch.countDown("bob")).toBe(1);
      expect(await latch.countDown("alice")).toBe(0);
    });

    it("releases five waiters together, and only at zero", async () => {
      const latch = fresh();
      await latch.trySetCount(2);
      const waiters = Array.from({ length: 5 }, () => another(latch).wait(soon));
      const states = waiters.map(follow);
      await latch.countDown("alice");
      await pause(150);
      expect(states.map(({ outcome }) => outcome)).toEqual(Array(5).fill("waiting"));
      await latch.countDown("bob");
      expect(await Promise.all(waiters)).toEqual(Array(5).fill(true));
    });

    it("waits its time and not much longer: false when it is not reached, true when it is", async () => {
      const latch = fresh();
      await latch.trySetCount(1);
      const start = performance.now();
      expect(await latch.wait({ wait: "300ms" })).toBe(false);
      const took = performance.now() - start;
      expect(took).toBeGreaterThan(290);
      expect(took).toBeLessThan(3_000);
      expect(await latch.wait({ wait: 0 })).toBe(false);
      const { done } = await waiting(latch, { wait: "20s" });
      await latch.countDown();
      expect(await done).toBe(true);
      expect(await latch.wait({ wait: 0 })).toBe(true);
    });

    it("asks no more often than maxPolls, and tells of each poll", async () => {
      const events: LeaseholdEvent[] = [];
      const latch = make({ onEvent: (event) => events.push(event) }).latch(freshName());
      await latch.trySetCount(1);
      expect(await latch.wait({ wait: "20s", maxPolls: 3, backoff: constantBackoff(10) })).toBe(false);
      expect(events.filter(({ type }) => type !== "request")).toMatchObject([
        { type: "waiting", kind: "latch", name: latch.name, operation: "wait" },
        { type: "polled", polls: 1 },
        { type: "polled", polls: 2 },
        { type: "refused", polls: 3 },
        { type: "ended", operation: "wait", polls: 3, waited: true },
      ]);
    });

    it("ends a wait on an abort, before and between polls", async () => {
      const latch = fresh();
      await latch.trySetCount(1);
      const reason = new Error("changed my mind");
      await expect(latch.wait({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
      const controller = new AbortController();
      const waiting = latch.wait({ wait: "20s", backoff: constantBackoff("10s"), signal: controller.signal });
      setTimeout(() => controller.abort(reason), 100);
      await expect(waiting).rejects.toBe(reason);
      expect(await latch.count()).toBe(1);
    });

    it("does not let a waiter miss a zero, or whole generations, between two polls", async () => {
      const latch = fresh();
      await latch.trySetCount(1);
      const { done } = await waiting(latch, { wait: "20s", backoff: () => 700 });
      for (const count of [1, 2, 3]) {
        for (let left = await latch.count(); left > 0; left = await latch.countDown());
        expect(await latch.trySetCount(count)).toBe(true);
      }
      expect(await latch.count()).toBe(3);
      expect(await done).toBe(true);
    });

    it("tells a waiter that the latch was removed, not that it was done, also when it was set anew since", async () => {
      for (const anew of [false, true]) {
        const latch = fresh();
        await latch.trySetCount(1);
        const { done } = await waiting(latch, { wait: "20s", backoff: () => 400 });
        expect(await latch.forceRelease()).toBe(true);
        if (anew) expect(await latch.trySetCount(1)).toBe(true);
        if (anew) expect(await latch.countDown()).toBe(0);
        await expect(done).rejects.toMatchObject({ code: "state_lost" });
      }
    });

    it("counts no count down of an earlier generation", async () => {
      const latch = fresh();
      await latch.trySetCount(1);
      const { generation: first } = await latch.inspect();
      expect(await latch.countDown("alice", { generation: first })).toBe(0);
      await latch.trySetCount(2);
      const { generation: second } = await latch.inspect();
      expect(second).toBeGreaterThan(first);
      // It is over, and zero was reached.
      expect(await another(latch).countDown("bob", { generation: first })).toBe(0);
      expect(await latch.count()).toBe(2);
      expect(await latch.countDown("bob", { generation: second })).toBe(1);
      const lost = { code: "state_lost" };
      await expect(latch.countDown("carol", { generation: first - 1 })).rejects.toMatchObject(lost);
      await expect(latch.countDown("carol", { generation: second + 1 })).rejects.toMatchObject(lost);
      await latch.forceRelease();
      await latch.trySetCount(2);
      await expect(latch.countDown("carol", { generation: second })).rejects.toMatchObject(lost);
      expect(await latch.count()).toBe(2);
    });

    it("is inspected and removed, and its generation keeps rising", async () => {
      const latch = fresh({ ttl: "1h" });
      await latch.trySetCount(2);
      const counting = await latch.inspect();
      expect(counting).toMatchObject({ state: "counting", count: 2, of: 2 });
      expect(Number.isSafeInteger(counting.generation)).toBe(true);
      expect(counting.remaining).toBeGreaterThan(3_500_000);
      expect(counting.remaining).toBeLessThanOrEqual(3_600_000);
      await latch.countDown();
      await latch.countDown();
      const { generation } = counting;
      expect(await latch.inspect()).toMatchObject({ state: "open", count: 0, of: 2, generation });
      expect(await latch.forceRelease()).toBe(true);
      expect(await latch.forceRelease()).toBe(false);
      const free = await latch.inspect();
      expect(free).toMatchObject({ state: "free", count: 0, of: 0, remaining: 0 });
      expect(await latch.wait({ wait: 0 })).toBe(false);
      await latch.trySetCount(1);
      expect((await latch.inspect()).generation).toBeGreaterThan(free.generation);
    });

    it("is forgotten after its ttl, which setting and counting down renew", async () => {
      const latch = fresh({ ttl: 2_000 });
      await latch.trySetCount(3);
      await pause(1_200);
      await latch.countDown("alice");
      await pause(1_200);
      expect(await latch.count()).toBe(2);
      await expect(latch.wait({ wait: "10s" })).rejects.toMatchObject({ code: "state_lost" });
      expect(await latch.inspect()).toMatchObject({ state: "free" });
      await latch.trySetCount(1);
      expect(await latch.countDown("alice")).toBe(0);
    });

    it("takes the largest whole number", async () => {
      const latch = fresh();
      const max = Number.MAX_SAFE_INTEGER;
      expect(await latch.trySetCount(max)).toBe(true);
      expect(await latch.countDown()).toBe(max - 1);
      expect(await latch.count()).toBe(max - 1);
      expect(await latch.inspect()).toMatchObject({ count: max - 1, of: max });
    });

    it("refuses what cannot be, and sends nothing", async () => {
      const locks = make();
      expect(() => locks.latch("")).toThrow(RangeError);
      expect(() => locks.latch("\ud800")).toThrow(TypeError);
      expect(() => locks.latch("x", { ttl: "soon" as never })).toThrow(TypeError);
      expect(() => locks.latch("x", { ttl: 0 })).toThrow(RangeError);
      const latch = locks.latch(freshName());
      for (const count of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
        await expect(latch.trySetCount(count)).rejects.toThrow(RangeError);
      }
      await expect(latch.trySetCount("3" as never)).rejects.toThrow(TypeError);
      await expect(latch.countDown("")).rejects.toThrow(RangeError);
      await expect(latch.countDown("\ud800")).rejects.toThrow(TypeError);
      await expect(latch.countDown(7 as never)).rejects.toThrow(TypeError);
      await expect(latch.countDown("a", { generation: 0.5 })).rejects.toThrow(RangeError);
      await expect(latch.countDown("a", { generation: "1" as never })).rejects.toThrow(TypeError);
      await expect(latch.wait({ wait: -1 })).rejects.toThrow(RangeError);
      await expect(latch.wait({ maxPolls: 0 })).rejects.toThrow(RangeError);
      await expect(latch.wait({ signal: {} as never })).rejects.toThrow("signal must be an AbortSignal");
      expect(await latch.inspect()).toMatchObject({ state: "free", generation: 0 });
    });

    it("does not share a name with a lock, and says which kind it is", async () => {
      const latch = fresh();
      await latch.trySetCount(1);
      await expect(make().lock(latch.name).tryAcquire()).rejects.toMatchObject({ code: "wrong_kind", kind: "latch" });
      const held = freshName();
      const lease = await make().lock(held).acquire();
      const refused = { code: "wrong_kind", kind: "lock" };
      const other = make().latch(held);
      await expect(other.trySetCount(1)).rejects.toMatchObject(refused);
      await expect(other.countDown()).rejects.toMatchObject(refused);
      await expect(other.countDown("a", { generation: 1 })).rejects.toMatchObject(refused);
      await expect(other.wait()).rejects.toMatchObject(refused);
      await expect(other.forceRelease()).rejects.toMatchObject(refused);
      await lease.release();
      expect(await other.trySetCount(1)).toBe(true);
      expect((await other.inspect()).generation).toBeGreaterThan(lease.token);
    });
  });

  describe.concurrent(`back-off strategies, ${label}`, () => {
    it.each([
      ["exponential", exponentialBackoff({ floor: 10, cap: 80 }), [10, 10, 10, 10, 10, 10], [20, 40, 80, 80, 80, 80]],
      ["constant", constantBackoff("30ms"), Array(6).fill(27), Array(6).fill(33)],
    ])("an acquire sleeps as the %s one says", async (_, backoff, min, max) => {
      const delays: number[] = [];
      const onEvent = (event: LeaseholdEvent): void => {
        if (event.type === "polled") delays.push(event.delayMs ?? Number.NaN);
      };
      const lock = make({ ...polling(options()), onEvent }).lock(freshName());
      const holder = await make().lock(lock.name).acquire();
      const start = performance.now();
      await expect(lock.acquire({ wait: "20s", maxPolls: 7, backoff })).rejects.toMatchObject({ code: "lock_timeout" });
      const took = performance.now() - start;
      expect(delays.length).toBe(6);
      for (const [index, delay] of delays.entries()) {
        expect(delay).toBeGreaterThanOrEqual(min[index] as number);
        expect(delay).toBeLessThanOrEqual(max[index] as number);
      }
      expect(new Set(delays).size).toBeGreaterThan(1);
      // Timers may be a millisecond early.
      expect(took).toBeGreaterThan(delays.reduce((sum, delay) => sum + delay - 1, 0));
      await holder.release();
      expect(await lock.acquire({ backoff })).toMatchObject({ name: lock.name });
    });

    it("a waiter sleeps no longer than the blocking lease", async () => {
      const lock = make().lock(freshName());
      await lock.acquire({ lease: 300 });
      const start = performance.now();
      await make()
        .lock(lock.name)
        .acquire({ wait: "20s", backoff: constantBackoff("10s") });
      expect(performance.now() - start).toBeLessThan(5_000);
    });
  });
}
