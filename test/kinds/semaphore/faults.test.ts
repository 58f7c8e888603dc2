import { inspect } from "node:util";
import { expect, it } from "vitest";
import { answerLost, heldBack, onItsWay } from "../../faults/faults.ts";
import { overcomesAll } from "../../faults/suite.ts";
import { startWorld, type World } from "../../faults/world.ts";
import type { Fault } from "../../support/proxy.ts";
import { pause, useStack } from "../../support/use-stack.ts";
import { counterSites, semaphoreSites } from "./sites.ts";

overcomesAll("semaphore", semaphoreSites);
overcomesAll("counter", counterSites);

const stack = useStack({ warm: true });

/**
 * Copies stay valid for as long as an attempt may take, so that `notAfter` does not answer in the place of the rule
 * attacked.
 */
const patient = (world: World) => world.client({ requestTimeout: "20s" });
const pass: Fault = async ({ forward, answer }) => answer(await forward());

/** More than the record's list of closed ids holds. */
const busy = async (world: World): Promise<void> => {
  const semaphore = world.theirs.semaphore(world.name, { permits: 100 });
  for (let n = 0; n < 20; n++) await (await semaphore.acquire()).release();
};

it("4: an acquire that arrives after its cancel is refused, also when many others were closed since", async () => {
  await using world = await startWorld(stack);
  const caller = new AbortController();
  world.proxy.next("semaphore-acquire", heldBack);
  const semaphore = patient(world).semaphore(world.name, { permits: 100 });
  const outcome = semaphore.tryAcquire({ permits: 3, signal: caller.signal });
  await world.proxy.arrived("semaphore-acquire");
  caller.abort("gone");
  await expect(outcome).rejects.toBe("gone");
  await busy(world);
  expect(await world.proxy.deliver()).toEqual(["closed"]);
  expect(await semaphore.acquired()).toBe(0);
});

it("2 and 6: what was released is not granted to a late duplicate, nor does its release end others", async () => {
  await using world = await startWorld(stack);
  const semaphore = patient(world).semaphore(world.name, { permits: 100 });
  const lease = await semaphore.acquire({ permits: 3 });
  expect(await lease.release()).toBe(true);
  await busy(world);
  const next = await world.theirs.semaphore(world.name, { permits: 100 }).acquire({ permits: 98 });
  expect(await world.proxy.replay("semaphore-acquire")).toEqual(["closed"]);
  expect(await world.proxy.replay("semaphore-close")).toEqual(["closed"]);
  expect([await semaphore.acquired(), await next.verify()]).toEqual([98, true]);
  await expect((await world.ours.resume(lease.ticket())).extend()).rejects.toMatchObject({ code: "lease_lost" });
});

it("2: what expired is not granted to a late duplicate, nor extended by an old extend", async () => {
  await using world = await startWorld(stack);
  const semaphore = patient(world).semaphore(world.name, { permits: 4 });
  const lease = await semaphore.acquire({ permits: 3, lease: 1500 });
  await pause(1600);
  expect(await world.proxy.replay("semaphore-acquire")).toEqual(["closed"]);
  const next = await world.theirs.semaphore(world.name, { permits: 4 }).acquire({ permits: 2 });
  expect(await world.proxy.replay("semaphore-acquire")).toEqual(["closed"]);
  const resumed = await world.ours.resume(lease.ticket());
  await expect(resumed.extend()).rejects.toMatchObject({ code: "lease_lost", reason: "expired" });
  expect([await semaphore.acquired(), await next.verify()]).toEqual([2, true]);
});

it("1: a late duplicate of a short extend does not shrink the lease of any permit", async () => {
  await using world = await startWorld(stack);
  const semaphore = patient(world).semaphore(world.name, { permits: 3 });
  const lease = await semaphore.acquire({ permits: 3, lease: "10s" });
  await lease.extend("20s");
  await lease.extend("60s");
  expect(await world.proxy.replay("crowd-extend")).toEqual(["extended", "extended"]);
  expect((await semaphore.inspect()).remaining).toBeGreaterThan(50_000);
  await lease.extend("10ms");
  expect(lease.remaining).toBeGreaterThan(50_000);
});

it("5: a poll whose first attempt went unanswered does not become a ghost when the wait ends", async () => {
  await using world = await startWorld(stack);
  const holder = await world.theirs.semaphore(world.name, { permits: 2 }).acquire();
  world.proxy.next("semaphore-acquire", pass, pass, onItsWay);
  const semaphore = patient(world).semaphore(world.name, { permits: 2 });
  const outcome = semaphore.acquire({ permits: 2, wait: "20s", maxPolls: 4, backoff: () => 10 });
  await expect(outcome).rejects.toMatchObject({ code: "lock_timeout" });
  await holder.release();
  expect(await world.proxy.deliver()).toEqual(["closed"]);
  expect(await semaphore.acquired()).toBe(0);
});

