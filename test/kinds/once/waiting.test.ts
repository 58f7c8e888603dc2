import { describe, expect, it } from "vitest";
import { constantBackoff, createLocks, type Locks, type OnceOptions } from "../../../src/index.ts";
import { answerLost, heldBack, onItsWay } from "../../faults/faults.ts";
import { started } from "../../faults/site.ts";
import { startWorld } from "../../faults/world.ts";
import { freshName, pause, useStack } from "../../support/use-stack.ts";

const stack = useStack({ warm: true });
const locks = (): Locks => createLocks({ url: stack.url, token: stack.token });
const never = (): never => expect.unreachable("the work must not run");
const often = { wait: "10s", backoff: constantBackoff("20ms") } as const;

/** An attempt that runs until the test ends it. */
async function running(key: string, options?: OnceOptions) {
  return started(await locks().once(key, options).begin());
}

/** A back-off of long pauses, and when the first one begins: the waiter has then been told that an attempt runs. */
function sleepy(ms: number): { readonly backoff: () => number; readonly asleep: Promise<void> } {
  let fallAsleep = (): void => {};
  const asleep = new Promise<void>((resolve) => {
    fallAsleep = resolve;
  });
  return {
    asleep,
    backoff() {
      fallAsleep();
      return ms;
    },
  };
}

