import { expect } from "vitest";
import type { Counter, Locks, Semaphore, SemaphoreLease } from "../../../src/index.ts";
import type { Scene, Site } from "../../faults/site.ts";
import { LEASE_MS, type World } from "../../faults/world.ts";

const PERMITS = 5;
const semaphoreOf = (locks: Locks, { name }: World): Semaphore => locks.semaphore(name, { permits: PERMITS });
const counterOf = (locks: Locks, { name }: World): Counter => locks.semaphore(name, { lease: false });

/** So many are in use and no more, by the server's account and by what it lets others have. */
async function inUse(world: World, acquired: number): Promise<void> {
  const theirs = semaphoreOf(world.theirs, world);
  expect(await theirs.inspect()).toMatchObject({ acquired, available: PERMITS - acquired });
  if (acquired > 0) expect(await theirs.tryAcquire({ permits: PERMITS - acquired + 1 })).toBeNull();
}

async function isHeld(world: World, lease: SemaphoreLease | null, permits: number): Promise<void> {
  if (!lease) throw new Error("there should be a lease");
  await inUse(world, permits);
  expect([lease.holds, lease.permits.length, await lease.verify()]).toEqual([permits, permits, true]);
  const { remaining } = await semaphoreOf(world.theirs, world).inspect();
  expect(lease.remaining).toBeLessThanOrEqual(remaining);
  world.saw(lease.token, "same");
  world.keepsSecrets(lease);
}

/** A lease that the call gave or kept, of so many permits; at the end it is released. */
function standing(world: World, lease: () => SemaphoreLease | null, permits: number) {
  return {
    worked: () => isHeld(world, lease(), permits),
    async end() {
      expect(await lease()?.release()).toBe(true);
      await inUse(world, 0);
    },
    ended: () => inUse(world, 0),
  };
}

const tryAcquire: Site = {
  name: "tryAcquire of permits",
  script: "semaphore-acquire",
  patient: false,
  async arrange(world): Promise<Scene> {
    let lease: SemaphoreLease | null = null;
    return {
      ...standing(world, () => lease, 3),
      async act(arm) {
        arm();
        lease = await semaphoreOf(world.ours, world).tryAcquire({ permits: 3 });
      },
      unchanged: () => inUse(world, 0),
    };
  },
};

const acquiring = (fair: boolean): Site => ({
  name: `acquire of permits, waiting${fair ? " in a queue" : ""}`,
  script: fair ? "semaphore-queue" : "semaphore-acquire",
  patient: true,
  async arrange(world) {
    const before = await semaphoreOf(world.theirs, world).acquire({ permits: 4 });
    let lease: SemaphoreLease | null = null;
    return {
      ...standing(world, () => lease, 3),
      async act(arm) {
        const ours = world.ours.semaphore(world.name, { permits: PERMITS, fair });
        const waiting = ours.acquire({ permits: 3, wait: "8s" });
        waiting.catch(() => {});
        await world.proxy.arrived(({ answers }) => answers.includes("held"));
        arm();
        expect(await before.release()).toBe(true);
        lease = await waiting;
      },
      unchanged: () => inUse(world, 0),
    };
  },
});

const extend: Site = {
  name: "extend of permits",
  script: "crowd-extend",
  patient: true,
  async arrange(world) {
    const lease = await semaphoreOf(world.ours, world).acquire({ permits: 3 });
    const kept = standing(world, () => lease, 3);
    return {
      ...kept,
      async act(arm) {
        arm();
        await lease.extend(2 * LEASE_MS);
        expect(lease.remaining).toBeGreaterThan(LEASE_MS);
      },
      unchanged: kept.worked,
    };
  },
};

const releasePermits: Site = {
  name: "releasePermits",
  script: "semaphore-close",
  patient: true,
  async arrange(world) {
    const lease = await semaphoreOf(world.ours, world).acquire({ permits: 3 });
    let released: boolean | undefined;
    const kept = standing(world, () => lease, 1);
    return {
      ...kept,
      async act(arm) {
        arm();
        released = await lease.releasePermits([1, 3]);
      },
      async worked() {
        expect([released, lease.permits]).toEqual([true, [2]]);
        await kept.worked();
      },
      unchanged: () => isHeld(world, lease, 3),
    };
  },
};

