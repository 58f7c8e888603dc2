import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLocks, type Locks } from "../../src/index.ts";
import { freshName } from "../../test/support/names.ts";
import { type MortalClient, mortalClient } from "./support/mortal-client.ts";
import { type ReadyWorker, startWorker } from "./support/workerd.ts";

const TOKEN = "test-token-0123456789";
/** The lease that a dead waiter would get: longer than any test. */
const LEASE = "10m";
/** How long the next waiter has. A name that is granted to a dead one costs it all of this. */
const WAIT = "20s";
/** How long a request is unanswered before it counts as held; it is longer than any request counts as fresh. */
const HELD_MS = 300;
const CROWD = 6;

let worker: ReadyWorker;
const clients: MortalClient[] = [];
beforeAll(async () => {
  worker = await startWorker("durable-object/test/support/ending-worker.ts", { LEASEHOLD_TOKEN: TOKEN });
});
afterAll(async () => {
  for (const client of clients) client.die();
  await worker?.stop();
});

const living = (): Locks => createLocks({ url: worker.url, token: TOKEN });
function mortal(): MortalClient {
  const client = mortalClient(worker.url, TOKEN);
  clients.push(client);
  return client;
}

interface Taken {
  release(): Promise<unknown>;
}

/** Each kind for which a request waits, one holder at a time. */
const KINDS: Readonly<Record<string, (locks: Locks, name: string) => Promise<Taken>>> = {
  lock: (locks, name) => locks.lock(name).acquire({ lease: LEASE, wait: WAIT }),
  fairLock: (locks, name) => locks.fairLock(name).acquire({ lease: LEASE, wait: WAIT }),
  semaphore: (locks, name) => locks.semaphore(name, { permits: 1 }).acquire({ lease: LEASE, wait: WAIT }),
  "fair semaphore": (locks, name) =>
    locks.semaphore(name, { permits: 1, fair: true }).acquire({ lease: LEASE, wait: WAIT }),
  "readWriteLock.write": (locks, name) => locks.readWriteLock(name).write.acquire({ lease: LEASE, wait: WAIT }),
  multiLock: (locks, name) => locks.group(name).multiLock(["a", "b"]).acquire({ lease: LEASE, wait: WAIT }),
  "once.run": (locks, name) =>
    new Promise((resolve, reject) => {
      // Each attempt fails, so that the next waiter runs.
      const work = (): Promise<never> =>
        new Promise((_, fail) => {
          const release = (): Promise<unknown> => {
            fail(new Error("the work failed"));
            return running.catch(() => undefined);
          };
          resolve({ release });
        });
      const running = locks.once(name, { lease: LEASE }).run({ wait: WAIT }, work);
      running.catch(reject);
    }),
};

/** A held waiter for the name that dies, and its holder that then releases it. */
async function leaveToTheDead(
  take: (typeof KINDS)[string],
  name: string,
  number: number,
  end: "die" | "freeze" = "die",
): Promise<void> {
  const first = await take(living(), name);
  const waiters = Array.from({ length: number }, mortal);
  for (const { locks } of waiters) take(locks, name).catch(() => undefined);
  await Promise.all(waiters.map((waiter) => waiter.untilHeld(HELD_MS)));
  for (const waiter of waiters) waiter[end]();
  await first.release();
}

/** Takes the name after the dead, and says how long that took. */
async function takeAfter(take: (typeof KINDS)[string], name: string, what: string): Promise<void> {
  const since = performance.now();
  const taken = await take(living(), name);
  console.log(`${what}: ${Math.round(performance.now() - since)} ms`);
  await taken.release();
}

describe("a name is not granted to a held waiter whose connection was closed", () => {
  it.concurrent.each(Object.entries(KINDS))(
    "%s: the next waiter has it soon (B7)",
    async (kind, take) => {
      const name = freshName();
      await leaveToTheDead(take, name, 1);
      await takeAfter(take, name, kind);
    },
    60_000,
  );

  it.concurrent.each(["lock", "fairLock"])(
    "%s: nor to one that is frozen, with an open connection (B7)",
    async (kind) => {
      const [name, take] = [freshName(), KINDS[kind] as (typeof KINDS)[string]];
      await leaveToTheDead(take, name, 1, "freeze");
      await takeAfter(take, name, `${kind}, frozen`);
    },
    60_000,
  );

  it("several dead waiters cost little more than one (B7)", async () => {
    const [name, take] = [freshName(), KINDS["lock"] as (typeof KINDS)[string]];
    await leaveToTheDead(take, name, CROWD);
    await takeAfter(take, name, `${CROWD} dead`);
  }, 60_000);

  it("readers behind a writer, one of whom is dead: the others read, and the next writer writes (B7)", async () => {
    const name = freshName();
    const both = living().readWriteLock(name);
    const writer = await both.write.acquire({ lease: LEASE });
    const dead = mortal();
    dead.locks
      .readWriteLock(name)
      .read.acquire({ lease: LEASE, wait: WAIT })
      .catch(() => undefined);
    await dead.untilHeld(HELD_MS);
    const reader = both.read.acquire({ lease: LEASE, wait: WAIT });
    dead.die();
    await writer.release();
    await (await reader).release();
    await (await both.write.acquire({ lease: LEASE, wait: WAIT })).release();
  }, 60_000);
});

describe("a name is not granted to a Worker whose invocation has ended while it waited", () => {
  it.concurrent.each(["lock", "fairLock", "semaphore", "readWriteLock.write", "once.run"])(
    "%s, over the binding: the next waiter has it soon (B7)",
    async (kind) => {
      const [name, take] = [freshName(), KINDS[kind] as (typeof KINDS)[string]];
      const first = await take(living(), name);
      const { status } = await fetch(`${worker.url}/leave?name=${encodeURIComponent(name)}&kind=${kind}`);
      expect(status).toBe(202);
      await first.release();
      await takeAfter(take, name, `${kind} over the binding`);
    },
    60_000,
  );
});
