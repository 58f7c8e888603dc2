import { expect } from "vitest";
import type { LockState, Locks, MultiLease, MultiLock } from "../../../src/index.ts";
import type { Site } from "../../faults/site.ts";
import * as sites from "../../faults/sites.ts";
import type { World } from "../../faults/stage.ts";

/** Either form, with what both have. */
type Several = MultiLock<MultiLease, LockState>;
type Single = ReturnType<Locks["lock"]>;
type States = Readonly<Record<string, LockState>>;

/** Over three names of its own for each world. */
export interface Form extends sites.Subject<MultiLease, States> {
  readonly several: (world: World, locks: Locks) => Several;
  readonly single: (world: World, locks: Locks, at: number) => Single;
  readonly sites: Readonly<Record<"extend" | "verify" | "release" | "inspect" | "forceRelease", Site>>;
  /** `untouched`: so many requests of the script pass before the faults begin. */
  tryAcquire(untouched?: number): Site;
  /** Somebody has one of the names; those before it are held meanwhile. */
  acquire(taken: number): Site;
}

/** In the order in which those of several slots are acquired. */
export const namesOf = ({ name }: World): readonly string[] => [1, 2, 3].map((n) => `${name}-${n}`);

function formOf(
  name: string,
  scripts: Pick<Form["scripts"], "acquire" | "extend" | "close">,
  several: Form["several"],
  single: Form["single"],
): Form {
  const subject: sites.Subject<MultiLease, States> = {
    scripts: { ...scripts, force: "record-force" },
    of: (locks, world) => several(world, locks),
    shows(states, lease, world) {
      return Math.min(
        ...namesOf(world).map((each) => {
          const state = states[each];
          expect(state).toMatchObject({ state: "held", token: lease.tokens[each], holds: 1 });
          return state?.state === "held" ? state.remaining : 0;
        }),
      );
    },
    async refuses(world) {
      expect(await several(world, world.theirs).tryAcquire()).toBeNull();
      expect(await single(world, world.theirs, 1).tryAcquire()).toBeNull();
    },
    async take(world) {
      const lease = await several(world, world.theirs).tryAcquire();
      if (!lease) throw new Error("all should be free");
      for (const token of Object.values(lease.tokens).sort((a, b) => a - b)) world.saw(token, "same");
      return lease;
    },
    async staysFree(world) {
      expect(await (await subject.take(world)).release()).toBe(true);
      for (const state of Object.values(await several(world, world.theirs).inspect()))
        expect(state).toMatchObject({ state: "free" });
    },
  };
  return {
    ...subject,
    several,
    single,
    tryAcquire: (untouched = 0) =>
      sites.tryAcquire(subject, `${name}, tryAcquire${untouched ? ` at part ${untouched + 1}` : ""}`, untouched),
    acquire: (taken) =>
      sites.acquire(subject, `${name}, acquire, waiting for part ${taken + 1}`, (world) =>
        single(world, world.theirs, taken).acquire(),
      ),
    sites: {
      extend: sites.extend(subject, `${name}, extend`),
      verify: sites.verify(subject, `${name}, verify`),
      release: sites.release(subject, `${name}, release`),
      inspect: sites.inspect(subject, `${name}, inspect`),
      forceRelease: sites.forceRelease(subject, `${name}, forceRelease`),
    },
  };
}

export const oneSlot: Form = formOf(
  "one slot",
  { acquire: "group-acquire", extend: "group-extend", close: "group-close" },
  (world, locks) => locks.group("faults").multiLock(namesOf(world)) as unknown as Several,
  (world, locks, at) => locks.group("faults").lock(namesOf(world)[at] ?? ""),
);
export const severalSlots: Form = formOf(
  "several slots",
  { acquire: "lock-acquire", extend: "hold-extend", close: "lock-close" },
  (world, locks) => locks.multiLock(namesOf(world)) as unknown as Several,
  (world, locks, at) => locks.lock(namesOf(world)[at] ?? ""),
);

/** One request each: any number of its attempts may fail, in any order. */
export const oneSlotSites: readonly Site[] = [
  oneSlot.tryAcquire(),
  oneSlot.acquire(1),
  oneSlot.sites.extend,
  oneSlot.sites.verify,
  oneSlot.sites.release,
];

export const severalSlotsSites: readonly Site[] = [
  severalSlots.tryAcquire(1),
  severalSlots.tryAcquire(2),
  severalSlots.acquire(1),
];

/** A request for each part at once: which of them meets the fault is left to chance. */
export const atOnceSites: readonly Site[] = [
  oneSlot.sites.inspect,
  oneSlot.sites.forceRelease,
  severalSlots.sites.extend,
  severalSlots.sites.verify,
  severalSlots.sites.release,
];