const release: Site = {
  name: "release of permits",
  script: "semaphore-close",
  patient: true,
  async arrange(world) {
    const lease = await semaphoreOf(world.ours, world).acquire({ permits: 3 });
    let released: boolean | undefined;
    let next: SemaphoreLease | null = null;
    return {
      async act(arm) {
        arm();
        released = await lease.release();
      },
      async worked() {
        expect([released, lease.remaining, await lease.verify()]).toEqual([true, 0, false]);
        await expect(lease.extend()).rejects.toMatchObject({ code: "lease_lost", reason: "released" });
        // Somebody else has all since: what arrives late must not touch them.
        next ??= await semaphoreOf(world.theirs, world).acquire({ permits: PERMITS });
        await isHeld(world, next, PERMITS);
      },
      unchanged: () => inUse(world, 3),
      async end() {
        await next?.release();
      },
      ended: () => inUse(world, 0),
    };
  },
};

/** A change of a number: what it is before, what is done, and what is available then. */
const change = (
  name: string,
  act: (locks: Locks, world: World) => Promise<unknown>,
  given: unknown,
  available: number,
  counter = false,
): Site => ({
  name,
  script: "semaphore-set",
  patient: false,
  async arrange(world) {
    const theirs = counter ? counterOf(world.theirs, world) : semaphoreOf(world.theirs, world);
    await theirs.setPermits(4);
    let answer: unknown;
    let moved = 0;
    return {
      async act(arm) {
        arm();
        answer = await act(world.ours, world);
      },
      async worked() {
        expect([answer, await theirs.available()]).toEqual([given, available]);
      },
      async unchanged() {
        expect(await theirs.available()).toBe(4);
      },
      async end() {
        moved = 3;
        await theirs.addPermits(moved);
      },
      async ended() {
        expect(await theirs.available()).toBe(available + moved);
      },
    };
  },
});

const changes = (of: (locks: Locks, world: World) => Semaphore | Counter, what: string, counter: boolean): Site[] => [
  change(`setPermits of a ${what}`, (locks, world) => of(locks, world).setPermits(9), undefined, 9, counter),
  change(`trySetPermits of a ${what}`, (locks, world) => of(locks, world).trySetPermits(9), false, 4, counter),
  change(`addPermits of a ${what}`, (locks, world) => of(locks, world).addPermits(-6), undefined, -2, counter),
  change(`drain of a ${what}`, (locks, world) => of(locks, world).drain(), 4, 0, counter),
];

const give: Site = change(
  "release of a counter",
  (locks, world) => counterOf(locks, world).release(10),
  true,
  14,
  true,
);

/** A counter's permits are taken once. */
const taking = (name: string, waits: boolean): Site => ({
  name,
  script: "semaphore-acquire",
  patient: waits,
  async arrange(world) {
    const theirs = counterOf(world.theirs, world);
    await theirs.setPermits(waits ? 1 : 7);
    let took: unknown;
    const left = async (count: number): Promise<void> => expect(await theirs.available()).toBe(count);
    return {
      async act(arm) {
        const ours = counterOf(world.ours, world);
        if (!waits) {
          arm();
          took = await ours.tryAcquire({ permits: 3 });
          return;
        }
        const waiting = ours.acquire({ permits: 3, wait: "8s" });
        waiting.catch(() => {});
        await world.proxy.arrived(({ answers }) => answers.includes("held"));
        arm();
        await theirs.release(6);
        took = (await waiting) === undefined;
      },
      async worked() {
        expect(took).toBe(true);
        await left(4);
      },
      unchanged: () => left(7),
      async end() {
        await theirs.release(3);
      },
      ended: () => left(7),
    };
  },
});

export const semaphoreSites: readonly Site[] = [
  tryAcquire,
  acquiring(false),
  acquiring(true),
  extend,
  releasePermits,
  release,
];
export const counterSites: readonly Site[] = [
  ...changes(semaphoreOf, "semaphore", false),
  ...changes(counterOf, "counter", true),
  give,
  taking("tryAcquire of a counter", false),
  taking("acquire of a counter, waiting", true),
];
