import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { turn } from "../../agents/src/index.ts";
import { runCron } from "../../src/cron/index.ts";
import { type ConnectOptions, createLocks, type Locks } from "../../src/index.ts";
import { takeOver } from "../../src/queue/index.ts";
import { freshName, pause } from "../../test/support/names.ts";
import { scripts } from "../../test/support/scripts.ts";
import { type DurableObjectRedis, durableObject } from "../src/port.ts";
import { objectOf } from "../src/route.ts";
import { type ReadyWorker, startWorker } from "./support/workerd.ts";

const page = (): string => readFileSync(new URL("../../docs/durable-object.md", import.meta.url), "utf8");

/** The objects, which count the rows that they write. */
interface Counting {
  idFromName(name: string): unknown;
  get(id: unknown): { rowsWritten(): Promise<number>; run(commands: string[][]): Promise<unknown> };
}

let worker: ReadyWorker;
let objects: Counting;
let locks: Locks;
let requests = 0;
/** The objects that got a request. */
const used = new Set<string>();
beforeAll(async () => {
  worker = await startWorker("durable-object/test/support/counting-worker.ts", {
    LEASEHOLD_TOKEN: "test-token-0123456789",
  });
  const namespace = await worker.mf.getDurableObjectNamespace("LEASEHOLD");
  objects = namespace as unknown as Counting;
  // Scripts are the isolate's: the first use of one in a new isolate takes a request more.
  const any = objects.get(objects.idFromName("any"));
  await any.run(Object.values(scripts).map(({ lua }) => ["SCRIPT", "LOAD", lua]));
  const { port, server } = durableObject(namespace as never);
  const counted: DurableObjectRedis["port"] = Object.assign(
    (...given: Parameters<DurableObjectRedis["port"]>) => {
      requests++;
      const { name } = objectOf(given[0]);
      if (name !== undefined) used.add(name);
      return port(...given);
    },
    { isSingle: true as const },
  );
  locks = createLocks({ redis: { port: counted, server } } as ConnectOptions);
});
afterAll(() => worker?.stop());

/** Requests and rows. */
type Cost = readonly [requests: number, rows: number];

/** What an operation on a name costs, by workerd's own count of rows. */
async function costOf(name: string, act: () => Promise<unknown>): Promise<Cost> {
  const rows = (): Promise<number> => objects.get(objects.idFromName(name)).rowsWritten();
  const [rowsBefore, requestsBefore] = [await rows(), requests];
  await act();
  return [requests - requestsBefore, (await rows()) - rowsBefore];
}
/** What an operation costs in all objects that it uses. */
async function costOfAll(act: () => Promise<unknown>): Promise<Cost> {
  const rows = async (): Promise<number> => {
    const each = [...used].map((name) => objects.get(objects.idFromName(name)).rowsWritten());
    return (await Promise.all(each)).reduce((sum, count) => sum + count, 0);
  };
  const [rowsBefore, requestsBefore] = [await rows(), requests];
  await act();
  return [requests - requestsBefore, (await rows()) - rowsBefore];
}
const minus = (one: Cost, other: Cost): Cost => [one[0] - other[0], one[1] - other[1]];

interface Taken {
  extend(): Promise<unknown>;
  release(): Promise<unknown>;
}
type Take = (wait?: number) => Promise<Taken>;
/** How long a waiter waits: it is held once, and a place in a queue need not be kept. */
const WAIT_MS = 300;

/** What each step of a kind costs on a name that was used before, with a holder and a waiter. */
async function costsOf(name: string, take: Take) {
  const cycle = async (): Promise<void> => {
    const holder = await take();
    const waiter = take(20_000);
    await pause(WAIT_MS);
    await holder.release();
    await (await waiter).release();
  };
  await cycle();
  let taken = await take();
  await taken.release();
  const acquire = await costOf(name, async () => {
    taken = await take();
  });
  const extend = await costOf(name, () => taken.extend());
  const release = await costOf(name, () => taken.release());
  const all = await costOf(name, cycle);
  // The holder's acquire, and both releases.
  const waiting = minus(minus(minus(all, acquire), release), release);
  return { acquire, extend, release, waiting };
}

