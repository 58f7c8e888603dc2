import { turn } from "../../../agents/src/index.ts";
import type { Worker } from "../worker.ts";
import { FAILED, OURS, SLACK_MS } from "./lock.ts";

/** How often a message is delivered, unless a call says what became of it. */
const DELIVERIES = 4;
/** The bytes of a message without its ID: most are small, and a few large ones fill a conversation. */
const SIZES = [...Array<number>(28).fill(10), 2000, 50_000];

/** The number of messages of each worker so far. */
const counts = new WeakMap<Worker, number>();
function newId(worker: Worker): string {
  const count = (counts.get(worker) ?? 0) + 1;
  counts.set(worker, count);
  return `${worker.id}-${count}`;
}

/** Delivers a message until a call says what became of it, as the senders of webhooks do, and sometimes once more. */
async function deliver(worker: Worker, name: string): Promise<void> {
  const { random, plan, locks, history } = worker;
  const key = worker.keyOf(name);
  const id = newId(worker);
  const message = "x".repeat(random.pick(SIZES));
  for (let deliveries = 0; deliveries < DELIVERIES; deliveries++) {
    const times = {
      wait: random.pick([0, 500, 4000]),
      lease: random.pick([500, 2000, 8000]),
      quiet: random.pick([0, 0, 0, 20, 300]),
      maxHold: random.pick([1000, 5000, 20_000]),
    };
    const options = { onBusy: "collect", id, message, ttl: "10m", ...times } as const;
    // The last turn begins within `maxHold`: it waits for a pause, works, and ends.
    const max = 2 * times.wait + times.maxHold + 10 * times.quiet + 12 * (plan.requestTimeoutMs + SLACK_MS) + 3000;
    const { value, op } = await worker.call(
      `delivers ${id} to ${name}`,
      max,
      () =>
        turn(locks, name, options, async ({ token, messages }) => {
          await worker.sleep(random.pick([0, 0, 20, 300, 1000]));
          if (random.chance(0.1)) throw FAILED;
          history.handled(
            key,
            token,
            messages.map((each) => each.id),
          );
        }),
      { expected: new RegExp(`${OURS.source}|too_many_messages`), isComposite: true },
    );
    if (value) {
      history.delivered(key, op, id, value.status);
      if (random.chance(0.8)) return;
    }
    await worker.sleep(random.pick([0, 100, 1000]));
  }
}

/** Messages of conversations, one by one and in bursts. */
export async function collectRound(worker: Worker): Promise<void> {
  const { random, plan } = worker;
  const name = `n${random.below(plan.names)}`;
  const burst = random.pick([1, 1, 3, 10, 30]);
  await Promise.all(Array.from({ length: burst }, () => deliver(worker, name)));
  await worker.sleep(random.pick([0, 10, 500]));
}
