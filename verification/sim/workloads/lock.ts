import type { Lease } from "../../../src/index.ts";
import type { Op } from "../history/index.ts";
import { ABORTED, type Outcome, type Worker } from "../worker.ts";

/** A call slower than this is too slow: timers fire late, and each step of a call has some. */
export const SLACK_MS = 500;

export const FAILED: Error = new Error("the work failed");
/** The errors that work under a lease may also end with when there are no faults. */
export const OURS: RegExp = /the work failed|lease_lost|lock_timeout/;

/** Errors that are final responses: waiting would change nothing. */
const EXPECTED = /^(not_reentrant|too_many_holds|upgrade_refused)$/;

/** A kind with leases, as their shared workload needs it. */
export interface Taken {
  readonly what: string;
  /** The keys of its names in the history. */
  readonly names: readonly string[];
  tryAcquire(options: object): Promise<Leased | null>;
  acquire(options: object): Promise<Leased>;
  forceRelease?(): Promise<unknown>;
  /** Resumes a lease from its ticket, if not done by the same function as for most kinds. */
  resume?(ticket: string): Promise<Leased>;
  /** Whether it has the options `reentryKey` and `label`. */
  readonly isNamed?: boolean;
  /** Whether an acquire needs the hold on a replica. */
  readonly isReplicated?: boolean;
  /** The number of requests per call. Default: 1. */
  readonly requests?: number;
  /** The number of requests of a release. Default: that of a call. */
  readonly requestsOfRelease?: number;
}

/** The part of a lease that all kinds have. */
type Leased = Pick<Lease, "extend" | "verify" | "release" | "remaining" | "signal"> & {
  readonly token?: number;
  ticket?(): string;
  /** The tickets of a lease that has no single one. */
  tickets?(): readonly string[];
};

/** Options of one acquisition, and a signal that aborts some of them. */
function drawOptions({ random, plan, id }: Worker, isNamed: boolean): object {
  const lease = random.pick([300, 1000, 4000, 15_000]);
  if (!isNamed) return { lease };
  return {
    lease,
    ...(random.chance(0.3) && { reentryKey: `re-entry key of ${random.chance(0.5) ? id : "two"}` }),
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
      isReplicated: taken.isReplicated ?? false,
    });
  const wait = plan.isCalm ? 120_000 : random.pick([100, 1000, 5000, 20_000]);
  const controller = worker.controller();
  const aborts = !plan.isCalm && random.chance(0.15);
  const isWatched = aborts || random.chance(0.1);
  if (aborts) host.setTimeout(() => controller.abort(ABORTED), random.between(0, 1.2 * wait));
  const waiting = { ...options, wait, ...(isWatched && { signal: controller.signal }) };
  return worker.call(`acquires ${taken.what}`, wait + requestTimeoutMs + SLACK_MS, () => taken.acquire(waiting), {
    expected: EXPECTED,
    isReplicated: taken.isReplicated ?? false,
  });
}

/** Resumes a lease from its ticket, in every second seed on any host, and returns that host's worker. */
async function resume(worker: Worker, op: Op, ticket: string, { resume: own, names }: Taken) {
  const { random, plan, peers } = worker;
  const drawn = plan.seed % 2 === 1 && !own ? random.pick(peers) : worker;
  const by = drawn.host.isDead ? worker : drawn;
  worker.as = by;
  // A frozen host resumes nothing.
  await by.sleep(0);
  const mostMs = plan.requestTimeoutMs + SLACK_MS;
  const { value } = await by.call<Leased>("resumes", mostMs, () => (own ?? by.locks.resume)(ticket), { of: op });
  if (value && by !== worker) by.believe(op, value, names);
  return { value, by };
}

/** Uses a lease like a holder, and releases it in most cases. */
async function hold(worker: Worker, { value: lease, op }: Outcome<Leased>, taken: Taken): Promise<void> {
  const { random, plan } = worker;
  const mostMs = plan.requestTimeoutMs + SLACK_MS;
  if (!lease) return;
  const mostRequests = taken.requests ?? 1;
  const about = { of: op, mostRequests };
  worker.believe(op, lease, taken.names);
  let held = lease;
  let by = worker;
  for (let steps = random.below(3); steps > 0; steps--) {
    await by.sleep(random.pick([0, 30, 300, 2000]));
    // Retries continue during the lease.
    const extendMs = held.remaining + mostMs + plan.requestTimeoutMs;
    const extend = () => held.extend(random.pick([200, 2000, 8000]));
    if (random.chance(0.6)) await by.call("extends", extendMs, extend, { ...about, expected: /lease_lost/ });
    else if (random.chance(0.7)) await by.call("verifies", mostMs, () => held.verify(), about);
    else if (!lease.tickets && held.ticket) {
      const resumed = await resume(worker, op, held.ticket(), taken);
      if (resumed.value) ({ value: held, by } = resumed as typeof resumed & { value: Leased });
    }
  }
  await by.sleep(random.pick([0, 10, 100, 1000]));
  if (random.chance(0.9)) {
    worker.history.disbelieve(op);
    await by.call("releases", mostMs, () => held.release(), {
      mostRequests: taken.requestsOfRelease ?? mostRequests,
    });
    if (random.chance(0.1)) await by.call("releases again", mostMs, () => held.release());
  } else await by.sleep(held.remaining + 1);
  worker.as = undefined;
  worker.finish(op);
}

/** One round of a worker: it acquires, uses and releases a lease. */
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

/** Names on the nodes of a cluster, each with its own clock. */
export async function clusterRound(worker: Worker): Promise<void> {
  const { random, locks } = worker;
  const name = `n${random.below(6)}`;
  const kind = random.pick([locks.lock(name), locks.lock(name), locks.fairLock(`fair ${name}`)]);
  const key = worker.keyOf(kind.name);
  await takeAndGiveBack(worker, { what: kind.name, names: [key], ...kind });
}

/** Locks that count as acquired once a replica has them. */
export async function replicasRound(worker: Worker): Promise<void> {
  const { random, plan, locks } = worker;
  const name = `n${random.below(plan.names)}`;
  const lock = locks.lock(name, { replicas: { min: 1, timeout: 200 } });
  await takeAndGiveBack(worker, { what: name, names: [worker.keyOf(name)], isReplicated: true, requests: 2, ...lock });
}
