import { expect } from "vitest";
import { type Lease, type Locks, LockTimeoutError } from "../../src/index.ts";
import { lockSites } from "./lock-sites.ts";
import { isFree, isHeld, type Site, staysFree } from "./site.ts";
import type { World } from "./world.ts";

const SCRIPTS: Record<string, string> = {
  "lock-acquire": "fair-acquire",
  "lock-close": "fair-close",
  "hold-extend": "crowd-extend",
  "record-force": "crowd-force",
  "record-inspect": "crowd-inspect",
};
const scriptOf = <M>(match: M): M | string => SCRIPTS[match as string] ?? match;

/** A world whose locks are fair. */
function fairWorld(world: World): World {
  const fair = (locks: Locks): Locks => ({ ...locks, lock: locks.fairLock });
  const { proxy } = world;
  return {
    ...world,
    ours: fair(world.ours),
    theirs: fair(world.theirs),
    proxy: { ...proxy, arrived: (match, count) => proxy.arrived(scriptOf(match), count) },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

const fairly = (site: Site): Site => ({
  ...site,
  script: scriptOf(site.script),
  arrange: (world) => site.arrange(fairWorld(world)),
});

async function queued({ theirs, name }: World, count: number): Promise<void> {
  while ((await theirs.fairLock(name).inspect()).waiters !== count) await new Promise((done) => setTimeout(done, 5));
}

/** The faults meet it as it joins the queue, and go on to its next polls. */
const join: Site = {
  name: "acquire, joining the queue",
  script: "lock-acquire",
  patient: true,
  async arrange(world) {
    const before = await isFree(world);
    let lease: Lease | null = null;
    return {
      async act(arm) {
        arm();
        const waiting = world.ours.lock(world.name).acquire({ wait: "8s" });
        waiting.catch(() => {});
        await queued(world, 1);
        expect(await before.release()).toBe(true);
        lease = await waiting;
      },
      async worked() {
        await isHeld(world, lease, () => 0);
        await queued(world, 0);
      },
      async unchanged() {
        await before.release();
        lease = await isFree(world);
      },
      async end() {
        expect(await lease?.release()).toBe(true);
        await staysFree(world);
      },
      ended: () => staysFree(world),
    };
  },
};

/** Its wait ends. The place goes with it; if the server never hears of that, then when the waiter should have been back. */
const leave: Site = {
  name: "acquire, leaving the queue",
  script: "lock-close",
  patient: false,
  async arrange(world) {
    const holder = await isFree(world);
    const worked = async (): Promise<void> => {
      await isHeld(world, holder, () => 0);
      await queued(world, 0);
    };
    return {
      async act(arm) {
        arm();
        const waiting = world.ours.lock(world.name).acquire({ wait: 100 });
        await expect(waiting).rejects.toThrow(LockTimeoutError);
      },
      worked,
      unchanged: worked,
      async end() {
        expect(await holder.release()).toBe(true);
        await staysFree(world);
      },
      ended: () => staysFree(world),
    };
  },
};

export const fairSites: readonly Site[] = [...lockSites, join, leave].map(fairly);
