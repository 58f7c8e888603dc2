import { describe, expect, it } from "vitest";
import { type Acquirable, createLocks, type Lease, type LeaseholdEvent, type Locks } from "../../src/index.ts";
import type { Fault } from "../support/proxy.ts";
import { shiftableClock } from "../support/server-clock.ts";
import { pause, useStack } from "../support/use-stack.ts";
import { answerLost, heldBack, unheard } from "./faults.ts";
import { started } from "./site.ts";
import { startWorld, type World, wayOf } from "./world.ts";

// The server's memory of ids that are over, through a network that loses and delays, and for more than any list of
// fixed length would hold: the ring of those without doubt has 64 places.

const stack = useStack({ warm: true });
const MANY = 70;
/** Nothing times out while others have their turns. */
const PATIENT = { requestTimeout: "20s" } as const;

interface Kind {
  readonly kind: string;
  readonly acquire: string;
  readonly close: string;
  readonly of: (locks: Locks, name: string) => Acquirable & { forceRelease(): Promise<boolean> };
}
const kinds: readonly Kind[] = [
  { kind: "lock", acquire: "lock-acquire", close: "lock-close", of: (locks, name) => locks.lock(name) },
  {
    kind: "lock of two names",
    acquire: "group-acquire",
    close: "group-close",
    of: (locks, name) => locks.group("closed ids").multiLock([name, `${name}-too`]) as never,
  },
  { kind: "fair", acquire: "fair-acquire", close: "fair-close", of: (locks, name) => locks.fairLock(name) },
  { kind: "rw write", acquire: "rw-acquire", close: "rw-close", of: (locks, name) => locks.readWriteLock(name).write },
  { kind: "rw read", acquire: "rw-acquire", close: "rw-close", of: (locks, name) => locks.readWriteLock(name).read },
  {
    kind: "semaphore",
    acquire: "semaphore-acquire",
    close: "semaphore-close",
    of: (locks, name) => locks.semaphore(name, { permits: 1 }) as never,
  },
];
/** Kinds of one name, whose key is that of the name alone. */
const single = kinds.filter(({ acquire }) => acquire !== "group-acquire");
const exclusive = kinds.filter(({ kind }) => kind !== "rw read");
const long = process.env["EVERY_FAULT"] !== undefined;
/**
 * All scripts share the list of ids that are over. In the short form these three, which keep their leases in different
 * ways, show how it fills.
 */
const chosen = <K extends Kind>(of: readonly K[]): readonly K[] =>
  long ? of : of.filter(({ kind }) => ["lock", "rw read", "semaphore"].includes(kind));

/** So many tenures by others, one after the other. */
async function tenures(acquirable: Acquirable, count = MANY): Promise<void> {
  for (let n = 0; n < count; n++) expect(await (await acquirable.acquire()).release()).toBe(true);
}

/** The script runs, then so much happens, and the connection breaks before its answer. */
const answeredBehind =
  (meanwhile: () => Promise<unknown>): Fault =>
  async ({ forward, cut }) => {
    await forward();
    await meanwhile();
    cut();
  };

const recordBytes = async ({ stack, name }: World): Promise<number> =>
  Number((await stack.redis.command("STRLEN", `leasehold:{${name}}`)).slice(1));

describe.each(kinds)(
  "1, $kind: a crowd that aborts at once while its polls are on the way",
  ({ kind, acquire, of }) => {
    it.each(kind === "lock" || long ? [40, 200] : [MANY])("%d waiters leave nothing behind", async (waiters) => {
      await using world = await startWorld(stack, wayOf(kind));
      // In the way of all, a reader too.
      const holder =
        acquire === "rw-acquire"
          ? await world.theirs.readWriteLock(world.name).write.acquire()
          : await of(world.theirs, world.name).acquire();
      const giveUp = new AbortController();
      world.proxy.always(acquire, heldBack);
      const patient = world.client(PATIENT);
      const ends = Array.from({ length: waiters }, () =>
        of(patient, world.name)
          .acquire({ signal: giveUp.signal, wait: "20s" })
          .catch((error: unknown) => error),
      );
      await world.proxy.arrived(acquire, waiters);
      giveUp.abort(new Error("enough"));
      for (const end of await Promise.all(ends)) expect(end).toMatchObject({ message: "enough" });
      await expect.poll(() => world.proxy.count((seen) => /-close$/.test(seen.script ?? ""))).toBe(waiters);
      expect(await recordBytes(world)).toBeLessThan(300 + 14 * waiters);
      expect(await holder.release()).toBe(true);
      const statuses = await world.proxy.deliver(acquire);
      expect(new Set(statuses)).toEqual(new Set(["closed"]));
      expect(statuses).toHaveLength(waiters);
      expect(await of(world.theirs, world.name).tryAcquire()).not.toBeNull();
    });
  },
);