describe.concurrent("run with wait", () => {
  it("gives the result of the attempt that runs elsewhere, and neither runs the work nor sends more", async () => {
    await using world = await startWorld(stack);
    const turn = started(await world.theirs.once(world.name).begin());
    const waiting = world.ours.once(world.name).run(often, never);
    await world.proxy.arrived(({ answers }) => answers.includes("running"));
    await turn.complete({ access: "token" });
    expect(await waiting).toEqual({
      status: "done",
      stored: true,
      result: { access: "token" },
      token: turn.lease.token,
      fresh: false,
    });
    expect(world.proxy.count(({ answers }) => answers.includes("done"))).toBe(1);
    expect(world.proxy.count("once-close")).toBe(0);
  });

  it("hands over to one of the waiters when the attempt fails, and the others get that one's result", async () => {
    const key = freshName();
    const turn = await running(key);
    let runs = 0;
    const waiting = Array.from({ length: 8 }, () =>
      locks()
        .once(key)
        .run(often, async ({ attempt }) => {
          runs++;
          await pause(100);
          return attempt;
        }),
    );
    await pause(100);
    await turn.fail();
    for (const outcome of await Promise.all(waiting)) expect(outcome).toMatchObject({ status: "done", result: 2 });
    expect(runs).toBe(1);
  });

  it("hands over when the attempt dies, whose late result is refused", async () => {
    const key = freshName();
    const dead = await running(key, { lease: "2s" });
    const outcome = await locks()
      .once(key)
      .run({ wait: "10s" }, () => "by a waiter");
    expect(outcome).toMatchObject({ status: "done", result: "by a waiter", fresh: true });
    await expect(dead.complete("late")).rejects.toMatchObject({ code: "lease_lost", reason: "taken" });
  });

  it("throws what its own work throws, and the next waiter has its turn", async () => {
    const key = freshName();
    const turn = await running(key);
    let runs = 0;
    const work = async (): Promise<string> => {
      if (++runs === 1) throw new Error("refused by the provider");
      return "second";
    };
    const both = [locks().once(key).run(often, work), locks().once(key).run(often, work)];
    const settled = Promise.allSettled(both);
    await turn.fail();
    const reasons = (await settled).map((each) =>
      each.status === "fulfilled" ? each.value.status === "done" && each.value.result : each.reason.message,
    );
    expect(reasons.sort()).toEqual(["refused by the provider", "second"]);
  });

  it("gives a result to a waiter that slept through its whole ttl, and to nobody who comes later", async () => {
    const key = freshName();
    const short = { ttl: "150ms", lease: "20s" } as const;
    const turn = await running(key, short);
    const { backoff, asleep } = sleepy(1000);
    const waiting = locks().once(key, short).run({ wait: "10s", backoff }, never);
    await asleep;
    await turn.complete("brief");
    await pause(300);
    expect(await waiting).toMatchObject({ status: "done", result: "brief", token: turn.lease.token, fresh: false });
    const next = await locks()
      .once(key, short)
      .run(often, () => "anew");
    expect(next).toMatchObject({ result: "anew", fresh: true });
  });

  it("gives a waiter the newer result when another attempt has begun since its own was forgotten", async () => {
    const key = freshName();
    const short = { ttl: "100ms", lease: "20s" } as const;
    const turn = await running(key, short);
    const { backoff, asleep } = sleepy(1500);
    const waiting = locks().once(key, short).run({ wait: "10s", backoff }, never);
    await asleep;
    await turn.complete("older");
    await pause(150);
    const second = await running(key, short);
    await pause(1500);
    await second.complete("newer");
    expect(await waiting).toMatchObject({ status: "done", result: "newer", fresh: false });
  });

  it("throws a LockTimeoutError at the end of the wait, which says how long the attempt still has", async () => {
    const key = freshName();
    const turn = await running(key, { lease: "20s" });
    for (const options of [{ wait: "200ms" }, { wait: 0 }, { wait: "10s", maxPolls: 2 }] as const) {
      const error = await locks()
        .once(key)
        .run(options, never)
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ name: "LockTimeoutError", code: "lock_timeout" });
      expect((error as { remainingMs: number }).remainingMs).toBeGreaterThan(10_000);
    }
    expect(await locks().once(key).run(never)).toMatchObject({ status: "running" });
    await turn.complete("still ours");
    expect(await locks().once(key).inspect()).toMatchObject({ state: "done", attempts: 1 });
  });

  it("ends with the signal's reason, and a duplicate of its polls starts nothing", async () => {
    await using world = await startWorld(stack);
    const turn = started(await world.theirs.once(world.name).begin());
    const caller = new AbortController();
    const outcome = world.ours
      .once(world.name)
      .run({ wait: "10s", signal: caller.signal }, never)
      .catch((thrown: unknown) => thrown);
    await world.proxy.arrived("once-begin");
    caller.abort("enough");
    expect(await outcome).toBe("enough");
    await world.proxy.arrived("once-close");
    await turn.fail();
    expect(new Set(await world.proxy.replay("once-begin"))).toEqual(new Set(["closed"]));
    expect(started(await world.theirs.once(world.name).begin()).attempt).toBe(2);
  });

  it("learns at once that no attempt is left, also after a failure that used the last one", async () => {
    const key = freshName();
    const options = { maxAttempts: 1 };
    const turn = await running(key, options);
    const waiting = locks().once(key, options).run(often, never);
    await pause(50);
    await turn.fail();
    expect(await waiting).toEqual({ status: "exhausted", attempts: 1 });
    expect(await locks().once(key, options).run(often, never)).toEqual({ status: "exhausted", attempts: 1 });
  });

  it("does not wait behind another fingerprint", async () => {
    const key = freshName();
    await running(key, { fingerprint: "one" });
    expect(await locks().once(key, { fingerprint: "two" }).run({ wait: "1h" }, never)).toEqual({ status: "mismatch" });
  });

  it("refuses options that cannot be, and sends nothing", async () => {
    await using world = await startWorld(stack);
    const once = world.ours.once(world.name);
    await expect(once.run({ wait: "soon" as never }, never)).rejects.toThrow(TypeError);
    await expect(once.run({ wait: -1 }, never)).rejects.toThrow(RangeError);
    await expect(once.run({ wait: 10, maxPolls: 0 }, never)).rejects.toThrow(RangeError);
    await expect(once.run({ wait: 10, backoff: 5 as never }, never)).rejects.toThrow(TypeError);
    expect(world.proxy.count()).toBe(0);
  });
});

