import { describe, expect, it } from "vitest";
import type { Latch } from "../../../src/index.ts";
import { answerLost, onItsWay, unheard, wrongToken } from "../../faults/faults.ts";
import { fails } from "../../faults/play.ts";
import { overcomesAll } from "../../faults/suite.ts";
import { startWorld, type World } from "../../faults/world.ts";
import { pause, useStack } from "../../support/use-stack.ts";
import { latchSites } from "./sites.ts";

overcomesAll("latch", latchSites);

const stack = useStack({ warm: true });

it.concurrent.each(latchSites)("a wrong API token changes nothing: $name", async (site) => {
  await fails(stack, "own transport", site, [wrongToken], "unauthorized");
});

/**
 * Copies stay valid for as long as an attempt may take, so that `notAfter` does not answer in the place of the rule
 * attacked.
 */
const patient = (world: World): Latch => world.client({ requestTimeout: "20s" }).latch(world.name);

describe("attack 12: a countDown of generation 1 arrives in generation 2", () => {
  it.each([
    ["a party", "us"],
    ["nobody named", undefined],
  ])("by %s: it is not counted, and says that its generation is over", async (_, party) => {
    await using world = await startWorld(stack);
    const latch = world.theirs.latch(world.name);
    await latch.trySetCount(1);
    world.proxy.next("latch-down", onItsWay);
    // The copy is on its way while a second attempt counts.
    expect(await patient(world).countDown(party)).toBe(0);
    expect(await latch.trySetCount(2)).toBe(true);
    expect(await world.proxy.deliver()).toEqual(["left"]);
    expect(await world.proxy.replay("latch-down")).toEqual(["left", "left"]);
    expect(await latch.count()).toBe(2);
    // A party that counted in the first counts in this one all the same.
    expect(await latch.countDown("us")).toBe(1);
  });

  it("also when the question came in one generation and the count in another", async () => {
    await using world = await startWorld(stack);
    const latch = world.theirs.latch(world.name);
    await latch.trySetCount(1);
    world.proxy.next("latch-down", async ({ forward, answer }) => {
      await latch.countDown("them");
      await latch.trySetCount(2);
      answer(await forward());
    });
    expect(await patient(world).countDown("us")).toBe(0);
    expect(await latch.count()).toBe(2);
  });

  it("nor in a latch that took its place after a removal: then nobody knows", async () => {
    await using world = await startWorld(stack);
    const latch = world.theirs.latch(world.name);
    await latch.trySetCount(2);
    world.proxy.next("latch-down", async ({ forward, answer }) => {
      await latch.forceRelease();
      await latch.trySetCount(2);
      answer(await forward());
    });
    await expect(patient(world).countDown("us")).rejects.toMatchObject({ code: "state_lost" });
    expect(await latch.count()).toBe(2);
  });
});

describe.concurrent("no answer until the budget ends", () => {
  it("countDown is unknown, and the same party again counts once", async () => {
    await using world = await startWorld(stack);
    await world.theirs.latch(world.name).trySetCount(3);
    const latch = world.ours.latch(world.name);
    const stop = world.proxy.always("latch-down", unheard);
    const error = await latch.countDown("us").catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "outcome_unknown" });
    world.keepsSecrets(error);
    stop();
    expect(await latch.countDown("us")).toBe(2);
    await world.proxy.replay();
    expect(await latch.count()).toBe(2);
  });

  it("trySetCount is unknown, and no copy sets it after its time-out", async () => {
    await using world = await startWorld(stack);
    const latch = world.ours.latch(world.name);
    const stop = world.proxy.always("latch-set", onItsWay);
    const error = await latch.trySetCount(3).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "outcome_unknown" });
    world.keepsSecrets(error);
    stop();
    await pause(450);
    const late = await world.proxy.deliver();
    expect(late.length).toBeGreaterThan(1);
    expect(new Set(late)).toEqual(new Set(["late"]));
    expect(await latch.inspect()).toMatchObject({ state: "free", generation: 0 });
  });

  it("wait throws: unknown is not false", async () => {
    await using world = await startWorld(stack);
    await world.theirs.latch(world.name).trySetCount(1);
    world.proxy.always("latch-wait", answerLost);
    const waiting = world.ours.latch(world.name).wait({ wait: "600ms" });
    await expect(waiting).rejects.toMatchObject({ code: "outcome_unknown" });
  });
});

describe.concurrent("what was set stays set once", () => {
  it("a duplicate of trySetCount sets nothing anew: at zero, in the next generation, after a removal", async () => {
    await using world = await startWorld(stack);
    const latch = patient(world);
    const copies = (): Promise<string[]> => world.proxy.replay("latch-set");
    await latch.trySetCount(1);
    await latch.countDown();
    expect(await copies()).toEqual(["set"]);
    expect(await latch.inspect()).toMatchObject({ state: "open", of: 1 });
    await latch.trySetCount(2);
    await latch.countDown();
    await latch.countDown();
    expect(await copies()).toEqual(["set", "set"]);
    expect(await latch.inspect()).toMatchObject({ state: "open", of: 2 });
    await latch.forceRelease();
    expect(await copies()).toEqual(["set", "set"]);
    expect(await latch.inspect()).toMatchObject({ state: "free" });
  });

  it("who set it is not forgotten among many who were refused", async () => {
    await using world = await startWorld(stack);
    const latch = patient(world);
    await latch.trySetCount(2);
    const others = await Promise.all(Array.from({ length: 40 }, () => world.theirs.latch(world.name).trySetCount(2)));
    expect(new Set(others)).toEqual(new Set([false]));
    expect(await world.proxy.replay("latch-set")).toEqual(["set"]);
  });

  it("a duplicate of a refused one does not set it once zero is reached", async () => {
    await using world = await startWorld(stack);
    const latch = patient(world);
    await world.theirs.latch(world.name).trySetCount(1);
    expect(await latch.trySetCount(7)).toBe(false);
    await latch.countDown();
    expect(await world.proxy.replay("latch-set")).toEqual(["refused"]);
    expect(await latch.inspect()).toMatchObject({ state: "open", of: 1 });
  });
});
