import { describe, expect, it } from "vitest";
import {
  type ConnectOptions,
  createLocks,
  type LeaseholdEvent,
  LeaseLostError,
  type Locks,
  LockTimeoutError,
  type MultiLease,
  type MultiLock,
} from "../../src/index.ts";
import { freshName, pause } from "../support/names.ts";

const some = (count: number): string[] => Array.from({ length: count }, () => freshName());

/** The behaviour of several locks as one, in one slot and in several, on every way to Redis and in every runtime. */
export function multiContract(label: string, options: () => ConnectOptions): void {
  const make = (more: Partial<ConnectOptions> = {}): Locks => createLocks({ ...options(), ...more } as ConnectOptions);
  const forms = {
    "one slot": (names: readonly string[], locks = make()) =>
      locks.group("together").multiLock(names) as unknown as MultiLock<MultiLease, unknown>,
    "several slots": (names: readonly string[], locks = make()): MultiLock<MultiLease, unknown> =>
      locks.multiLock(names),
  };
  /** The single lock of a name of each form. */
  const alone = (form: string, name: string) => (form === "one slot" ? make().group("together") : make()).lock(name);

  describe.concurrent.each(Object.entries(forms))(`multi-lock, %s, ${label}`, (form, several) => {
    it("holds all of them under one lease, and nothing after the release", async () => {
      const names = some(3);
      const multi = several(names);
      const lease = await multi.acquire({ lease: "20s", label: "all of them" });
      expect(Object.keys(lease.tokens).sort()).toEqual([...names].sort());
      expect(lease.name.split(", ").sort()).toEqual([...names].sort());
      expect(lease.remaining).toBeGreaterThan(15_000);
      expect(lease.remaining).toBeLessThanOrEqual(20_000);
      expect(await lease.verify()).toBe(true);
      const states = (await multi.inspect()) as Record<string, unknown>;
      for (const name of names) {
        const held = { state: "held", token: lease.tokens[name], holds: 1, label: "all of them" };
        expect(states[name]).toMatchObject(held);
        expect(await alone(form, name).tryAcquire()).toBeNull();
      }
      await lease.extend("40s");
      expect(lease.remaining).toBeGreaterThan(30_000);
      expect(await lease.release()).toBe(true);
      expect(await lease.release()).toBe(false);
      expect([lease.remaining, await lease.verify(), lease.signal.aborted]).toEqual([0, false, true]);
      for (const name of names) {
        const next = await alone(form, name).tryAcquire();
        expect(next?.token).toBeGreaterThan(lease.tokens[name] ?? Number.POSITIVE_INFINITY);
      }
    });

    it("lets exactly one of ten contenders win that do not wait, and refuses a second while it is held", async () => {
      const names = some(3);
      const contenders = Array.from({ length: 10 }, () => several(names));
      const leases = await Promise.all(contenders.map((contender) => contender.tryAcquire()));
      const won = leases.filter((lease) => lease !== null);
      expect(won.length).toBeLessThanOrEqual(1);
      const lease = won[0] ?? (await several(names).tryAcquire());
      // In several slots all may have met somebody; in one slot nobody can.
      if (form === "one slot") expect(won.length).toBe(1);
      expect(lease).not.toBeNull();
      expect(await several(names).tryAcquire()).toBeNull();
      await lease?.release();
      expect(await several(names).tryAcquire()).not.toBeNull();
    });

    it("is blocked by the holder of one part, and keeps nothing of the others", async () => {
      const names = some(3);
      for (const taken of names) {
        const holder = await alone(form, taken).acquire({ lease: "20s" });
        const events: LeaseholdEvent[] = [];
        const multi = several(names, make({ onEvent: (event) => events.push(event) }));
        expect(await multi.tryAcquire()).toBeNull();
        expect(events.find(({ type }) => type === "refused")).toMatchObject({ remainingMs: expect.any(Number) });
        const error = await multi.acquire({ wait: 150 }).catch((reason: unknown) => reason);
        expect(error).toBeInstanceOf(LockTimeoutError);
        expect((error as LockTimeoutError).remainingMs).toBeGreaterThan(10_000);
        for (const name of names) {
          const lease = await alone(form, name).tryAcquire();
          expect(lease === null).toBe(name === taken);
          await lease?.release();
        }
        await holder.release();
      }
    });

    it("waits for those that are held, and has its whole lease when it gets in", async () => {
      const names = some(3).sort();
      const holders = await Promise.all(names.map((name) => alone(form, name).acquire({ lease: "20s" })));
      const waiting = several(names).acquire({ wait: "20s", lease: "3s" });
      for (const holder of holders) {
        await pause(250);
        await holder.release();
      }
      const lease = await waiting;
      expect(lease.remaining).toBeGreaterThan(2_500);
      expect(lease.remaining).toBeLessThanOrEqual(3_000);
      for (const holder of holders) expect(lease.tokens[holder.name]).toBeGreaterThan(holder.token);
    });

    it("reports which names were lost, and still releases the others", async () => {
      const names = some(3);
      const [first = "", second = "", third = ""] = names;
      for (const find of ["extend", "verify", "release", "run"] as const) {
        const multi = several(names);
        const lost = { code: "lease_lost", reason: "forced", names: [second] };
        if (find === "run") {
          await expect(multi.run({}, () => alone(form, second).forceRelease())).rejects.toMatchObject(lost);
        } else {
          const lease = await multi.acquire({ lease: "20s" });
          await alone(form, second).forceRelease();
          expect(lease.signal.aborted).toBe(false);
          if (find === "extend") {
            await expect(lease.extend()).rejects.toBeInstanceOf(LeaseLostError);
            expect(lease.signal.reason).toMatchObject(lost);
          }
          if (find === "verify") {
            expect(await lease.verify()).toBe(false);
            expect(lease.signal.reason).toMatchObject(lost);
          }
          expect(await alone(form, first).tryAcquire()).toBeNull();
          expect(await lease.release()).toBe(false);
          await expect(lease.extend()).rejects.toMatchObject(lost);
        }
        for (const name of [first, second, third]) {
          const next = await alone(form, name).tryAcquire();
          expect(await next?.release()).toBe(true);
        }
      }
    });

    it("inspects parts of other kinds, and multi-locks within, by their names", async () => {
      const locks = make();
      const [rw, one, other] = [freshName(), freshName(), freshName()];
      const multi = locks.multiLock([locks.readWriteLock(rw).write, locks.multiLock([one, other])]);
      const lease = await multi.acquire();
      const states = (await multi.inspect()) as Record<string, Record<string, unknown>>;
      expect(states[rw]).toMatchObject({ state: "write" });
      const within = Object.values(states).find((state) => one in state);
      expect(within).toMatchObject({ [one]: { state: "held" }, [other]: { state: "held" } });
      await lease.release();
    });

    it("inspects and force-releases all", async () => {
      const names = some(2);
      const multi = several(names);
      expect(await multi.forceRelease()).toBe(false);
      const lease = await multi.acquire({ lease: "20s" });
      expect(await multi.forceRelease()).toBe(true);
      await expect(lease.extend()).rejects.toMatchObject({ reason: "forced", names: expect.arrayContaining(names) });
      expect(Object.values((await multi.inspect()) as object)).toMatchObject([{ state: "free" }, { state: "free" }]);
      expect(await multi.tryAcquire()).not.toBeNull();
    });

    it("is reentrant for its reentry key, over all of them and over one, and can be non-reentrant", async () => {
      const names = some(2);
      const [one = ""] = names;
      const multi = several(names);
      const first = await multi.acquire({ reentryKey: "alice", lease: "20s" });
      const second = await several(names).acquire({ reentryKey: "alice", lease: "20s" });
      expect(second.tokens).toEqual(first.tokens);
      const single = await alone(form, one).tryAcquire({ reentryKey: "alice", lease: "20s" });
      expect(single).toMatchObject({ token: first.tokens[one], holds: 3 });
      expect(await multi.tryAcquire({ reentryKey: "bob" })).toBeNull();
      expect([await first.release(), await single?.release()]).toEqual([true, true]);
      expect(await multi.tryAcquire({ reentryKey: "bob" })).toBeNull();
      const strict =
        form === "one slot"
          ? make().group("together").multiLock(names, { reentrant: false })
          : make().multiLock(names, { reentrant: false });
      await expect(strict.acquire({ reentryKey: "alice" })).rejects.toMatchObject({ code: "not_reentrant" });
      expect(await second.verify()).toBe(true);
      expect(await second.release()).toBe(true);
      expect(await multi.tryAcquire({ reentryKey: "bob" })).not.toBeNull();
    });

    it("leaves nothing held after an abort", async () => {
      const names = some(3);
      const holder = await alone(form, names[1] ?? "").acquire({ lease: "20s" });
      const controller = new AbortController();
      const reason = new Error("changed my mind");
      const waiting = several(names).acquire({ wait: "20s", signal: controller.signal });
      setTimeout(() => controller.abort(reason), 150);
      await expect(waiting).rejects.toBe(reason);
      await holder.release();
      expect(await several(names).tryAcquire()).not.toBeNull();
    });

    it("lives on while the work runs, and no longer", async () => {
      const names = some(2);
      const lease = await several(names).acquire({ lease: 3_000 });
      await lease.keepAlive({}, async () => {
        await pause(4_000);
        expect(lease.signal.aborted).toBe(false);
        for (const name of names) expect(await alone(form, name).tryAcquire()).toBeNull();
      });
      expect(await several(names).run({}, () => 7)).toBe(7);
      expect(await several(names).tryAcquire()).not.toBeNull();
    });

    it("takes once what is named twice", async () => {
      const [name = ""] = some(1);
      const lease = await several([name, name]).acquire();
      expect(Object.keys(lease.tokens)).toEqual([name]);
      expect(await lease.release()).toBe(true);
    });
  });

  describe.concurrent(`multi-lock, ${label}`, () => {
    it("of one slot has one token, is handed over by ticket, and excludes the locks of the group", async () => {
      const names = some(3);
      const multi = make().group("g").multiLock(names);
      const lease = await multi.acquire({ lease: "20s" });
      expect(new Set(Object.values(lease.tokens))).toEqual(new Set([lease.token]));
      const resumed = await make().resume(lease.ticket());
      expect(resumed).toMatchObject({ name: names.join(", "), token: lease.token, tokens: lease.tokens });
      await resumed.extend("40s");
      expect(resumed.remaining).toBeGreaterThan(30_000);
      await make()
        .group("g")
        .lock(names[2] ?? "")
        .forceRelease();
      await expect(resumed.extend()).rejects.toMatchObject({ reason: "forced", names: [names[2]] });
      expect(await resumed.release()).toBe(false);
      expect(await multi.tryAcquire()).not.toBeNull();
      // Without the group they are other locks.
      expect(await make().multiLock(names).tryAcquire()).not.toBeNull();
    });

    it("of one slot takes a token above that of every name, and re-enters only what was acquired together", async () => {
      const names = some(2);
      const [one = "", two = ""] = names;
      const lock = (name: string) => make().group("g").lock(name, { reentryKey: "alice" });
      const multi = make().group("g").multiLock(names, { reentryKey: "alice" });
      const before = await lock(one).acquire();
      await before.release();
      const lease = await multi.acquire();
      expect(lease.token).toBeGreaterThan(before.token);
      await lease.release();
      const single = await lock(two).acquire();
      await expect(multi.tryAcquire()).rejects.toMatchObject({ code: "not_reentrant" });
      expect(await make().group("g").lock(one).inspect()).toMatchObject({ state: "free" });
      const other = await lock(one).acquire();
      await expect(multi.acquire({ wait: "5s" })).rejects.toMatchObject({ code: "not_reentrant" });
      expect([await single.release(), await other.release()]).toEqual([true, true]);
      expect((await multi.acquire()).token).toBeGreaterThan(other.token);
    });

    it("of several slots has a token and a ticket for each, and none in common", async () => {
      const names = some(2).sort();
      const lease: MultiLease & { token?: unknown; ticket?: () => void } = await make()
        .multiLock(names)
        .acquire({ lease: "20s" });
      expect(lease.token).toBeUndefined();
      expect(lease.ticket).toThrow(TypeError);
      expect(JSON.parse(JSON.stringify(lease))).toEqual({
        name: names.join(", "),
        holds: 1,
        expiresAt: lease.expiresAt,
      });
      const tickets = lease.tickets();
      expect(tickets).toHaveLength(2);
      const parts = await Promise.all(tickets.map((ticket) => make().resume(ticket)));
      expect(parts.map(({ name, token }) => [name, token])).toEqual(names.map((name) => [name, lease.tokens[name]]));
      // The whole lasts as long as its shortest part.
      await parts[1]?.extend("1h");
      expect(await lease.verify()).toBe(true);
      expect(lease.remaining).toBeLessThanOrEqual(20_000);
      expect(await parts[0]?.release()).toBe(true);
      await expect(lease.extend()).rejects.toMatchObject({ reason: "released", names: [names[0]] });
      // It was let go, by whomever: the same hold.
      expect(await lease.release()).toBe(true);
      expect(await make().multiLock(names).tryAcquire()).not.toBeNull();
    });

    it("joins locks of groups and of several slots, and another multi-lock", async () => {
      const [a = "", b = "", c = "", d = "", e = ""] = some(5);
      const locks = make();
      const together = locks.group(freshName("group")).multiLock([a, b]);
      const lone = locks.group(freshName("group")).lock(c, { reentryKey: "carol" });
      const all = locks.multiLock([together, lone, locks.multiLock([d, e])]);
      const lease = await all.acquire({ lease: "20s" });
      expect(Object.keys(lease.tokens).sort()).toEqual([a, b, c, d, e].sort());
      expect(lease.tickets()).toHaveLength(4);
      expect(await together.tryAcquire()).toBeNull();
      // Its own reentry key counts.
      expect(await lone.tryAcquire()).toMatchObject({ token: lease.tokens[c], holds: 2 });
      expect(await locks.lock(e).forceRelease()).toBe(true);
      expect(await together.forceRelease()).toBe(true);
      const error = await lease.extend().catch((reason: LeaseLostError) => reason);
      expect([...(error?.names ?? [])].sort()).toEqual([a, b, e].sort());
      expect(await lease.release()).toBe(false);
      for (const free of [together, locks.lock(d), locks.lock(e)]) expect(await free.tryAcquire()).not.toBeNull();
    });

    it("makes no more polls than maxPolls, and a part that is granted is none (B23)", async () => {
      const names = some(3).sort();
      const holder = await make()
        .lock(names[2] ?? "")
        .acquire({ lease: "2m" });
      let polls = 0;
      // A server that holds requests answers a poll after most of the time-out, so the wait is much longer.
      const counting = make({ onEvent: ({ type }) => /refused|polled/.test(type) && polls++ });
      await expect(counting.multiLock(names).acquire({ wait: "60s", maxPolls: 2 })).rejects.toThrow(LockTimeoutError);
      expect(polls).toBe(2);
      await holder.release();
      expect(await make().multiLock(names).acquire({ maxPolls: 1 })).toMatchObject({ name: names.join(", ") });
    });

    it("gives back in the background where there is a waitUntil", async () => {
      const names = some(2).sort();
      const holder = await make()
        .lock(names[1] ?? "")
        .acquire();
      const background: Promise<unknown>[] = [];
      const waitUntil = (promise: Promise<unknown>) => void background.push(promise);
      expect(await make().multiLock(names).tryAcquire({ waitUntil })).toBeNull();
      expect(background.length).toBe(1);
      await Promise.all(background);
      await holder.release();
      expect(await make().multiLock(names).tryAcquire()).not.toBeNull();
    });

    it("refuses what cannot be", () => {
      const locks = make();
      expect(() => locks.multiLock([])).toThrow(RangeError);
      expect(() => locks.group("g").multiLock(some(65))).toThrow(RangeError);
      expect(() => locks.multiLock([""])).toThrow(RangeError);
      for (const wrong of [7, null, undefined, {}])
        expect(() => locks.multiLock(["a", wrong as never])).toThrow(TypeError);
      expect(() => locks.group("g").multiLock(["a", locks.lock("b")] as never)).toThrow(TypeError);
      // The same lock by two handles would wait for itself.
      expect(() => locks.multiLock(["a", locks.lock("a")])).toThrow(TypeError);
      expect(() => locks.multiLock([locks.multiLock(["a", "b"]), "b"])).toThrow(TypeError);
      // A third name of the slot may be anywhere in the order.
      const pair = locks.group("g").multiLock(["a", "c"]);
      expect(() => locks.multiLock([pair, locks.group("g").lock("b")])).toThrow(TypeError);
      expect(() => locks.multiLock(["a"], { lease: "1 day" as never })).toThrow(TypeError);
    });
  });

  describe.concurrent(`several semaphores, ${label}`, () => {
    /** Two stocks of one group, and what they have. */
    const stocks = async (locks = make()) => {
      const view = locks.group(freshName());
      const [apples, pears] = [view.semaphore("apples"), view.semaphore("pears")];
      await apples.setPermits(5);
      await pears.setPermits(5);
      const left = async () => [await apples.available(), await pears.available()];
      return { apples, pears, left, both: locks.multiLock([apples, pears]) };
    };

    it("reserves so many of each, all or none, and spends them together (51.3)", async () => {
      const { apples, pears, left, both } = await stocks();
      expect(await both.tryAcquire({ permits: { apples: 6, pears: 1 } }).catch((error) => error)).toBeInstanceOf(
        RangeError,
      );
      const other = await pears.acquire({ permits: 4 });
      expect(await both.tryAcquire({ permits: { apples: 3, pears: 2 } })).toBeNull();
      expect(await left()).toEqual([5, 1]);
      await other.release();
      const lease = await both.acquire({ permits: { apples: 3, pears: 2 }, lease: "20s" });
      expect(await left()).toEqual([2, 3]);
      for (const counts of [
        { apples: 4, pears: 2 },
        { apples: 1, pears: -1 },
      ])
        await expect(lease.spend(counts)).rejects.toThrow(RangeError);
      for (const counts of [{ apples: 1 }, { apples: 1, pears: 1, plums: 1 }, {}, null, 3, [1, 2]])
        await expect(lease.spend(counts as never)).rejects.toThrow(TypeError);
      await lease.spend({ apples: 3, pears: 1 });
      expect(await left()).toEqual([2, 4]);
      expect([await apples.acquired(), await pears.acquired()]).toEqual([0, 0]);
      await lease.spend({ apples: 3, pears: 1 });
      await expect(lease.spend({ apples: 3, pears: 2 })).rejects.toMatchObject({ reason: "spent" });
      expect([await left(), await lease.release()]).toEqual([[2, 4], false]);
      // One of each by default.
      const small = await both.acquire({ lease: "20s" });
      expect(await left()).toEqual([1, 3]);
      await small.spend({ apples: 0, pears: 1 });
      expect(await left()).toEqual([2, 3]);
    });

    it("spends none if one of them is lost, and releases the others (51.3)", async () => {
      const { apples, pears, left, both } = await stocks();
      const lease = await both.acquire({ permits: { apples: 3, pears: 2 }, lease: "20s" });
      await pears.forceRelease();
      await pears.setPermits(5);
      const error = await lease.spend({ apples: 3, pears: 1 }).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: "lease_lost", reason: "forced", names: ["pears"] });
      expect([await left(), await apples.acquired()]).toEqual([[2, 5], 3]);
      await lease.release();
      expect(await left()).toEqual([5, 5]);
    });

    it("spends them by their tickets in another process, once (51.3)", async () => {
      const { left, both, apples, pears } = await stocks();
      const lease = await both.acquire({ permits: { apples: 3, pears: 2 }, lease: "20s" });
      const tickets = lease.tickets();
      const resume = () => make().multiLock([apples, pears]).resume(tickets);
      const twin = await resume();
      expect([await twin.verify(), twin.tokens]).toEqual([true, lease.tokens]);
      await expect(twin.spend({ apples: 3, pears: 3 })).rejects.toThrow(RangeError);
      await Promise.all([twin.spend({ apples: 3, pears: 1 }), (await resume()).spend({ apples: 3, pears: 1 })]);
      expect(await left()).toEqual([2, 4]);
      await expect((await resume()).spend({ apples: 2, pears: 1 })).rejects.toMatchObject({ reason: "spent" });
      expect(await (await resume()).release()).toBe(false);
      expect(await left()).toEqual([2, 4]);
      for (const wrong of [[], tickets.slice(0, 1), [...tickets].reverse(), ["x", "y"], "x"])
        await expect(both.resume(wrong as never)).rejects.toThrow(TypeError);
    });

    it("spends together only what one script can reach (51.3)", async () => {
      const locks = make();
      const [one, two] = [locks.semaphore(freshName(), { permits: 2 }), locks.semaphore(freshName(), { permits: 2 })];
      const lease = await locks.multiLock([one, two]).acquire({ lease: "20s" });
      const counts = { [one.name]: 1, [two.name]: 1 };
      await expect(lease.spend(counts)).rejects.toThrow(/of one group/);
      expect([await lease.verify(), await lease.release()]).toEqual([true, true]);
      const mixed = await locks.multiLock([one, freshName()]).acquire({ permits: { [one.name]: 2 } });
      expect([await one.available(), "spend" in mixed]).toEqual([0, false]);
      await mixed.release();
      for (const permits of [{ [two.name]: 1 }, {}, 2])
        await expect(locks.multiLock([one]).acquire({ permits: permits as never })).rejects.toThrow(TypeError);
      await expect(locks.multiLock([freshName()]).acquire({ permits: {} } as never)).rejects.toThrow(TypeError);
    });
  });
}
