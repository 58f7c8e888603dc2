import { describe, expect, it } from "vitest";
import {
  answerLost,
  heldBack,
  instead,
  internalError,
  rateLimited,
  transientOf,
  unheard,
  wrongToken,
} from "../../faults/faults.ts";
import { overcomes } from "../../faults/play.ts";
import { overcomesAll } from "../../faults/suite.ts";
import { startWorld, TIMEOUT_MS, type World, wayOf } from "../../faults/world.ts";
import type { Seen } from "../../support/proxy.ts";
import { useStack } from "../../support/use-stack.ts";
import { atOnceSites, namesOf, oneSlot, oneSlotSites, severalSlots, severalSlotsSites } from "./sites.ts";

overcomesAll("multi-lock", [...oneSlotSites, ...severalSlotsSites]);

const stack = useStack({ warm: true });
const faults = Object.entries(transientOf("multiLock", TIMEOUT_MS));
describe.concurrent.each(atOnceSites)("multi-lock: $name", (site) => {
  it.each(faults)("overcomes: %s", async (_, list) => {
    await overcomes(stack, wayOf("multi-lock"), site, list);
  });
});

describe.concurrent("several slots: what fails at the second part leaves nothing of the first", () => {
  const second = (world: World, script: string) => (seen: Seen) =>
    seen.script === script && seen.body.includes(`${namesOf(world)[1]}}`);

  /**
   * After everything that is still on its way has arrived, and again after all of it has arrived once more, but for
   * what was refused.
   */
  async function nothingIsLeft(world: World): Promise<void> {
    await severalSlots.staysFree(world);
    await world.proxy.deliver();
    await severalSlots.staysFree(world);
    for (const order of ["forward", "backward"] as const) {
      await world.proxy.replay(({ answers }) => answers.some((status) => !/^HTTP |^held$/.test(status)), order);
      await severalSlots.staysFree(world);
    }
  }

  it.each([
    ["never arrives in time", heldBack],
    ["runs, and nobody hears of it", unheard],
    ["runs, and every answer is lost", answerLost],
  ])("tryAcquire: it %s", async (_, fault) => {
    await using world = await startWorld(stack);
    world.proxy.always(second(world, "lock-acquire"), fault);
    // Time enough for the roll-back on a busy machine too.
    const ours = world.client({ requestTimeout: 1_000 });
    expect(await severalSlots.several(world, ours).tryAcquire()).toBeNull();
    expect(world.events.filter(({ type }) => type === "refused")).toEqual([]);
    await nothingIsLeft(world);
  });

  it.each([
    ["is not authorized", wrongToken, "unauthorized"],
    ["is asked to slow down", instead(rateLimited(60)), "rate_limited"],
    ["is refused", instead(internalError), "redis_error"],
  ])("acquire: it %s", async (_, fault, code) => {
    await using world = await startWorld(stack);
    world.proxy.always(second(world, "lock-acquire"), fault);
    await expect(severalSlots.several(world, world.ours).acquire({ wait: 600 })).rejects.toMatchObject({ code });
    await nothingIsLeft(world);
  });

  it("says that it does not know when the roll-back has no answer either", async () => {
    await using world = await startWorld(stack);
    const holder = await severalSlots.single(world, world.theirs, 1).acquire();
    const stop = world.proxy.always("lock-close", unheard);
    const all = severalSlots.several(world, world.ours);
    await expect(all.tryAcquire()).rejects.toMatchObject({ code: "outcome_unknown" });
    stop();
    await holder.release();
    await nothingIsLeft(world);
  });

  it("a release with one unanswered part throws, has released the others, and can be retried", async () => {
    await using world = await startWorld(stack);
    // Over a connection of its own: the parts of one connection are released by one request.
    const [first = "", other = "", third = ""] = namesOf(world);
    const all = world.ours.multiLock([first, world.client().lock(other), third]);
    const lease = await all.acquire({ lease: 1_000 });
    const stop = world.proxy.always(second(world, "lock-close"), instead(internalError));
    await expect(lease.release()).rejects.toMatchObject({ code: "outcome_unknown" });
    expect(await severalSlots.single(world, world.theirs, 0).tryAcquire()).not.toBeNull();
    expect(await severalSlots.single(world, world.theirs, 1).tryAcquire()).toBeNull();
    stop();
    expect(await lease.release()).toBe(true);
    expect(await severalSlots.single(world, world.theirs, 1).tryAcquire()).not.toBeNull();
  });

  it("an extend that only some parts heard promises no more than the one that did not", async () => {
    await using world = await startWorld(stack);
    const lease = await severalSlots.several(world, world.ours).acquire({ lease: 2500 });
    world.proxy.always(second(world, "hold-extend"), heldBack);
    await expect(lease.extend("1h")).rejects.toMatchObject({
      code: expect.stringMatching(/lease_lost|outcome_unknown/),
    });
    expect(lease.remaining).toBeLessThanOrEqual(2500);
    await lease.release();
    await nothingIsLeft(world);
  });
});

describe.concurrent("one slot", () => {
  it("an acquire that never arrives in time leaves nothing, and its copies come to nothing", async () => {
    await using world = await startWorld(stack);
    world.proxy.always("group-acquire", heldBack);
    const ours = world.client({ requestTimeout: 1_000 });
    expect(await oneSlot.several(world, ours).tryAcquire()).toBeNull();
    await oneSlot.staysFree(world);
    await world.proxy.deliver();
    const lease = await oneSlot.take(world);
    await world.proxy.replay();
    expect(await lease.verify()).toBe(true);
  });
});
