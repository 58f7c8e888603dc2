import { describe, expect, it } from "vitest";
import { type ConnectOptions, createLocks, type Lease, type Locks, LockTimeoutError } from "../../src/index.ts";
import { freshName, pause } from "../support/names.ts";

/** The behaviour of the Web Locks API's call on every way to Redis and in every runtime. */
export function requestContract(label: string, options: () => ConnectOptions): void {
  const make = (): Locks => createLocks(options());
  const held = async (name: string) => (await make().query([name])).held;

  describe.concurrent(`request, ${label}`, () => {
    it("calls the work with a lease, holds the name while its promise is pending, and returns its result", async () => {
      const name = freshName();
      let inside: Lease | undefined;
      const result = await make().request(name, async (lease) => {
        inside = lease;
        expect(await held(name)).toEqual([{ name, mode: "exclusive", count: 1, token: lease.token }]);
        return "result";
      });
      expect(result).toBe("result");
      expect(inside?.remaining).toBe(0);
      expect(await held(name)).toEqual([]);
      expect(await make().request(name, {}, () => 7)).toBe(7);
      const failed = new Error("work failed");
      await expect(make().request(name, () => Promise.reject(failed))).rejects.toBe(failed);
      expect(await make().query([name])).toEqual({ held: [], pending: [] });
    });

    it("is exclusive by default and shared on demand, and is the read-write lock of the name", async () => {
      const name = freshName();
      const locks = make();
      await locks.request(name, { mode: "shared" }, async (one) => {
        await locks.request(name, { mode: "shared", wait: "5s" }, async (two) => {
          expect(two.token).toBe(one.token);
          expect(await held(name)).toEqual([{ name, mode: "shared", count: 2, token: one.token }]);
        });
        await expect(locks.request(name, { wait: 50 }, () => 1)).rejects.toThrow(LockTimeoutError);
        expect(await locks.readWriteLock(name).write.tryAcquire()).toBeNull();
      });
      await locks.request(name, async () => {
        await expect(locks.request(name, { mode: "shared", wait: 50 }, () => 1)).rejects.toThrow(LockTimeoutError);
        expect(await locks.readWriteLock(name).read.tryAcquire()).toBeNull();
      });
    });

    it("extends the lease while the work runs", async () => {
      const name = freshName();
      const [before, after] = await make().request(name, { lease: 3_000 }, async (lease) => {
        await pause(4_000);
        expect(lease.signal.aborted).toBe(false);
        return [lease.token, (await held(name))[0]?.token];
      });
      expect(after).toBe(before);
      const late = make().request(name, { lease: 200, maxExtends: 0 }, () => pause(400));
      await expect(late).rejects.toMatchObject({ code: "lease_lost", reason: "expired" });
    });

    it("with ifAvailable calls the work with null when it is in use, without waiting", async () => {
      const name = freshName();
      const ifAvailable = { ifAvailable: true } as const;
      const got = await make().request(name, ifAvailable, async (lease) => {
        expect(lease).not.toBeNull();
        expect(await make().request(name, ifAvailable, (none) => none)).toBeNull();
        return make().request(name, { ...ifAvailable, mode: "shared" }, (none) => (none ? "lease" : "null"));
      });
      expect(got).toBe("null");
      expect((await make().query([name])).pending).toEqual([]);
    });

    it("steals from a writer, who learns it, and from readers", async () => {
      const name = freshName();
      const stolen = make().request(name, { lease: "20s" }, async (lease) => {
        while (await lease.verify()) await pause(20);
      });
      stolen.catch(() => {});
      while ((await held(name)).length === 0) await pause(10);
      const [{ token } = { token: 0 }] = await held(name);
      await make().request(name, { steal: true }, async (lease) => {
        expect(lease.token).toBeGreaterThan(token);
        expect(await held(name)).toEqual([{ name, mode: "exclusive", count: 1, token: lease.token }]);
        await expect(stolen).rejects.toMatchObject({
          name: "AbortError",
          cause: { code: "lease_lost", reason: "forced" },
        });
      });
      const readers = [
        await make().readWriteLock(name).read.acquire(),
        await make().readWriteLock(name).read.acquire(),
      ];
      const next = await make().request(name, { steal: true }, (lease) => lease.token);
      expect(next).toBeGreaterThan(readers[0]?.token ?? Number.POSITIVE_INFINITY);
      for (const reader of readers) await expect(reader.extend()).rejects.toMatchObject({ reason: "forced" });
      expect(await held(name)).toEqual([]);
      expect(await make().request(name, { steal: true }, () => "free")).toBe("free");
    });

    it("rejects at once when it notices that it was stolen, though its work hangs (B29)", async () => {
      const name = freshName();
      let goOn = (): void => {};
      let lock: Lease | undefined;
      const stolen = make().request(name, { lease: "2s" }, async (given) => {
        lock = given;
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
      });
      stolen.catch(() => {});
      while (!lock) await pause(10);
      await make().request(name, { steal: true }, () => {});
      await expect(stolen).rejects.toMatchObject({ name: "AbortError", cause: { reason: "forced" } });
      expect(lock.signal.reason).toMatchObject({ code: "lease_lost" });
      goOn();
    });

    it("rejects at once when its lease has expired, though its work hangs (B29)", async () => {
      const late = make().request(freshName(), { lease: 200, maxExtends: 0 }, () => new Promise(() => {}));
      await expect(late).rejects.toMatchObject({ code: "lease_lost", reason: "expired" });
    });

    it("passes on the work's own error, and that of another lock, as it is (B29)", async () => {
      const [name, other] = [freshName(), freshName()];
      const failing = make().request(name, async () => {
        const inner = await make().readWriteLock(other).write.acquire();
        await make().readWriteLock(other).forceRelease();
        await inner.extend();
      });
      await expect(failing).rejects.toMatchObject({ code: "lease_lost", reason: "forced" });
    });

    it("ends a pending request with the signal's reason, and leaves one that was granted alone", async () => {
      const name = freshName();
      const reason = new Error("no longer needed");
      await expect(make().request(name, { signal: AbortSignal.abort(reason) }, () => 1)).rejects.toBe(reason);
      const controller = new AbortController();
      const holder = await make().readWriteLock(name).write.acquire({ lease: "20s" });
      let called = false;
      const pending = make().request(name, { signal: controller.signal, wait: "20s" }, () => {
        called = true;
      });
      pending.catch(() => {});
      for (;;) {
        const now = await make().query([name]);
        if (now.pending.length === 0) await pause(10);
        else {
          expect(now.pending).toEqual([{ name, mode: "exclusive", count: 1 }]);
          break;
        }
      }
      controller.abort(reason);
      await expect(pending).rejects.toBe(reason);
      expect(called).toBe(false);
      expect((await make().query([name])).pending).toEqual([]);
      await holder.release();
      const late = new AbortController();
      expect(
        await make().request(name, { signal: late.signal }, async () => {
          late.abort();
          await pause(20);
          return "done";
        }),
      ).toBe("done");
    });

    it("tells of several names at once", async () => {
      const [one, two, three] = [freshName(), freshName(), freshName()];
      const locks = make();
      const writer = await locks.readWriteLock(one).write.acquire({ reentryKey: "me" });
      await locks.readWriteLock(one).read.acquire({ reentryKey: "me" });
      const reader = await locks.readWriteLock(two).read.acquire();
      const now = await locks.query([one, two, three]);
      expect(now.held).toEqual([
        { name: one, mode: "exclusive", count: 1, token: writer.token },
        { name: one, mode: "shared", count: 1, token: writer.token },
        { name: two, mode: "shared", count: 1, token: reader.token },
      ]);
      expect(now.pending).toEqual([]);
      expect(await locks.query([])).toEqual({ held: [], pending: [] });
    });

    it("refuses what cannot be before it asks the server", async () => {
      const locks = createLocks({ url: "https://nobody.invalid", token: "unused" });
      const signal = new AbortController().signal;
      const work = () => 1;
      for (const wrong of [
        { steal: true, ifAvailable: true },
        { steal: true, signal },
        { steal: true, mode: "shared" },
        { ifAvailable: true, signal },
      ]) {
        const refused = locks.request(freshName(), wrong as never, work);
        await expect(refused).rejects.toMatchObject({ name: "NotSupportedError", message: /^request: .* exclude/ });
        await expect(refused).rejects.toBeInstanceOf(DOMException);
      }
      await expect(locks.request("-x", work)).rejects.toMatchObject({ name: "NotSupportedError" });
      await expect(locks.request(freshName(), { mode: "read" } as never, work)).rejects.toThrow(TypeError);
      for (const wrong of [{ maxHold: 0 }, { maxHold: "1 hour" }, { maxExtends: 1.5 }, { maxExtends: -1 }]) {
        const name = freshName();
        await expect(locks.request(name, wrong as never, work)).rejects.toThrow(/^request: max/);
        await expect(make().request(name, wrong as never, work)).rejects.toThrow(/^request: max/);
        expect(await held(name)).toEqual([]);
      }
      await expect(locks.request(freshName(), undefined as never)).rejects.toThrow(TypeError);
      await expect(locks.request(freshName(), {}, undefined as never)).rejects.toThrow(TypeError);
      await expect(locks.request("\ud800", work)).rejects.toThrow(TypeError);
      await expect(locks.query(["\ud800"])).rejects.toThrow(TypeError);
    });
  });
}
