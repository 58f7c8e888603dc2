import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLocks, type Locks } from "../../src/index.ts";
import { freshName, pause } from "../../test/support/names.ts";
import { type ReadyWorker, startWorker } from "./support/workerd.ts";

const TOKEN = "test-token-0123456789";
const WAITERS = 4;
const CLIENTS = 4;
const TURNS = 6;

let folder: string;
let worker: ReadyWorker;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "leasehold-ended-"));
  worker = await startWorker("durable-object/test/support/ending-worker.ts", { LEASEHOLD_TOKEN: TOKEN }, folder);
});
afterAll(async () => {
  await worker?.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

const end = async (name: string): Promise<void> => {
  await fetch(`${worker.url}/end?name=${encodeURIComponent(name)}`);
};

/** Resolves when the Worker answers: a call that does not wait gives up sooner than a process starts. */
async function untilAnswered(): Promise<void> {
  while (!(await fetch(worker.url).catch(() => undefined))?.ok) await pause(20);
}

/** What ends an object while it holds requests. */
const ENDS: Readonly<Record<string, (name: string) => unknown>> = {
  "it is reset": end,
  "another version of its script is deployed": () => worker.deploy(),
  "its process is killed": () => worker.kill(),
};

interface Client {
  readonly locks: Locks;
  /** How many of its requests have been sent, and how many of them are on their way. */
  readonly counts: { sent: number; open: number };
}

/** A client that notes its requests. It tries longer than a process of workerd takes to start on a busy machine. */
function client(): Client {
  const counts = { sent: 0, open: 0 };
  const noting: typeof fetch = async (url, init) => {
    counts.sent++;
    counts.open++;
    try {
      return await fetch(url, init);
    } finally {
      counts.open--;
    }
  };
  return {
    counts,
    locks: createLocks({ url: worker.url, token: TOKEN, fetch: noting as never, requestTimeout: "10s" }),
  };
}

/** Resolves when something is so. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(5);
}

/** All of them are held: each has a request on its way, and none of them is answered. */
async function untilHeld(clients: readonly Client[]): Promise<void> {
  const sent = (): number => clients.reduce((sum, { counts }) => sum + counts.sent, 0);
  const areOpen = (): boolean => clients.every(({ counts }) => counts.open === 1);
  for (let before = -1; before !== sent() || !areOpen(); ) {
    before = sent();
    await pause(200);
  }
}

interface Taken {
  readonly token?: number;
  release(): Promise<unknown>;
}

/** A way to wait for a name that somebody has, one holder at a time. */
const KINDS: Readonly<Record<string, (locks: Locks, name: string) => Promise<Taken>>> = {
  lock: (locks, name) => locks.lock(name).acquire({ wait: "60s" }),
  "fair lock": (locks, name) => locks.fairLock(name).acquire({ wait: "60s" }),
  "semaphore of one permit": (locks, name) => locks.semaphore(name, { permits: 1 }).acquire({ wait: "60s" }),
  "writers' lock": (locks, name) => locks.readWriteLock(name).write.acquire({ wait: "60s" }),
};

describe.each(Object.entries(ENDS))("where an object holds requests as %s", (_, finish) => {
  it.each(Object.entries(KINDS))(
    "each waiter for a %s comes back by itself, and nothing is granted twice (R1, R2)",
    async (_kind, take) => {
      const name = freshName();
      const first = await take(client().locks, name);
      const waiters = Array.from({ length: WAITERS }, client);
      let inside = 1;
      const tokens = [first.token ?? 0];
      const waiting = waiters.map(async ({ locks }) => {
        const lease = await take(locks, name);
        expect(++inside).toBe(1);
        tokens.push(lease.token ?? 0);
        await pause(20);
        inside--;
        expect(await lease.release()).toBe(true);
      });
      for (const one of waiting) one.catch(() => {});
      await untilHeld(waiters);
      const sent = waiters.map(({ counts }) => counts.sent);
      await finish(name);
      // Nobody has released anything: they have noticed it by themselves.
      await until(() => waiters.every(({ counts }, n) => counts.sent > (sent[n] ?? 0)));
      expect(inside--).toBe(1);
      await untilAnswered();
      expect(await first.release()).toBe(true);
      await Promise.all(waiting);
      expect(tokens.length).toBe(1 + WAITERS);
      expect(tokens).toEqual([...new Set(tokens)].sort((a, b) => a - b));
    },
    90_000,
  );

  it("whoever waits for a latch is answered by the object that comes after", async () => {
    const name = freshName();
    const latch = client().locks.latch(name);
    await latch.trySetCount(1);
    const { generation } = await latch.inspect();
    const waiters = Array.from({ length: WAITERS }, client);
    const waiting = waiters.map(({ locks }) => locks.latch(name).wait({ wait: "60s" }));
    for (const one of waiting) one.catch(() => {});
    await untilHeld(waiters);
    await finish(name);
    await untilAnswered();
    await latch.countDown("one", { generation });
    expect(await Promise.all(waiting)).toEqual(waiters.map(() => true));
  }, 90_000);
});

it("a Worker that is bound to the object waits on when the object is reset", async () => {
  const name = freshName();
  const { locks } = client();
  const first = await locks.lock(name).acquire({ lease: "60s" });
  const waiting = fetch(`${worker.url}/wait?name=${encodeURIComponent(name)}`);
  await pause(500);
  await end(name);
  await pause(200);
  expect(await first.release()).toBe(true);
  const { ticket, token } = (await (await waiting).json()) as { ticket: string; token: number };
  expect(token).toBeGreaterThan(first.token);
  expect(await (await locks.resume(ticket)).release()).toBe(true);
});

it("one holder at a time, and each once, while the object is reset again and again (R1, R2, R3)", async () => {
  const name = freshName();
  const tokens: number[] = [];
  let [inside, open] = [0, CLIENTS];
  const clients = Array.from({ length: CLIENTS }, async () => {
    const { locks } = client();
    for (let turn = 0; turn < TURNS; turn++) {
      const lease = await locks.lock(name).acquire({ lease: "5m", wait: "60s" });
      expect(++inside).toBe(1);
      tokens.push(lease.token);
      await pause(Math.random() * 40);
      expect(await lease.verify()).toBe(true);
      inside--;
      expect(await lease.release()).toBe(true);
    }
    open--;
  });
  for (const one of clients) one.catch(() => open--);
  let resets = 0;
  while (open > 0) {
    await end(name);
    resets++;
    await pause(Math.random() * 60);
  }
  await Promise.all(clients);
  console.log(`${tokens.length} turns, ${resets} resets`);
  expect(tokens).toEqual([...new Set(tokens)].sort((a, b) => a - b));
  expect(tokens.length).toBe(CLIENTS * TURNS);
  expect(resets).toBeGreaterThan(TURNS);
}, 90_000);
