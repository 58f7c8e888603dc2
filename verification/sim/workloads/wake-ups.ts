import { ABORTED, type Outcome, type Worker } from "../worker.ts";
import { latchRound } from "./counts.ts";
import { SLACK_MS } from "./lock.ts";
import { onceRound } from "./once.ts";

const PERMITS = 2;

/** A kind with leases. */
interface Source {
  tryAcquire(options: object): Promise<Held | null>;
  acquire(options: object): Promise<Held>;
}

type Held = Parameters<Worker["believe"]>[1] & { extend(lease: number): Promise<unknown>; release(): Promise<unknown> };

const NAME = "n0";

function readOrWrite({ locks, random }: Worker): Source {
  const { read, write } = locks.readWriteLock(NAME);
  return random.chance(0.5) ? read : write;
}

function semaphoreOf({ locks, history }: Worker, fair: boolean): Source {
  history.permits.set(NAME, PERMITS);
  return locks.semaphore(NAME, { permits: PERMITS, fair });
}

/** What a run waits for. */
const SOURCES: readonly ((worker: Worker) => Source)[] = [
  // A back-off that is not a number sleeps until a message arrives, or to the end of the wait.
  ({ locks, brokenWait }) => locks.lock(NAME, brokenWait === "never polls" ? { backoff: () => Number.NaN } : {}),
  ({ locks }) => locks.fairLock(NAME),
  readOrWrite,
  (worker) => semaphoreOf(worker, false),
  (worker) => semaphoreOf(worker, true),
];

/** Acquires, in most cases with a wait, which some callers give up: then the next waiter must hear of the place. */
function acquire(worker: Worker, source: Source): Promise<Outcome<Held | null>> {
  const { random, plan, host } = worker;
  const mostMs = plan.requestTimeoutMs + SLACK_MS;
  const options = { lease: random.pick([1000, 4000, 15_000]) };
  if (random.chance(0.15)) return worker.call(`tries ${NAME}`, mostMs, () => source.tryAcquire(options));
  const wait = plan.isCalm ? 120_000 : random.pick([2000, 8000, 30_000]);
  const controller = worker.controller();
  if (!plan.isCalm && random.chance(0.15)) host.setTimeout(() => controller.abort(ABORTED), random.between(0, wait));
  const { signal } = controller;
  return worker.call(`waits for ${NAME}`, wait + mostMs, () => source.acquire({ ...options, wait, signal }), {
    expected: /lock_timeout/,
  });
}

async function leaseRound(worker: Worker, source: Source): Promise<void> {
  const { random, plan, history } = worker;
  const mostMs = plan.requestTimeoutMs + SLACK_MS;
  const { value: held, op } = await acquire(worker, source);
  if (!held) return worker.sleep(random.pick([1, 20, 300]));
  worker.believe(op, held, [worker.keyOf(NAME)]);
  await worker.sleep(random.pick([0, 5, 50, 400, 3000]));
  if (random.chance(0.2)) {
    const about = { of: op, expected: /lease_lost/ };
    const extendMs = held.remaining + mostMs + plan.requestTimeoutMs;
    await worker.call("extends", extendMs, () => held.extend(random.pick([1000, 8000])), about);
    await worker.sleep(random.pick([0, 50, 400]));
  }
  // Those who die publish nothing.
  if (random.chance(0.1)) await worker.sleep(held.remaining + 1);
  else {
    history.disbelieve(op);
    await worker.call("releases", mostMs, () => held.release());
  }
  worker.finish(op);
  await worker.sleep(random.pick([0, 1, 20, 200]));
}

/** Waiters that messages wake. Each run has one kind of name: a lock, a semaphore, a latch or a once. */
export function wakeUpsRound(worker: Worker): Promise<void> {
  const kinds = SOURCES.length + 2;
  // The faults of a seed depend on its remainder by three.
  const kind = Math.floor(worker.plan.seed / 3) % kinds;
  const source = SOURCES[kind];
  if (source) return leaseRound(worker, source(worker));
  return kind === SOURCES.length ? latchRound(worker) : onceRound(worker);
}
