import type { Worker } from "../worker.ts";
import { SLACK_MS, takeAndGiveBack } from "./lock.ts";

const drawName = ({ random, plan }: Worker): string => `n${random.below(plan.names)}`;

export async function fairRound(worker: Worker): Promise<void> {
  const name = drawName(worker);
  const fair = worker.locks.fairLock(name);
  await takeAndGiveBack(worker, { what: name, names: [worker.keyOf(name)], ...fair });
}

export async function readWriteRound(worker: Worker): Promise<void> {
  const name = drawName(worker);
  const { read, write } = worker.locks.readWriteLock(name);
  const side = worker.random.chance(0.6) ? read : write;
  const what = `${name} to ${side === read ? "read" : "write"}`;
  // The release of a lost read hold removes what may be left of it in the crowd.
  await takeAndGiveBack(worker, { what, names: [worker.keyOf(name)], requestsOfRelease: 2, ...side });
}

/** A plain lock on a name that others lock in a group, over another connection. */
async function plainRound(worker: Worker): Promise<void> {
  const { random, plan, history } = worker;
  const mostMs = plan.requestTimeoutMs + SLACK_MS;
  const { value, op } = await worker.call("tries plain a", mostMs, () => worker.another().lock("a").tryAcquire());
  if (!value) return;
  worker.believe(op, value, [worker.keyOf("a")]);
  if (history.holdersOf(worker.keyOf("a", "g")).length > 0)
    history.report("one holder", `${op.id} has a, and others have it in g`, "A name in a `group` is a separate lock");
  await worker.sleep(random.pick([0, 100]));
  history.disbelieve(op);
  await worker.call("releases plain a", mostMs, () => value.release());
  worker.finish(op);
}

/** Several names of one slot under one token, and names on two servers in sequence. */
export async function multiRound(worker: Worker): Promise<void> {
  const { random, locks, clients, servers } = worker;
  const parts = ["a", "b", "c"].filter(() => random.chance(0.6));
  const names = parts.length > 1 ? parts : ["a", "b"];
  if (worker.plan.seed % 2 === 1 && random.chance(0.05)) return plainRound(worker);
  if (random.chance(0.6)) {
    const group = locks.group("g").multiLock(names);
    const keys = names.map((name) => worker.keyOf(name, "g"));
    await takeAndGiveBack(worker, { what: `${names} of g`, names: keys, ...group });
    return;
  }
  const apart = names.map((name, index) => ({ name, at: index % clients.length }));
  const joined = apart.map(({ name, at }) => (clients[at] ?? locks).lock(`apart ${name}`));
  const lock = locks.multiLock(joined);
  const keys = apart.map(({ name, at }) => `${servers[at]?.name}/leasehold:{apart ${name}}`);
  await takeAndGiveBack(worker, {
    what: `${names} apart`,
    names: keys,
    requests: 2 * names.length,
    tryAcquire: lock.tryAcquire,
    acquire: lock.acquire,
    forceRelease: lock.forceRelease,
  });
}

const PERMITS = 3;

async function semaphoreRoundOf(worker: Worker, fair: boolean): Promise<void> {
  const name = drawName(worker);
  worker.history.permits.set(name, PERMITS);
  const semaphore = worker.locks.semaphore(name, { permits: PERMITS, fair });
  const permits = 1 + worker.random.below(PERMITS);
  const what = `${permits} of ${name}`;
  await takeAndGiveBack(worker, { what, names: [worker.keyOf(name)], isNamed: false, ...semaphore }, { permits });
}
export const semaphoreRound = (worker: Worker): Promise<void> => semaphoreRoundOf(worker, false);
export const fairSemaphoreRound = (worker: Worker): Promise<void> => semaphoreRoundOf(worker, true);

export async function quorumRound(worker: Worker): Promise<void> {
  const { clients, locks, servers } = worker;
  const name = drawName(worker);
  const quorum = locks.quorumLock(clients.slice(1), name);
  const names = servers.map((server) => `${server.name}/leasehold:{${name}}`);
  await takeAndGiveBack(worker, {
    what: name,
    names,
    requests: 4 * servers.length,
    // Without re-entry keys, two calls never share a tenure.
    isNamed: false,
    tryAcquire: quorum.tryAcquire,
    acquire: quorum.acquire,
    resume: quorum.resume,
  });
}
