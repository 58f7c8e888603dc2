import { expect } from "vitest";
import type { Lease, ReadWriteLock, ReadWriteState } from "../../../src/index.ts";
import type { Site } from "../../faults/site.ts";
import * as sites from "../../faults/sites.ts";
import { LEASE_MS, TIMEOUT_MS, type World } from "../../faults/stage.ts";
import { pause } from "../../support/names.ts";

type Side = "read" | "write";

const theirs = (world: World): ReadWriteLock => world.theirs.readWriteLock(world.name);
const ours = (world: World): ReadWriteLock => world.ours.readWriteLock(world.name);

/** One side. Ours are leases of alice, where they do not wait. */
function sideOf(side: Side): sites.Subject<Lease, ReadWriteState> {
  const subject: sites.Subject<Lease, ReadWriteState> = {
    scripts: { acquire: "rw-acquire", extend: "crowd-extend", close: "rw-close", force: "crowd-force" },
    of(locks, world) {
      const both = locks.readWriteLock(world.name);
      const reentryKey = locks === world.ours ? { reentryKey: "alice" } : {};
      return {
        tryAcquire: () => both[side].tryAcquire(reentryKey),
        acquire: (options) => both[side].acquire(options),
        inspect: () => both.inspect(),
        forceRelease: () => both.forceRelease(),
      };
    },
    shows(state, lease, world) {
      expect(state).toMatchObject({ state: side, token: lease.token, waitingWriters: 0, waitingReaders: 0 });
      expect(state).toMatchObject(side === "read" ? { readers: 1, holds: 0 } : { readers: 0, holds: 1 });
      world.saw(lease.token, "same");
      return state.remaining;
    },
    async refuses(world) {
      expect(await theirs(world).write.tryAcquire()).toBeNull();
    },
    async take(world) {
      const lease = await theirs(world)[side].tryAcquire();
      if (!lease) throw new Error(`there should be nobody in the way of a ${side}`);
      world.saw(lease.token);
      return lease;
    },
    staysFree,
  };
  return subject;
}
const sides = { read: sideOf("read"), write: sideOf("write") };
const isHeld = (world: World, side: Side, lease: Lease, leastMs: () => number): Promise<void> =>
  sites.isHeld(sides[side], world, lease, leastMs);
const standing = (world: World, lease: Lease | null, start: number) =>
  sites.standing(
    sides.read,
    world,
    () => lease,
    () => sites.left(LEASE_MS, start),
  );

/** Nobody has or waits for the name, and both sides are to be had. */
async function staysFree(world: World): Promise<void> {
  const quiet = { state: "free", readers: 0, holds: 0, waitingWriters: 0, waitingReaders: 0 };
  expect(await theirs(world).inspect()).toMatchObject(quiet);
  for (const side of ["read", "write"] as const) expect(await (await sides[side].take(world)).release()).toBe(true);
  expect(await theirs(world).inspect()).toMatchObject(quiet);
}

/** The faults meet the polls of a waiter, and its place in the queue goes with it. */
const acquire = (side: Side, before: Side): Site => {
  const name = `${side}.acquire, waiting for a ${before === "read" ? "reader" : "writer"}`;
  return sites.acquire(sides[side], name, sides[before].take);
};

