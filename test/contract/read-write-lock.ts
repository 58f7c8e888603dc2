import { describe, expect, it } from "vitest";
import {
  type ConnectOptions,
  createLocks,
  type Lease,
  type LeaseholdEvent,
  type Locks,
  LockTimeoutError,
} from "../../src/index.ts";
import { freshName, pause } from "../support/names.ts";

const free = { state: "free", remaining: 0, readers: 0, holds: 0, waitingWriters: 0, waitingReaders: 0 };

/**
 * The behaviour of a read-write lock on every way to Redis and in every runtime; the rows are those of Redisson's own
 * suites.
 */
export function rwContract(label: string, options: () => ConnectOptions): void {
  const make = (more: Partial<ConnectOptions> = {}): Locks => createLocks({ ...options(), ...more } as ConnectOptions);

  describe.concurrent(`rw, ${label}`, () => {
    it("lets many readers in under one token, and a writer when they are gone", async () => {
      const rw = make().readWriteLock(freshName());
      expect(await rw.inspect()).toEqual({ ...free, token: 0 });
      const first = await rw.read.acquire({ lease: "20s" });
      const second = await make().readWriteLock(rw.name).read.acquire({ lease: "10s" });
      expect(second.token).toBe(first.token);
      expect(await rw.write.tryAcquire()).toBeNull();
      const state = await rw.inspect();
      expect(state).toMatchObject({ state: "read", token: first.token, readers: 2, holds: 0, waitingWriters: 0 });
      expect(state.remaining).toBeGreaterThan(15_000);
      expect(state.remaining).toBeLessThanOrEqual(20_000);
      expect(await first.verify()).toBe(true);
      expect(await first.release()).toBe(true);
      expect(await first.release()).toBe(false);
      expect(await rw.write.tryAcquire()).toBeNull();
      expect(await second.release()).toBe(true);
      expect(await rw.inspect()).toEqual({ ...free, token: first.token });
      const writer = await rw.write.acquire();
      expect(writer.token).toBeGreaterThan(first.token);
    });

    it("keeps everybody out while a writer has it, and says for how long", async () => {
      const events: LeaseholdEvent[] = [];
      const rw = make({ onEvent: (event) => events.push(event) }).readWriteLock(freshName());
      const writer = await rw.write.acquire({ lease: "20s", label: "nightly | run", reentryKey: "alice" });
      expect(await rw.read.tryAcquire()).toBeNull();
      expect(await rw.read.tryAcquire({ reentryKey: "bob" })).toBeNull();
      expect(await rw.write.tryAcquire({ reentryKey: "bob" })).toBeNull();
      const refused = events.filter(({ type }) => type === "refused");
      expect(refused.length).toBe(3);
      for (const event of refused) {
        expect(event).toMatchObject({ kind: "rw", name: rw.name });
        expect(event.type === "refused" && event.remainingMs).toBeGreaterThan(15_000);
      }
      const state = await rw.inspect();
      expect(state).toMatchObject({
        state: "write",
        holds: 1,
        readers: 0,
        token: writer.token,
        label: "nightly | run",
      });
      // A try announces nothing.
      expect(state).toMatchObject({ waitingWriters: 0, waitingReaders: 0 });
      expect(state.reentryKey).toMatch(/^[\w-]{22}$/);
      expect(await writer.release()).toBe(true);
      const reader = await rw.read.acquire();
      expect(reader.token).toBeGreaterThan(writer.token);
    });

    it("lets the writer in only after the longest reader, at about the end of its lease", async () => {
      const rw = make().readWriteLock(freshName());
      const start = performance.now();
      const [short, long] = [await rw.read.acquire({ lease: 200 }), await rw.read.acquire({ lease: 900 })];
      const writer = await make().readWriteLock(rw.name).write.acquire({ wait: "10s" });
      expect(performance.now() - start).toBeGreaterThan(890);
      expect(writer.token).toBeGreaterThan(long.token);
      await expect(short.extend()).rejects.toMatchObject({ code: "lease_lost", reason: "expired" });
      expect(await long.release()).toBe(false);
      expect(await writer.verify()).toBe(true);
    });

    it("lets only the re-entry key of the write read, under the same token", async () => {
      const rw = make().readWriteLock(freshName(), { reentryKey: "alice" });
      const writer = await rw.write.acquire({ lease: "20s" });
      const reader = await rw.read.acquire({ lease: "20s" });
      expect(reader.token).toBe(writer.token);
      expect(await rw.read.tryAcquire({ reentryKey: "bob" })).toBeNull();
      expect(await rw.inspect()).toMatchObject({ state: "write", holds: 1, readers: 1, token: writer.token });
      expect(await reader.verify()).toBe(true);
      expect(await writer.verify()).toBe(true);
      await reader.extend("30s");
      expect(await reader.release()).toBe(true);
      expect(await writer.verify()).toBe(true);
      expect(await writer.release()).toBe(true);
    });

    it("is downgraded: with the write released and its read held, readers enter and a writer does not", async () => {
      const rw = make().readWriteLock(freshName());
      const writer = await rw.write.acquire({ lease: "20s", reentryKey: "alice" });
      const own = await rw.read.acquire({ lease: "20s", reentryKey: "alice" });
      expect(await writer.release()).toBe(true);
      expect(await rw.inspect()).toMatchObject({ state: "read", readers: 1, holds: 0, token: writer.token });
      expect(await rw.write.tryAcquire({ reentryKey: "bob" })).toBeNull();
      const bob = await rw.read.acquire({ reentryKey: "bob" });
      const carol = await rw.read.acquire();
      expect(bob.token).toBeGreaterThan(writer.token);
      expect(carol.token).toBe(bob.token);
      // The downgraded reader keeps the writer's token, re-entries too.
      expect(await own.verify()).toBe(true);
      await own.extend("25s");
      const again = await rw.read.acquire({ reentryKey: "alice" });
      expect([again.token, again.holds]).toEqual([writer.token, 2]);
      await again.extend("25s");
      expect(again.holds).toBe(2);
      for (const lease of [own, again]) expect(await lease.release()).toBe(true);
      // Its tenure is over now, and who comes back is a reader like all others.
      const back = await rw.read.acquire({ reentryKey: "alice" });
      expect(back.token).toBe(bob.token);
      for (const lease of [bob, carol, back]) expect(await lease.release()).toBe(true);
      expect((await rw.write.acquire()).token).toBeGreaterThan(bob.token);
    });

    it("refuses to turn a read into a write, at once in all forms, and leaves the read as it is", async () => {
      const rw = make().readWriteLock(freshName(), { reentryKey: "alice" });
      const reader = await rw.read.acquire({ lease: "20s" });
      const refused = { code: "upgrade_refused" };
      await expect(rw.write.tryAcquire()).rejects.toMatchObject(refused);
      await expect(rw.write.acquire({ wait: "20s" })).rejects.toMatchObject(refused);
      await expect(rw.write.run(() => 1)).rejects.toMatchObject(refused);
      expect(await reader.verify()).toBe(true);
      expect(await rw.write.tryAcquire({ reentryKey: "bob" })).toBeNull();
      await reader.release();
      expect(await rw.write.tryAcquire()).not.toBeNull();
    });

    it("counts the holds of one reentry key on both sides", async () => {
      const rw = make().readWriteLock(freshName(), { reentryKey: "alice" });
      const reads = [await rw.read.acquire(), await rw.read.acquire(), await rw.read.acquire()];
      expect(reads.map(({ holds }) => holds)).toEqual([1, 2, 3]);
      expect(new Set(reads.map(({ token }) => token)).size).toBe(1);
      for (const lease of reads) expect(await lease.release()).toBe(true);
      const writes = [
        await rw.write.acquire(),
        await make().readWriteLock(rw.name).write.acquire({ reentryKey: "alice" }),
      ];
      expect(writes.map(({ holds }) => holds)).toEqual([1, 2]);
      expect(writes[1]?.token).toBe(writes[0]?.token);
      expect(await writes[0]?.release()).toBe(true);
      expect(await rw.read.tryAcquire({ reentryKey: "bob" })).toBeNull();
      expect(await writes[1]?.release()).toBe(true);
      expect(await rw.read.tryAcquire({ reentryKey: "bob" })).not.toBeNull();
    });

    it("gives each read a lease of its own: a shorter one shortens no other", async () => {
      const rw = make().readWriteLock(freshName(), { reentryKey: "alice" });
      const long = await rw.read.acquire({ lease: "20s" });
      const short = await rw.read.acquire({ lease: 150 });
      await pause(200);
      expect(await short.verify()).toBe(false);
      expect(await long.verify()).toBe(true);
      const state = await rw.inspect();
      expect(state).toMatchObject({ state: "read", readers: 1 });
      expect(state.remaining).toBeGreaterThan(15_000);
      await long.extend("30s");
      await long.extend("100ms");
      expect((await rw.inspect()).remaining).toBeGreaterThan(25_000);
      // The dead one does not count as a hold.
      expect((await rw.read.acquire()).holds).toBe(2);
    });

    it("can be non-reentrant, on both sides", async () => {
      const rw = make().readWriteLock(freshName(), { reentryKey: "alice", reentrant: false });
      const refused = { code: "not_reentrant" };
      for (const side of [rw.read, rw.write]) {
        const lease = await side.acquire({ lease: "20s" });
        await expect(side.tryAcquire()).rejects.toMatchObject(refused);
        await expect(side.acquire({ wait: "20s" })).rejects.toMatchObject(refused);
        expect(await lease.verify()).toBe(true);
        expect(await lease.release()).toBe(true);
      }
    });

    it("forces one side out and leaves the other, or both, and moves the token on", async () => {
      const rw = make().readWriteLock(freshName(), { reentryKey: "alice" });
      expect([await rw.read.forceRelease(), await rw.write.forceRelease(), await rw.forceRelease()]).toEqual([
        false,
        false,
        false,
      ]);
      const forced = { code: "lease_lost", reason: "forced" };
      let writer = await rw.write.acquire({ lease: "20s" });
      let reader = await rw.read.acquire({ lease: "20s" });
      expect(await rw.read.forceRelease()).toBe(true);
      await expect(reader.extend()).rejects.toMatchObject(forced);
      await writer.extend();
      expect(await rw.inspect()).toMatchObject({ state: "write", holds: 1, readers: 0 });

      reader = await rw.read.acquire({ lease: "20s" });
      expect(await rw.write.forceRelease()).toBe(true);
      await expect(writer.extend()).rejects.toMatchObject(forced);
      await reader.extend();
      const state = await rw.inspect();
      expect(state).toMatchObject({ state: "read", readers: 1 });
      expect(state.token).toBeGreaterThan(writer.token);
      expect(await rw.write.tryAcquire({ reentryKey: "bob" })).toBeNull();
      const other = await rw.read.acquire({ reentryKey: "bob" });
      expect(other.token).toBeGreaterThan(state.token);
      expect(await rw.read.forceRelease()).toBe(true);
      await expect(reader.extend()).rejects.toMatchObject(forced);
      await expect(other.extend()).rejects.toMatchObject(forced);
      const after = await rw.inspect();
      expect(after.state).toBe("free");
      expect(after.token).toBeGreaterThan(other.token);

      writer = await rw.write.acquire({ lease: "20s" });
      reader = await rw.read.acquire({ lease: "20s" });
      expect(await rw.forceRelease()).toBe(true);
      for (const lease of [writer, reader]) await expect(lease.extend()).rejects.toMatchObject(forced);
      expect((await rw.read.acquire({ reentryKey: "bob" })).token).toBeGreaterThan((await rw.inspect()).token - 1);
    });

    it("holds back new readers while a writer waits, but not who reads already, and lets the writer in (attack 9)", async () => {
      const rw = make().readWriteLock(freshName());
      const reader = await rw.read.acquire({ lease: "20s", reentryKey: "alice" });
      const waiting = make().readWriteLock(rw.name).write.acquire({ wait: "20s" });
      while ((await rw.inspect()).waitingWriters === 0) await pause(10);
      expect(await rw.read.tryAcquire({ reentryKey: "bob" })).toBeNull();
      const again = await rw.read.tryAcquire({ reentryKey: "alice", lease: "20s" });
      expect(again?.token).toBe(reader.token);
      await reader.release();
      expect(await rw.read.tryAcquire({ reentryKey: "bob" })).toBeNull();
      await again?.release();
      const writer = await waiting;
      expect(writer.token).toBeGreaterThan(reader.token);
      expect(await rw.inspect()).toMatchObject({ state: "write", waitingWriters: 0 });
      // It waits no longer, and holds nobody back.
      await writer.release();
      expect(await rw.inspect()).toMatchObject(free);
      expect(await rw.read.tryAcquire({ reentryKey: "bob" })).not.toBeNull();
    });

    it("lets readers who came during a write go before the next writer, and that one before later readers", async () => {
      const rw = make().readWriteLock(freshName());
      const order: string[] = [];
      const first = await rw.write.acquire({ lease: "20s" });
      const enter = async (who: string, side: "read" | "write") => {
        const lease = await make()
          .readWriteLock(rw.name)
          [side].acquire({ wait: "20s", backoff: () => 20 });
        order.push(who);
        await pause(100);
        await lease.release();
      };
      const second = enter("writer", "write");
      while ((await rw.inspect()).waitingWriters === 0) await pause(10);
      const early = [enter("early", "read"), enter("early", "read")];
      while ((await rw.inspect()).waitingReaders < 2) await pause(10);
      await first.release();
      expect(await rw.write.tryAcquire()).toBeNull();
      const late = enter("late", "read");
      await Promise.all([second, ...early, late]);
      expect(order).toEqual(["early", "early", "writer", "late"]);
      expect(await rw.inspect()).toMatchObject({ state: "free", waitingWriters: 0, waitingReaders: 0 });
    });

    it.each(["read", "write"] as const)(
      "leaves nothing behind of a wait to %s that ended or was aborted",
      async (side) => {
        const rw = make().readWriteLock(freshName());
        const holder = await rw.write.acquire({ lease: "20s" });
        const error = await rw[side].acquire({ wait: 300 }).catch((reason: unknown) => reason);
        expect(error).toBeInstanceOf(LockTimeoutError);
        expect((error as LockTimeoutError).remainingMs).toBeGreaterThan(10_000);
        await expect(rw[side].acquire({ wait: "20s", maxPolls: 2 })).rejects.toThrow(LockTimeoutError);
        const controller = new AbortController();
        const waiting = rw[side].acquire({ wait: "20s", signal: controller.signal });
        waiting.catch(() => {});
        const mine = side === "read" ? "waitingReaders" : "waitingWriters";
        while ((await rw.inspect())[mine] === 0) await pause(10);
        const reason = new Error("changed my mind");
        controller.abort(reason);
        await expect(waiting).rejects.toBe(reason);
        expect(await rw.inspect()).toMatchObject({ waitingWriters: 0, waitingReaders: 0 });
        await holder.release();
        expect(await rw.inspect()).toMatchObject(free);
        for (const next of [rw.read, rw.write]) expect(await (await next.tryAcquire())?.release()).toBe(true);
      },
    );

    it("hands a lease of either side over by ticket, and runs work under it", async () => {
      const rw = make().readWriteLock(freshName());
      for (const side of [rw.read, rw.write]) {
        const lease = await side.acquire({ lease: "20s", reentryKey: "alice" });
        const resumed = await make().resume(lease.ticket());
        expect(await resumed.verify()).toBe(true);
        await resumed.extend("40s");
        expect(await resumed.release()).toBe(true);
        await expect(lease.extend()).rejects.toMatchObject({ reason: "released" });
        expect(await side.run({ lease: "20s" }, () => 7)).toBe(7);
        const late = side.run({ lease: 100 }, () => pause(200));
        await expect(late).rejects.toMatchObject({ code: "lease_lost", reason: "expired" });
        expect(await rw.inspect()).toMatchObject(free);
      }
    });

    it("keeps a read lease alive while the work runs, and no longer", async () => {
      const rw = make().readWriteLock(freshName());
      const lease = await rw.read.acquire({ lease: 3_000 });
      await lease.keepAlive({}, async () => {
        await pause(4_000);
        expect(lease.signal.aborted).toBe(false);
        expect(await rw.write.tryAcquire()).toBeNull();
      });
      expect(await rw.inspect()).toMatchObject(free);
    });

    it("keeps its name from other kinds while it is in use, and gives it and its token on after that", async () => {
      const locks = make();
      const rw = locks.readWriteLock(freshName());
      const reader = await rw.read.acquire({ lease: "20s" });
      await expect(locks.lock(rw.name).tryAcquire()).rejects.toMatchObject({ code: "wrong_kind", kind: "rw" });
      await reader.release();
      const lock = await locks.lock(rw.name).acquire();
      expect(lock.token).toBeGreaterThan(reader.token);
      for (const call of [
        () => rw.read.tryAcquire(),
        () => rw.write.tryAcquire(),
        () => rw.inspect(),
        () => rw.read.forceRelease(),
      ])
        await expect(call()).rejects.toMatchObject({ code: "wrong_kind", kind: "lock" });
      await lock.release();
      expect((await rw.write.acquire()).token).toBeGreaterThan(lock.token);
    });

    it("excludes: a random mix of readers and writers ends at the exact sum", async () => {
      const name = freshName();
      let [counter, writers, readers, written] = [0, 0, 0, 0];
      const client = async (): Promise<void> => {
        const rw = make().readWriteLock(name);
        for (let round = 0; round < 6; round++) {
          const side = Math.random() < 0.5 ? "read" : "write";
          const work = async (_lease: Lease): Promise<void> => {
            if (side === "read") readers++;
            else writers++;
            expect(side === "read" ? writers : writers + readers).toBe(side === "read" ? 0 : 1);
            const read = counter;
            await pause(0);
            expect(counter).toBe(read);
            if (side === "write") {
              counter = read + 1;
              written++;
              writers--;
            } else readers--;
          };
          await rw[side].run({ wait: "60s", backoff: () => 20 }, work);
        }
      };
      await Promise.all(Array.from({ length: 6 }, client));
      expect(counter).toBe(written);
    });
  });
}
