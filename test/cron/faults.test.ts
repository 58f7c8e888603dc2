import { describe, expect, it } from "vitest";
import { lastRun, runCron } from "../../src/cron/index.ts";
import { redisFence } from "../../src/fence/index.ts";
import { answerLost, heldBack, onItsWay, transientOf, unheard } from "../faults/faults.ts";
import { startWorld, type World } from "../faults/world.ts";
import type { Fault } from "../support/proxy.ts";
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

/** A request of the protocol: its script, and how many of that script go before it. */
interface Step {
  readonly name: string;
  readonly script: string;
  readonly before: number;
}
const pass: Fault = async ({ forward, answer }) => answer(await forward());
const meets = (world: World, { script, before }: Step, list: readonly Fault[]): void =>
  world.proxy.next(script, ...Array.from({ length: before }, () => pass), ...list);

const begin: Step = { name: "begin", script: "once-begin", before: 0 };
const acquire: Step = { name: "acquire", script: "lock-acquire", before: 0 };
const recordStart: Step = { name: "the record of the start", script: "fence-write", before: 0 };
const complete: Step = { name: "complete", script: "once-complete", before: 0 };
const recordEnd: Step = { name: "the record of the end", script: "fence-write", before: 1 };
const release: Step = { name: "release", script: "lock-close", before: 0 };
const fail: Step = { name: "fail", script: "once-close", before: 0 };

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

