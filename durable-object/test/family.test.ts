import { describe, expect, it } from "vitest";
import { lastRun, runCron } from "../../src/cron/index.ts";
import { redisFence } from "../../src/fence/index.ts";
import { dedupe } from "../../src/http/index.ts";
import { answerLost } from "../../test/faults/faults.ts";
import { startWorld } from "../../test/faults/world.ts";
import { freshName, useStack } from "../../test/support/use-stack.ts";

const stack = useStack({ warm: true, objects: true });
const SLOT = "2026-11-21T03:00:00.000Z";

describe.concurrent("over objects in workerd whose answers are lost", () => {
  it.each(["once-begin", "once-complete"])(
    "dedupe runs a delivery once, with the answer to %s lost",
    async (script) => {
      await using world = await startWorld(stack);
      world.proxy.next(script, answerLost);
      let runs = 0;
      const handler = dedupe({ locks: world.ours, key: () => world.name, replay: true }, () => {
        runs++;
        return new Response("done", { status: 201 });
      });
      const deliver = () => handler(new Request("https://app.invalid/hook", { method: "POST", body: "{}" }));
      for (let n = 0; n < 3; n++) {
        const response = await deliver();
        expect([response.status, await response.text()]).toEqual([201, "done"]);
      }
      expect([runs, world.proxy.unmet()]).toEqual([1, 0]);
      await world.proxy.replay();
      expect((await deliver()).status).toBe(201);
      expect(runs).toBe(1);
    },
  );

  it.each(["cron-begin", "group-extend", "held-end"])(
    "a cron runs a slot once, with the answer to %s lost",
    async (script) => {
      await using world = await startWorld(stack);
      const { name, ours, theirs, proxy } = world;
      proxy.next(script, answerLost);
      let runs = 0;
      const report = await runCron({ locks: ours, name, slot: SLOT }, async ({ lease }) => {
        runs++;
        await lease.extend();
        const other = await runCron({ locks: theirs, name, slot: SLOT }, () => void runs++);
        expect(other.status).toMatch(/^skipped/);
      });
      expect(report).toMatchObject({ status: "ran", attempt: 1 });
      expect(await runCron({ locks: theirs, name, slot: SLOT }, () => void runs++)).toMatchObject({
        status: "skipped: already ran",
      });
      await proxy.replay();
      expect(await lastRun(theirs, name)).toMatchObject({ outcome: "ran", slot: SLOT });
      expect([runs, proxy.unmet()]).toEqual([1, 0]);
    },
  );

  it("a fence runs a command once, and refuses an older token", async () => {
    await using world = await startWorld(stack);
    const { name, proxy } = world;
    const older = await world.ours.lock(name).acquire();
    await older.release();
    const newer = await world.theirs.lock(name).acquire();
    const [fence, direct] = [redisFence(world.ours), redisFence(world.theirs)];
    // A key of the fence is in the object of its name.
    const key = `{${name}}:count`;
    proxy.next("fence-call", answerLost);
    expect(await fence.call(newer, "INCRBY", key, 5)).toBe(5);
    await proxy.replay("fence-call");
    expect(await direct.call(newer, "GET", key)).toBe("5");
    await expect(fence.call(older, "INCRBY", key, 1)).rejects.toMatchObject({ name: "StaleTokenError" });
    expect(await direct.call(newer, "GET", key)).toBe("5");
  });

  it("a fence refuses a key of another object", async () => {
    const name = freshName();
    await using world = await startWorld(stack);
    const call = redisFence(world.ours).call({ name, token: 1 }, "INCR", "elsewhere");
    await expect(call).rejects.toThrow("same slot");
  });
});
