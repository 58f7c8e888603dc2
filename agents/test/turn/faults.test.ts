import { describe, expect, it } from "vitest";
import type { Locks } from "../../../src/index.ts";
import { transientOf } from "../../../test/faults/faults.ts";
import type { Site } from "../../../test/faults/site.ts";
import { freed } from "../../../test/faults/sites.ts";
import { overcomesAll } from "../../../test/faults/suite.ts";
import { startWorld } from "../../../test/faults/world.ts";
import { exclusive } from "../../../test/kinds/lock/sites.ts";
import { useStack } from "../../../test/support/use-stack.ts";
import { turn } from "../../src/index.ts";

const conversation = exclusive("fairLock", {
  acquire: "fair-acquire",
  extend: "crowd-extend",
  close: "fair-close",
  force: "crowd-force",
});

/** A turn that takes the conversation from a running one; `script` is the request that meets the faults. */
const supersede = (script: string): Site => ({
  name: `turn, supersede: ${script}`,
  script,
  patient: true,
  async arrange(world) {
    const before = await conversation.take(world);
    let begins = 0;
    return {
      ...freed(conversation, world, async () => {
        expect(await before.verify()).toBe(false);
        expect(begins).toBe(1);
      }),
      async act(arm) {
        arm();
        await turn(world.ours, world.name, { onBusy: "supersede" }, async ({ token }) => {
          begins++;
          world.saw(token);
          expect(await world.theirs.fairLock(world.name).inspect()).toMatchObject({ state: "held", token });
        });
      },
      async unchanged() {
        expect(await before.release()).toBe(true);
      },
    };
  },
});

overcomesAll("turn", [supersede("fair-supersede"), supersede("fair-close")]);

const TIMEOUT_MS = 2500;
const stack = useStack({ warm: true });

/** A turn of the same message, with one step. It looks for newer turns rarely. */
const answer = (locks: Locks, name: string, work: () => unknown, lease?: number): Promise<unknown> =>
  turn(locks, name, { onBusy: "supersede", id: "message", lease, checkEvery: "1m" }, ({ step }) =>
    step("book", work as () => number),
  );

describe.concurrent.each(["held-begin", "once-complete"])("a step of a turn overcomes, at %s (50.3)", (script) => {
  it.each(Object.entries(transientOf("step", TIMEOUT_MS)))("%s", async (_, faults) => {
    await using world = await startWorld(stack);
    const ours = world.client({ requestTimeout: TIMEOUT_MS });
    let runs = 0;
    const book = (): number => ++runs;
    // On a busy machine the first look for newer turns may share the request.
    world.proxy.next(({ scripts }) => scripts.includes(script), ...faults);
    expect(await answer(ours, world.name, book)).toBe(1);
    expect(world.proxy.unmet()).toBe(0);
    for (const late of [() => world.proxy.deliver(), () => world.proxy.replay()]) {
      await late();
      expect(await answer(world.theirs, world.name, book)).toBe(1);
    }
    expect(runs).toBe(1);
    expect(await world.theirs.fairLock(world.name).inspect()).toMatchObject({ state: "free" });
  });
});

describe.concurrent("a step that fails overcomes, at its failure (50.3)", () => {
  it.each(Object.entries(transientOf("step", TIMEOUT_MS)))("%s", async (_, faults) => {
    await using world = await startWorld(stack);
    const { name, theirs, proxy } = world;
    let runs = 0;
    proxy.next("once-close", ...faults);
    const failing = answer(world.client({ requestTimeout: TIMEOUT_MS }), name, () => {
      runs++;
      throw new Error("the source is down");
    });
    await expect(failing).rejects.toThrow("the source is down");
    expect(proxy.unmet()).toBe(0);
    await proxy.deliver();
    // The next turn need not wait for the end of a lease of 30 s, and no copy undoes what it did.
    expect(await answer(theirs, name, () => ++runs)).toBe(2);
    for (const order of ["forward", "backward"] as const) {
      await proxy.replay(undefined, order);
      expect(await answer(theirs, name, () => ++runs)).toBe(2);
    }
    expect(runs).toBe(2);
  });
});

/** Its extension comes after a third of it, and leaves time for a try that gets no answer and another one. */
const EXTENDED_MS = 6000;

describe.concurrent.each([
  ["of the step", "hold-extend"],
  ["of its turn", "crowd-extend"],
])("a step overcomes, at the extension %s (50.3)", (_, script) => {
  it.each(Object.entries(transientOf("step", TIMEOUT_MS)))("%s", async (__, faults) => {
    await using world = await startWorld(stack);
    const { name, theirs, proxy } = world;
    let runs = 0;
    proxy.next(script, ...faults);
    const work = async (): Promise<number> => {
      runs++;
      await proxy.arrived(script, faults.length);
      await proxy.deliver();
      return runs;
    };
    expect(await answer(world.client({ requestTimeout: TIMEOUT_MS }), name, work, EXTENDED_MS)).toBe(1);
    expect(proxy.unmet()).toBe(0);
    for (const late of [() => proxy.deliver(), () => proxy.replay()]) {
      await late();
      expect(await answer(theirs, name, work)).toBe(1);
    }
    expect(runs).toBe(1);
    expect(await theirs.fairLock(name).inspect()).toMatchObject({ state: "free" });
  });
});
