import { expect } from "vitest";
import type { Lease, LockState, Locks, MultiLease, MultiLock } from "../../../src/index.ts";
import type { Scene, Site } from "../../faults/site.ts";
import { LEASE_MS, type World } from "../../faults/world.ts";

/** Either form, with what both have. */
type Several = MultiLock<MultiLease, LockState>;
type Held = MultiLease | Lease | null;

interface Form {
  readonly name: string;
  /** Over three names of its own for each world. */
  several(world: World, locks: Locks): Several;
  single(world: World, locks: Locks, at: number): ReturnType<Locks["lock"]>;
}

/** In the order in which those of several slots are acquired. */
export const namesOf = ({ name }: World): readonly string[] => [1, 2, 3].map((n) => `${name}-${n}`);

export const oneSlot: Form = {
  name: "one slot",
  several: (world, locks) => locks.multiLock(namesOf(world), { group: "faults" }) as unknown as Several,
  single: (world, locks, at) => locks.lock(namesOf(world)[at] ?? "", { group: "faults" }),
};
export const severalSlots: Form = {
  name: "several slots",
  several: (world, locks) => locks.multiLock(namesOf(world)) as unknown as Several,
  single: (world, locks, at) => locks.lock(namesOf(world)[at] ?? ""),
};

/** At least so much is left of `ms` that were granted after `start`. Exact: to be called after the server was asked. */
const left = (ms: number, start: number): number => ms - (performance.now() - start);

function saw(world: World, lease: MultiLease, same?: "same"): void {
  for (const token of Object.values(lease.tokens).sort((a, b) => a - b)) world.saw(token, same);
}

/** All are held by this lease and nobody else. */
async function isHeld(form: Form, world: World, lease: Held, leastMs: () => number): Promise<void> {
  if (!lease) throw new Error("there should be a lease");
  const all = form.several(world, world.theirs);
  const states = await all.inspect();
  const local = lease.remaining;
  for (const name of namesOf(world)) {
    const state = states[name];
    expect(state).toMatchObject({ state: "held", token: lease.tokens[name], holds: 1 });
    if (state?.state !== "held") continue;
    expect(state.remaining).toBeGreaterThanOrEqual(leastMs());
    expect(local).toBeLessThanOrEqual(state.remaining);
  }
  expect(local).toBeGreaterThan(0);
  expect(lease.signal.aborted).toBe(false);
  expect(await all.tryAcquire()).toBeNull();
  expect(await form.single(world, world.theirs, 1).tryAcquire()).toBeNull();
  expect(await lease.verify()).toBe(true);
  world.keepsSecrets(lease);
}

/** All are free with one try; gives the lease of whoever asked. */
export async function isFree(form: Form, world: World): Promise<MultiLease> {
  const lease = await form.several(world, world.theirs).tryAcquire();
  if (!lease) throw new Error("all should be free");
  saw(world, lease, "same");
  return lease;
}

export async function staysFree(form: Form, world: World): Promise<void> {
  expect(await (await isFree(form, world)).release()).toBe(true);
  for (const state of Object.values(await form.several(world, world.theirs).inspect())) {
    expect(state).toMatchObject({ state: "free" });
  }
}

function standing(form: Form, world: World, lease: () => Held, leastMs: () => number) {
  return {
    worked: () => isHeld(form, world, lease(), leastMs),
    async end() {
      expect(await lease()?.release()).toBe(true);
      await staysFree(form, world);
    },
    ended: () => staysFree(form, world),
  };
}

function freed(form: Form, world: World, worked: () => Promise<void> | void) {
  let next: MultiLease | undefined;
  return {
    async worked() {
      await worked();
      next ??= await isFree(form, world);
      await isHeld(form, world, next, () => 0);
    },
    async end() {
      expect(await next?.release()).not.toBe(false);
      await staysFree(form, world);
    },
    ended: () => staysFree(form, world),
  };
}

/** `untouched`: so many requests of the script pass before the faults begin. */
const tryAcquire = (form: Form, untouched = 0): Site => ({
  name: `${form.name}, tryAcquire${untouched ? ` at part ${untouched + 1}` : ""}`,
  script: "lock-acquire",
  patient: false,
  async arrange(world): Promise<Scene> {
    await staysFree(form, world);
    const start = performance.now();
    let lease: Held = null;
    return {
      ...standing(
        form,
        world,
        () => lease,
        () => left(LEASE_MS, start),
      ),
      async act(arm) {
        for (let n = 0; n < untouched; n++)
          world.proxy.next("lock-acquire", async ({ forward, answer }) => answer(await forward()));
        arm();
        lease = await form.several(world, world.ours).tryAcquire();
      },
      async unchanged() {
        lease = await isFree(form, world);
      },
    };
  },
});

