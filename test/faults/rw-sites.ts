import { expect } from "vitest";
import type { Lease, ReadWriteLock, ReadWriteState } from "../../src/index.ts";
import { pause } from "../support/names.ts";
import type { Scene, Site } from "./site.ts";
import { LEASE_MS, type World } from "./world.ts";

type Side = "read" | "write";

/** At least so much is left of `ms` that were granted after `start`. Exact: to be called after the server was asked. */
const left = (ms: number, start: number): number => ms - (performance.now() - start);

const theirs = (world: World): ReadWriteLock => world.theirs.readWriteLock(world.name);
const ours = (world: World): ReadWriteLock => world.ours.readWriteLock(world.name);

/** Nobody has or waits for the name, and both sides are to be had. */
async function staysFree(world: World): Promise<void> {
  const quiet = { state: "free", readers: 0, holds: 0, waitingWriters: 0, waitingReaders: 0 };
  expect(await theirs(world).inspect()).toMatchObject(quiet);
  for (const side of ["read", "write"] as const) {
    const lease = await theirs(world)[side].tryAcquire();
    if (!lease) throw new Error(`there should be nobody in the way of a ${side}`);
    world.saw(lease.token);
    expect(await lease.release()).toBe(true);
  }
  expect(await theirs(world).inspect()).toMatchObject(quiet);
}

/** This side is held by `lease` and nobody else, for `leastMs()` more at least, and the lease says no more than the server does. */
async function isHeld(world: World, side: Side, lease: Lease | null, leastMs: () => number): Promise<void> {
  if (!lease) throw new Error("there should be a lease");
  const state = await theirs(world).inspect();
  const local = lease.remaining;
  expect(state).toMatchObject({ state: side, token: lease.token, waitingWriters: 0, waitingReaders: 0 });
  expect(state).toMatchObject(side === "read" ? { readers: 1, holds: 0 } : { readers: 0, holds: 1 });
  expect(state.remaining).toBeGreaterThanOrEqual(leastMs());
  expect(local).toBeLessThanOrEqual(state.remaining);
  expect(local).toBeGreaterThan(0);
  expect(await theirs(world).write.tryAcquire()).toBeNull();
  expect(await lease.verify()).toBe(true);
  world.saw(lease.token, "same");
  world.keepsSecrets(lease);
}

/** A lease that nobody has ended yet, and which must go on to stand. */
function standing(world: World, side: Side, lease: () => Lease | null, leastMs: () => number) {
  return {
    worked: () => isHeld(world, side, lease(), leastMs),
    async end() {
      expect(await lease()?.release()).toBe(true);
      await staysFree(world);
    },
    ended: () => staysFree(world),
  };
}

/** The name was freed, and a writer has it since: what arrives late must not touch it. */
function freed(world: World, worked: () => Promise<void>) {
  let next: Lease | null | undefined;
  return {
    async worked() {
      await worked();
      next ??= await theirs(world).write.tryAcquire();
      if (next) world.saw(next.token, "same");
      await isHeld(world, "write", next, () => 0);
    },
    async end() {
      expect(await next?.release()).not.toBe(false);
      await staysFree(world);
    },
    ended: () => staysFree(world),
  };
}

const tryAcquire = (side: Side): Site => ({
  name: `${side}.tryAcquire`,
  script: "rw-acquire",
  patient: false,
  async arrange(world): Promise<Scene> {
    await staysFree(world);
    const start = performance.now();
    let lease: Lease | null = null;
    return {
      ...standing(
        world,
        side,
        () => lease,
        () => left(LEASE_MS, start),
      ),
      async act(arm) {
        arm();
        lease = await ours(world)[side].tryAcquire({ owner: "alice" });
      },
      async unchanged() {
        lease = await theirs(world)[side].tryAcquire();
      },
    };
  },
});

/** A wait whose polls meet the faults: its place goes with it. */
const acquire = (side: Side, before: Side): Site => ({
  name: `${side}.acquire, waiting for a ${before === "read" ? "reader" : "writer"}`,
  script: "rw-acquire",
  patient: true,
  async arrange(world) {
    const holder = (await theirs(world)[before].tryAcquire()) as Lease;
    world.saw(holder.token);
    const start = performance.now();
    let lease: Lease | null = null;
    return {
      ...standing(
        world,
        side,
        () => lease,
        () => left(LEASE_MS, start),
      ),
      async act(arm) {
        const waiting = ours(world)[side].acquire({ wait: "8s" });
        waiting.catch(() => {});
        await world.proxy.arrived(({ answers }) => answers.includes("held"));
        arm();
        expect(await holder.release()).toBe(true);
        lease = await waiting;
      },
      async unchanged() {
        lease = await theirs(world)[side].tryAcquire();
      },
    };
  },
});

