import { describe, expect, it } from "vitest";
import { isFree, staysFree } from "../kinds/lock/sites.ts";
import type { Fault } from "../support/proxy.ts";
import { pause, useStack } from "../support/use-stack.ts";
import { heldBack, onItsWay, slow, unheard } from "./faults.ts";
import { startWorld, type World } from "./world.ts";

const stack = useStack({ warm: true });
const REASON = new Error("the caller is gone");

/** The state of the request when the caller aborts. */
const flights: Record<string, Fault> = {
  "it ran, the answer is on its way": slow(250),
  "it ran, there is no answer": unheard,
  "it is held back": heldBack,
  "its connection broke, and it is on its way": onItsWay,
};

const calls: Record<string, { script: string; call: (world: World, signal: AbortSignal) => Promise<unknown> }> = {
  tryAcquire: {
    script: "lock-acquire",
    call: ({ ours, name }, signal) => ours.lock(name).tryAcquire({ signal }),
  },
  acquire: { script: "lock-acquire", call: ({ ours, name }, signal) => ours.lock(name).acquire({ signal }) },
  run: {
    script: "lock-acquire",
    call: ({ ours, name }, signal) => ours.lock(name).run({ signal }, () => expect.unreachable()),
  },
};

describe.each(Object.entries(flights))("abort in flight: %s", (_, fault) => {
  it.concurrent.each(Object.entries(calls))(
    "%s rejects with the reason, and nothing stays held",
    async (__, { script, call }) => {
      await using world = await startWorld(stack);
      // Learns the server's clock, so that copies are void only when their time-out is over.
      await world.ours.lock(world.name).inspect();
      const caller = new AbortController();
      world.proxy.next(script, fault);
      const outcome = call(world, caller.signal).catch((error: unknown) => error);
      while (world.proxy.count(script) === 0) await pause(2);
      await pause(10);
      caller.abort(REASON);
      expect(await outcome).toBe(REASON);
      await staysFree(world);
      await world.proxy.deliver();
      await world.proxy.replay(script);
      await staysFree(world);
    },
  );

  it.concurrent("begin rejects with the reason, and burns no attempt", async () => {
    await using world = await startWorld(stack);
    const caller = new AbortController();
    world.proxy.next("once-begin", fault);
    const once = world.ours.once(world.name, { maxAttempts: 1 });
    const outcome = once.begin({ signal: caller.signal }).catch((error: unknown) => error);
    while (world.proxy.count("once-begin") === 0) await pause(2);
    await pause(10);
    caller.abort(REASON);
    expect(await outcome).toBe(REASON);
    await world.proxy.deliver();
    expect(await world.theirs.once(world.name, { maxAttempts: 1 }).begin()).toMatchObject({
      status: "started",
      attempt: 1,
    });
  });
});

it("an abort whose cancel fails as well rejects with the reason too, and the lease ends by itself", async () => {
  await using world = await startWorld(stack);
  const caller = new AbortController();
  world.proxy.always(() => true, unheard);
  const outcome = world.ours.lock(world.name).tryAcquire({ lease: 800, signal: caller.signal });
  const error = outcome.catch((thrown: unknown) => thrown);
  await world.proxy.arrived("lock-acquire");
  caller.abort(REASON);
  expect(await error).toBe(REASON);
  const lease = await world.theirs.lock(world.name).acquire({ wait: "5s" });
  await lease.release();
});

it("an abort while it sleeps between polls ends it at once, and a poll that is on its way is cancelled", async () => {
  await using world = await startWorld(stack);
  const holder = await isFree(world);
  const caller = new AbortController();
  world.proxy.next("lock-acquire", onItsWay);
  const backoff = (): number => 60_000;
  const outcome = world.ours.lock(world.name).acquire({ wait: "1h", backoff, signal: caller.signal });
  const error = outcome.catch((thrown: unknown) => thrown);
  while (!world.events.some(({ type }) => type === "polled")) await pause(5);
  caller.abort(REASON);
  expect(await error).toBe(REASON);
  await holder.release();
  await world.proxy.deliver();
  await staysFree(world);
});

it("an abort before anything is sent sends nothing", async () => {
  await using world = await startWorld(stack);
  const signal = AbortSignal.abort(REASON);
  await expect(world.ours.lock(world.name).tryAcquire({ signal })).rejects.toBe(REASON);
  await expect(world.ours.once(world.name).begin({ signal })).rejects.toBe(REASON);
  expect(world.proxy.count()).toBe(0);
});
