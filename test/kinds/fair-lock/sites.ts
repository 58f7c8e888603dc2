import { expect } from "vitest";
import { type Lease, LockTimeoutError } from "../../../src/index.ts";
import type { Site } from "../../faults/site.ts";
import { isHeld, left, standing } from "../../faults/sites.ts";
import { LEASE_MS, type World } from "../../faults/stage.ts";
import { pause } from "../../support/names.ts";
import { exclusive, sitesOf } from "../lock/sites.ts";

const fair = exclusive("fairLock", {
  acquire: "fair-acquire",
  extend: "crowd-extend",
  close: "fair-close",
  force: "crowd-force",
});

async function queued({ theirs, name }: World, count: number): Promise<void> {
  while ((await theirs.fairLock(name).inspect()).waiters !== count) await pause(5);
}

/** The faults meet it as it joins the queue, and go on to its next polls. */
const join: Site = {
  name: "acquire, joining the queue",
  script: "fair-acquire",
  patient: true,
  async arrange(world) {
    const before = await fair.take(world);
    const start = performance.now();
    let lease: Lease | null = null;
    const kept = standing(
      fair,
      world,
      () => lease,
      () => left(LEASE_MS, start),
    );
    return {
      ...kept,
      async act(arm) {
        arm();
        const waiting = world.ours.fairLock(world.name).acquire({ wait: "8s" });
        waiting.catch(() => {});
        await queued(world, 1);
        expect(await before.release()).toBe(true);
        lease = await waiting;
      },
      async worked() {
        await kept.worked();
        await queued(world, 0);
      },
      async unchanged() {
        await before.release();
        lease = await fair.take(world);
      },
    };
  },
};

/**
 * Its wait ends. The place goes with it; if the server never hears of that, then when the waiter should have been back.
 */
const leave: Site = {
  name: "acquire, leaving the queue",
  script: "fair-close",
  patient: false,
  async arrange(world) {
    const holder = await fair.take(world);
    const worked = async (): Promise<void> => {
      await isHeld(fair, world, holder, () => 0);
      await queued(world, 0);
    };
    return {
      ...standing(
        fair,
        world,
        () => holder,
        () => 0,
      ),
      async act(arm) {
        arm();
        const waiting = world.ours.fairLock(world.name).acquire({ wait: 100 });
        await expect(waiting).rejects.toThrow(LockTimeoutError);
      },
      worked,
      unchanged: worked,
    };
  },
};

export const fairSites: readonly Site[] = [...sitesOf(fair), join, leave];
