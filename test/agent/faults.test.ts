import { describe, expect, it } from "vitest";
import { turn } from "../../src/agent/index.ts";
import { transientOf } from "../faults/faults.ts";
import type { Site } from "../faults/site.ts";
import { freed } from "../faults/sites.ts";
import { overcomesAll } from "../faults/suite.ts";
import { startWorld } from "../faults/world.ts";
import { exclusive } from "../kinds/lock/sites.ts";
import { useStack } from "../support/use-stack.ts";

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

describe.concurrent.each(["held-begin", "once-complete"])("a step of a turn overcomes, at %s (50.3)", (script) => {
  it.each(Object.entries(transientOf("step", TIMEOUT_MS)))("%s", async (_, faults) => {
    await using world = await startWorld(stack);
    const ours = world.client({ requestTimeout: TIMEOUT_MS });
    let runs = 0;
    const answer = (locks: typeof ours): Promise<number> =>
      turn(locks, world.name, { onBusy: "supersede", id: "message" }, ({ step }) => step("book", () => ++runs));
    world.proxy.next(script, ...faults);
    expect(await answer(ours)).toBe(1);
    expect(world.proxy.unmet()).toBe(0);
    for (const late of [() => world.proxy.deliver(), () => world.proxy.replay()]) {
      await late();
      expect(await answer(world.theirs)).toBe(1);
    }
    expect(runs).toBe(1);
    expect(await world.theirs.fairLock(world.name).inspect()).toMatchObject({ state: "free" });
  });
});