/** What cancels a wait that was aborted: the place that it leaves. */
const leave = (side: Side): Site => ({
  name: `${side}.acquire, aborted while it waits`,
  script: "rw-close",
  patient: false,
  async arrange(world) {
    const holder = (await theirs(world).write.tryAcquire()) as Lease;
    world.saw(holder.token);
    return {
      async act(arm) {
        arm();
        const caller = new AbortController();
        const waiting = ours(world)[side].acquire({ wait: "8s", signal: caller.signal, backoff: () => 5000 });
        waiting.catch(() => {});
        while (!world.events.some(({ type }) => type === "polled")) await pause(5);
        caller.abort("gone");
        await expect(waiting).rejects.toBe("gone");
      },
      async worked() {
        // Without an answer it is gone by itself, after the interval that it announced and a grace.
        const waiting = async (): Promise<number> => {
          const { waitingReaders, waitingWriters } = await theirs(world).inspect();
          return waitingReaders + waitingWriters;
        };
        for (const start = performance.now(); performance.now() - start < 3000 && (await waiting()) > 0; )
          await pause(50);
        await isHeld(world, "write", holder, () => 0);
      },
      unchanged: () => isHeld(world, "write", holder, () => 0),
      async end() {
        expect(await holder.release()).toBe(true);
        await staysFree(world);
      },
      ended: () => staysFree(world),
    };
  },
});

const extend = (side: Side): Site => ({
  name: `${side}: extend`,
  script: "crowd-extend",
  patient: true,
  async arrange(world) {
    const start = performance.now();
    const lease = await ours(world)[side].tryAcquire({ owner: "alice" });
    const least = { ms: LEASE_MS, start };
    return {
      ...standing(
        world,
        side,
        () => lease,
        () => left(least.ms, least.start),
      ),
      async act(arm) {
        arm();
        const asked = performance.now();
        await lease?.extend(2 * LEASE_MS);
        Object.assign(least, { ms: 2 * LEASE_MS, start: asked });
      },
      unchanged: () => isHeld(world, side, lease, () => left(LEASE_MS, start)),
    };
  },
});

const release = (side: Side): Site => ({
  name: `${side}: release`,
  script: "rw-close",
  patient: true,
  async arrange(world) {
    const lease = await ours(world)[side].tryAcquire({ owner: "alice" });
    let released: boolean | undefined;
    return {
      ...freed(world, async () => {
        expect(released).toBe(true);
        expect([lease?.remaining, lease?.signal.aborted, await lease?.verify()]).toEqual([0, true, false]);
        await expect(lease?.extend()).rejects.toMatchObject({ code: "lease_lost", reason: "released" });
      }),
      async act(arm) {
        arm();
        released = await lease?.release();
      },
      async unchanged() {
        expect(await theirs(world).inspect()).toMatchObject({ state: side, token: lease?.token });
        expect(await lease?.release()).toBe(true);
      },
    };
  },
});

/** One of two read holds of an owner, whose other one stays, and is counted right whatever arrives how often. */
const releaseOne: Site = {
  name: "read: release of one of two",
  script: "rw-close",
  patient: true,
  async arrange(world) {
    const start = performance.now();
    const [first, second] = [
      await ours(world).read.tryAcquire({ owner: "alice" }),
      await ours(world).read.tryAcquire({ owner: "alice" }),
    ];
    expect(second?.holds).toBe(2);
    const kept = standing(
      world,
      "read",
      () => second,
      () => left(LEASE_MS, start),
    );
    return {
      ...kept,
      async act(arm) {
        arm();
        expect(await first?.release()).toBe(true);
      },
      async worked() {
        await kept.worked();
        expect(second?.holds).toBe(1);
        // Until the last one is gone its owner is a reader.
        const upgrade = theirs(world).write.tryAcquire({ owner: "alice" });
        await expect(upgrade).rejects.toMatchObject({ code: "upgrade_refused" });
      },
      async unchanged() {
        expect(await first?.release()).toBe(true);
      },
      async end() {
        await kept.end();
        expect(await (await theirs(world).write.tryAcquire({ owner: "alice" }))?.release()).toBe(true);
      },
    };
  },
};

