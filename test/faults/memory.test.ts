import { afterEach, expect, it } from "vitest";
import type { Fault } from "../support/proxy.ts";
import { answerLost, onItsWay } from "./faults.ts";
import { isFree, started, staysFree } from "./site.ts";
import { startWorld, useStack } from "./world.ts";

const use = useStack();
const full = () => use.stack.redis.command("CONFIG", "SET", "maxmemory", "1");
const roomy = () => use.stack.redis.command("CONFIG", "SET", "maxmemory", "0");

/** Memory is full from when the request arrives. */
const memoryFull =
  (then: Fault): Fault =>
  async (exchange) => {
    await full();
    await then(exchange);
  };

afterEach(roomy);

it("a release works while memory is full", async () => {
  await using world = await startWorld(use.stack);
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
  await using world = await startWorld(use.stack);
  const lease = await world.ours.lock(world.name).tryAcquire();
  await full();
  await expect(lease?.extend("1h")).rejects.toMatchObject({ code: "redis_error", message: /^OOM/ });
  expect(await lease?.verify()).toBe(true);
  await roomy();
  await lease?.extend("1h");
  expect(await lease?.release()).toBe(true);
});

it("the cancel of a begin does not forget a result because memory is full", async () => {
  await using world = await startWorld(use.stack);
  await started(await world.theirs.once(world.name).begin()).complete("result");
  // The first attempt goes unanswered, the second says "done": so the id is cancelled, for which there is no room.
  world.proxy.next("once-begin", memoryFull(answerLost));
  await world.ours
    .once(world.name)
    .begin()
    .catch(() => {});
  expect(world.proxy.seen.map(({ script, answers }) => [script, ...answers])).toEqual([
    ["once-begin", "done"],
    ["once-begin", "done"],
    ["once-close", "error OOM"],
  ]);
  await roomy();
  expect(await world.ours.once(world.name).begin()).toMatchObject({ status: "done", result: "result" });
});

it("the cancel of an acquire does not end somebody else's hold because memory is full", async () => {
  await using world = await startWorld(use.stack);
  const holder = await isFree(world);
  world.proxy.next("lock-acquire", memoryFull(onItsWay));
  await world.ours
    .lock(world.name)
    .tryAcquire()
    .catch(() => {});
  await roomy();
  expect(await holder.verify()).toBe(true);
});
