import { expect } from "vitest";
import type { Lease, LockState } from "../../../src/index.ts";
import type { Site } from "../../faults/site.ts";
import * as sites from "../../faults/sites.ts";
import type { World } from "../../faults/stage.ts";

/** A lock that one at a time may hold, of either kind. */
export function exclusive(
  kind: "lock" | "fairLock",
  scripts: sites.Subject["scripts"],
): sites.Subject<Lease, LockState> {
  const subject: sites.Subject<Lease, LockState> = {
    scripts,
    of: (locks, { name }) => locks[kind](name),
    shows(state, lease, world) {
      expect(state).toMatchObject({ state: "held", token: lease.token, holds: 1 });
      world.saw(lease.token, "same");
      return state.state === "held" ? state.remaining : 0;
    },
    async refuses({ theirs, name }) {
      expect(await theirs[kind](name).tryAcquire()).toBeNull();
    },
    async take(world) {
      const lease = await world.theirs[kind](world.name).tryAcquire();
      if (!lease) throw new Error("the name should be free");
      world.saw(lease.token);
      return lease;
    },
    async staysFree(world) {
      expect(await (await subject.take(world)).release()).toBe(true);
      expect(await world.theirs[kind](world.name).inspect()).toMatchObject({ state: "free" });
    },
  };
  return subject;
}

export const sitesOf = (subject: sites.Subject<Lease, LockState>): readonly Site[] => [
  sites.tryAcquire(subject),
  sites.acquire(subject),
  sites.extend(subject),
  sites.release(subject),
  sites.inspect(subject),
  sites.verify(subject),
  sites.forceRelease(subject),
];

const lock = exclusive("lock", {
  acquire: "lock-acquire",
  extend: "hold-extend",
  close: "lock-close",
  force: "record-force",
});

export const lockSites: readonly Site[] = sitesOf(lock);

/**
 * The lock is held by `lease` and nobody else, for `leastMs()` more at least, and the lease says no more than the
 * server does.
 */
export async function isHeld(world: World, lease: Lease | null, leastMs: () => number): Promise<Lease> {
  await sites.isHeld(lock, world, lease, leastMs);
  return lease as Lease;
}

/** The lock is free with one request; gives the lease of whoever asked. */
export const isFree = (world: World): Promise<Lease> => lock.take(world);

/** The lock is free, and still free afterwards. */
export const staysFree = (world: World): Promise<void> => lock.staysFree(world);