it("7: who left the queue of a fair one does not come back, nor takes permits, by an old poll", async () => {
  await using world = await startWorld(stack);
  const theirs = world.theirs.semaphore(world.name, { permits: 2, fair: true });
  const holder = await theirs.acquire({ permits: 2 });
  const ours = patient(world).semaphore(world.name, { permits: 2, fair: true });
  await expect(ours.acquire({ permits: 2, wait: 200 })).rejects.toMatchObject({ code: "lock_timeout" });
  expect(await theirs.inspect()).toMatchObject({ waiters: 0, acquired: 2 });
  await busy(world);
  const copies = await world.proxy.replay("semaphore-queue");
  expect(new Set(copies)).toEqual(new Set(["closed"]));
  await holder.release();
  await world.proxy.replay("semaphore-queue");
  expect(await theirs.inspect()).toMatchObject({ waiters: 0, acquired: 0 });
  expect(await theirs.tryAcquire({ permits: 2 })).not.toBeNull();
});

it("a duplicate of a grant after others were granted names the first token", async () => {
  await using world = await startWorld(stack);
  const semaphore = patient(world).semaphore(world.name, { permits: 9 });
  world.proxy.next("semaphore-acquire", answerLost);
  const lease = await semaphore.acquire({ permits: 2 });
  await semaphore.acquire();
  await lease.releasePermits([1]);
  expect(await world.proxy.replay("semaphore-acquire")).toEqual(["granted", "granted", "granted"]);
  expect(await semaphore.acquired()).toBe(2);
  expect(await lease.verify()).toBe(true);
});

it("permits are not released by who has the id but not the token, nor by who has the token but another id", async () => {
  await using world = await startWorld(stack);
  const semaphore = world.ours.semaphore(world.name, { permits: 3 });
  const lease = await semaphore.acquire({ permits: 2 });
  const forge = (change: (fields: [number, string, string, null, string, number]) => void): string => {
    const fields = JSON.parse(Buffer.from(lease.ticket(), "base64url").toString());
    change(fields);
    return Buffer.from(JSON.stringify(fields)).toString("base64url");
  };
  const [id] = JSON.parse(Buffer.from(lease.ticket(), "base64url").toString())[4].split("#");
  for (const shown of [
    inspect(lease, { depth: 20, showHidden: true }),
    JSON.stringify(lease),
    await semaphore.inspect(),
  ])
    expect(JSON.stringify(shown)).not.toContain(id);
  const forged = [
    forge((fields) => (fields[5] -= 1)),
    forge((fields) => (fields[5] += 1)),
    forge((fields) => (fields[4] = `${crypto.randomUUID()}#2`)),
    forge((fields) => (fields[4] = fields[4].replace("#2", ""))),
    forge((fields) => (fields[4] = fields[4].replace("#2", "#99999999999"))),
  ];
  for (const ticket of forged.slice(0, 4)) {
    const resumed = await world.ours.resume(ticket);
    expect(await resumed.verify(), ticket).toBe(false);
    expect(await (await world.ours.resume(ticket)).release(), ticket).toBe(false);
  }
  // It is theirs all the same, and costs no more than the most that there can be.
  expect(await (await world.ours.resume(forged[4] as string)).verify()).toBe(true);
  expect(await semaphore.acquired()).toBe(2);
  expect(await lease.release()).toBe(true);
});

it("a cancelled take gives its permits back exactly once, and one that arrives after its cancel takes none", async () => {
  await using world = await startWorld(stack);
  const counter = patient(world).counter(world.name);
  const theirs = world.theirs.counter(world.name);
  await theirs.setPermits(5);
  for (const fault of [heldBack, (({ forward }) => forward()) as Fault]) {
    const caller = new AbortController();
    world.proxy.next("semaphore-acquire", fault);
    const outcome = counter.tryAcquire({ permits: 3, signal: caller.signal });
    await world.proxy.arrived("semaphore-acquire", fault === heldBack ? 1 : 2);
    caller.abort("gone");
    await expect(outcome).rejects.toBe("gone");
    for (let n = 0; n < 20; n++) await theirs.release();
    await theirs.addPermits(-20);
    expect(await theirs.available()).toBe(5);
    await world.proxy.deliver();
    await world.proxy.replay(({ script }) => script !== "semaphore-set");
    await world.proxy.replay("semaphore-close");
    expect(await theirs.available()).toBe(5);
  }
});

it("duplicates of every change arrive much later, and change nothing", async () => {
  await using world = await startWorld(stack);
  const counter = patient(world).counter(world.name);
  expect(await counter.release(3)).toBe(false);
  expect(await counter.trySetPermits(5)).toBe(true);
  expect(await counter.trySetPermits(6)).toBe(false);
  expect(await counter.drain()).toBe(5);
  await counter.addPermits(4);
  expect(await counter.release(10)).toBe(true);
  expect(await counter.tryAcquire({ permits: 2 })).toBe(true);
  for (let n = 0; n < 30; n++) await counter.release();
  expect(await counter.available()).toBe(42);
  await world.proxy.replay();
  await world.proxy.replay(undefined, "backward");
  expect(await counter.available()).toBe(42);
});
