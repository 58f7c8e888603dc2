import { expect, it } from "vitest";
import { pause } from "../support/client.ts";
import { commandsSince, heldNow, holdingStage, waitingLocks } from "./stage.ts";

const it_ = holdingStage();
const { serve } = it_;

type Kind = "lock" | "fairLock";

/** A request that is held for longer than a whole crowd takes. */
const PATIENT = { requestTimeout: "120s", retention: "240s" } as const;
/** A place in a queue is kept by a poll at least every two seconds: what it costs depends on how long the crowd takes. */
const KEEP_MS = 2_000;
const KEEP_COMMANDS = 6;

/** Has so many wait for a lock, and releases it. Returns what one acquisition took, and the order in which they came. */
async function serveCrowd(kind: Kind, size: number) {
  const gateway = await serve();
  const { locks, heard } = waitingLocks(gateway.url, PATIENT);
  const name = `${kind} ${size}`;
  const holder = await locks[kind](name).acquire({ lease: "10m" });
  const order: number[] = [];
  const waiters: Promise<void>[] = [];
  for (let index = 0; index < size; index++) {
    waiters.push(locks[kind](name).run({ wait: "5m", lease: "30s" }, async () => void order.push(index)));
    await heldNow(gateway, index + 1);
  }
  await it_.redis.command("CONFIG", "RESETSTAT");
  const since = performance.now();
  await holder.release();
  await Promise.all(waiters);
  const keptTimes = kind === "fairLock" ? Math.ceil((performance.now() - since) / KEEP_MS) : 0;
  return {
    order,
    commands: (await commandsSince(it_.redis)) / size,
    kept: keptTimes * KEEP_COMMANDS,
    requests: heard.requests / size,
  };
}

const arrivals = (size: number): readonly number[] => Array.from({ length: size }, (_, index) => index);

it.each([
  ["lock", 9],
  ["fairLock", 12],
] as const)(
  "serves 500 waiters of a %s in the order of their arrival, for %i commands each and no more than 50 take",
  async (kind, max) => {
    const few = await serveCrowd(kind, 50);
    const many = await serveCrowd(kind, 500);
    expect(few.order).toEqual(arrivals(50));
    expect(many.order).toEqual(arrivals(500));
    // Those that keep a place in a queue grow with the time, not with the crowd.
    expect(many.commands).toBeLessThan(few.commands + many.kept + 0.5);
    // Marks between overlapping commands add a few.
    expect(many.commands).toBeLessThan(max + many.kept + 0.5);
    expect(many.requests).toBeLessThan(2.1);
  },
  300_000,
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