describe.concurrent.each(kinds)("2, $kind: a release whose answer is lost", ({ kind, close, of }) => {
  it(`is a release, although ${MANY} others had the name before its retry`, async () => {
    await using world = await startWorld(stack, wayOf(kind));
    const lock = of(world.client(PATIENT), world.name);
    const others = () =>
      tenures(kind === "rw read" ? world.theirs.readWriteLock(world.name).write : of(world.theirs, world.name));
    world.proxy.next(close, answeredBehind(others));
    expect(await lock.run({ lease: "20s" }, () => "done")).toBe("done");
    const lease = await lock.acquire();
    world.proxy.next(close, answeredBehind(others));
    expect(await lease.release()).toBe(true);
    expect(await lease.release()).toBe(false);
    expect(world.proxy.unmet()).toBe(0);
    expect(world.events.filter(({ type }) => type === "lost")).toEqual([]);
    expect(world.events.filter(({ type }) => type === "released")).toHaveLength(2);
  });
});

describe.concurrent.each(chosen(kinds))("2, $kind: a release whose answer is lost", ({ kind, close, of }) => {
  it("is a release also when the first call gave up, and the caller asks again", async () => {
    await using world = await startWorld(stack, wayOf(kind));
    const lease = await of(world.client({ requestTimeout: 500 }), world.name).acquire({ lease: "40s" });
    const stop = world.proxy.always(close, unheard);
    await expect(lease.release()).rejects.toMatchObject({ code: "outcome_unknown" });
    stop();
    await tenures(kind === "rw read" ? world.theirs.readWriteLock(world.name).write : of(world.theirs, world.name));
    expect(await lease.release()).toBe(true);
    expect(world.events.filter(({ type }) => type === "lost")).toEqual([]);
  });

  it("is no release if the lease was released by force before it was sent", async () => {
    await using world = await startWorld(stack, wayOf(kind));
    const lease = await of(world.client(PATIENT), world.name).acquire();
    await of(world.theirs, world.name).forceRelease();
    world.proxy.next(
      close,
      answeredBehind(() => tenures(of(world.theirs, world.name))),
    );
    expect(await lease.release()).toBe(false);
    expect(world.events).toContainEqual(expect.objectContaining({ type: "lost", reason: "forced" }));
  });

  it("is no release where the lease had expired before anything arrived", async () => {
    await using world = await startWorld(stack, wayOf(kind));
    const lease = await of(world.client(PATIENT), world.name).acquire({ lease: "2s" });
    world.proxy.next(close, async ({ cut }) => {
      await pause(2_000);
      await tenures(of(world.theirs, world.name));
      cut();
    });
    expect(await lease.release()).toBe(false);
    expect(world.events).toContainEqual(expect.objectContaining({ type: "lost" }));
  });
});

describe.concurrent.each(chosen(single))("3, $kind: a force release whose answer is lost", ({ kind, of }) => {
  it(`takes nothing from whoever has it after ${MANY} others`, async () => {
    await using world = await startWorld(stack, wayOf(kind));
    const script = kind.startsWith("rw") ? "rw-force" : kind === "lock" ? "record-force" : "crowd-force";
    const victim = await of(world.theirs, world.name).acquire();
    let later: Lease | undefined;
    world.proxy.next(
      script,
      answeredBehind(async () => {
        await tenures(of(world.theirs, world.name));
        later = await of(world.theirs, world.name).acquire();
      }),
    );
    expect(await of(world.client(PATIENT), world.name).forceRelease()).toBe(true);
    expect(world.proxy.count(script)).toBe(2);
    expect(await later?.verify()).toBe(true);
    expect(await victim.verify()).toBe(false);
    await later?.release();
    await tenures(of(world.theirs, world.name));
    later = await of(world.theirs, world.name).acquire();
    await world.proxy.replay(script);
    expect(await later.verify()).toBe(true);
  });
});