/** What runs of a job, hand-overs of a lock and turns with a step cost, on names that were used before. */
async function costsOfRuns() {
  const job = freshName();
  const run = (slot: string, work: () => unknown) => runCron({ locks, name: job, slot }, work);
  const fails = (): never => {
    throw new Error("the work failed");
  };
  await run("1", () => 1);
  const cron = await costOfAll(() => run("2", () => 1));
  const cronDuplicate = await costOfAll(() => run("2", () => 1));
  const cronFailed = await costOfAll(() => run("3", fails).catch(() => undefined));

  const lock = locks.lock(freshName());
  const handOver = async (): Promise<string> => {
    const ticket = (await lock.acquire()).ticket();
    await takeOver(lock, ticket, () => 1);
    return ticket;
  };
  let ticket = await handOver();
  const handed = await costOfAll(async () => {
    ticket = await handOver();
  });
  const handedDuplicate = await costOfAll(() => takeOver(lock, ticket, () => 1));

  const conversation = freshName();
  const withStep = () => turn(locks, conversation, { onBusy: "supersede" }, ({ step }) => step("book", () => 1));
  await withStep();
  return { cron, cronDuplicate, cronFailed, handed, handedDuplicate, step: await costOfAll(withStep) };
}

/** The same cost of several operations. @throws for different ones */
function same(...costs: readonly Cost[]): Cost {
  const [first = [0, 0]] = costs;
  for (const cost of costs) expect(cost).toEqual(first);
  return first;
}

