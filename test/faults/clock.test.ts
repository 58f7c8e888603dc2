import { describe, expect, it } from "vitest";
import type { Clock } from "../../src/index.ts";
import { isHeld, staysFree } from "../kinds/lock/sites.ts";
import { useStack } from "../support/use-stack.ts";
import { answerLost } from "./faults.ts";
import { started } from "./site.ts";
import { LEASE_MS, startWorld, type World } from "./world.ts";

const stack = useStack({ warm: true });
const HOUR_MS = 3_600_000;

const shifted = (ms: number): Clock => ({ now: () => Date.now() + ms, monotonic: () => performance.now() });

const late = ({ proxy }: World): number => proxy.count(({ answers }) => answers.includes("late"));
const ran = ({ proxy }: World): number =>
  proxy.count(({ verb, answers }) => verb === "EVALSHA" && !answers.includes("error NOSCRIPT"));

describe.each([
  ["an hour behind", -HOUR_MS, 1],
  ["an hour ahead", HOUR_MS, 0],
])("a client whose clock is %s", (_, ms, more) => {
  it("acquires, extends and releases at the cost of one more request", async () => {
    await using world = await startWorld(stack);
    const start = performance.now();
    const lease = await world
      .client({ clock: shifted(ms) })
      .lock(world.name)
      .tryAcquire();
    await isHeld(world, lease, () => LEASE_MS - (performance.now() - start));
    expect(lease?.expiresAt).toBeLessThanOrEqual(Date.now() + ms + LEASE_MS);
    await lease?.extend();
    expect(late(world)).toBe(more);
    expect(await lease?.release()).toBe(true);
    await staysFree(world);
  });

  it("acquires with a single attempt: a request that was too late because of the client's clock is retried and does not count", async () => {
    await using world = await startWorld(stack);
    const lease = await world
      .client({ clock: shifted(ms) })
      .lock(world.name)
      .acquire({ maxPolls: 1 });
    expect(late(world)).toBe(more);
    expect(await lease.release()).toBe(true);
  });

  it("begins and completes at the cost of one more request", async () => {
    await using world = await startWorld(stack);
    const turn = started(
      await world
        .client({ clock: shifted(ms) })
        .once(world.name)
        .begin(),
    );
    await turn.complete(1);
    expect(late(world)).toBe(more);
    expect(await world.theirs.once(world.name).begin()).toMatchObject({ status: "done", result: 1 });
  });

  it("overcomes lost answers", async () => {
    await using world = await startWorld(stack);
    world.proxy.next("lock-acquire", answerLost, answerLost);
    const lease = await world
      .client({ clock: shifted(ms) })
      .lock(world.name)
      .tryAcquire();
    await isHeld(world, lease, () => 0);
    await lease?.release();
    await staysFree(world);
  });

  it("forces a release and waits its turn", async () => {
    await using world = await startWorld(stack);
    const client = world.client({ clock: shifted(ms) });
    const holder = await world.theirs.lock(world.name).tryAcquire({ lease: 300 });
    const lease = await client.lock(world.name).acquire({ wait: "5s" });
    expect(lease.token).toBeGreaterThan(holder?.token ?? 0);
    expect(await client.lock(world.name).forceRelease()).toBe(true);
    expect(await lease.verify()).toBe(false);
    expect(late(world)).toBe(more);
    expect(ran(world)).toBeGreaterThan(2);
  });
});

it("a clock that is set back while a lease runs makes it end early, never late, and costs one more request", async () => {
  await using world = await startWorld(stack);
  let ms = 0;
  const clock: Clock = { now: () => Date.now() + ms, monotonic: () => performance.now() };
  const lease = await world.client({ clock }).lock(world.name).tryAcquire();
  ms = -HOUR_MS;
  expect(lease?.remaining).toBeLessThanOrEqual(LEASE_MS);
  await lease?.extend();
  expect(late(world)).toBe(1);
  await isHeld(world, lease, () => 0);
  ms = 0;
  // Against the clock that it was extended by, an hour has passed.
  expect(lease?.remaining).toBe(0);
  expect(await lease?.release()).toBe(true);
  await staysFree(world);
});

it("a clock that is set back during a wait is noticed by the next poll that reads the server's, one in eight", async () => {
  await using world = await startWorld(stack);
  let ms = 0;
  const clock: Clock = { now: () => Date.now() + ms, monotonic: () => performance.now() };
  await world.theirs.lock(world.name).acquire({ lease: "20s" });
  const backoff = ({ polls }: { polls: number }): number => {
    if (polls === 3) ms = -HOUR_MS;
    return 20;
  };
  const waiting = world.client({ clock }).lock(world.name).acquire({ wait: "5s", maxPolls: 9, backoff });
  await expect(waiting).rejects.toMatchObject({ code: "lock_timeout" });
  expect(late(world)).toBe(1);
});
