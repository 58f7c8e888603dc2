import { redisFence } from "../../../src/fence/index.ts";
import type { Worker } from "../worker.ts";
import { SLACK_MS } from "./lock.ts";

const EXPECTED = /StaleTokenError|lock_timeout|outcome_unknown|unreachable/;

/** Writes under a lock, by a fence in Redis. */
export async function fenceRound(worker: Worker): Promise<void> {
  const { random, plan, locks, id } = worker;
  const mostMs = plan.requestTimeoutMs + SLACK_MS;
  const name = `n${random.below(plan.names)}`;
  const fence = redisFence(locks, { ttl: "10m" });
  const lock = locks.lock(name);
  const wait = random.pick([0, 2000]);
  const lease = random.pick([300, 2000]);
  const options = { expected: EXPECTED };
  const { value, op } = await worker.call(
    `acquires ${name}`,
    wait + mostMs,
    () => lock.acquire({ wait, lease }),
    options,
  );
  if (value) {
    worker.believe(op, value, [worker.keyOf(name)]);
    for (let writes = 1 + random.below(3); writes > 0; writes--) {
      // It writes although its lease may have ended: the case that the fence exists for.
      await worker.sleep(random.pick([0, 10, 400, 3000]));
      const text = `${id} ${random.below(1000)}`;
      await worker.call("writes", 3 * mostMs, () => fence.write(value, text), { ...options, of: op });
      if (random.chance(0.3)) await worker.call("reads", mostMs, () => fence.read(name), { of: op });
    }
    worker.history.disbelieve(op);
    await worker.call("releases", mostMs, () => value.release());
    worker.finish(op);
  }
  await worker.sleep(random.pick([0, 10, 500]));
}
