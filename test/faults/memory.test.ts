import { afterEach, expect, it } from "vitest";
import { isFree, staysFree } from "../kinds/lock/sites.ts";
import type { Fault } from "../support/proxy.ts";
import { pause, useStack } from "../support/use-stack.ts";
import { answerLost, onItsWay } from "./faults.ts";
import { started } from "./site.ts";
import { startWorld } from "./world.ts";

const stack = useStack({ warm: true });
const full = () => stack.redis.command("CONFIG", "SET", "maxmemory", "1");
const roomy = () => stack.redis.command("CONFIG", "SET", "maxmemory", "0");

/** Memory is full from when the request arrives. */
const memoryFull =
  (then: Fault): Fault =>
  async (exchange) => {
    await full();
    await then(exchange);
  };

afterEach(roomy);

it("a release works while memory is full", async () => {
  await using world = await startWorld(stack);
  const lease = await world.ours.lock(world.name).tryAcquire();
  const turn = started(await world.ours.once(`${world.name}-once`).begin());
  await full();
  expect(await lease?.release()).toBe(true);
  expect(await turn.fail()).toBe(true);
  await expect(world.ours.lock(world.name).tryAcquire()).rejects.toMatchObject({ code: "redis_error" });
  await roomy();
  world.saw(lease?.token ?? 0);
  await staysFree(world);
  started(await world.theirs.once(`${world.name}-once`).begin());
});

it("an extend that finds memory full throws, and the lease stays as it is", async () => {
  await using world = await startWorld(stack);
  const lease = await world.ours.lock(world.name).tryAcquire();
  await full();
  await expect(lease?.extend("1h")).rejects.toMatchObject({ code: "redis_error", message: /^OOM/ });
  expect(await lease?.verify()).toBe(true);
  await roomy();
  await lease?.extend("1h");
  expect(await lease?.release()).toBe(true);
});

it("the cancel of a begin does not forget a result because memory is full", async () => {
  await using world = await startWorld(stack);
  await started(await world.theirs.once(world.name).begin()).complete("result");
  // The first attempt goes unanswered, the second says "done": so the id is cancelled, for which room is made.
  world.proxy.next("once-begin", memoryFull(answerLost));
  await world.ours
    .once(world.name)
    .begin()
    .catch(() => {});
  expect(world.proxy.seen.map(({ script, answers }) => [script, ...answers])).toEqual([
    ["once-begin", "done"],
    ["once-begin", "done"],
    ["once-close", "closed"],
  ]);
  await roomy();
  expect(await world.ours.once(world.name).begin()).toMatchObject({ status: "done", result: "result" });
});

it("the cancel of an acquire does not end another caller's hold because memory is full", async () => {
  await using world = await startWorld(stack);
  const holder = await isFree(world);
  world.proxy.next("lock-acquire", memoryFull(onItsWay));
  await world.ours
    .lock(world.name)
    .tryAcquire()
    .catch(() => {});
  await roomy();
  expect(await holder.verify()).toBe(true);
});

it("a release of what has expired keeps the ids that are closed, also when memory is full", async () => {
  await using world = await startWorld(stack);
  const patient = world.client({ requestTimeout: "20s" });
  for (const { acquire, of } of [
    { acquire: "lock-acquire", of: () => patient.lock(`${world.name}-lock`) },
    { acquire: "fair-acquire", of: () => patient.fairLock(`${world.name}-fair`) },
    { acquire: "rw-acquire", of: () => patient.readWriteLock(`${world.name}-write`).write },
    { acquire: "rw-acquire", of: () => patient.readWriteLock(`${world.name}-read`).read },
    { acquire: "semaphore-acquire", of: () => patient.semaphore(`${world.name}-permits`, { permits: 1 }) },
  ]) {
    const giveUp = new AbortController();
    world.proxy.next(acquire, ({ keep }) => {
      keep();
      giveUp.abort();
    });
    await of()
      .acquire({ signal: giveUp.signal })
      .catch(() => {});
    await expect.poll(() => world.proxy.seen.at(-1)?.answers).toEqual(["closed"]);
    const lease = await of().acquire({ lease: "1s" });
    await pause(1_050);
    await full();
    expect(await lease.release()).toBe(false);
    await roomy();
    expect(await world.proxy.deliver(acquire), acquire).toEqual(["closed"]);
    expect(await of().tryAcquire()).not.toBeNull();
  }
});

it("of several holds of one reentry key each can be released while memory is full, and what is remembered stays", async () => {
  await using world = await startWorld(stack);
  const lock = world.client({ requestTimeout: "20s" }).lock(world.name, { reentryKey: "alice" });
  const giveUp = new AbortController();
  world.proxy.next("lock-acquire", ({ keep }) => {
    keep();
    giveUp.abort();
  });
  await lock.acquire({ signal: giveUp.signal }).catch(() => {});
  await expect.poll(() => world.proxy.count("lock-close")).toBe(1);
  const [first, second] = [await lock.acquire(), await lock.acquire()];
  await full();
  expect(await first.release()).toBe(true);
  expect(await second.verify()).toBe(true);
  expect(await second.release()).toBe(true);
  await roomy();
  expect(await world.proxy.deliver("lock-acquire")).toEqual(["closed"]);
  const next = await lock.acquire();
  expect(next.token).toBeGreaterThan(second.token);
});

it("a force release works while memory is full, once, and closes who had it", async () => {
  await using world = await startWorld(stack);
  const lock = world.ours.readWriteLock(world.name);
  const readers = await Promise.all(Array.from({ length: 20 }, () => lock.read.acquire()));
  world.proxy.next("crowd-force", memoryFull(answerLost));
  expect(await lock.forceRelease()).toBe(true);
  await roomy();
  for (const reader of readers) expect(await reader.verify()).toBe(false);
  expect(new Set(await world.proxy.replay("rw-acquire"))).toEqual(new Set(["closed"]));
  expect((await lock.write.acquire()).token).toBeGreaterThan(readers[0]?.token ?? 0);
});
