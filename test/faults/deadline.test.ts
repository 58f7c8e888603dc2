import { expect, it } from "vitest";
import type { Clock } from "../../src/index.ts";
import { staysFree } from "../kinds/lock/sites.ts";
import { useStack } from "../support/use-stack.ts";
import { answerLost } from "./faults.ts";
import { startWorld } from "./world.ts";

const stack = useStack({ warm: true });

/** A clock that the test can set ahead. */
function settableClock(): Clock & { ahead(ms: number): void } {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    monotonic: () => performance.now(),
    ahead(ms) {
      ahead += ms;
    },
  };
}

it("an extend that ran after the client found the lease expired leaves no hold on the server", async () => {
  await using world = await startWorld(stack);
  const clock = settableClock();
  const lease = await world.client({ clock }).lock(world.name).tryAcquire();
  world.proxy.next("hold-extend", async ({ forward, answer }) => {
    const extended = await forward();
    clock.ahead(31_000);
    expect(lease?.signal.aborted).toBe(true);
    answer(extended);
  });
  await expect(lease?.extend("1h")).rejects.toMatchObject({ code: "lease_lost", reason: "expired" });
  await staysFree(world);
});

it("an extend that nobody answered in time is unknown, and keeps the lease that there was", async () => {
  await using world = await startWorld(stack);
  const clock = settableClock();
  const lease = await world.client({ clock }).lock(world.name).tryAcquire();
  world.proxy.next("hold-extend", async (exchange) => {
    await answerLost(exchange);
    clock.ahead(20_000);
  });
  await expect(lease?.extend("1h")).rejects.toMatchObject({ code: "outcome_unknown" });
  expect(lease?.remaining).toBeGreaterThan(5_000);
  expect(lease?.remaining).toBeLessThan(10_000);
  expect(lease?.signal.aborted).toBe(false);
  expect(await world.theirs.lock(world.name).tryAcquire()).toBeNull();
});

it("a grant that is read when its lease is over is let go", async () => {
  await using world = await startWorld(stack);
  const clock = settableClock();
  const one = world.client({ clock }).lock(world.name);
  world.proxy.next("lock-acquire", async ({ forward, answer }) => {
    const granted = await forward();
    clock.ahead(31_000);
    answer(granted);
  });
  expect(await one.tryAcquire()).toBeNull();
  await staysFree(world);
});
