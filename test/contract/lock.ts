import { describe, expect, it } from "vitest";
import {
  type ConnectOptions,
  createLocks,
  type LeaseholdEvent,
  LeaseLostError,
  type Locks,
  LockTimeoutError,
} from "../../src/index.ts";
import { freshName, pause } from "../support/names.ts";

/** The behaviour of a lock on every way to Redis and in every runtime; the rows are those of Redisson's own suites. */
export function lockContract(label: string, options: () => ConnectOptions): void {
  const make = (more: Partial<ConnectOptions> = {}): Locks => createLocks({ ...options(), ...more } as ConnectOptions);

  describe.concurrent(`lock, ${label}`, () => {
    it("grants a lease with a token, its remaining time, and nothing after the release", async () => {
      const lock = make().lock(freshName());
      expect(await lock.inspect()).toEqual({ state: "free", token: 0 });
      const lease = await lock.acquire({ lease: "20s", label: "a label | with, signs" });
      expect(Number.isSafeInteger(lease.token)).toBe(true);
      expect(lease.remaining).toBeGreaterThan(15_000);
      expect(lease.remaining).toBeLessThanOrEqual(20_000);
      expect(await lease.verify()).toBe(true);
      const held = await lock.inspect();
      expect(held).toMatchObject({ state: "held", token: lease.token, holds: 1, label: "a label | with, signs" });
      expect(held.state === "held" && held.remaining).toBeGreaterThan(15_000);
      expect(await lease.release()).toBe(true);
      expect(lease.remaining).toBe(0);
      expect(await lease.release()).toBe(false);
      expect(await lease.verify()).toBe(false);
      expect(await lock.inspect()).toEqual({ state: "free", token: lease.token });
    });

    it("refuses all other callers, and says for how long", async () => {
      const name = freshName();
      const events: LeaseholdEvent[] = [];
      const lease = await make().lock(name).acquire({ lease: "20s" });
      const other = make({ onEvent: (event) => events.push(event) }).lock(name);
      expect(await other.tryAcquire()).toBeNull();
      const refused = events.find(({ type }) => type === "refused");
      expect(refused).toMatchObject({ kind: "lock", name });
      expect(refused?.type === "refused" && refused.remainingMs).toBeGreaterThan(15_000);
      await lease.release();
      const next = await other.tryAcquire();
      expect(next?.token).toBeGreaterThan(lease.token);
    });

    it("waits its time and not much longer", async () => {
      const lock = make().lock(freshName());
      await lock.acquire({ lease: "20s" });
      const start = performance.now();
      const error = await lock.acquire({ wait: "400ms" }).catch((reason: unknown) => reason);
      const took = performance.now() - start;
      expect(error).toBeInstanceOf(LockTimeoutError);
      expect(error).toMatchObject({ code: "lock_timeout" });
      expect((error as LockTimeoutError).remainingMs).toBeGreaterThan(10_000);
      expect(took).toBeGreaterThan(390);
      expect(took).toBeLessThan(3_000);
    });

    it("asks no more often than maxPolls", async () => {
      const lock = make().lock(freshName());
      await lock.acquire({ lease: "20s" });
      let polls = 0;
      const counting = make({ onEvent: ({ type }) => /refused|polled/.test(type) && polls++ }).lock(lock.name);
      await expect(counting.acquire({ wait: "20s", maxPolls: 3 })).rejects.toThrow(LockTimeoutError);
      expect(polls).toBe(3);
    });

    it("lets a waiter in when the lease of a dead holder ends, and the holder learns that it is gone", async () => {
      const lock = make().lock(freshName());
      const dead = await lock.acquire({ lease: 600 });
      const start = performance.now();
      const next = await make().lock(lock.name).acquire({ wait: "10s" });
      expect(performance.now() - start).toBeGreaterThan(300);
      expect(next.token).toBeGreaterThan(dead.token);
      expect(dead.remaining).toBe(0);
      expect(dead.signal.aborted).toBe(true);
      await expect(dead.extend()).rejects.toThrow(LeaseLostError);
      expect(await dead.verify()).toBe(false);
      expect(await dead.release()).toBe(false);
      expect(await next.verify()).toBe(true);
    });

    it("lets a waiter in as soon as it is released", async () => {
      const lock = make().lock(freshName());
      const first = await lock.acquire({ lease: "30s" });
      const waiting = make().lock(lock.name).acquire({ wait: "20s" });
      await pause(150);
      await first.release();
      const second = await waiting;
      expect(second.token).toBeGreaterThan(first.token);
    });

    it("leaves nothing held or scheduled after an abort, before, while and between asking", async () => {
      const lock = make().lock(freshName());
      const reason = new Error("changed my mind");
      await expect(lock.acquire({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
      const atOnce = new AbortController();
      const flying = lock.tryAcquire({ signal: atOnce.signal });
      setTimeout(() => atOnce.abort(reason), 0);
      const outcome = await flying.then(
        (lease) => lease,
        (error: unknown) => error,
      );
      if (outcome !== reason) await (outcome as { release(): Promise<boolean> }).release();
      const holder = await lock.tryAcquire({ lease: "20s" });
      expect(holder).not.toBeNull();
      const controller = new AbortController();
      const waiting = make().lock(lock.name).acquire({ wait: "20s", signal: controller.signal });
      setTimeout(() => controller.abort(reason), 120);
      await expect(waiting).rejects.toBe(reason);
      await holder?.release();
      const next = await lock.tryAcquire();
      expect(next).not.toBeNull();
    });

    it("counts the holds of one reentry key 0, 1, 2, 1, 0, all under one token", async () => {
      const lock = make().lock(freshName());
      const holds = async (): Promise<number> => {
        const state = await lock.inspect();
        return state.state === "held" ? state.holds : 0;
      };
      expect(await holds()).toBe(0);
      const first = await lock.acquire({ reentryKey: "alice" });
      expect(await holds()).toBe(1);
      const second = await make().lock(lock.name).acquire({ reentryKey: "alice" });
      expect(second.holds).toBe(2);
      expect(second.token).toBe(first.token);
      expect(await lock.tryAcquire({ reentryKey: "bob" })).toBeNull();
      expect(await lock.tryAcquire()).toBeNull();
      expect(await first.release()).toBe(true);
      expect(await holds()).toBe(1);
      expect(await lock.tryAcquire({ reentryKey: "bob" })).toBeNull();
      expect(await second.release()).toBe(true);
      expect(await holds()).toBe(0);
    });

    it("keeps the full lease of what is left of three acquisitions after two releases", async () => {
      const lock = make().lock(freshName(), { reentryKey: "alice", lease: "20s" });
      const leases = [await lock.acquire({ lease: "30s" }), await lock.acquire(), await lock.acquire({ lease: "10s" })];
      await leases[0]?.release();
      await leases[2]?.release();
      const state = await lock.inspect();
      expect(state).toMatchObject({ state: "held", holds: 1, token: leases[1]?.token });
      expect(state.state === "held" && state.remaining).toBeGreaterThan(15_000);
      expect(state.state === "held" && state.remaining).toBeLessThanOrEqual(20_000);
    });

    it("can be non-reentrant: a second acquire by the reentry key fails at once in all three forms", async () => {
      const name = freshName();
      const lock = make().lock(name, { reentrant: false, reentryKey: "alice" });
      const twin = make().lock(name, { reentrant: false, reentryKey: "alice" });
      const lease = await lock.acquire({ lease: "20s" });
      const refused = { code: "not_reentrant" };
      await expect(lock.tryAcquire()).rejects.toMatchObject(refused);
      await expect(lock.acquire({ wait: "20s" })).rejects.toMatchObject(refused);
      await expect(twin.acquire()).rejects.toMatchObject(refused);
      expect(await lock.inspect()).toMatchObject({ holds: 1, token: lease.token });
      await lease.release();
      expect((await twin.acquire()).token).toBeGreaterThan(lease.token);
    });

    it("refuses the 65th hold of one reentry key", async () => {
      const lock = make().lock(freshName(), { reentryKey: "leaky" });
      for (let held = 0; held < 64; held++) await lock.acquire();
      await expect(lock.acquire()).rejects.toMatchObject({ code: "too_many_holds" });
    });

    it("extends, never shortens, and refuses to extend what was released", async () => {
      const lock = make().lock(freshName());
      const lease = await lock.acquire({ lease: "2s" });
      await lease.extend("30s");
      expect(lease.remaining).toBeGreaterThan(20_000);
      await lease.extend("300ms");
      expect(lease.remaining).toBeGreaterThan(20_000);
      const state = await lock.inspect();
      expect(state.state === "held" && state.remaining).toBeGreaterThan(20_000);
      await lease.release();
      await expect(lease.extend()).rejects.toMatchObject({ code: "lease_lost", reason: "released" });
    });

    it("force-releases: the name is free, the token has risen, the holder is notified", async () => {
      const lock = make().lock(freshName());
      expect(await lock.forceRelease()).toBe(false);
      const lease = await lock.acquire({ lease: "20s" });
      expect(await lock.forceRelease()).toBe(true);
      const state = await lock.inspect();
      expect(state.state).toBe("free");
      expect(state.token).toBeGreaterThan(lease.token);
      await expect(lease.extend()).rejects.toMatchObject({ code: "lease_lost", reason: "forced" });
      expect(lease.signal.reason).toMatchObject({ reason: "forced" });
      expect(await lease.release()).toBe(false);
      const next = await lock.acquire();
      expect(next.token).toBeGreaterThan(state.token);
    });

    it("hands a lease over by ticket", async () => {
      const lock = make().lock(freshName());
      const lease = await lock.acquire({ lease: "20s" });
      const resumed = await make().resume(lease.ticket());
      expect(resumed).toMatchObject({ name: lock.name, token: lease.token, remaining: 0 });
      expect(resumed.signal.aborted).toBe(false);
      expect(await resumed.verify()).toBe(true);
      expect(resumed.remaining).toBeGreaterThan(15_000);
      await resumed.extend("40s");
      expect(await resumed.release()).toBe(true);
      await expect(lease.extend()).rejects.toMatchObject({ reason: "released" });
      expect(await lock.tryAcquire()).not.toBeNull();
    });

    it("runs work under a lease and releases whatever happens", async () => {
      const lock = make().lock(freshName());
      expect(await lock.run({ lease: "20s" }, async (lease) => lease.token)).toBeGreaterThan(0);
      expect(await lock.run(() => 7)).toBe(7);
      await expect(lock.run({}, () => Promise.reject(new Error("work failed")))).rejects.toThrow("work failed");
      expect((await lock.inspect()).state).toBe("free");
      expect(await lock.run({}, (lease) => lease.release())).toBe(true);
      const lost = lock.run({ lease: "20s" }, () => lock.forceRelease());
      await expect(lost).rejects.toMatchObject({ code: "lease_lost", reason: "forced" });
      const late = lock.run({ lease: 250 }, () => pause(500));
      await expect(late).rejects.toMatchObject({ code: "lease_lost", reason: "expired" });
    });

    it("releases in the background where there is a waitUntil", async () => {
      const background: Promise<unknown>[] = [];
      const context = {
        // As a platform's own: not to be called detached from its object.
        waitUntil(promise: Promise<unknown>) {
          expect(this).toBe(context);
          background.push(promise);
        },
      };
      const lock = make().lock(freshName());
      await lock.run(context, () => 1);
      expect(background.length).toBe(1);
      await Promise.all(background);
      expect((await lock.inspect()).state).toBe("free");
    });

    it("keeps a lease alive while the work runs, and no longer", async () => {
      const lock = make().lock(freshName());
      const background: Promise<unknown>[] = [];
      const lease = await lock.acquire({ lease: 3_000 });
      const working = lease.keepAlive({ waitUntil: (promise) => void background.push(promise) }, async () => {
        await pause(4_500);
        expect(lease.signal.aborted).toBe(false);
        expect(await lock.tryAcquire()).toBeNull();
        return "done";
      });
      expect(await working).toBe("done");
      await Promise.all(background);
      expect((await lock.inspect()).state).toBe("free");
    });

    it("stops keeping alive at maxHold and at maxExtends, and aborts the work's signal", async () => {
      const lock = make().lock(freshName());
      const work = async (lease: { signal: AbortSignal }): Promise<void> => {
        await new Promise((resolve) => lease.signal.addEventListener("abort", resolve));
      };
      for (const limits of [{ maxHold: 2_400 }, { maxExtends: 2 }]) {
        // The lease counts from before its request, which a busy server answers late.
        const start = performance.now();
        const lease = await lock.acquire({ lease: 1_500 });
        await expect(lease.keepAlive({}, work, limits)).rejects.toMatchObject({
          code: "lease_lost",
          reason: "expired",
        });
        expect(performance.now() - start).toBeGreaterThan(1_900);
      }
      const lease = await lock.acquire({ lease: "2s" });
      const kept = lease.keepAlive({}, work);
      const forced = pause(50).then(() => lock.forceRelease());
      // The work can learn of the loss from an extension before the forced release is answered.
      await expect(kept).rejects.toMatchObject({ reason: "forced" });
      expect(await forced).toBe(true);
    });

    it("disposes without throwing, held or lost", async () => {
      const lock = make().lock(freshName());
      {
        await using lease = await lock.acquire({ lease: "20s" });
        expect(lease.remaining).toBeGreaterThan(0);
      }
      expect((await lock.inspect()).state).toBe("free");
      {
        await using lease = await lock.acquire({ lease: "20s" });
        await lock.forceRelease();
        expect(lease.token).toBeGreaterThan(0);
      }
      expect((await lock.inspect()).state).toBe("free");
    });

    it("keeps names apart, whatever they contain, and the names of a group from those outside", async () => {
      const base = freshName();
      const names = [
        "{",
        "}",
        "%",
        "%7B",
        "{a}",
        " ",
        "a b",
        "\n",
        "\r\n",
        "\u0000",
        "é",
        "e\u0301",
        "🔒",
        "a:b",
        "*",
        "[x]",
        "'\"\\",
      ];
      const leases = await Promise.all(
        names.map((name) =>
          make()
            .lock(base + name)
            .tryAcquire({ lease: "20s" }),
        ),
      );
      expect(leases.map((lease) => lease?.name)).toEqual(names.map((name) => base + name));
      const again = await Promise.all(
        names.map((name) =>
          make()
            .lock(base + name)
            .tryAcquire(),
        ),
      );
      expect(again.every((lease) => lease === null)).toBe(true);
      const grouped = make().group("g").lock(base);
      expect(await make().lock(base).tryAcquire()).not.toBeNull();
      expect(await grouped.tryAcquire()).not.toBeNull();
      expect(await make().group("h").lock(base).tryAcquire()).not.toBeNull();
      expect(await grouped.tryAcquire()).toBeNull();
    });

    it("excludes: a read-add-write counter of many clients ends at the exact sum", async () => {
      const name = freshName();
      let counter = 0;
      const client = async (): Promise<void> => {
        const lock = make().lock(name);
        for (let round = 0; round < 10; round++) {
          await lock.run({ wait: "60s" }, async () => {
            const read = counter;
            await pause(0);
            counter = read + 1;
          });
        }
      };
      await Promise.all(Array.from({ length: 8 }, client));
      expect(counter).toBe(80);
    });
  });
}
