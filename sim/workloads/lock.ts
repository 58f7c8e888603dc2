import type { Lease } from "../../src/index.ts";
import { ABORTED, type Outcome, type Worker } from "../worker.ts";

/** Slower than this is too slow: timers come late, and each step of a call has some. */
export const SLACK_MS = 500;

/** The errors that are answers: waiting would change nothing. */
const EXPECTED = /^(not_reentrant|too_many_holds|upgrade_refused)$/;

/** A kind that gives leases, as the workload of all of them needs it. */
export interface Taken {
  readonly what: string;
  /** The keys under which the history knows its names. */
  readonly names: readonly string[];
  tryAcquire(options: object): Promise<Leased | null>;
  acquire(options: object): Promise<Leased>;
  forceRelease?(): Promise<unknown>;
  /** Takes a lease over by its ticket, where another function does that than for most kinds. */
  resume?(ticket: string): Promise<Leased>;
  /** Whether it takes an owner and a label. */
  readonly isNamed?: boolean;
  /** How many requests one of its calls needs. Default 1. */
  readonly requests?: number;
}

/** The part of a lease that all kinds have. */
type Leased = Pick<Lease, "extend" | "verify" | "release" | "remaining" | "signal"> & {
  readonly token?: number;
  ticket?(): string;
  /** The tickets of a lease that has none of its own. */
  tickets?(): readonly string[];
};

/** Options of one acquisition, and a signal that aborts some of them. */
function drawOptions({ random, plan, id }: Worker, isNamed: boolean): object {
  const lease = random.pick([300, 1000, 4000, 15_000]);
  if (!isNamed) return { lease };
  return {
    lease,
    ...(random.chance(0.3) && { owner: `owner of ${random.chance(0.5) ? id : "two"}` }),
    ...(random.chance(0.1) && { label: `${plan.kind} of ${id}` }),
  };
}

async function acquire(worker: Worker, taken: Taken, own: object): Promise<Outcome<Leased | null>> {
  const { random, plan, host } = worker;
  const options = { ...drawOptions(worker, taken.isNamed ?? true), ...own };
  const { requestTimeoutMs } = plan;
  if (random.chance(0.4))
    return worker.call(`tries ${taken.what}`, requestTimeoutMs + SLACK_MS, () => taken.tryAcquire(options), {
      expected: EXPECTED,
      mostRequests: taken.requests ?? 1,
    });
  const wait = plan.isCalm ? 120_000 : random.pick([100, 1000, 5000, 20_000]);
  const controller = worker.controller();
  const aborts = !plan.isCalm && random.chance(0.15);
  const isWatched = aborts || random.chance(0.1);
  if (aborts) host.setTimeout(() => controller.abort(ABORTED), random.between(0, 1.2 * wait));
  const waiting = { ...options, wait, ...(isWatched && { signal: controller.signal }) };
  return worker.call(`acquires ${taken.what}`, wait + requestTimeoutMs + SLACK_MS, () => taken.acquire(waiting), {
    expected: EXPECTED,
  });
}

/** Does with a lease what holders do, and gives it back in most cases. */
async function hold(worker: Worker, { value: lease, op }: Outcome<Leased>, taken: Taken): Promise<void> {
  const { random, plan, locks } = worker;
  const mostMs = plan.requestTimeoutMs + SLACK_MS;
  if (!lease) return;
  const mostRequests = taken.requests ?? 1;
  worker.believe(op, lease, taken.names);
  let held = lease;
  for (let steps = random.below(3); steps > 0; steps--) {
    await worker.sleep(random.pick([0, 30, 300, 2000]));
    // Re-sending goes on while the lease lasts.
    if (random.chance(0.6))
      await worker.call(
        "extends",
        held.remaining + mostMs + plan.requestTimeoutMs,
        () => held.extend(random.pick([200, 2000, 8000])),
        {
          expected: /lease_lost/,
          of: op,
          mostRequests,
        },
      );
    else if (random.chance(0.7)) await worker.call("verifies", mostMs, () => held.verify(), { of: op, mostRequests });
    else if (!lease.tickets && lease.ticket) {
      const ticket = lease.ticket();
      const resumed = await worker.call<Leased>("resumes", mostMs, () => (taken.resume ?? locks.resume)(ticket), {
        of: op,
      });
      if (resumed.value) held = resumed.value;
    }
  }
  await worker.sleep(random.pick([0, 10, 100, 1000]));
  if (random.chance(0.9)) {
    worker.history.disbelieve(op);
    await worker.call("releases", mostMs, () => held.release(), { mostRequests });
    if (random.chance(0.1)) await worker.call("releases again", mostMs, () => held.release());
  } else await worker.sleep(lease.remaining + 1);
  worker.finish(op);
}

/** One round of a worker: it takes something, uses it and gives it back. */
export async function takeAndGiveBack(worker: Worker, taken: Taken, own: object = {}): Promise<void> {
  const { random, plan } = worker;
  if (taken.forceRelease && !plan.isCalm && random.chance(0.02))
    await worker.call(`forces ${taken.what}`, plan.requestTimeoutMs + SLACK_MS, async () => taken.forceRelease?.());
  const outcome = await acquire(worker, taken, own);
  if (outcome.value) await hold(worker, outcome as Outcome<Leased>, taken);
  await worker.sleep(random.pick([0, 1, 20, 200, 1500]));
}

export async function lockRound(worker: Worker): Promise<void> {
  const { random, plan, locks } = worker;
  const name = `n${random.below(plan.names)}`;
  const lock = locks.lock(name);
  await takeAndGiveBack(worker, {
    what: name,
    names: [worker.keyOf(name)],
    tryAcquire: lock.tryAcquire,
    acquire: lock.acquire,
    forceRelease: lock.forceRelease,
  });
}
