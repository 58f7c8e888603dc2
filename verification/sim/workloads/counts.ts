import type { Worker } from "../worker.ts";
import { SLACK_MS } from "./lock.ts";

/** A counter: permits that are never returned. */
export async function counterRound(worker: Worker): Promise<void> {
  const { random, plan, locks } = worker;
  const mostMs = plan.requestTimeoutMs + SLACK_MS;
  const counter = locks.counter(`n${random.below(plan.names)}`, { permits: 10, ttl: "10m" });
  const permits = 1 + random.below(3);
  const drawn = random.below(10);
  if (drawn < 4) await worker.call(`takes ${permits}`, mostMs, () => counter.tryAcquire({ permits }));
  else if (drawn < 6) {
    const wait = random.pick([100, 2000]);
    const expected = /lock_timeout/;
    await worker.call(`waits for ${permits}`, wait + mostMs, () => counter.acquire({ permits, wait }), { expected });
  } else if (drawn < 8) await worker.call(`gives ${permits}`, mostMs, () => counter.release(permits));
  else if (drawn < 9) await worker.call("adds 2", mostMs, () => counter.addPermits(2));
  else await worker.call("drains", mostMs, () => counter.drain());
  await worker.sleep(random.pick([0, 5, 100, 1000]));
}

/** A latch: parties count it down, and others wait for zero. */
export async function latchRound(worker: Worker): Promise<void> {
  const { random, plan, locks, id } = worker;
  const mostMs = plan.requestTimeoutMs + SLACK_MS;
  const latch = locks.latch(`n${random.below(plan.names)}`, { ttl: "10m" });
  const drawn = random.below(10);
  const expected = /state_lost/;
  if (drawn < 2) await worker.call("sets the latch", mostMs, () => latch.trySetCount(1 + random.below(5)));
  else if (drawn < 7) {
    const party = random.chance(0.6) ? `${id} or ${random.below(4)}` : undefined;
    await worker.call(`counts ${party ?? "itself"}`, 2 * mostMs, () => latch.countDown(party), { expected });
  } else if (drawn < 9) {
    const wait = random.pick([0, 500, 4000]);
    await worker.call("waits", wait + mostMs, () => latch.wait({ wait }), { expected });
  } else if (!plan.isCalm && random.chance(0.2)) await worker.call("forces", mostMs, () => latch.forceRelease());
  await worker.sleep(random.pick([0, 5, 100, 1000]));
}