/** The write of an owner that goes on reading. */
const downgrade: Site = {
  name: "write: release, its read goes on",
  script: "rw-close",
  patient: true,
  async arrange(world) {
    const writer = await ours(world).write.tryAcquire({ owner: "alice" });
    const start = performance.now();
    const reader = await ours(world).read.tryAcquire({ owner: "alice" });
    return {
      ...standing(
        world,
        "read",
        () => reader,
        () => left(LEASE_MS, start),
      ),
      async act(arm) {
        arm();
        expect(await writer?.release()).toBe(true);
      },
      async unchanged() {
        expect(await writer?.release()).toBe(true);
      },
    };
  },
};

const inspect: Site = {
  name: "inspect",
  script: "crowd-inspect",
  patient: false,
  async arrange(world) {
    const start = performance.now();
    const lease = (await theirs(world).read.tryAcquire()) as Lease;
    let state: ReadWriteState | undefined;
    const kept = standing(
      world,
      "read",
      () => lease,
      () => left(LEASE_MS, start),
    );
    return {
      ...kept,
      async act(arm) {
        arm();
        state = await ours(world).inspect();
      },
      async worked() {
        expect(state).toMatchObject({ state: "read", token: lease.token, readers: 1, holds: 0 });
        await kept.worked();
      },
      unchanged: kept.worked,
    };
  },
};

/** One side is forced out, the other one stays. */
const forceSide = (side: Side): Site => ({
  name: `${side}.forceRelease`,
  script: "rw-force",
  patient: false,
  async arrange(world) {
    const start = performance.now();
    const writer = (await theirs(world).write.tryAcquire({ owner: "alice" })) as Lease;
    const reader = (await theirs(world).read.tryAcquire({ owner: "alice" })) as Lease;
    const [forced, stays] = side === "read" ? [reader, writer] : [writer, reader];
    let had: boolean | undefined;
    return {
      async act(arm) {
        arm();
        had = await ours(world)[side].forceRelease();
      },
      async worked() {
        expect(had).toBe(true);
        expect(await forced.verify()).toBe(false);
        expect(await stays.verify()).toBe(true);
        const state = await theirs(world).inspect();
        expect(state).toMatchObject(
          side === "read" ? { state: "write", holds: 1, readers: 0 } : { state: "read", holds: 0, readers: 1 },
        );
        expect(state.remaining).toBeGreaterThanOrEqual(left(LEASE_MS, start));
        // A writer goes on under its token; else what the former one still writes can be refused.
        if (side === "read") expect(state.token).toBe(writer.token);
        else world.saw(state.token, "same");
        expect(await theirs(world).write.tryAcquire()).toBeNull();
      },
      async unchanged() {
        for (const lease of [reader, writer]) expect(await lease.verify()).toBe(true);
        expect(await forced.release()).toBe(true);
      },
      async end() {
        expect(await stays.release()).toBe(true);
        await staysFree(world);
      },
      ended: () => staysFree(world),
    };
  },
});

const forceRelease: Site = {
  name: "forceRelease",
  script: "crowd-force",
  patient: false,
  async arrange(world) {
    const writer = (await theirs(world).write.tryAcquire({ owner: "alice" })) as Lease;
    const reader = (await theirs(world).read.tryAcquire({ owner: "alice" })) as Lease;
    let had: boolean | undefined;
    return {
      ...freed(world, async () => {
        expect(had).toBe(true);
        expect([await writer.verify(), await reader.verify()]).toEqual([false, false]);
      }),
      async act(arm) {
        arm();
        had = await ours(world).forceRelease();
      },
      async unchanged() {
        for (const lease of [reader, writer]) expect(await lease.release()).toBe(true);
      },
    };
  },
};

/** The call of the Web Locks API that takes it from whoever has it. */
const steal: Site = {
  name: "request, steal",
  script: "rw-acquire",
  patient: false,
  async arrange(world) {
    const before = (await theirs(world).read.tryAcquire()) as Lease;
    world.saw(before.token);
    return {
      ...freed(world, async () => {
        expect(await before.verify()).toBe(false);
      }),
      async act(arm) {
        arm();
        await world.ours.request(world.name, { steal: true }, async (lease) => {
          world.saw(lease.token);
          expect(await theirs(world).inspect()).toMatchObject({ state: "write", holds: 1, token: lease.token });
        });
      },
      async unchanged() {
        expect(await before.release()).toBe(true);
      },
    };
  },
};

export const rwSites: readonly Site[] = [
  tryAcquire("read"),
  tryAcquire("write"),
  acquire("read", "write"),
  acquire("write", "write"),
  acquire("write", "read"),
  leave("read"),
  leave("write"),
  extend("read"),
  extend("write"),
  release("read"),
  release("write"),
  releaseOne,
  downgrade,
  inspect,
  forceSide("read"),
  forceSide("write"),
  forceRelease,
  steal,
];
