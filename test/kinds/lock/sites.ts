import { expect } from "vitest";
import type { Lease, LockState } from "../../../src/index.ts";
import { isFree, isHeld, type Scene, type Site, staysFree } from "../../faults/site.ts";
import { LEASE_MS, type World } from "../../faults/world.ts";

/** At least so much is left of `ms` that were granted after `start`. Exact: to be called after the server was asked. */
const left = (ms: number, start: number): number => ms - (performance.now() - start);

/** A lease that nobody has ended yet, and which must go on to stand. */
function standing(world: World, lease: () => Lease | null, leastMs: () => number) {
  return {
    worked: async () => {
      await isHeld(world, lease(), leastMs);
    },
    async end() {
      expect(await lease()?.release()).toBe(true);
      await staysFree(world);
    },
    ended: () => staysFree(world),
  };
}

/** The name was freed, and somebody else has it since: what arrives late must not touch them. */
function freed(world: World, worked: () => Promise<void> | void) {
  let next: Lease | undefined;
  return {
    async worked() {
      await worked();
      next ??= await isFree(world);
      await isHeld(world, next, () => 0);
    },
    async end() {
      expect(await next?.release()).not.toBe(false);
      await staysFree(world);
    },
    ended: () => staysFree(world),
  };
}

const tryAcquire: Site = {
  name: "tryAcquire",
  script: "lock-acquire",
  patient: false,
  async arrange(world): Promise<Scene> {
    await staysFree(world);
    const start = performance.now();
    let lease: Lease | null = null;
    return {
      ...standing(
        world,
        () => lease,
        () => left(LEASE_MS, start),
      ),
      async act(arm) {
        arm();
        lease = await world.ours.lock(world.name).tryAcquire();
      },
      async unchanged() {
        lease = await isFree(world);
      },
    };
  },
};

const acquire: Site = {
  name: "acquire, waiting",
  script: "lock-acquire",
  patient: true,
  async arrange(world) {
    const before = await isFree(world);
    const start = performance.now();
    let lease: Lease | null = null;
    return {
      ...standing(
        world,
        () => lease,
        () => left(LEASE_MS, start),
      ),
      async act(arm) {
        const waiting = world.ours.lock(world.name).acquire({ wait: "8s" });
        waiting.catch(() => {});
        await world.proxy.arrived(({ answers }) => answers.includes("held"));
        arm();
        expect(await before.release()).toBe(true);
        lease = await waiting;
      },
      async unchanged() {
        lease = await isFree(world);
      },
    };
  },
};

const extend: Site = {
  name: "extend",
  script: "hold-extend",
  patient: true,
  async arrange(world) {
    const start = performance.now();
    const lease = await world.ours.lock(world.name).tryAcquire();
    const least = { ms: LEASE_MS, start };
    return {
      ...standing(
        world,
        () => lease,
        () => left(least.ms, least.start),
      ),
      async act(arm) {
        arm();
        const asked = performance.now();
        await lease?.extend(2 * LEASE_MS);
        Object.assign(least, { ms: 2 * LEASE_MS, start: asked });
      },
      async unchanged() {
        await isHeld(world, lease, () => left(LEASE_MS, start));
      },
    };
  },
};

const release: Site = {
  name: "release",
  script: "lock-close",
  patient: true,
  async arrange(world) {
    const lease = await world.ours.lock(world.name).tryAcquire();
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
        expect(await world.theirs.lock(world.name).inspect()).toMatchObject({ state: "held", token: lease?.token });
        expect(await lease?.release()).toBe(true);
      },
    };
  },
};

const inspect: Site = {
  name: "inspect",
  script: "record-inspect",
  patient: false,
  async arrange(world) {
    const start = performance.now();
    const lease = await isFree(world);
    let state: LockState | undefined;
    const kept = standing(
      world,
      () => lease,
      () => left(LEASE_MS, start),
    );
    return {
      ...kept,
      async act(arm) {
        arm();
        state = await world.ours.lock(world.name).inspect();
      },
      async worked() {
        expect(state).toMatchObject({ state: "held", token: lease.token, holds: 1 });
        await kept.worked();
      },
      unchanged: kept.worked,
    };
  },
};

const verify: Site = {
  name: "verify",
  script: "hold-extend",
  patient: false,
  async arrange(world) {
    const start = performance.now();
    const lease = await world.ours.lock(world.name).tryAcquire();
    let ours: boolean | undefined;
    const kept = standing(
      world,
      () => lease,
      () => left(LEASE_MS, start),
    );
    return {
      ...kept,
      async act(arm) {
        arm();
        ours = await lease?.verify();
      },
      async worked() {
        expect(ours).toBe(true);
        await kept.worked();
      },
      unchanged: kept.worked,
    };
  },
};

const forceRelease: Site = {
  name: "forceRelease",
  script: "record-force",
  patient: false,
  async arrange(world) {
    const start = performance.now();
    const before = await isFree(world);
    let had: boolean | undefined;
    return {
      ...freed(world, async () => {
        expect(had).toBe(true);
        expect(await before.verify()).toBe(false);
      }),
      async act(arm) {
        arm();
        had = await world.ours.lock(world.name).forceRelease();
      },
      async unchanged() {
        await isHeld(world, before, () => left(LEASE_MS, start));
        await before.release();
      },
    };
  },
};

export const lockSites: readonly Site[] = [tryAcquire, acquire, extend, release, inspect, verify, forceRelease];
