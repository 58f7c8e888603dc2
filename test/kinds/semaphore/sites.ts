import { expect } from "vitest";
import type { Counter, Locks, Semaphore, SemaphoreLease, SemaphoreState } from "../../../src/index.ts";
import type { Site } from "../../faults/site.ts";
import * as sites from "../../faults/sites.ts";
import type { World } from "../../faults/stage.ts";

const PERMITS = 5;
const semaphoreOf = (locks: Locks, { name }: World): Semaphore => locks.semaphore(name, { permits: PERMITS });
const counterOf = (locks: Locks, { name }: World): Counter => locks.counter(name);

/** Leases of so many permits. `fair`: ours queue for theirs. */
function permits(count: number, fair = false): sites.Subject<SemaphoreLease, SemaphoreState> {
  const theirs = (world: World): Semaphore => semaphoreOf(world.theirs, world);
  return {
    scripts: {
      acquire: fair ? "semaphore-queue" : "semaphore-acquire",
      extend: "crowd-extend",
      close: "semaphore-close",
      force: "crowd-force",
    },
    of(locks, world) {
      const semaphore = locks.semaphore(world.name, { permits: PERMITS, fair: fair && locks === world.ours });
      return {
        tryAcquire: () => semaphore.tryAcquire({ permits: count }),
        acquire: (options) => semaphore.acquire({ permits: count, ...options }),
        inspect: () => semaphore.inspect(),
        forceRelease: () => semaphore.forceRelease(),
      };
    },
    shows(state, lease, world) {
      expect(state).toMatchObject({ acquired: count, available: PERMITS - count });
      expect([lease.holds, lease.permits.length]).toEqual([count, count]);
      world.saw(lease.token, "same");
      return state.remaining;
    },
    async refuses(world) {
      expect(await theirs(world).tryAcquire({ permits: PERMITS - count + 1 })).toBeNull();
    },
    async take(world) {
      const lease = await theirs(world).tryAcquire({ permits: count });
      if (!lease) throw new Error("there should be permits enough");
      return lease;
    },
    async staysFree(world) {
      expect(await theirs(world).inspect()).toMatchObject({ acquired: 0, available: PERMITS });
    },
  };
}

const waiting = (name: string, fair: boolean): Site =>
  sites.acquire(permits(3, fair), name, (world) => semaphoreOf(world.theirs, world).acquire({ permits: 4 }));

const releasePermits: Site = {
  name: "releasePermits",
  script: "semaphore-close",
  patient: true,
  async arrange(world) {
    const lease = await semaphoreOf(world.ours, world).acquire({ permits: 3 });
    let released: boolean | undefined;
    const kept = sites.standing(
      permits(1),
      world,
      () => lease,
      () => 0,
    );
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
      unchanged: () => sites.isHeld(permits(3), world, lease, () => 0),
    };
  },
};

/** Permits are spent once, and the others return. */
const spend = (
  name: string,
  patient: boolean,
  spends: (lease: SemaphoreLease, world: World) => Promise<void>,
): Site => ({
  name,
  script: "semaphore-spend",
  patient,
  async arrange(world) {
    const theirs = world.theirs.semaphore(world.name);
    await theirs.setPermits(PERMITS);
    const lease = await world.ours.semaphore(world.name).acquire({ permits: 3 });
    const kept = await theirs.acquire({ permits: 1 });
    return {
      async act(arm) {
        arm();
        await spends(lease, world);
      },
      async worked() {
        expect(await theirs.inspect()).toMatchObject({ permits: PERMITS - 2, acquired: 1 });
        expect([lease.remaining, lease.signal.aborted, await kept.verify()]).toEqual([0, true, true]);
      },
      async unchanged() {
        expect(await theirs.inspect()).toMatchObject({ permits: PERMITS, acquired: 4 });
      },
      async end() {
        expect(await lease.release()).toBe(false);
        await kept.release();
        await theirs.addPermits(2);
      },
      async ended() {
        expect(await theirs.inspect()).toMatchObject({ permits: PERMITS, acquired: 0 });
      },
    };
  },
});

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
        const { waiting } = await sites.waits(world, "held", arm, () => ours.acquire({ permits: 3, wait: "8s" }));
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
  sites.tryAcquire(permits(3), "tryAcquire of permits"),
  waiting("acquire of permits, waiting", false),
  waiting("acquire of permits, waiting in a queue", true),
  sites.extend(permits(3), "extend of permits"),
  releasePermits,
  sites.release(permits(3), "release of permits", permits(PERMITS)),
  spend("spend of permits (51.3)", false, (lease) => lease.spend(2)),
  spend("spend of permits by a ticket (51.3)", false, async (lease, world) => {
    const resumed = await world.ours.semaphore(world.name).resume(lease.ticket());
    await resumed.spend(2);
    await lease.spend(2);
  }),
];
export const counterSites: readonly Site[] = [
  ...changes(semaphoreOf, "semaphore", false),
  ...changes(counterOf, "counter", true),
  give,
  taking("tryAcquire of a counter", false),
  taking("acquire of a counter, waiting", true),
];
