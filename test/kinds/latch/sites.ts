import { expect } from "vitest";
import { constantBackoff, type Latch, type LatchState } from "../../../src/index.ts";
import type { Scene, Site } from "../../faults/site.ts";
import { forcing, reading, waits } from "../../faults/sites.ts";
import type { World } from "../../faults/stage.ts";

const OF = 3;
const NEXT = 5;

const ourLatch = ({ ours, name }: World): Latch => ours.latch(name);
const theirLatch = ({ theirs, name }: World): Latch => theirs.latch(name);

/** The rest and the count, and whether the generation is still the same. */
async function isAt(world: World, count: number, of: number, generation?: number): Promise<number> {
  const state = await theirLatch(world).inspect();
  expect(state).toMatchObject({ state: count > 0 ? "counting" : "open", count, of });
  if (generation !== undefined) expect(state.generation).toBe(generation);
  world.saw(state.generation, "same");
  world.keepsSecrets(state);
  return state.generation;
}

async function set(world: World, count = OF): Promise<number> {
  expect(await theirLatch(world).trySetCount(count)).toBe(true);
  return isAt(world, count, count);
}

/** By our client, so that its requests are among those that arrive again. */
async function countToZero(world: World): Promise<void> {
  while ((await ourLatch(world).countDown()) > 0);
}

/** Counted down to zero, where every copy of what was sent finds it. */
function atZero(world: World, of = OF): Pick<Scene, "end" | "ended"> {
  let generation: number | undefined;
  const ended = async (): Promise<void> => {
    generation = await isAt(world, 0, of, generation);
  };
  return {
    ended,
    async end() {
      await countToZero(world);
      await ended();
    },
  };
}

/** Counted down to zero and set again: every copy of what was sent finds another generation. */
function setAnew(world: World): Pick<Scene, "end" | "ended"> {
  let generation: number | undefined;
  const ended = async (): Promise<void> => {
    generation = await isAt(world, NEXT, NEXT, generation);
  };
  return {
    ended,
    async end() {
      await countToZero(world);
      expect(await ourLatch(world).trySetCount(NEXT)).toBe(true);
      await ended();
    },
  };
}

/** `rest` is how it goes on after the call, and what the copies find then. */
const trySetCount = (name: string, rest: (world: World) => Pick<Scene, "end" | "ended">): Site => ({
  name,
  script: "latch-set",
  patient: false,
  async arrange(world) {
    let done: boolean | undefined;
    let generation: number | undefined;
    return {
      ...rest(world),
      async act(arm) {
        arm();
        done = await ourLatch(world).trySetCount(OF);
      },
      async worked() {
        expect(done).toBe(true);
        generation = await isAt(world, OF, OF, generation);
        expect(await theirLatch(world).trySetCount(OF + 1)).toBe(false);
      },
      async unchanged() {
        expect(await theirLatch(world).inspect()).toMatchObject({ state: "free", generation: 0 });
        generation = await set(world);
      },
    };
  },
});

const refusedSet: Site = {
  name: "trySetCount of one that is counting",
  script: "latch-set",
  patient: false,
  async arrange(world) {
    const generation = await set(world);
    let done: boolean | undefined;
    return {
      ...atZero(world),
      async act(arm) {
        arm();
        done = await ourLatch(world).trySetCount(OF + 1);
      },
      async worked() {
        expect(done).toBe(false);
        await isAt(world, OF, OF, generation);
      },
      async unchanged() {
        await isAt(world, OF, OF, generation);
      },
    };
  },
};

const countDown = (
  name: string,
  script: string,
  call: (latch: Latch, generation: number) => Promise<number>,
  rest: (world: World) => Pick<Scene, "end" | "ended">,
): Site => ({
  name,
  script,
  patient: false,
  async arrange(world) {
    const generation = await set(world);
    let left: number | undefined;
    return {
      ...rest(world),
      async act(arm) {
        arm();
        left = await call(ourLatch(world), generation);
      },
      async worked() {
        expect(left).toBe(OF - 1);
        await isAt(world, OF - 1, OF, generation);
      },
      async unchanged() {
        await isAt(world, OF, OF, generation);
      },
    };
  },
});

const wait: Site = {
  name: "wait",
  script: "latch-wait",
  patient: true,
  async arrange(world) {
    const generation = await set(world, 1);
    let reached: boolean | undefined;
    return {
      ...setAnew(world),
      async act(arm) {
        const { waiting } = await waits(world, "counting", arm, () =>
          ourLatch(world).wait({ wait: "8s", backoff: constantBackoff(50) }),
        );
        expect(await theirLatch(world).countDown("them", { generation })).toBe(0);
        reached = await waiting;
      },
      async worked() {
        expect(reached).toBe(true);
        await isAt(world, 0, 1, generation);
      },
      async unchanged() {
        await isAt(world, 0, 1, generation);
      },
    };
  },
};

const readingOf = <T>(
  name: string,
  read: (latch: Latch) => Promise<T>,
  right: (got: T, generation: number) => void,
): Site =>
  reading<T>(name, "record-inspect", async (world) => {
    const generation = await set(world);
    return {
      ...setAnew(world),
      read: () => read(ourLatch(world)),
      right: (got) => right(got, generation),
      async unchanged() {
        await isAt(world, OF, OF, generation);
      },
    };
  });

const forceRelease: Site = forcing("forceRelease of a latch", "crowd-force", async (world) => {
  const generation = await set(world);
  await theirLatch(world).countDown("them");
  let next: number | undefined;
  return {
    ...setAnew(world),
    force: () => ourLatch(world).forceRelease(),
    async worked() {
      // Somebody has set it since: what arrives late must not touch that.
      next ??= await set(world);
      expect(next).toBeGreaterThan(generation);
      await isAt(world, OF, OF, next);
    },
    async unchanged() {
      await isAt(world, OF - 1, OF, generation);
    },
  };
});

export const latchSites: readonly Site[] = [
  trySetCount("trySetCount, then down to zero", atZero),
  trySetCount("trySetCount, then set anew", setAnew),
  refusedSet,
  countDown(
    "countDown of a generation",
    "latch-down",
    (latch, generation) => latch.countDown("us", { generation }),
    setAnew,
  ),
  countDown(
    "countDown of a generation, by nobody named",
    "latch-down",
    (latch, generation) => latch.countDown(undefined, { generation }),
    atZero,
  ),
  countDown("countDown of the present generation", "latch-down", (latch) => latch.countDown("us"), setAnew),
  countDown("countDown, at its question for the generation", "record-inspect", (latch) => latch.countDown(), setAnew),
  wait,
  readingOf(
    "count",
    (latch) => latch.count(),
    (got) => expect(got).toBe(OF),
  ),
  readingOf<LatchState>(
    "inspect of a latch",
    (latch) => latch.inspect(),
    (got, generation) => expect(got).toMatchObject({ state: "counting", count: OF, of: OF, generation }),
  ),
  forceRelease,
];
