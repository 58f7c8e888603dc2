import { describe, expect, it } from "vitest";
import { lastRun, runCron } from "../../src/cron/index.ts";
import { answerLost, heldBack, onItsWay, transientOf, unheard } from "../faults/faults.ts";
import { startWorld, type World } from "../faults/world.ts";
import { pause, useStack } from "../support/use-stack.ts";

const stack = useStack({ warm: true });
const SLOT = "2026-11-21T03:00:00.000Z";
const NEXT = "2026-11-22T03:00:00.000Z";
/** The time-out of all attempts where a fault holds one up. */
const TIMEOUT_MS = 2500;
/** The time-out of all others: they wait for none, so that it may be long for when the machine is busy. */
const PATIENT_MS = 8000;
const HELD_UP = ["answer later than the time-out", "unanswered, and arrives after the caller gave up"];
const all = transientOf("cron", TIMEOUT_MS);
if (!HELD_UP.every((name) => name in all)) throw new Error("a fault has another name now");
const faults = Object.entries(all).map(
  ([name, list]) => [name, list, HELD_UP.includes(name) ? TIMEOUT_MS : PATIENT_MS] as const,
);

/** A request of the protocol. */
interface Step {
  readonly name: string;
  readonly script: string;
}

const begin: Step = { name: "begin", script: "cron-begin" };
const extend: Step = { name: "an extension", script: "group-extend" };
const end: Step = { name: "end", script: "held-end" };

/** The slot has run, is known to have, and nothing of it stands in the way of the next. */
async function isOver(world: World, token: number): Promise<void> {
  const { name, theirs } = world;
  const nothing = (): never => expect.unreachable("it ran already");
  expect(await runCron({ locks: theirs, name, slot: SLOT }, nothing)).toMatchObject({
    status: "skipped: already ran",
    token,
  });
  expect(await theirs.lock(`cron:${name}`).inspect()).toMatchObject({ state: "free" });
  expect(await lastRun(theirs, name)).toMatchObject({ outcome: "ran", slot: SLOT, token });
}

describe.concurrent.each([begin, extend, end])("a run overcomes, at $name (50.1)", (step) => {
  it.each(faults)("%s", async (_, list, requestTimeout) => {
    await using world = await startWorld(stack);
    const { name, theirs, proxy } = world;
    const ours = world.client({ requestTimeout });
    let runs = 0;
    let running = 0;
    proxy.next(step.script, ...list);
    const report = await runCron({ locks: ours, name, slot: SLOT }, async ({ lease }) => {
      runs++;
      if (step === extend) await lease.extend("70s");
      // The others see that it runs, whatever was lost on the way here.
      const other = await runCron({ locks: theirs, name, slot: NEXT }, () => void running++);
      expect(other.status).toBe("skipped: still running");
      await proxy.deliver();
    });
    expect(proxy.unmet()).toBe(0);
    expect(report).toMatchObject({ status: "ran", attempt: 1 });
    const token = report.status === "ran" ? report.token : 0;
    await isOver(world, token);
    // Neither the requests that are still on their way nor a copy of each request of the story changes anything.
    await proxy.deliver();
    await isOver(world, token);
    await proxy.replay();
    await isOver(world, token);
    await proxy.replay(undefined, "backward");
    await isOver(world, token);
    expect([runs, running]).toEqual([1, 0]);
    expect(await runCron({ locks: theirs, name, slot: NEXT }, () => void runs++)).toMatchObject({ status: "ran" });
    expect(runs).toBe(2);
    world.keepsSecrets(report);
  });
});

describe.concurrent("a run that fails overcomes, at its end (50.1)", () => {
  it.each(faults)("%s", async (_, list, requestTimeout) => {
    await using world = await startWorld(stack);
    const { name, theirs, proxy } = world;
    const ours = world.client({ requestTimeout });
    proxy.next(end.script, ...list);
    await expect(runCron({ locks: ours, name, slot: SLOT }, () => Promise.reject(new Error("work")))).rejects.toThrow(
      "work",
    );
    expect(proxy.unmet()).toBe(0);
    expect(await lastRun(theirs, name)).toMatchObject({ outcome: "failed", error: "Error: work", attempt: 1 });
    await proxy.deliver();
    const again = await runCron({ locks: theirs, name, slot: SLOT }, () => {});
    expect(again).toMatchObject({ status: "ran", attempt: 2 });
    await proxy.replay();
    await isOver(world, again.status === "ran" ? again.token : 0);
  });
});

it("when a run has been answered the next may begin, however long its end took", async () => {
  await using world = await startWorld(stack);
  const { name, theirs, proxy } = world;
  proxy.next(end.script, async ({ forward, answer }) => {
    await pause(200);
    answer(await forward());
  });
  await runCron({ locks: world.client({ requestTimeout: "10s" }), name, slot: SLOT }, () => {});
  expect(proxy.unmet()).toBe(0);
  expect(await theirs.lock(`cron:${name}`).inspect()).toMatchObject({ state: "free" });
});