/** A wait that was aborted is cancelled by the place that it leaves. */
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
        // The cancel goes on behind the abort, which does not wait for it long.
        for (const start = performance.now(); performance.now() - start < TIMEOUT_MS && world.proxy.unmet() > 0; )
          await pause(5);
      },
      async worked() {
        // Without an answer it is gone by itself, after the interval that it announced and a grace. A server that holds
        // its last request knows it for that long besides.
        const longestMs = 3000 + (world.stack.holds ? TIMEOUT_MS : 0);
        const waiting = async (): Promise<number> => {
          const { waitingReaders, waitingWriters } = await theirs(world).inspect();
          return waitingReaders + waitingWriters;
        };
        for (const start = performance.now(); performance.now() - start < longestMs && (await waiting()) > 0; )
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

/** One of two read holds of a reentry key, whose other one stays, and is counted right whatever arrives how often. */
const releaseOne: Site = {
  name: "read: release of one of two",
  script: "rw-close",
  patient: true,
  async arrange(world) {
    const start = performance.now();
    const [first, second] = [
      await ours(world).read.tryAcquire({ reentryKey: "alice" }),
      await ours(world).read.tryAcquire({ reentryKey: "alice" }),
    ];
    expect(second?.holds).toBe(2);
    const kept = standing(world, second, start);
    return {
      ...kept,
      async act(arm) {
        arm();
        expect(await first?.release()).toBe(true);
      },
      async worked() {
        await kept.worked();
        expect(second?.holds).toBe(1);
        // Until the last one is gone its reentry key is a reader.
        const upgrade = theirs(world).write.tryAcquire({ reentryKey: "alice" });
        await expect(upgrade).rejects.toMatchObject({ code: "upgrade_refused" });
      },
      async unchanged() {
        expect(await first?.release()).toBe(true);
      },
      async end() {
        await kept.end();
        expect(await (await theirs(world).write.tryAcquire({ reentryKey: "alice" }))?.release()).toBe(true);
      },
    };
  },
};

/** The write of a reentry key that goes on reading. */
const downgrade: Site = {
  name: "write: release, its read goes on",
  script: "rw-close",
  patient: true,
  async arrange(world) {
    const writer = await ours(world).write.tryAcquire({ reentryKey: "alice" });
    const start = performance.now();
    const reader = await ours(world).read.tryAcquire({ reentryKey: "alice" });
    return {
      ...standing(world, reader, start),
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

/** One side is forced out, the other one stays. */
const forceSide = (side: Side): Site => ({
  name: `${side}.forceRelease`,
  script: "rw-force",
  patient: false,
  async arrange(world) {
    const start = performance.now();
    const writer = (await theirs(world).write.tryAcquire({ reentryKey: "alice" })) as Lease;
    const reader = (await theirs(world).read.tryAcquire({ reentryKey: "alice" })) as Lease;
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
        expect(state.remaining).toBeGreaterThanOrEqual(sites.left(LEASE_MS, start) - 1);
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

const forceRelease: Site = sites.forcing("forceRelease", "crowd-force", async (world) => {
  const writer = (await theirs(world).write.tryAcquire({ reentryKey: "alice" })) as Lease;
  const reader = (await theirs(world).read.tryAcquire({ reentryKey: "alice" })) as Lease;
  return {
    ...sites.freed(sides.write, world, async () => {
      expect([await writer.verify(), await reader.verify()]).toEqual([false, false]);
    }),
    force: () => ours(world).forceRelease(),
    async unchanged() {
      for (const lease of [reader, writer]) expect(await lease.release()).toBe(true);
    },
  };
});

/** The call of the Web Locks API that takes it from whoever has it. */
const steal: Site = {
  name: "request, steal",
  script: "rw-acquire",
  patient: false,
  async arrange(world) {
    const before = (await theirs(world).read.tryAcquire()) as Lease;
    world.saw(before.token);
    return {
      ...sites.freed(sides.write, world, async () => {
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
  sites.tryAcquire(sides.read, "read.tryAcquire"),
  sites.tryAcquire(sides.write, "write.tryAcquire"),
  acquire("read", "write"),
  acquire("write", "write"),
  acquire("write", "read"),
  leave("read"),
  leave("write"),
  sites.extend(sides.read, "read: extend"),
  sites.extend(sides.write, "write: extend"),
  sites.release(sides.read, "read: release", sides.write),
  sites.release(sides.write, "write: release"),
  releaseOne,
  downgrade,
  sites.inspect(sides.read),
  forceSide("read"),
  forceSide("write"),
  forceRelease,
  steal,
];