describe.concurrent("4: once", () => {
  it(`completes after its lease ran out and ${MANY} begins were cancelled, since nobody took over`, async ({
    expect,
  }) => {
    await using world = await startWorld(stack);
    const turn = started(await world.theirs.once(world.name, { lease: "1s" }).begin());
    world.proxy.always("once-begin", heldBack);
    const patient = world.client(PATIENT);
    const giveUp = new AbortController();
    const begins = Array.from({ length: MANY }, () =>
      patient
        .once(world.name)
        .begin({ signal: giveUp.signal })
        .catch(() => "aborted"),
    );
    await world.proxy.arrived("once-begin", MANY);
    await pause(1_050);
    giveUp.abort();
    await Promise.all(begins);
    await expect.poll(() => world.proxy.count("once-close")).toBe(MANY);
    await turn.complete("late");
    expect(await world.theirs.once(world.name).begin()).toMatchObject({ status: "done", result: "late" });
    expect(new Set(await world.proxy.deliver("once-begin"))).toEqual(new Set(["closed"]));
  });

  it("does not complete what has failed, whatever was cancelled since", async () => {
    await using world = await startWorld(stack);
    const once = world.ours.once(world.name, { lease: "10s" });
    // In doubt, so its id is not among those that are remembered for their number.
    world.proxy.next("once-begin", answerLost);
    const turn = started(await once.begin());
    expect(await turn.fail()).toBe(true);
    for (let n = 0; n < MANY; n++) {
      const giveUp = new AbortController();
      world.proxy.next("once-begin", ({ keep }) => {
        keep();
        giveUp.abort();
      });
      await once.begin({ signal: giveUp.signal }).catch(() => undefined);
    }
    await expect(turn.complete("never")).rejects.toMatchObject({ code: "lease_lost", reason: "released" });
    expect(await world.theirs.once(world.name).begin()).toMatchObject({ status: "started" });
  });
});

describe.concurrent.each(chosen(exclusive))(
  "5, $kind: a proxy that repeats requests of its own",
  ({ kind, acquire, of }) => {
    it("of a wait that was refused and has ended: they are void", async () => {
      await using world = await startWorld(stack, wayOf(kind));
      const holder = await of(world.theirs, world.name).acquire();
      const patient = world.client(PATIENT);
      await expect(of(patient, world.name).acquire({ wait: "300ms" })).rejects.toMatchObject({ code: "lock_timeout" });
      expect(await holder.release()).toBe(true);
      expect(new Set(await world.proxy.replay(acquire))).toEqual(new Set(["closed"]));
      expect(await of(world.theirs, world.name).tryAcquire()).not.toBeNull();
    });

    it("of a hold that 60 others have followed: they are void", async () => {
      await using world = await startWorld(stack, wayOf(kind));
      const patient = world.client(PATIENT);
      await (await of(patient, world.name).acquire({ wait: "60s" })).release();
      await tenures(of(world.theirs, world.name), 60);
      expect(await world.proxy.replay(acquire)).toEqual(["closed"]);
      expect(await of(world.theirs, world.name).tryAcquire()).not.toBeNull();
    });

    it(`of a hold with an unknown outcome, after ${MANY} others: they are void`, async () => {
      await using world = await startWorld(stack, wayOf(kind));
      world.proxy.next(acquire, ({ keep, cut }) => {
        keep();
        cut();
      });
      const patient = world.client(PATIENT);
      await (await of(patient, world.name).acquire({ wait: "60s" })).release();
      await tenures(of(world.theirs, world.name));
      expect(await world.proxy.deliver(acquire)).toEqual(["closed"]);
      expect(await of(world.theirs, world.name).tryAcquire()).not.toBeNull();
    });
  },
);

