import { describe, expect, it } from "vitest";
import {
  type Backoff,
  type ConnectOptions,
  createLocks,
  type FairLock,
  type FairLockOptions,
  type Lease,
  type LeaseholdEvent,
  LockTimeoutError,
} from "../../src/index.ts";
import { freshName, pause } from "../support/names.ts";
import { polling } from "../support/polling.ts";

/** The behaviour of a fair lock on every way to Redis and in every runtime. */
export function fairContract(label: string, options: () => ConnectOptions): void {
  /** A client of its own. */
  const make = (name: string, own?: FairLockOptions, more: Partial<ConnectOptions> = {}): FairLock =>
    createLocks({ ...options(), ...more } as ConnectOptions).fairLock(name, own);

  async function queued(lock: FairLock, count: number): Promise<void> {
    while ((await lock.inspect()).waiters !== count) await pause(5);
  }
  /** Joins the queue; gives the wait, when it is in there. */
  async function queue(
    name: string,
    behind: number,
    own: FairLockOptions = {},
    more: Partial<ConnectOptions> = {},
  ): Promise<{ lease: Promise<Lease> }> {
    const lease = make(name, {}, more).acquire({ wait: "20s", ...own });
    lease.catch(() => {});
    await queued(make(name), behind + 1);
    return { lease };
  }

  describe.concurrent(`fair lock, ${label}`, () => {
    it("grants a lease, shows who holds it, and is free again after the release", async () => {
      const lock = make(freshName());
      expect(await lock.inspect()).toEqual({ state: "free", token: 0, waiters: 0 });
      const lease = await lock.acquire({ lease: "20s", label: "a label" });
      expect(lease.remaining).toBeGreaterThan(15_000);
      expect(await lease.verify()).toBe(true);
      const held = await lock.inspect();
      expect(held).toMatchObject({ state: "held", token: lease.token, holds: 1, label: "a label", waiters: 0 });
      expect(held.state === "held" && held.remaining).toBeGreaterThan(15_000);
      await lease.extend("40s");
      await lease.extend("300ms");
      expect(lease.remaining).toBeGreaterThan(30_000);
      expect(await lease.release()).toBe(true);
      expect(await lease.release()).toBe(false);
      expect(await lease.verify()).toBe(false);
      await expect(lease.extend()).rejects.toMatchObject({ code: "lease_lost", reason: "released" });
      expect(await lock.inspect()).toEqual({ state: "free", token: lease.token, waiters: 0 });
    });

    it("is given in the order of arrival", async () => {
      const name = freshName();
      const holder = await make(name).acquire();
      const tokens: Promise<number>[] = [];
      for (let behind = 0; behind < 8; behind++) {
        const { lease } = await queue(name, behind);
        tokens.push(lease.then(async (held) => ((await held.release()) ? held.token : 0)));
      }
      await holder.release();
      const all = [holder.token, ...(await Promise.all(tokens))];
      expect(all).toEqual([...new Set(all)].sort((a, b) => a - b));
      expect((await make(name).inspect()).waiters).toBe(0);
    });

    it("never lets a try without waiting pass the queue, and answers it at once", async () => {
      const name = freshName();
      const holder = await make(name).acquire();
      expect(await make(name).tryAcquire()).toBeNull();
      expect((await make(name).inspect()).waiters).toBe(0);
      // Back later than the tries below.
      const waiter = await queue(name, 0, { backoff: () => 5_000 });
      await holder.release();
      // If these waited, it would be for ever: the waiter is served before them, and does not let go.
      const [barged] = await Promise.all([
        make(name).tryAcquire(),
        make(name)
          .acquire({ wait: 0 })
          .catch(() => null),
      ]);
      const lease = await waiter.lease;
      if (barged) throw new Error("it passed the queue");
      await lease.release();
      const next = await make(name).tryAcquire();
      expect(next?.token).toBeGreaterThan(lease.token);
    });

    it("frees the place of a waiter that times out, is aborted or has asked often enough", async () => {
      const name = freshName();
      const lock = make(name);
      const holder = await lock.acquire({ lease: "20s" });
      const events: LeaseholdEvent[] = [];
      const counting = make(name, {}, { onEvent: (event) => events.push(event) });
      const start = performance.now();
      const error = await counting.acquire({ wait: "300ms" }).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(LockTimeoutError);
      expect((error as LockTimeoutError).remainingMs).toBeGreaterThan(10_000);
      expect(performance.now() - start).toBeGreaterThan(290);
      expect((await lock.inspect()).waiters).toBe(0);

      events.length = 0;
      await expect(counting.acquire({ wait: "20s", maxPolls: 3 })).rejects.toThrow(LockTimeoutError);
      expect(events.filter(({ type }) => /refused|polled/.test(type)).length).toBe(3);
      expect((await lock.inspect()).waiters).toBe(0);

      const controller = new AbortController();
      const reason = new Error("changed my mind");
      const aborted = await queue(name, 0, { signal: controller.signal });
      controller.abort(reason);
      await expect(aborted.lease).rejects.toBe(reason);
      expect((await lock.inspect()).waiters).toBe(0);
      await holder.release();
      expect(await make(name).tryAcquire()).not.toBeNull();
    });

    it("leaves the queue in the background where there is a waitUntil", async () => {
      const name = freshName();
      const holder = await make(name).acquire({ lease: "20s" });
      const background: Promise<unknown>[] = [];
      const waitUntil = (promise: Promise<unknown>): void => void background.push(promise);
      await expect(make(name).acquire({ wait: "100ms", waitUntil })).rejects.toThrow(LockTimeoutError);
      expect(background.length).toBe(1);
      await Promise.all(background);
      expect((await make(name).inspect()).waiters).toBe(0);
      await holder.release();
    });

    it("keeps the order when one in the middle leaves", async () => {
      const name = freshName();
      const holder = await make(name).acquire();
      const controller = new AbortController();
      const a = await queue(name, 0);
      const b = await queue(name, 1, { signal: controller.signal });
      const c = await queue(name, 2);
      controller.abort(new Error("gone"));
      await expect(b.lease).rejects.toThrow("gone");
      expect((await make(name).inspect()).waiters).toBe(2);
      await holder.release();
      const first = await a.lease;
      expect((await make(name).inspect()).waiters).toBe(1);
      await first.release();
      expect((await c.lease).token).toBeGreaterThan(first.token);
    });

    it("lets the reentry key in at once, whoever queues, all under one token", async () => {
      const name = freshName();
      const first = await make(name).acquire({ reentryKey: "alice" });
      const waiter = await queue(name, 0);
      const second = await make(name).tryAcquire({ reentryKey: "alice" });
      expect(second).toMatchObject({ token: first.token, holds: 2 });
      expect(await make(name).tryAcquire({ reentryKey: "bob" })).toBeNull();
      await first.release();
      expect(await make(name).inspect()).toMatchObject({ state: "held", holds: 1, waiters: 1 });
      await second?.release();
      expect((await waiter.lease).token).toBeGreaterThan(first.token);
    });

    it("can be non-reentrant: a second acquire by the reentry key fails at once in all three forms", async () => {
      const name = freshName();
      const own = { reentrant: false, reentryKey: "alice" };
      const lock = make(name, own);
      const lease = await lock.acquire({ lease: "20s" });
      const refused = { code: "not_reentrant" };
      await expect(lock.tryAcquire()).rejects.toMatchObject(refused);
      await expect(lock.acquire({ wait: "20s" })).rejects.toMatchObject(refused);
      await expect(make(name, own).acquire()).rejects.toMatchObject(refused);
      expect(await lock.inspect()).toMatchObject({ holds: 1, token: lease.token, waiters: 0 });
      const waiter = await queue(name, 0);
      await lease.release();
      expect((await waiter.lease).token).toBeGreaterThan(lease.token);
    });

    it("force-releases the holder, and the first in the queue is next", async () => {
      const name = freshName();
      const lock = make(name);
      expect(await lock.forceRelease()).toBe(false);
      const holder = await lock.acquire({ lease: "20s" });
      const a = await queue(name, 0);
      const b = await queue(name, 1);
      expect(await lock.forceRelease()).toBe(true);
      await expect(holder.extend()).rejects.toMatchObject({ code: "lease_lost", reason: "forced" });
      expect(await holder.release()).toBe(false);
      const first = await a.lease;
      expect(first.token).toBeGreaterThan(holder.token + 1);
      await first.release();
      expect((await b.lease).token).toBeGreaterThan(first.token);
    });

    it("hands a lease over by ticket", async () => {
      const name = freshName();
      const lease = await make(name).acquire({ lease: "20s" });
      const resumed = await createLocks(options()).resume(lease.ticket());
      expect(await resumed.verify()).toBe(true);
      await resumed.extend("40s");
      expect(await resumed.release()).toBe(true);
      await expect(lease.extend()).rejects.toMatchObject({ reason: "released" });
      expect(await make(name).tryAcquire()).not.toBeNull();
    });

    it("keeps the name from other kinds, and no longer than it is in use", async () => {
      const name = freshName();
      const plain = createLocks(options()).lock(name);
      const holder = await make(name).acquire();
      const waiter = await queue(name, 0);
      await holder.release();
      await expect(plain.tryAcquire()).rejects.toMatchObject({ code: "wrong_kind", kind: "fair" });
      const lease = await waiter.lease;
      await lease.release();
      expect((await plain.tryAcquire())?.token).toBeGreaterThan(lease.token);
      await expect(make(name).tryAcquire()).rejects.toMatchObject({ code: "wrong_kind", kind: "lock" });
    });

    it("follows a backoff of one's own, but is never later than announced", async () => {
      const name = freshName();
      const holder = await make(name).acquire({ lease: "20s" });
      const seen: (number | undefined)[] = [];
      const backoff: Backoff = ({ backMs, ahead }) => {
        seen.push(backMs);
        expect(ahead).toBe(0);
        return 60_000;
      };
      const waiter = await queue(name, 0, { backoff }, polling(options()));
      await pause(200);
      await holder.release();
      await (await waiter.lease).release();
      expect(seen.length).toBeGreaterThan(0);
      for (const back of seen) expect(back).toBeLessThanOrEqual(2_000);
    });

    it("refuses bad input before anything is sent", () => {
      expect(() => make(freshName(), { grace: "soon" as never })).toThrow(TypeError);
      expect(() => make(freshName(), { grace: 0 })).toThrow(RangeError);
      expect(() => make("")).toThrow(RangeError);
    });
  });
}
