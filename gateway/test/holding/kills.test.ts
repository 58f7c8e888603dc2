import { describe, expect, it } from "vitest";
import { pause, until } from "../support/client.ts";
import { startRelay } from "../support/relay.ts";
import { heldNow, holdingStage, metric, waitingLocks } from "./stage.ts";

const it_ = holdingStage();

const WAITERS = 10;
const ROUNDS = 5;
/** Much less than the time after which the first waiter is tried in any case, 800 ms. */
const AT_ONCE_MS = 200;

/** Whether a connection is open on which Redis reports writes. */
const isReporting = async (): Promise<boolean> => / flags=\S*t/.test(await it_.redis.command("CLIENT", "LIST"));

describe("a Redis that ends all connections once", () => {
  it.each(["lock", "fairLock"] as const)(
    "costs no held waiter of a %s its place: none asks again, and each has its turn (47.3)",
    async (kind) => {
      const gateway = await it_.serve();
      const holder = await waitingLocks(gateway.url).locks[kind]("a").acquire({ lease: "60s" });
      const order: number[] = [];
      const waiters = [];
      for (let at = 0; at < WAITERS; at++) {
        const { locks, heard } = waitingLocks(gateway.url);
        const turn = locks[kind]("a")
          .acquire({ wait: "30s", lease: "60s" })
          .then(async (lease) => {
            order.push(at);
            const requests = heard.requests;
            await lease.release();
            return requests;
          });
        // A test that fails before does not wait for it.
        turn.catch(() => {});
        waiters.push(turn);
        await heldNow(gateway, at + 1);
      }
      for (const type of ["normal", "pubsub"]) await it_.redis.command("CLIENT", "KILL", "TYPE", type);
      await until(isReporting, (is) => is);
      // Longer than the pauses between tries.
      await pause(1_000);
      expect(await metric(gateway, "requests_held")).toBe(WAITERS);
      await holder.release();
      const requests = await Promise.all(waiters);
      expect(order).toEqual(Array.from({ length: WAITERS }, (_, at) => at));
      // Each of them asked once, and for a script that Redis had forgotten a second time at most.
      expect(Math.max(...requests)).toBeLessThanOrEqual(2);
    },
    30_000,
  );
});

it("what was written while the connections were lost is noticed as soon as they are back (47.3)", async () => {
  let bestMs = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS && bestMs > AT_ONCE_MS; round++) {
    const relay = await startRelay(it_.redis.port);
    const gateway = await it_.serve({ redis: relay.url });
    await waitingLocks(gateway.url).locks.lock("a").acquire({ lease: "60s" });
    const waiting = waitingLocks(gateway.url).locks.lock("a").acquire({ wait: "20s" });
    await heldNow(gateway, 1);
    await pause(100);
    const port = Number(new URL(relay.url).port);
    await relay.close();
    await pause(400);
    await it_.redis.command("DEL", "leasehold:{a}");
    const again = await startRelay(it_.redis.port, port);
    await until(
      async () => again.connections,
      (count) => count > 0,
    );
    const since = performance.now();
    const lease = await waiting;
    bestMs = Math.min(bestMs, performance.now() - since);
    await lease.release();
    await gateway.close();
    await again.close();
  }
  expect(bestMs).toBeLessThan(AT_ONCE_MS);
}, 30_000);
