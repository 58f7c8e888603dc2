import { expect } from "vitest";
import { turn } from "../../src/agent/index.ts";
import type { Site } from "../faults/site.ts";
import { freed } from "../faults/sites.ts";
import { overcomesAll } from "../faults/suite.ts";
import { exclusive } from "../kinds/lock/sites.ts";

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