describe("6 and 22: nothing is retried for longer than it is remembered", () => {
  const brief = { requestTimeout: 250, retention: 500 };

  it.each<[number | string, object]>([
    ["retention 100ms, requestTimeout by default", { retention: "100ms" }],
    ["retention 500, requestTimeout 251", { retention: 500, requestTimeout: 251 }],
  ])("connect refuses what cannot work: %s", async (_what, settings) => {
    await using world = await startWorld(stack);
    expect(() => world.client({ requestTimeout: undefined, ...settings })).toThrow(RangeError);
    expect(() => world.client({ requestTimeout: undefined, ...settings })).toThrow(
      /retention .* is too short: at least twice requestTimeout, (10000|502) ms/,
    );
  });

  it("a counter's release of 10 adds 10, however many answers are lost", async () => {
    await using world = await startWorld(stack);
    await world.theirs.counter(world.name).setPermits(0);
    // An id that is not remembered any more goes with the next change.
    const stop = world.proxy.always("semaphore-set", async ({ forward }) => {
      await world.theirs.counter(world.name).addPermits(0);
      await forward();
    });
    const counter = world.client(brief).counter(world.name);
    await expect(counter.release(10)).rejects.toMatchObject({ code: "outcome_unknown" });
    stop();
    expect(world.proxy.count("semaphore-set")).toBeGreaterThan(1);
    const { available } = world.theirs.counter(world.name);
    expect(await available()).toBe(10);
    await world.proxy.replay("semaphore-set");
    expect(await available()).toBe(10);
  });

  it("a force release empties no queue by its second request", async () => {
    await using world = await startWorld(stack);
    const fair = world.theirs.fairLock(world.name);
    const holder = await fair.acquire();
    const next = fair.acquire({ wait: "20s" });
    await expect.poll(async () => (await fair.inspect()).waiters).toBe(1);
    const stop = world.proxy.always("crowd-force", unheard);
    const forced = expect(world.client(brief).fairLock(world.name).forceRelease()).rejects.toMatchObject({
      code: "outcome_unknown",
    });
    const lease = await next;
    const third = fair.acquire({ wait: "20s" });
    await forced;
    stop();
    await world.proxy.replay("crowd-force");
    expect(await lease.verify()).toBe(true);
    expect((await fair.inspect()).waiters).toBe(1);
    expect(await holder.verify()).toBe(false);
    await lease.release();
    await (await third).release();
  });

  it("a release that was frozen for longer, between two requests, sends no other", async () => {
    await using world = await startWorld(stack);
    let jumpMs = 0;
    const clock = { now: () => Date.now() + jumpMs, monotonic: () => performance.now() + jumpMs };
    const onEvent = ({ type }: LeaseholdEvent): void => {
      if (type === "retried") jumpMs = 3_600_000;
    };
    const lease = await world.client({ clock, onEvent }).lock(world.name).acquire();
    world.proxy.next("lock-close", ({ cut }) => cut());
    await expect(lease.release()).rejects.toMatchObject({ code: "outcome_unknown" });
    expect(jumpMs).toBeGreaterThan(0);
    expect(world.proxy.count("lock-close")).toBe(1);
  });

  it("run and its release are answered within it, or given up", async () => {
    await using world = await startWorld(stack);
    const lock = world.client(brief).lock(world.name);
    const lease = await lock.acquire({ lease: "20s" });
    const stop = world.proxy.always("lock-close", unheard);
    await expect(lease.release()).rejects.toMatchObject({ code: "outcome_unknown" });
    stop();
    const last = Math.max(...world.proxy.seen.filter(({ script }) => script === "lock-close").map((_, index) => index));
    expect(last).toBeLessThan(4);
  });
});

describe.concurrent("6: a release that is asked for again later than the first is remembered", () => {
  const brief = { requestTimeout: 1_000, retention: 2_000 };

  it.each(kinds)("$kind: is sent, and releases what is still held", async ({ close, of }) => {
    await using world = await startWorld(stack);
    const lease = await of(world.client(brief), world.name).acquire({ lease: "60s" });
    const stop = world.proxy.always(close, ({ cut }) => cut());
    await expect(lease.release()).rejects.toMatchObject({ code: "outcome_unknown" });
    stop();
    await pause(2_100);
    expect(await lease.release()).toBe(true);
    expect(await of(world.theirs, world.name).tryAcquire()).not.toBeNull();
  });

  it("says nothing of a release that nobody can know of any more", async () => {
    await using world = await startWorld(stack);
    const lease = await world.client(brief).lock(world.name).acquire({ lease: "1s" });
    const stop = world.proxy.always("lock-close", ({ cut }) => cut());
    await expect(lease.release()).rejects.toMatchObject({ code: "outcome_unknown" });
    stop();
    await pause(1_000);
    // Closes it as expired, and forgets that.
    await tenures(world.client(brief).lock(world.name), 1);
    await pause(4_500);
    await tenures(world.client(brief).lock(world.name), 2);
    expect(await lease.release()).toBe(false);
  });
});