/** Somebody has one of them; those before it are held meanwhile. */
const acquire = (form: Form, taken: number): Site => ({
  name: `${form.name}, acquire, waiting for part ${taken + 1}`,
  script: "lock-acquire",
  patient: true,
  async arrange(world) {
    const before = await form.single(world, world.theirs, taken).acquire();
    const start = performance.now();
    let lease: Held = null;
    return {
      ...standing(
        form,
        world,
        () => lease,
        () => left(LEASE_MS, start),
      ),
      async act(arm) {
        const waiting = form.several(world, world.ours).acquire({ wait: "8s" });
        waiting.catch(() => {});
        await world.proxy.arrived(({ answers }) => answers.includes("held"));
        arm();
        expect(await before.release()).toBe(true);
        lease = await waiting;
      },
      async unchanged() {
        lease = await isFree(form, world);
      },
    };
  },
});

const extend = (form: Form): Site => ({
  name: `${form.name}, extend`,
  script: "hold-extend",
  patient: true,
  async arrange(world) {
    const start = performance.now();
    const lease = await form.several(world, world.ours).tryAcquire();
    const least = { ms: LEASE_MS, start };
    return {
      ...standing(
        form,
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
      unchanged: () => isHeld(form, world, lease, () => left(LEASE_MS, start)),
    };
  },
});

const verify = (form: Form): Site => ({
  name: `${form.name}, verify`,
  script: "hold-extend",
  patient: false,
  async arrange(world) {
    const start = performance.now();
    const lease = await form.several(world, world.ours).tryAcquire();
    let ours: boolean | undefined;
    const kept = standing(
      form,
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
});

const release = (form: Form): Site => ({
  name: `${form.name}, release`,
  script: "lock-close",
  patient: true,
  async arrange(world) {
    const lease = await form.several(world, world.ours).tryAcquire();
    let released: boolean | undefined;
    return {
      ...freed(form, world, async () => {
        expect(released).toBe(true);
        expect([lease?.remaining, lease?.signal.aborted, await lease?.verify()]).toEqual([0, true, false]);
        await expect(lease?.extend()).rejects.toMatchObject({ code: "lease_lost", reason: "released" });
      }),
      async act(arm) {
        arm();
        released = await lease?.release();
      },
      async unchanged() {
        expect(await lease?.release()).toBe(true);
      },
    };
  },
});

const inspect = (form: Form): Site => ({
  name: `${form.name}, inspect`,
  script: "record-inspect",
  patient: false,
  async arrange(world) {
    const start = performance.now();
    const lease = await isFree(form, world);
    let states: Readonly<Record<string, LockState>> = {};
    const kept = standing(
      form,
      world,
      () => lease,
      () => left(LEASE_MS, start),
    );
    return {
      ...kept,
      async act(arm) {
        arm();
        states = await form.several(world, world.ours).inspect();
      },
      async worked() {
        for (const name of namesOf(world))
          expect(states[name]).toMatchObject({ state: "held", token: lease.tokens[name] });
        await kept.worked();
      },
      unchanged: kept.worked,
    };
  },
});

const forceRelease = (form: Form): Site => ({
  name: `${form.name}, forceRelease`,
  script: "record-force",
  patient: false,
  async arrange(world) {
    const before = await isFree(form, world);
    let had: boolean | undefined;
    return {
      ...freed(form, world, async () => {
        expect(had).toBe(true);
        expect(await before.verify()).toBe(false);
      }),
      async act(arm) {
        arm();
        had = await form.several(world, world.ours).forceRelease();
      },
      async unchanged() {
        await before.release();
      },
    };
  },
});

/** One request each: any number of its attempts may fail, in any order. */
export const oneSlotSites: readonly Site[] = [
  tryAcquire(oneSlot),
  acquire(oneSlot, 1),
  extend(oneSlot),
  verify(oneSlot),
  release(oneSlot),
];

export const severalSlotsSites: readonly Site[] = [
  tryAcquire(severalSlots, 1),
  tryAcquire(severalSlots, 2),
  acquire(severalSlots, 1),
];

/** A request for each part at once: which of them meets the fault is left to chance. */
export const atOnceSites: readonly Site[] = [
  inspect(oneSlot),
  forceRelease(oneSlot),
  extend(severalSlots),
  verify(severalSlots),
  release(severalSlots),
];
