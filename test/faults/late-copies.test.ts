import { expect, it } from "vitest";
import { isFree, staysFree } from "../kinds/lock/sites.ts";
import { pause, useStack } from "../support/use-stack.ts";
import { heldBack, onItsWay, slow } from "./faults.ts";
import { started } from "./site.ts";
import { startWorld, TIMEOUT_MS } from "./world.ts";

const stack = useStack({ warm: true });
/** Long enough for a copy to be valid whenever the test delivers it. */
const PATIENT = { requestTimeout: "20s" } as const;

it.concurrent("a duplicate of the acquire that arrives after the release is refused", async () => {
  await using world = await startWorld(stack);
  const one = world.client(PATIENT).lock(world.name);
  world.proxy.next("lock-acquire", onItsWay);
  const lease = await one.tryAcquire();
  expect(await lease?.release()).toBe(true);
  expect(await world.proxy.deliver()).toEqual(["closed"]);
  expect(await world.proxy.replay("lock-acquire")).toEqual(["closed", "closed"]);
  await staysFree(world);
});

it.concurrent("a duplicate of the acquire that arrives after its cancel is refused", async () => {
  await using world = await startWorld(stack);
  const caller = new AbortController();
  world.proxy.next("lock-acquire", heldBack);
  const outcome = world.client(PATIENT).lock(world.name).tryAcquire({ signal: caller.signal });
  await world.proxy.arrived("lock-acquire");
  caller.abort("gone");
  await expect(outcome).rejects.toBe("gone");
  const next = await isFree(world);
  expect(await world.proxy.deliver()).toEqual(["closed"]);
  expect(await next.verify()).toBe(true);
  await next.release();
  expect(await world.proxy.replay("lock-acquire")).toEqual(["closed"]);
  await staysFree(world);
});

it.concurrent("a duplicate of the acquire that arrives after a forced release is refused", async () => {
  await using world = await startWorld(stack);
  const lease = await world.client(PATIENT).lock(world.name).tryAcquire();
  expect(await world.theirs.lock(world.name).forceRelease()).toBe(true);
  expect(await world.proxy.replay("lock-acquire")).toEqual(["closed"]);
  await staysFree(world);
  await expect(lease?.extend()).rejects.toMatchObject({ code: "lease_lost", reason: "forced" });
});

it.concurrent("a duplicate of the extend that arrives after the release changes nothing", async () => {
  await using world = await startWorld(stack);
  const lease = await world.client(PATIENT).lock(world.name).tryAcquire();
  world.proxy.next("hold-extend", onItsWay);
  await lease?.extend("10m");
  await lease?.release();
  expect(await world.proxy.deliver()).toEqual(["lost"]);
  await staysFree(world);
  const next = await isFree(world);
  expect(await world.proxy.replay("hold-extend")).toEqual(["lost", "lost"]);
  const state = await world.theirs.lock(world.name).inspect();
  expect(state).toMatchObject({ state: "held", token: next.token });
  expect(state.state === "held" && state.remaining <= 30_000).toBe(true);
});

it.concurrent("a duplicate of the begin that arrives after the attempt failed or was done is refused", async () => {
  await using world = await startWorld(stack);
  const once = world.client(PATIENT).once(world.name);
  world.proxy.next("once-begin", onItsWay);
  await started(await once.begin()).fail();
  expect(await world.proxy.deliver()).toEqual(["closed"]);
  const turn = started(await once.begin());
  expect(turn.attempt).toBe(2);
  await turn.complete("result");
  expect(await world.proxy.replay("once-begin")).toEqual(["closed", "closed", "closed"]);
  expect(await world.theirs.once(world.name).begin()).toMatchObject({ status: "done", result: "result" });
});

it.concurrent("a duplicate of the complete that arrives after another attempt took over is refused", async () => {
  await using world = await startWorld(stack);
  const turn = started(await world.client(PATIENT).once(world.name, { lease: 500 }).begin());
  world.proxy.next("once-complete", async (exchange) => {
    // The lease runs out and another attempt starts before it arrives.
    await pause(520);
    started(await world.theirs.once(world.name).begin());
    exchange.answer(await exchange.forward());
  });
  await expect(turn.complete("stale")).rejects.toMatchObject({ code: "lease_lost", reason: "taken" });
  expect(await world.theirs.once(world.name).begin()).toMatchObject({ status: "running" });
});

it.concurrent.each(["lock-acquire", "hold-extend", "record-force", "once-begin", "once-complete"])(
  "a duplicate of %s that arrives after its attempt's time-out is late, and changes nothing",
  async (script) => {
    await using world = await startWorld(stack);
    const lease = await world.ours.lock(world.name).tryAcquire();
    const once = world.ours.once(`${world.name}-once`);
    const turn = started(await once.begin());
    await lease?.extend();
    await turn.complete("result");
    await world.ours.lock(world.name).forceRelease();
    const next = await isFree(world);
    await pause(TIMEOUT_MS + 50);
    expect(new Set(await world.proxy.replay(script))).toEqual(new Set(["late"]));
    expect(await next.verify()).toBe(true);
  },
);

it.concurrent("an answer that arrives late does not count as the server's: the lease is dated from the attempt that was answered", async () => {
  await using world = await startWorld(stack);
  world.proxy.next("lock-acquire", slow(TIMEOUT_MS + 50));
  const lease = await world.ours.lock(world.name).tryAcquire();
  const remaining = lease?.remaining ?? 0;
  const state = await world.theirs.lock(world.name).inspect();
  // The first attempt was given less than half of the time, and the lease runs since then.
  expect(remaining).toBeLessThanOrEqual(30_000 - 0.4 * TIMEOUT_MS);
  expect(state.state === "held" && state.remaining >= remaining - 1000).toBe(true);
});