describe.concurrent.each(single)(
  "2, $kind: a cancel whose answer is lost while the name is of another kind",
  ({ kind, acquire, close, of }) => {
    it("is a cancel, and the caller learns of the other kind", async () => {
      await using world = await startWorld(stack, wayOf(kind));
      started(await world.theirs.once(world.name).begin());
      world.proxy.next(acquire, ({ keep, cut }) => {
        keep();
        cut();
      });
      world.proxy.next(close, answerLost);
      await expect(of(world.client(PATIENT), world.name).acquire()).rejects.toMatchObject({ code: "wrong_kind" });
      expect(world.proxy.count(close)).toBe(2);
      await world.theirs.once(world.name).forceRelease();
      expect(await world.proxy.deliver(acquire)).toEqual(["closed"]);
      expect(await of(world.theirs, world.name).tryAcquire()).not.toBeNull();
    });
  },
);

describe("1: how long a request of an id may still be on its way", () => {
  it("ends with the first answer behind its time-out: a release then leaves no long memory", async () => {
    await using world = await startWorld(stack);
    const holder = await world.theirs.lock(world.name).acquire();
    world.proxy.next("lock-acquire", ({ keep, cut }) => {
      keep();
      cut();
    });
    const waiting = world.client({ requestTimeout: 500 }).lock(world.name).acquire({ wait: "20s" });
    await world.proxy.arrived("lock-acquire", 2);
    await pause(800);
    await holder.release();
    expect(await (await waiting).release()).toBe(true);
    const closed = world.proxy.seen.findLast(({ script }) => script === "lock-close");
    expect(Number(closed?.args[3])).toBe(0);
    expect(await world.proxy.deliver("lock-acquire")).toEqual(["late"]);
  });

  it("is as long as the longest that was sent, where our clock was ahead until the first answer", async () => {
    await using world = await startWorld(stack);
    const holder = await world.theirs.lock(world.name).acquire();
    world.proxy.next("lock-acquire", ({ keep, cut }) => {
      keep();
      cut();
    });
    const clock = { now: () => Date.now() + 30_000, monotonic: () => performance.now() };
    expect(await world.client({ requestTimeout: 500, clock }).lock(world.name).tryAcquire()).toBeNull();
    await holder.release();
    await pause(1_800);
    await tenures(world.theirs.lock(world.name), 1);
    expect(await world.proxy.deliver("lock-acquire")).toEqual(["closed"]);
  });
});

describe("the record stays small", () => {
  it("a hot lock's has room for 64 ids that are over, and no more", async () => {
    await using world = await startWorld(stack);
    await tenures(world.theirs.lock(world.name), 300);
    const full = await recordBytes(world);
    expect(full).toBeLessThan(1_000);
    await tenures(world.theirs.lock(world.name), 100);
    expect(await recordBytes(world)).toBeLessThanOrEqual(full + 8);
  });

  it("what 200 cancelled ids take goes when no request of theirs can come any more", async () => {
    await using world = await startWorld(stack);
    const hasty = world.client({ requestTimeout: 8_000 });
    world.proxy.always("lock-acquire", heldBack);
    const giveUp = new AbortController();
    const ends = Array.from({ length: 200 }, () =>
      hasty
        .lock(world.name)
        .acquire({ signal: giveUp.signal })
        .catch(() => undefined),
    );
    await world.proxy.arrived("lock-acquire", 200);
    giveUp.abort();
    await Promise.all(ends);
    await expect.poll(() => recordBytes(world), { timeout: 7_000 }).toBeGreaterThan(200 * 13);
    const crowded = await recordBytes(world);
    expect(crowded).toBeLessThan(3_200);
    await pause(9_500);
    await tenures(world.theirs.lock(world.name), 1);
    expect(await recordBytes(world)).toBeLessThan(250);
  });

  it("a semaphore's crowd forgets those whose permits ended by themselves, though nobody ever releases one", async () => {
    await using world = await startWorld(stack);
    const server = shiftableClock();
    const { url, token } = stack;
    const locks = createLocks({ url, token, fetch: server.fetch, retention: "20s" });
    for (const [kind, semaphore] of Object.entries({
      plain: locks.semaphore(`${world.name}-plain`, { permits: 2 }),
      fair: locks.semaphore(`${world.name}-fair`, { permits: 2, fair: true }),
    })) {
      for (let n = 0; n < 100; n++) {
        await semaphore.acquire({ permits: 2, lease: "5s", wait: 0 });
        server.shiftMs += 6_000;
      }
      const members = Number((await stack.redis.command("ZCARD", `leasehold:{${semaphore.name}}%crowd`)).slice(1));
      // Two permits and one id of the last; those of 20 s before it; and what the next one would take out.
      expect(members, kind).toBeGreaterThan(2);
      expect(members, kind).toBeLessThan(20);
    }
  });
});
