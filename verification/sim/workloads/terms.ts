import { elect } from "../../../src/elect/index.ts";
import type { Acquirable, Lease } from "../../../src/index.ts";
import { takeOver } from "../../../src/queue/index.ts";
import { ABORTED, type Worker } from "../worker.ts";
import { FAILED, OURS, SLACK_MS } from "./lock.ts";

/** A candidacy of random length: one candidate leads at a time. */
export async function electRound(worker: Worker): Promise<void> {
  const { random, plan, locks, host, history } = worker;
  const name = `n${random.below(plan.names)}`;
  const key = worker.keyOf(name);
  const stop = worker.controller();
  const length = random.pick([100, 1000, 6000]);
  host.setTimeout(() => stop.abort(ABORTED), length);
  let leads = 0;
  const max = length + 6 * (plan.requestTimeoutMs + SLACK_MS) + 6000;
  await worker.call(
    `is a candidate for ${name}`,
    max,
    () =>
      elect(locks, name, {
        lease: random.pick([500, 2000]),
        signal: stop.signal,
        async onGained(lease: Lease) {
          leads++;
          if (leads > 1) history.report("one holder", `two terms of ${worker.id} for ${name} overlap`);
          const op = history.holdersOf(key).find(({ token }) => token === lease.token)?.op;
          if (op) worker.believe(op, lease, [key]);
          await worker.sleep(random.pick([0, 20, 400]));
        },
        async onLost() {
          leads--;
          await worker.sleep(random.pick([0, 20]));
        },
      }),
    { expected: OURS, isComposite: true },
  );
  if (leads > 0 && !host.isDead) history.report("elect", `${worker.id} leads ${name} after its candidacy`);
  await worker.sleep(random.pick([0, 10, 500]));
}

/** The tickets that wait in the queue of a run. */
const messages = new WeakMap<object, string[]>();

const WORK = "work";
const PERMITS = 2;

/** What a run hands over. A plain lock has scripts of its own for it; the other kinds combine theirs. */
function handedOver({ plan, locks, history }: Worker): Acquirable {
  if (plan.seed % 4 === 0) return locks.fairLock(WORK);
  if (plan.seed % 4 === 2) {
    history.permits.set(WORK, PERMITS);
    return locks.semaphore(WORK, { permits: PERMITS });
  }
  return locks.lock(WORK);
}

/** A lock is acquired and its ticket is sent to others, possibly more than once, which do the work. */
export async function queueRound(worker: Worker): Promise<void> {
  const { random, plan, world } = worker;
  const queue = messages.get(world) ?? [];
  messages.set(world, queue);
  const mostMs = plan.requestTimeoutMs + SLACK_MS;
  const lock = handedOver(worker);
  const [ticket] = queue;
  if (ticket === undefined || (queue.length < 3 && random.chance(0.3))) {
    const lease = random.pick([500, 3000]);
    const { value } = await worker.call("acquires the work", mostMs, () => lock.tryAcquire({ lease }));
    // Each message may arrive twice.
    if (value) for (let copies = 1 + random.below(2); copies > 0; copies--) queue.push(value.ticket());
    return worker.sleep(random.pick([10, 300]));
  }
  const { value: job } = await worker.call(
    "takes over",
    8 * mostMs + 8000,
    () =>
      takeOver(lock, ticket, async ({ signal }) => {
        await worker.sleep(random.pick([0, 20, 300, 2000]));
        if (random.chance(0.15)) throw FAILED;
        return signal.aborted;
      }),
    { expected: OURS, isComposite: true },
  );
  const at = queue.indexOf(ticket);
  if (job?.status === "done" && at >= 0) queue.splice(at, 1);
  else if (random.chance(0.2) && at >= 0) queue.push(...queue.splice(at, 1));
  await worker.sleep(random.pick([0, 10, 500]));
}
