import { describe, expect, it } from "vitest";
import { isFree, staysFree } from "../kinds/lock/sites.ts";
import type { Fault } from "../support/proxy.ts";
import { pause, useStack } from "../support/use-stack.ts";
import { answerLost, badGateway, heldBack, instead, onItsWay, reset, unheard } from "./faults.ts";
import { started } from "./site.ts";
import { startWorld, TIMEOUT_MS, type World } from "./world.ts";

const stack = useStack({ warm: true });

/** Nothing is answered: because it did not arrive, arrives later, or ran and nobody heard. Fast and slow failures. */
const silences: Record<string, Fault> = {
  "reset before it ran": reset,
  "answer lost after it ran": answerLost,
  "HTML with 502 and not run": instead(badGateway),
  "broken off, and arrives later": onItsWay,
  "held back, and arrives later": heldBack,
  "ran, and no answer": unheard,
};

const caught = (promise: Promise<unknown> | undefined): Promise<unknown> =>
  Promise.resolve(promise).then(
    (value) => value,
    (error: unknown) => error,
  );

/** Those on their way arrive now, and the name is as free as it was. */
async function nothingStays(world: World): Promise<void> {
  await staysFree(world);
  await world.proxy.deliver();
  await staysFree(world);
}

describe.concurrent.each(Object.entries(silences))("no answer until the budget ends: %s", (_, fault) => {
  it("tryAcquire gives null once its cancel got through", async () => {
    await using world = await startWorld(stack);
    world.proxy.always("lock-acquire", fault);
    expect(await world.ours.lock(world.name).tryAcquire()).toBeNull();
    expect(world.proxy.count("lock-acquire")).toBeGreaterThan(1);
    expect(world.proxy.count(({ answers }) => answers.includes("closed"))).toBe(1);
    expect(world.events.map(({ type }) => type)).not.toContain("refused");
    await nothingStays(world);
  });

  it("acquire throws LockTimeoutError once its cancel got through", async () => {
    await using world = await startWorld(stack);
    world.proxy.always("lock-acquire", fault);
    const error = await caught(world.ours.lock(world.name).acquire({ wait: 500 }));
    // Nobody said that a lease is in the way.
    expect(error).toMatchObject({ code: "lock_timeout", remainingMs: undefined });
    world.keepsSecrets(error);
    await nothingStays(world);
  });

  it("begin throws LockTimeoutError once its cancel got through, and burns no attempt", async () => {
    await using world = await startWorld(stack);
    const stop = world.proxy.always("once-begin", fault);
    const once = world.ours.once(world.name, { maxAttempts: 1 });
    const error = await caught(once.begin());
    expect(error).toMatchObject({ code: "lock_timeout" });
    world.keepsSecrets(error);
    stop();
    const turn = started(await once.begin());
    expect(turn.attempt).toBe(1);
    await world.proxy.deliver();
    expect(await turn.lease.verify()).toBe(true);
    await turn.complete();
  });

  it("and the cancel fails as well: the outcome is unknown, and the name frees by its lease", async () => {
    await using world = await startWorld(stack);
    world.proxy.always(() => true, fault);
    const one = world.ours.lock(world.name, { lease: 1500 });
    const turn = world.ours.once(`${world.name}-once`, { lease: 1500 });
    const errors = await Promise.all([caught(one.tryAcquire()), caught(turn.begin())]);
    for (const error of errors) {
      expect(error).toMatchObject({ name: "OutcomeUnknownError", code: "outcome_unknown" });
      world.keepsSecrets(error);
    }
    expect(world.events.filter(({ type }) => type === "unanswered").length).toBe(2);
    const lease = await world.theirs.lock(world.name).acquire({ wait: "5s" });
    await lease.release();
  });

  it("extend loses the lease at its deadline, and leaves no longer one on the server", async () => {
    await using world = await startWorld(stack);
    const lease = await world.ours.lock(world.name).tryAcquire({ lease: 2000 });
    // Less than what all attempts together take.
    await pause((lease?.remaining ?? 0) - 700);
    world.proxy.always("hold-extend", fault);
    const error = await caught(lease?.extend("1h"));
    expect(error).toMatchObject({ code: "lease_lost", reason: "expired" });
    expect([lease?.remaining, lease?.signal.aborted]).toEqual([0, true]);
    world.keepsSecrets(error);
    await nothingStays(world);
  });

  it("release throws OutcomeUnknownError, asks again when it is called again, and the lease ends anyway", async () => {
    await using world = await startWorld(stack);
    const lease = await world.ours.lock(world.name).tryAcquire({ lease: 1500 });
    const stop = world.proxy.always("lock-close", fault);
    const error = await caught(lease?.release());
    expect(error).toMatchObject({ code: "outcome_unknown" });
    world.keepsSecrets(error);
    stop();
    const asked = world.proxy.count("lock-close");
    await lease?.release();
    expect(world.proxy.count("lock-close")).toBe(asked + 1);
    expect(await lease?.release()).toBe(false);
    expect(world.proxy.count("lock-close")).toBe(asked + 1);
    await nothingStays(world);
  });

  it("inspect, verify, forceRelease and complete throw OutcomeUnknownError", async () => {
    await using world = await startWorld(stack);
    const lease = await world.ours.lock(world.name).tryAcquire();
    const turn = started(await world.ours.once(`${world.name}-once`).begin());
    const stop = world.proxy.always(() => true, fault);
    const one = world.ours.lock(world.name);
    const errors = await Promise.all([
      caught(one.inspect()),
      caught(lease?.verify()),
      caught(one.forceRelease()),
      caught(turn.complete("result")),
    ]);
    for (const error of errors) {
      expect(error).toMatchObject({ code: "outcome_unknown" });
      world.keepsSecrets(error);
    }
    stop();
    // A second call settles what the first left open.
    await turn.complete("result");
    expect(await world.theirs.once(`${world.name}-once`).begin()).toMatchObject({ status: "done", result: "result" });
    await one.forceRelease();
    expect(await lease?.verify()).toBe(false);
    const next = await isFree(world);
    // Copies of the first forceRelease may work until their time-out, which is a moment away at most.
    await pause(TIMEOUT_MS);
    await world.proxy.deliver();
    expect(await next.verify()).toBe(true);
  });
});
