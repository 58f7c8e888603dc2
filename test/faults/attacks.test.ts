import { expect, it } from "vitest";
import { isFree, isHeld, staysFree } from "../kinds/lock/sites.ts";
import type { Fault } from "../support/proxy.ts";
import { pause, useStack } from "../support/use-stack.ts";
import { answerLost, heldBack, onItsWay, slow, unavailable } from "./faults.ts";
import { startWorld, type World } from "./world.ts";

// Attacks 1 to 6 of the design. Each goes red when the rule that stands against it is broken on purpose.

const stack = useStack({ warm: true });

/**
 * Copies stay valid for as long as an attempt may take, so that `notAfter` does not answer in the place of the rule
 * attacked.
 */
const patient = (world: World) => world.client({ requestTimeout: "20s" });

/** The caller is told to come back in a minute while the request is still on its way. */
const timesOut: Fault = ({ keep, answer }) => {
  keep();
  answer({ ...unavailable, headers: { "retry-after": "60" } });
};

async function remainingOf({ theirs, name }: World): Promise<number> {
  const state = await theirs.lock(name).inspect();
  return state.state === "held" ? state.remaining : 0;
}

it("1: a short extend that times out and arrives after a long one does not shrink the lease", async () => {
  await using world = await startWorld(stack);
  const lease = await patient(world).lock(world.name).tryAcquire({ lease: "10s" });
  world.proxy.next("hold-extend", timesOut);
  await expect(lease?.extend("300ms")).rejects.toMatchObject({ code: "outcome_unknown" });
  const start = performance.now();
  await lease?.extend("60s");
  expect(await world.proxy.deliver()).toEqual(["extended"]);
  expect(await remainingOf(world)).toBeGreaterThanOrEqual(60_000 - (performance.now() - start) - 1);
  await isHeld(world, lease, () => 50_000);
});

it("2: a late duplicate of an acquire whose lease expired does not become a tenure, and its old extend does not succeed", async () => {
  await using world = await startWorld(stack);
  // A waiting acquire, since a try without waiting sends nothing that is valid for longer than its lease.
  const first = await patient(world).lock(world.name).acquire({ lease: "1s" });
  await pause(1_050);
  const second = await world.theirs.lock(world.name).tryAcquire({ lease: "1s" });
  expect(second?.token).toBeGreaterThan(first.token);
  expect(await world.proxy.replay("lock-acquire")).toEqual(["closed"]);
  const resumed = await world.ours.resume(first.ticket());
  await expect(resumed.extend()).rejects.toMatchObject({ code: "lease_lost", reason: "taken" });
  await pause(1_050);
  expect(await world.proxy.replay("lock-acquire")).toEqual(["closed"]);
  const again = await world.ours.resume(first.ticket());
  await expect(again.extend()).rejects.toMatchObject({ code: "lease_lost", reason: "taken" });
  await staysFree(world);
  await expect(first.extend()).rejects.toMatchObject({ code: "lease_lost", reason: "expired" });
});

it("2, with nobody in between: a lease that expired is not granted again to the same id", async () => {
  await using world = await startWorld(stack);
  await patient(world).lock(world.name).acquire({ lease: "1s" });
  await pause(1_050);
  expect(await world.proxy.replay("lock-acquire")).toEqual(["closed"]);
  await staysFree(world);
});

it("3: a lease whose first answer was lost counts from its grant, not from the attempt that was answered", async () => {
  await using world = await startWorld(stack);
  const client = world.client({ requestTimeout: 2_000 });
  world.proxy.next("lock-acquire", slow(8_000));
  const lease = await client.lock(world.name).tryAcquire({ lease: "10s" });
  const expiresAt = lease?.expiresAt ?? 0;
  const endsAt = Date.now() + (await remainingOf(world));
  expect(expiresAt).toBeLessThanOrEqual(endsAt);
  await isHeld(world, lease, () => 0);
});

it("4: an acquire that arrives after its cancel is refused", async () => {
  await using world = await startWorld(stack);
  const caller = new AbortController();
  world.proxy.next("lock-acquire", heldBack);
  const outcome = patient(world).lock(world.name).tryAcquire({ signal: caller.signal });
  await world.proxy.arrived("lock-acquire");
  caller.abort("gone");
  await expect(outcome).rejects.toBe("gone");
  expect(world.proxy.count(({ answers }) => answers.includes("closed"))).toBe(1);
  expect(await world.proxy.deliver()).toEqual(["closed"]);
  await staysFree(world);
});

it("5: a poll whose first attempt went unanswered does not become a ghost when the wait ends", async () => {
  await using world = await startWorld(stack);
  const holder = await isFree(world);
  const pass: Fault = async ({ forward, answer }) => answer(await forward());
  // Polls 1 and 2, the first attempt of poll 3; its second attempt says "held".
  world.proxy.next("lock-acquire", pass, pass, onItsWay);
  const one = patient(world).lock(world.name);
  const outcome = one.acquire({ wait: "20s", maxPolls: 4, backoff: () => 10 });
  await expect(outcome).rejects.toMatchObject({ code: "lock_timeout" });
  expect(world.proxy.seen.flatMap(({ answers }) => answers)).toEqual(["held", "held", "held", "closed"]);
  await holder.release();
  expect(await world.proxy.deliver()).toEqual(["closed"]);
  await staysFree(world);
});

it("6: a retried release gets the first answer, and changes nothing for other holds", async () => {
  await using world = await startWorld(stack);
  const one = patient(world).lock(world.name, { reentryKey: "the reentry key" });
  const [h1, h2] = [await one.tryAcquire(), await one.tryAcquire()];
  expect([h1?.holds, h2?.holds, h2?.token]).toEqual([1, 2, h1?.token]);
  world.proxy.next("lock-close", answerLost);
  expect(await h1?.release()).toBe(true);
  expect(await h2?.verify()).toBe(true);
  expect(new Set(await world.proxy.replay("lock-close"))).toEqual(new Set(["closed"]));
  expect(await h2?.verify()).toBe(true);
  expect(await h2?.release()).toBe(true);
  expect(new Set(await world.proxy.replay("lock-close"))).toEqual(new Set(["closed"]));
  await staysFree(world);
});

it.each([
  ["the same reentry key", "the reentry key"],
  ["another reentry key", "somebody else"],
])("6: a late acquire of a released hold does not join the hold of %s", async (_, reentryKey) => {
  await using world = await startWorld(stack);
  const h1 = await patient(world).lock(world.name).tryAcquire({ reentryKey: "the reentry key" });
  await h1?.release();
  const h3 = await world.theirs.lock(world.name).tryAcquire({ reentryKey });
  expect(await world.proxy.replay("lock-acquire")).toEqual(["closed"]);
  expect(await world.theirs.lock(world.name).inspect()).toMatchObject({ token: h3?.token, holds: 1 });
  expect(await h3?.release()).toBe(true);
  await staysFree(world);
});
