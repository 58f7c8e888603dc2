import { expect, it } from "vitest";
import { pause } from "../support/client.ts";
import { commandsSince, heldNow, holdingStage, waitingLocks } from "./stage.ts";

const it_ = holdingStage();
const { serve } = it_;

const BATCHES = 10;
const IN_BATCH = 50;
/** A place in a queue is kept by a poll at least every two seconds: what it costs depends on how long the crowd takes. */
const KEEP_MS = 2_000;
const KEEP_COMMANDS = 6;

it.each([
  ["lock", 14, 0],
  ["fairLock", 18, KEEP_COMMANDS],
] as const)(
  "serves 500 waiters of a %s in their order, for at most %i commands each and those that keep a place",
  async (kind, most, keeping) => {
    const gateway = await serve();
    const { locks, heard } = waitingLocks(gateway.url);
    const holder = await locks[kind]("a").acquire({ lease: "60s" });
    await it_.redis.command("CONFIG", "RESETSTAT");
    const since = performance.now();
    const order: number[] = [];
    const waiters: Promise<void>[] = [];
    for (let batch = 0; batch < BATCHES; batch++) {
      for (let index = 0; index < IN_BATCH; index++) {
        waiters.push(
          locks[kind]("a").run({ wait: "60s", lease: "30s" }, async () => {
            order.push(batch);
          }),
        );
      }
      await heldNow(gateway, waiters.length);
    }
    await holder.release();
    await Promise.all(waiters);
    expect(order).toEqual([...order].sort((one, other) => one - other));
    const { length } = waiters;
    const kept = Math.ceil((performance.now() - since) / KEEP_MS) * keeping;
    expect((await commandsSince(it_.redis)) / length).toBeLessThan(most + kept);
    expect(heard.requests / length).toBeLessThan(3);
  },
  120_000,
);

it.each(["lock", "fairLock"] as const)(
  "nobody waits for a second while a %s is free, with two gateways",
  async (kind) => {
    const gateways = [await serve(), await serve()];
    const over = performance.now() + 4_000;
    let inside = 0;
    let freeSince = performance.now();
    let longestFreeMs = 0;
    let [grants, lastToken] = [0, 0];
    const worker = async (index: number): Promise<void> => {
      const { locks } = waitingLocks(gateways[index % 2]?.url ?? "");
      while (performance.now() < over) {
        const lease = await locks[kind]("a").acquire({ wait: "20s", lease: "10s" });
        expect([++inside, lease.token > lastToken]).toEqual([1, true]);
        lastToken = lease.token;
        grants++;
        longestFreeMs = Math.max(longestFreeMs, performance.now() - freeSince);
        await pause(Math.random() * 20);
        inside--;
        freeSince = performance.now();
        // Half of them release through the other gateway, as behind a load balancer.
        const ticket = lease.ticket();
        const elsewhere = waitingLocks(gateways[(index + grants) % 2]?.url ?? "").locks;
        const resumed = await elsewhere.resume(await ticket);
        expect(await resumed.release()).toBe(true);
      }
    };
    await Promise.all(Array.from({ length: 10 }, (_, index) => worker(index)));
    expect(grants).toBeGreaterThan(20);
    expect(longestFreeMs).toBeLessThan(1_000);
  },
  60_000,
);
