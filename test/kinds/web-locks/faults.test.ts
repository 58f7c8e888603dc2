import { expect, it } from "vitest";
import { gate } from "../../../agents/test/turn/stage.ts";
import type { Lease, RequestOptions } from "../../../src/index.ts";
import { onItsWay, slow, unheard } from "../../faults/faults.ts";
import { startWorld, type World } from "../../faults/world.ts";
import { freshName, pause, useStack } from "../../support/use-stack.ts";

const stack = useStack({ warm: true });

/** Calls the work, and says what it was given. */
async function call(world: World, options: RequestOptions & { ifAvailable?: false }) {
  const given: (Lease | null)[] = [];
  const outcome = await world.ours
    .request(world.name, options, (lease) => {
      given.push(lease);
      return "worked";
    })
    .catch((error: unknown) => error);
  return { given, outcome };
}
const heldNow = async (world: World) => (await world.theirs.query([world.name])).held;

it.concurrent("7: steal whose acquire goes unanswered, and whose cancel is answered, does not call the work beside the holder", async () => {
  await using world = await startWorld(stack);
  const holder = await world.theirs.readWriteLock(world.name).write.acquire({ lease: "20s" });
  // It never arrives, as when something on the way swallows it.
  world.proxy.always("rw-acquire", () => {});
  const { given, outcome } = await call(world, { steal: true, wait: "600ms" });
  expect(given).toEqual([]);
  expect(outcome).toMatchObject({ code: "lock_timeout" });
  expect(await holder.verify()).toBe(true);
});

it.concurrent("7: steal that ran unheard is cancelled: nobody works, and nobody holds it", async () => {
  await using world = await startWorld(stack);
  const holder = await world.theirs.readWriteLock(world.name).write.acquire({ lease: "20s" });
  world.proxy.always("rw-acquire", unheard);
  const { given, outcome } = await call(world, { steal: true, wait: "600ms" });
  expect(given).toEqual([]);
  expect(outcome).toMatchObject({ code: "lock_timeout" });
  expect(await holder.verify()).toBe(false);
  expect(await heldNow(world)).toEqual([]);
});

it.concurrent("7: steal that goes unanswered at first is tried again within its time, and works with a lease", async () => {
  await using world = await startWorld(stack);
  await world.theirs.readWriteLock(world.name).write.acquire({ lease: "20s" });
  world.proxy.next("rw-acquire", unheard, onItsWay, unheard);
  const { given, outcome } = await call(world, { steal: true });
  expect(outcome).toBe("worked");
  expect(given.map((lease) => lease?.token)).toEqual([expect.any(Number)]);
  expect(await heldNow(world)).toEqual([]);
});

it.concurrent("7: steal that was granted too late for its lease is tried again, not called with null", async () => {
  await using world = await startWorld(stack);
  world.proxy.next("rw-acquire", slow(1200));
  const { given, outcome } = await call(world, { steal: true, lease: "1s", maxExtends: 0 });
  expect(outcome).toBe("worked");
  expect(given[0]?.token).toEqual(expect.any(Number));
  // Without time for another try it says so.
  world.proxy.always("rw-acquire", slow(1200));
  const none = await call(world, { steal: true, lease: "1s", wait: 0 });
  expect(none.given).toEqual([]);
  expect(none.outcome).toMatchObject({ code: "lock_timeout" });
});

it.concurrent("a steal whose answer was lost does not steal again from a later thief (B8)", async () => {
  await using world = await startWorld(stack);
  const { name, ours, theirs, proxy } = world;
  const holder = await theirs.readWriteLock(name).write.acquire({ lease: "20s" });
  let stays: Promise<unknown> | undefined;
  const [stolen, ended] = [gate(), gate()];
  proxy.next("rw-acquire", async ({ forward, cut }) => {
    await forward();
    stays = theirs.request(name, { steal: true }, async ({ token, verify }) => {
      stolen.open();
      await ended.opened;
      return [await verify(), token > holder.token];
    });
    await stolen.opened;
    cut();
  });
  const older = ours.request(name, { steal: true }, () => expect.unreachable("a later request has stolen the name"));
  await expect(older).rejects.toMatchObject({ name: "AbortError", cause: { code: "lease_lost", reason: "forced" } });
  await proxy.replay("rw-acquire");
  ended.open();
  expect(await stays).toEqual([true, true]);
  expect(await heldNow(world)).toEqual([]);
});

it.concurrent("a steal that was granted too late is not repeated where others had the name since (B8)", async () => {
  await using world = await startWorld(stack);
  const { name, ours, theirs, proxy } = world;
  proxy.next("rw-acquire", async ({ forward, answer }) => {
    const late = await forward();
    await pause(300);
    await theirs.readWriteLock(name).read.acquire({ lease: "20s" });
    answer(late);
  });
  const older = ours.request(name, { steal: true, lease: "200ms" }, () => expect.unreachable("others have it"));
  await expect(older).rejects.toMatchObject({ code: "lease_lost", reason: "taken" });
  expect((await heldNow(world)).map(({ mode }) => mode)).toEqual(["shared"]);
});

it.concurrent.each(["shared", "exclusive"] as const)(
  "7: %s, unanswered, throws and does not call the work",
  async (mode) => {
    await using world = await startWorld(stack);
    world.proxy.always("rw-acquire", unheard);
    const { given, outcome } = await call(world, { mode, wait: 0 });
    expect(given).toEqual([]);
    expect(outcome).toMatchObject({ code: "lock_timeout" });
    expect(await heldNow(world)).toEqual([]);
  },
);

it.concurrent("7: only ifAvailable is given null, when the name is in use", async () => {
  await using world = await startWorld(stack);
  const name = freshName();
  const holder = await world.theirs.readWriteLock(name).write.acquire({ lease: "20s" });
  expect(await world.ours.request(name, { ifAvailable: true }, (lease) => lease)).toBeNull();
  // One who steals is not held back by those who wait for it in line.
  const waiting = world.theirs.readWriteLock(name).write.acquire({ wait: "10s" });
  await pause(50);
  expect(await world.ours.request(name, { steal: true }, (lease) => lease.token)).toBeGreaterThan(holder.token);
  await (await waiting).release();
});