it("the table of costs is what workerd counts (B32)", async () => {
  const grace = "20s";
  const kinds = {
    lock: (name: string) => locks.lock(name),
    fair: (name: string) => locks.fairLock(name, { grace }),
    semaphore: (name: string) => locks.semaphore(name, { permits: 1 }),
    fairSemaphore: (name: string) => locks.semaphore(name, { permits: 1, fair: true, grace }),
    reader: (name: string) => locks.readWriteLock(name).read,
    writer: (name: string) => locks.readWriteLock(name).write,
  };
  const of = (kind: keyof typeof kinds): ReturnType<typeof costsOf> => {
    const name = freshName();
    const one = kinds[kind](name);
    return costsOf(name, (wait = 0) => one.acquire({ wait }));
  };
  const [lock, fair, semaphore, fairSemaphore, writer] = [
    await of("lock"),
    await of("fair"),
    await of("semaphore"),
    await of("fairSemaphore"),
    await of("writer"),
  ];

  const name = freshName();
  const held = await locks.lock(name).acquire();
  const refused = await costOf(name, () => locks.lock(name).tryAcquire());
  const looked = await costOf(name, () => locks.lock(name).inspect());
  const verified = await costOf(name, () => held.verify());

  const key = freshName();
  const once = locks.once(key);
  const work = (): Promise<never> => Promise.reject(new Error("the work failed"));
  await once.run({}, work).catch(() => undefined);
  const failed = await costOf(key, () => once.run({}, work).catch(() => undefined));
  const done = await costOf(key, () => once.run({}, async () => 1));
  const duplicate = await costOf(key, () => once.run({}, async () => 2));

  const runs = await costsOfRuns();

  const group = freshName();
  const both = locks.group(group).multiLock(["a", "b"]);
  await (await both.acquire()).release();
  let lease: Taken = await both.acquire();
  await lease.release();
  const bothAcquired = await costOf(group, async () => {
    lease = await both.acquire();
  });
  const bothReleased = await costOf(group, () => lease.release());

  const counted = freshName();
  const counter = locks.counter(counted, { permits: 5 });
  await counter.acquire();
  await counter.release();
  const counterAcquired = await costOf(counted, () => counter.acquire());
  const counterReleased = await costOf(counted, () => counter.release());

  const read = freshName();
  const { read: side } = locks.readWriteLock(read);
  await (await side.acquire()).release();
  let reader: Taken = await side.acquire();
  await reader.release();
  const readerAcquired = await costOf(read, async () => {
    reader = await side.acquire();
  });
  const readerExtended = await costOf(read, () => reader.extend());
  const readerReleased = await costOf(read, () => reader.release());

  const gate = freshName();
  const latch = locks.latch(gate);
  const latchCosts: Cost[] = [];
  for (const round of ["first", "second"]) {
    const costs = [await costOf(gate, () => latch.trySetCount(3))];
    const { generation } = await latch.inspect();
    for (const party of ["a", "b", "c"]) costs.push(await costOf(gate, () => latch.countDown(party, { generation })));
    if (round === "second") latchCosts.push(...costs);
  }
  expect(latchCosts.map(([count]) => count)).toEqual([1, 1, 1, 1]);

  const first = freshName();
  const firstLock = minus(await costOf(first, () => locks.lock(first).acquire()), lock.acquire);
  const second = freshName();
  const firstSemaphore = minus(
    await costOf(second, () => locks.semaphore(second, { permits: 1 }).acquire()),
    semaphore.acquire,
  );

  const half = ([all, rows]: Cost): Cost => [all, rows / 2];
  const table: Readonly<Record<string, Cost>> = {
    "lock, fair lock, writer: acquire, extend or release": same(
      ...[lock, fair, writer].flatMap(({ acquire, extend, release }) => [acquire, extend, release]),
    ),
    "names of one group: acquire or release, rows for each name": same(half(bothAcquired), half(bothReleased)),
    "`once`: a run that is done, or fails": same(done, failed),
    "a cron run that is done, or fails": same(runs.cron, runs.cronFailed),
    "acquire and `takeOver` of a lock": runs.handed,
    "`turn` with `supersede` and one step": runs.step,
    "a duplicate of a cron run or of a message": same(runs.cronDuplicate, runs.handedDuplicate),
    "reader, counter: acquire or release": same(readerAcquired, readerReleased, counterAcquired, counterReleased),
    "semaphore, fair or not: acquire or release": same(
      ...[semaphore, fairSemaphore].flatMap(({ acquire, release }) => [acquire, release]),
    ),
    "semaphore, reader: extend": same(semaphore.extend, fairSemaphore.extend, readerExtended),
    "latch: set or count down, at most": [1, Math.max(...latchCosts.map(([, rows]) => rows))],
    "a refused try, `inspect`, `verify`, a duplicate of a finished `once`": same(refused, looked, verified, duplicate),
    "lock: wait and acquire": lock.waiting,
    "semaphore: wait and acquire": semaphore.waiting,
    "fair lock: wait in the queue and acquire, about": fair.waiting,
    "fair semaphore: wait in the queue and acquire, about": fairSemaphore.waiting,
    "writer: wait and acquire, about": writer.waiting,
    "the first use of a name, in addition": minus(firstLock, [firstLock[0], 0]),
    "the first use of a name with permits, readers or a queue, in addition": minus(firstSemaphore, [
      firstSemaphore[0],
      0,
    ]),
  };
  const [, section = ""] = page().split("## What an operation costs");
  const lines = [...section.matchAll(/^\| ([^|]+) \| (\d+) \| (\d+) \|$/gm)];
  expect(lines.map(([, what]) => what)).toEqual(Object.keys(table));
  for (const [, what = "", count, rows] of lines) {
    const [countFound = 0, rowsFound = 0] = table[what] ?? [];
    expect(countFound, what).toBe(Number(count));
    // Whether a place in a queue needs a longer TTL of the queue depends on the time since the one before.
    const slack = what.includes("about") ? 2 : 0;
    expect(Math.abs(rowsFound - Number(rows)), `${what}: ${rowsFound}`).toBeLessThanOrEqual(slack);
  }
}, 300_000);

it("a place in a queue is kept for about the rows that the page names (B32)", async () => {
  const SECONDS = 5;
  const name = freshName();
  const lock = locks.fairLock(name);
  const holder = await lock.acquire();
  const waiting = lock.acquire({ wait: "60s" });
  await pause(WAIT_MS);
  const begun = performance.now();
  const [, rows] = await costOf(name, () => pause(SECONDS * 1000));
  const perSecond = rows / ((performance.now() - begun) / 1000);
  await holder.release();
  await (await waiting).release();
  const named = Number(/about (\d+) rows for each second/.exec(page())?.[1]);
  // A stalled machine keeps the place more rarely.
  expect(perSecond).toBeGreaterThan(named / 6);
  expect(perSecond).toBeLessThan(named * 1.5);
}, 60_000);