describe.concurrent.each([begin, acquire, recordStart, complete, recordEnd, release])(
  "a run overcomes, at $name",
  (step) => {
    it.each(faults)("%s", async (_, list, requestTimeout) => {
      await using world = await startWorld(stack);
      const { name, theirs, proxy } = world;
      const ours = world.client({ requestTimeout });
      let runs = 0;
      let running = 0;
      meets(world, step, list);
      const report = await runCron({ locks: ours, name, slot: SLOT }, async () => {
        runs++;
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
  },
);

describe.concurrent.each([fail, recordEnd])("a run that fails overcomes, at $name", (step) => {
  it.each(faults)("%s", async (_, list, requestTimeout) => {
    await using world = await startWorld(stack);
    const { name, theirs, proxy } = world;
    const ours = world.client({ requestTimeout });
    meets(world, step, list);
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

it("when a run has been answered the next may begin, however long its release took", async () => {
  await using world = await startWorld(stack);
  const { name, theirs, proxy } = world;
  proxy.next("lock-close", async ({ forward, answer }) => {
    await pause(200);
    answer(await forward());
  });
  await runCron({ locks: world.client({ requestTimeout: "10s" }), name, slot: SLOT }, () => {});
  expect(proxy.unmet()).toBe(0);
  expect(await theirs.lock(`cron:${name}`).inspect()).toMatchObject({ state: "free" });
});

describe.concurrent("without any answer", () => {
  it.each([begin, acquire, recordStart])("at $name it does not run, and leaves nothing behind", async (step) => {
    await using world = await startWorld(stack);
    const { name, theirs, proxy } = world;
    proxy.always(step.script, heldBack);
    const options = { locks: world.client({ requestTimeout: 150 }), lease: 1000 };
    const failed = runCron({ ...options, name, slot: SLOT }, () => expect.unreachable("it must not run"));
    await expect(failed).rejects.toMatchObject({ code: expect.stringMatching(/^(lock_timeout|outcome_unknown)$/) });
    // A request that is still on its way comes too late.
    await proxy.deliver();
    expect(await runCron({ locks: theirs, name, slot: SLOT }, () => {})).toMatchObject({ status: "ran" });
  });

  it.each([begin, acquire, recordStart])(
    "at $name, though it was done, the slot is free again at the end of the lease",
    async (step) => {
      await using world = await startWorld(stack);
      const { name, theirs, proxy } = world;
      const options = { locks: world.client({ requestTimeout: 100 }), lease: 300 };
      proxy.next(step.script, unheard);
      // From then on nothing gets through at all.
      proxy.always(({ script }) => script !== step.script && proxy.count(step.script) > 0, heldBack);
      proxy.next(step.script, heldBack, heldBack, heldBack, heldBack, heldBack, heldBack);
      const failed = runCron({ ...options, name, slot: SLOT }, () => expect.unreachable("it must not run"));
      await expect(failed).rejects.toMatchObject({ code: expect.stringMatching(/^(lock_timeout|outcome_unknown)$/) });
      const next = await runCron({ locks: theirs, name, slot: NEXT }, () => {});
      if (next.status === "skipped: still running") await pause(next.retryAfterMs);
      expect((await runCron({ locks: theirs, name, slot: NEXT }, () => {})).status).toMatch(/ran$/);
      const same = await runCron({ locks: theirs, name, slot: SLOT }, () => {});
      if (same.status === "skipped: still running") {
        expect(same.retryAfterMs).toBeLessThanOrEqual(2306);
        await pause(same.retryAfterMs);
        expect((await runCron({ locks: theirs, name, slot: SLOT }, () => {})).status).toBe("ran");
      } else expect(same.status).toBe("ran");
    },
  );

  it("after a later run has begun, the error reports that run and not the outage", async () => {
    await using world = await startWorld(stack);
    const { name, theirs, proxy } = world;
    proxy.next("fence-write", async (exchange) => {
      await redisFence(theirs).claim({ name: `cron-last:${name}`, token: Number.MAX_SAFE_INTEGER });
      proxy.always("once-begin", heldBack);
      await pass(exchange);
    });
    const locks = world.client({ requestTimeout: 300 });
    const failed = runCron({ locks, name, slot: SLOT }, () => expect.unreachable("it must not run"));
    await expect(failed).rejects.toMatchObject({ code: "stale_token", seen: Number.MAX_SAFE_INTEGER });
  });

  it("when the work is done it says so, and leaves the slot to its lease rather than begin it again", async () => {
    await using world = await startWorld(stack);
    const { name, theirs, proxy } = world;
    let runs = 0;
    proxy.always("once-complete", onItsWay);
    const options = { locks: world.client({ requestTimeout: 300 }), lease: "10s" } as const;
    const report = runCron({ ...options, name, slot: SLOT }, () => void runs++);
    await expect(report).rejects.toMatchObject({ code: "outcome_unknown" });
    expect(await lastRun(theirs, name)).toMatchObject({ outcome: "ran" });
    const same = await runCron({ locks: theirs, name, slot: SLOT }, () => void runs++);
    expect(same.status).toBe("skipped: still running");
    expect(runs).toBe(1);
    expect(await runCron({ locks: theirs, name, slot: NEXT }, () => {})).toMatchObject({ status: "ran" });
  });

  it("when the answer to complete is lost for good, it still ran once", async () => {
    await using world = await startWorld(stack);
    const { name, theirs, proxy } = world;
    proxy.next("once-complete", answerLost);
    proxy.always("once-complete", heldBack);
    proxy.next("once-complete", answerLost);
    const options = { locks: world.client({ requestTimeout: 300 }), lease: "10s" } as const;
    await runCron({ ...options, name, slot: SLOT }, () => {}).catch(() => {});
    await proxy.deliver();
    const later = await runCron({ locks: theirs, name, slot: SLOT }, () => {});
    expect(later.status).toMatch(/^skipped/);
  });

  it("no record of the end, no release: the run counts, and the next waits for the lease at most", async () => {
    await using world = await startWorld(stack);
    const { name, theirs, proxy } = world;
    const options = { locks: world.client({ requestTimeout: 300 }), lease: 2000 };
    const report = await runCron({ ...options, name, slot: SLOT }, () => {
      proxy.always("fence-write", heldBack);
      proxy.always("lock-close", heldBack);
    });
    expect(report.status).toBe("ran");
    const next = await runCron({ locks: theirs, name, slot: NEXT }, () => {});
    if (next.status === "skipped: still running") {
      expect(next.retryAfterMs).toBeLessThanOrEqual(2000);
      await pause(next.retryAfterMs);
      expect((await runCron({ locks: theirs, name, slot: NEXT }, () => {})).status).toBe("ran");
    } else expect(next.status).toBe("ran");
    // The record of the first one's end arrives now, and does not hide the later run.
    await proxy.deliver();
    expect(await lastRun(theirs, name)).toMatchObject({ slot: NEXT, outcome: "ran" });
  });
});