describe.concurrent("without any answer", () => {
  it("it does not run, and leaves nothing behind", async () => {
    await using world = await startWorld(stack);
    const { name, theirs, proxy } = world;
    proxy.always(begin.script, heldBack);
    const options = { locks: world.client({ requestTimeout: 150 }), lease: 1000 };
    const failed = runCron({ ...options, name, slot: SLOT }, () => expect.unreachable("it must not run"));
    await expect(failed).rejects.toMatchObject({ code: expect.stringMatching(/^(lock_timeout|outcome_unknown)$/) });
    // A request that is still on its way comes too late.
    await proxy.deliver();
    expect(await runCron({ locks: theirs, name, slot: SLOT }, () => {})).toMatchObject({ status: "ran" });
  });

  it("though it began, the slot is free again at the end of the lease", async () => {
    await using world = await startWorld(stack);
    const { name, theirs, proxy } = world;
    const options = { locks: world.client({ requestTimeout: 100 }), lease: 300 };
    proxy.next(begin.script, unheard);
    // From then on nothing gets through at all.
    proxy.always(({ script }) => script !== begin.script && proxy.count(begin.script) > 0, heldBack);
    proxy.next(begin.script, heldBack, heldBack, heldBack, heldBack, heldBack, heldBack);
    const failed = runCron({ ...options, name, slot: SLOT }, () => expect.unreachable("it must not run"));
    await expect(failed).rejects.toMatchObject({ code: expect.stringMatching(/^(lock_timeout|outcome_unknown)$/) });
    for (const slot of [NEXT, SLOT]) {
      const other = await runCron({ locks: theirs, name, slot }, () => {});
      if (other.status === "skipped: still running") {
        expect(other.retryAfterMs).toBeLessThanOrEqual(300);
        await pause(other.retryAfterMs);
        expect((await runCron({ locks: theirs, name, slot }, () => {})).status).toBe("ran");
      } else expect(other.status).toBe("ran");
    }
  });

  it("when the work is done it says so, and leaves the slot to its lease rather than begin it again", async () => {
    await using world = await startWorld(stack);
    const { name, theirs, proxy } = world;
    let runs = 0;
    proxy.always(end.script, onItsWay);
    const options = { locks: world.client({ requestTimeout: 2000 }), lease: "20s" } as const;
    const report = runCron({ ...options, name, slot: SLOT }, () => void runs++);
    await expect(report).rejects.toMatchObject({ code: "outcome_unknown", operation: "complete" });
    expect(await lastRun(theirs, name)).toMatchObject({ outcome: "running" });
    for (const slot of [SLOT, NEXT]) {
      const other = await runCron({ locks: theirs, name, slot }, () => void runs++);
      expect(other.status).toBe("skipped: still running");
    }
    expect(runs).toBe(1);
    // The work was done, so that the end counts when it arrives.
    await proxy.deliver();
    const report2 = await runCron({ locks: theirs, name, slot: SLOT }, () => void runs++);
    expect([report2.status, runs]).toEqual(["skipped: already ran", 1]);
    expect(await lastRun(theirs, name)).toMatchObject({ outcome: "ran", slot: SLOT });
    expect(await runCron({ locks: theirs, name, slot: NEXT }, () => {})).toMatchObject({ status: "ran" });
  });

  it("an end that arrives after a later run has begun leaves that run and its record alone", async () => {
    await using world = await startWorld(stack);
    const { name, theirs, proxy } = world;
    proxy.always(end.script, heldBack);
    const options = { locks: world.client({ requestTimeout: 2000 }), lease: 2500, maxHold: 2500 } as const;
    await expect(runCron({ ...options, name, slot: SLOT }, () => {})).rejects.toThrow();
    await pause(2600);
    const later = await runCron({ locks: theirs, name, slot: NEXT }, async ({ lease }) => {
      await proxy.deliver();
      expect(await lease.verify()).toBe(true);
      expect(await lastRun(theirs, name)).toMatchObject({ slot: NEXT, outcome: "running" });
    });
    expect(later.status).toBe("ran");
    expect(await lastRun(theirs, name)).toMatchObject({ slot: NEXT, outcome: "ran" });
    // Its slot had no other run, so that it counts.
    expect((await runCron({ locks: theirs, name, slot: SLOT }, () => {})).status).toBe("skipped: already ran");
  });

  it("when the answer to the end is lost for good, it still ran once, and the next may run at once", async () => {
    await using world = await startWorld(stack);
    const { name, theirs, proxy } = world;
    let ends = 0;
    proxy.always(end.script, (exchange) => (ends++ === 0 ? answerLost : heldBack)(exchange));
    const options = { locks: world.client({ requestTimeout: 2000 }), lease: "20s" } as const;
    await runCron({ ...options, name, slot: SLOT }, () => {}).catch(() => {});
    for (const step of [async () => {}, () => proxy.deliver()]) {
      await step();
      await isOver(world, (await lastRun(theirs, name))?.token ?? 0);
    }
    expect((await runCron({ locks: theirs, name, slot: NEXT }, () => {})).status).toBe("ran");
  });
});