describe.concurrent("run with wait, when answers are lost", () => {
  it("a result whose answer is lost is asked for again, and its id is closed (R4)", async () => {
    await using world = await startWorld(stack);
    const turn = started(await world.theirs.once(world.name).begin());
    const waiting = world.ours.once(world.name).run(often, never);
    await world.proxy.arrived(({ answers }) => answers.includes("running"));
    world.proxy.next("once-begin", answerLost);
    await turn.complete("whole");
    expect(await waiting).toMatchObject({ status: "done", result: "whole" });
    expect(world.proxy.count(({ answers }) => answers.includes("done"))).toBe(2);
    expect(world.proxy.unmet()).toBe(0);
  });

  it("a start whose answer is lost is the waiter's when it asks again, and counts once (R3a)", async () => {
    await using world = await startWorld(stack);
    const turn = started(await world.theirs.once(world.name).begin());
    let runs = 0;
    const waiting = world.ours.once(world.name).run(often, ({ attempt }) => {
      runs++;
      return attempt;
    });
    await world.proxy.arrived(({ answers }) => answers.includes("running"));
    world.proxy.next(({ script }) => script === "once-begin", answerLost, answerLost);
    await turn.fail();
    expect(await waiting).toMatchObject({ status: "done", result: 2, fresh: true });
    expect(runs).toBe(1);
  });

  it("a poll that arrives after the wait is over starts nothing (R3b)", async () => {
    await using world = await startWorld(stack);
    const client = world.client({ requestTimeout: "20s" });
    const turn = started(await world.theirs.once(world.name).begin());
    const waiting = client
      .once(world.name)
      .run({ wait: "600ms", maxPolls: 2, backoff: () => 50 }, never)
      .catch((thrown: unknown) => thrown);
    await world.proxy.arrived(({ answers }) => answers.includes("running"));
    world.proxy.next("once-begin", onItsWay);
    expect(await waiting).toBeInstanceOf(Error);
    await turn.fail();
    expect(await world.proxy.deliver("once-begin")).toEqual(["closed"]);
    expect(started(await world.theirs.once(world.name).begin()).attempt).toBe(2);
  });

  it("a result that comes after a poll was held back counts, and the late poll starts nothing", async () => {
    await using world = await startWorld(stack);
    const short = { ttl: "200ms" } as const;
    const turn = started(await world.theirs.once(world.name, short).begin());
    const waiting = world.ours.once(world.name, short).run(often, never);
    await world.proxy.arrived(({ answers }) => answers.includes("running"));
    // No answer for longer than the result is remembered.
    world.proxy.next("once-begin", heldBack);
    await turn.complete("brief");
    expect(await waiting).toMatchObject({ status: "done", result: "brief" });
    await world.proxy.deliver("once-begin");
    expect(await world.theirs.once(world.name, short).inspect()).toMatchObject({ state: "free" });
  });
});

// Alone, since so many keep the others waiting.
it("run with wait runs the work once for 50 that come at once, all of which get its result", async () => {
  const key = freshName();
  let runs = 0;
  let requests = 0;
  const counted: typeof fetch = (...args) => {
    requests++;
    return fetch(...args);
  };
  const work = async (): Promise<number> => {
    await pause(300);
    return ++runs;
  };
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, () =>
      createLocks({ url: stack.url, token: stack.token, fetch: counted }).once(key).run({ wait: "20s" }, work),
    ),
  );
  expect(runs).toBe(1);
  expect(new Set(outcomes.map((each) => each.status === "done" && each.result))).toEqual(new Set([1]));
  expect(outcomes.filter((each) => each.status === "done" && each.fresh)).toHaveLength(1);
  // An even pace of 50 ms would be some 300 in as long, and each result costs no more than the poll that finds it.
  expect(requests).toBeLessThan(50 * 8);
});
