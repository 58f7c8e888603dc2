import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import type { Reply } from "leasehold-engine";
import { afterAll, describe, expect, it } from "vitest";
import { steps } from "../../engine/test/support/calls.ts";
import { type ConnectOptions, createLocks, type Locks } from "../../src/index.ts";
import { freshName, pause } from "../../test/support/names.ts";
import { buildAll } from "../../tools/lua-scripts.ts";
import { type DurableObjectRedis, durableObject } from "../src/port.ts";
import { createObjectServer } from "../src/server.ts";
import { createWaitingServer, type WaitingServer } from "../src/waiting.ts";
import { contentsOf, tablesOf } from "./support/contents.ts";
import { localNamespace } from "./support/namespace.ts";
import { openSqlite, type SqliteStorage } from "./support/sqlite-storage.ts";

const scripts = new Map(buildAll().map((script) => [script.name, script]));
const opened: SqliteStorage[] = [];
// Not after each test: a request that a test leaves held may still be run again, on the storage of its own test.
afterAll(async () => {
  await pause(WAIT_MS);
  for (const storage of opened) storage.close();
});
const RECORD = "{a}";
/** Longer than a request counts as fresh; and how long a hold may last. */
const [HELD_MS, WAIT_MS] = [60, 4000];
/** An offer lasts a second. What is shown to be sooner than that takes a few milliseconds on a quiet machine. */
const OFFER_MS = 1000;

type Values = Readonly<Record<string, string | number>>;
function command(script: string, keys: readonly string[], values: Values): string[] {
  const { sha = [], args = [] } = scripts.get(script) ?? {};
  const all: Values = {
    notAfter: (Date.now() + 60_000) * 1000,
    retention: 60_000,
    lease: 60_000,
    due: 0,
    listens: 0,
    ...values,
  };
  return ["EVALSHA", sha[0] ?? "", String(keys.length), ...keys, ...args.map((name) => String(all[name]))];
}
const id = (name: string): string => name.padStart(36, "0");
const acquire = (name: string, more: Values = {}): string[] =>
  command("lock-acquire", [RECORD], {
    id: id(name),
    ...{ reentryKey: "", note: "", reentrant: 1, waited: 0, asked: "", ...more },
  });
const close = (name: string, reply: Reply): string[] =>
  command("lock-close", [RECORD], { id: id(name), token: String((reply as unknown[])[2]) });
const cancel = (name: string): string[] => command("lock-close", [RECORD], { id: id(name), token: 0 });

async function open(): Promise<WaitingServer & { readonly storage: SqliteStorage }> {
  const storage = openSqlite();
  opened.push(storage);
  const server = createWaitingServer({ storage });
  for (const { lua } of scripts.values()) await server.run([["SCRIPT", "LOAD", lua]]);
  return Object.assign(server, { storage });
}
const inspect = (): string[] => command("record-inspect", [RECORD], { kind: "lock" });
type Answer = Awaited<ReturnType<WaitingServer["runWaiting"]>>;
const statusOf = (reply: Reply | undefined): unknown => (reply as unknown[])[0];

/** A lock that is held, and requests that are held for it. */
async function crowd(server: WaitingServer, ...names: string[]) {
  const [holder = null] = await server.run([acquire("h")]);
  const waiters = names.map((name) => server.runWaiting(acquire(name), WAIT_MS));
  await pause(HELD_MS);
  return { waiters, release: () => server.run([close("h", holder)]) };
}

describe("an object offers a free name to a held request", () => {
  it("and grants it to its repetition only, which writes one row (B7)", async () => {
    const server = await open();
    const { waiters, release } = await crowd(server, "1");
    const before = server.storage.rowsWritten;
    await release();
    const { reply, heldMs, isOffered } = (await waiters[0]) as Answer;
    expect([statusOf(reply), heldMs, isOffered]).toEqual(["held", 0, true]);
    expect(statusOf((await server.run([inspect()]))[0])).toBe("free");
    expect(statusOf((await server.runWaiting(acquire("1"), WAIT_MS)).reply)).toBe("granted");
    expect(server.storage.rowsWritten - before).toBe(2);
  });

  it("but grants it at once to a request that has just arrived (B7)", async () => {
    const server = await open();
    const [holder = null] = await server.run([acquire("h")]);
    const waiting = server.runWaiting(acquire("1"), WAIT_MS);
    await server.run([close("h", holder)]);
    const { reply, isOffered } = await waiting;
    expect([statusOf(reply), isOffered]).toEqual(["granted", false]);
  });

  it("and keeps it for its waiter: who comes later and waits is held behind it (B7)", async () => {
    const server = await open();
    const { waiters, release } = await crowd(server, "1");
    await release();
    await waiters[0];
    let isAnswered = false;
    const later = server.runWaiting(acquire("2"), WAIT_MS).finally(() => {
      isAnswered = true;
    });
    await pause(HELD_MS);
    const { reply } = await server.runWaiting(acquire("1"), WAIT_MS);
    expect([statusOf(reply), isAnswered]).toEqual(["granted", false]);
    await server.run([close("1", reply)]);
    expect(await later).toMatchObject({ isOffered: true });
  });

  it("and gives it to a request that does not wait: nobody holds it (B7)", async () => {
    const server = await open();
    const { waiters, release } = await crowd(server, "1");
    await release();
    await waiters[0];
    const [reply = null] = await server.run([acquire("2")]);
    expect(statusOf(reply)).toBe("granted");
    const back = server.runWaiting(acquire("1"), WAIT_MS);
    await pause(HELD_MS);
    await server.run([close("2", reply)]);
    expect(await back).toMatchObject({ isOffered: true });
  });

  it("and to the next waiter if the first one does not come back, or leaves (B7)", async () => {
    const server = await open();
    const { waiters, release } = await crowd(server, "1", "2", "3");
    await release();
    const released = performance.now();
    await waiters[0];
    expect(await waiters[1]).toMatchObject({ isOffered: true });
    expect(performance.now() - released).toBeGreaterThan(OFFER_MS / 2);
    const left = performance.now();
    await server.run([cancel("2")]);
    expect(await waiters[2]).toMatchObject({ isOffered: true });
    expect(performance.now() - left).toBeLessThan(OFFER_MS / 2);
  });

  it("and as many as can take it: permits, fair or not, and readers (B7)", async () => {
    const server = await open();
    for (const script of ["semaphore-acquire", "semaphore-queue"]) {
      const keys = [`{${script}}`, `{${script}}%crowd`];
      const permits = { kind: "semaphore", permits: 3, ttl: 60_000, waited: 0, ticket: 0, grace: 5000 };
      const take = (name: string, count: number): string[] =>
        command(script, keys, { ...permits, id: `${id(name)}#${count}` });
      const [holder = null] = await server.run([take("h", 3)]);
      const waiters = ["1", "2", "3", "4"].map((name) => server.runWaiting(take(name, 1), WAIT_MS));
      await pause(HELD_MS);
      const token = String((holder as unknown[])[2]);
      await server.run([command("semaphore-close", keys, { id: `${id("h")}#3`, token, "permits…": "" })]);
      const offered = await Promise.all(waiters.slice(0, 3));
      expect(offered.map(({ isOffered }) => isOffered)).toEqual([true, true, true]);
      const replies = [];
      for (const name of ["1", "2", "3"]) replies.push(await server.runWaiting(take(name, 1), WAIT_MS));
      expect(replies.map(({ reply }) => statusOf(reply))).toEqual(["granted", "granted", "granted"]);
    }
    const keys = ["{rw}", "{rw}%crowd"];
    const side = (name: string, mode: string): string[] =>
      command("rw-acquire", keys, { id: id(name), mode, reentrant: 1, back: 5000 });
    const [writer = null] = await server.run([side("w", "write")]);
    const readers = ["1", "2", "3"].map((name) => server.runWaiting(side(name, "read"), WAIT_MS));
    await pause(HELD_MS);
    await server.run([command("rw-close", keys, { id: id("w"), token: String((writer as unknown[])[2]) })]);
    expect((await Promise.all(readers)).map(({ isOffered }) => isOffered)).toEqual([true, true, true]);
  });

  it("and never more waiters than it can run behind each other (B7)", async () => {
    const server = await open();
    const keys = ["{many}", "{many}%crowd"];
    const permits = { kind: "semaphore", permits: 80, ttl: 60_000, waited: 0 };
    const take = (name: string, count: number): string[] =>
      command("semaphore-acquire", keys, { ...permits, id: `${id(name)}#${count}` });
    const [holder = null] = await server.run([take("h", 80)]);
    let granted = 0;
    const client = async (name: string): Promise<void> => {
      for (;;) {
        const { reply } = await server.runWaiting(take(name, 1), WAIT_MS);
        if (statusOf(reply) !== "granted") continue;
        granted++;
        return;
      }
    };
    const clients = Array.from({ length: 80 }, (_, n) => client(String(n)));
    await pause(HELD_MS);
    const token = String((holder as unknown[])[2]);
    await server.run([command("semaphore-close", keys, { id: `${id("h")}#80`, token, "permits…": "" })]);
    await Promise.all(clients);
    expect(granted).toBe(80);
  });
});

it("leaves nothing behind of commands that are undone, in memory or in the storage (B7)", async () => {
  const property = fc.asyncProperty(steps(30), async (run) => {
    let now = 1_795_000_000_000;
    const storage = openSqlite();
    const open = () => createObjectServer({ storage, now: () => now });
    const server = open();
    const times: number[] = [];
    for (const { seconds, words: wordsOf } of run) {
      now += seconds * 1000 + 7;
      times.push(now * 1000);
      const words = wordsOf(times);
      const before = tablesOf(storage);
      await server.tryOut([words], () => false);
      expect(isDeepStrictEqual(tablesOf(storage), before)).toBe(true);
      expect(await contentsOf(server)).toEqual(await contentsOf(open()));
      await server.run([words]);
    }
    storage.close();
  });
  await fc.assert(property, { numRuns: 15 });
}, 120_000);

describe("a client of the SDK takes what it is offered", () => {
  const objects = localNamespace();
  afterAll(() => objects.close());
  const { port, server } = durableObject(objects);
  /** A client, or one of a release that does not know offers. */
  function client(isOld: boolean, options: Partial<ConnectOptions> = {}): Locks {
    const through: DurableObjectRedis["port"] = Object.assign(
      async (...given: Parameters<DurableObjectRedis["port"]>) => {
        const outcome = await port(...given);
        return isOld ? { ...outcome, isOffered: undefined } : outcome;
      },
      { isSingle: true as const },
    );
    return createLocks({ redis: { port: through, server }, ...options } as ConnectOptions);
  }

  it.each([
    ["this release", false],
    ["a release that does not know offers", true],
  ])("with one request more, from %s (B7)", async (_, isOld) => {
    const name = freshName();
    // The object knows both scripts from here on, so the requests below are those of the wait alone.
    await (await client(isOld).lock(name).acquire()).release();
    const first = await client(isOld).lock(name).acquire();
    let before = objects.requests;
    const waiting = client(isOld).lock(name).acquire({ wait: "20s" });
    await expect.poll(() => objects.requests).toBe(before + 1);
    await pause(HELD_MS);
    before = objects.requests;
    const released = performance.now();
    await first.release();
    await waiting;
    expect(performance.now() - released).toBeLessThan(OFFER_MS);
    expect(objects.requests - before).toBe(2);
  });

  it("also at the end of its wait (B7)", async () => {
    const name = freshName();
    const first = await client(false).lock(name).acquire();
    let calls = 0;
    const late: DurableObjectRedis["port"] = Object.assign(
      async (...[command, signal, behind]: Parameters<DurableObjectRedis["port"]>) => {
        calls++;
        const outcome = await port(command, signal, behind);
        if (calls > 1) return outcome;
        // The name becomes free in the last moment of the wait.
        await pause(250);
        await first.release();
        return { ...outcome, heldMs: 0, isOffered: true };
      },
      { isSingle: true as const },
    );
    const locks = createLocks({ redis: { port: late, server } } as ConnectOptions);
    expect((await locks.lock(name).acquire({ wait: 200 })).token).toBeGreaterThan(first.token);
    expect(calls).toBe(2);
  });

  it("also after the last of its polls (B7)", async () => {
    const name = freshName();
    const first = await client(false).lock(name).acquire();
    const last = client(false).lock(name).acquire({ wait: "20s", maxPolls: 1 });
    await pause(200);
    await first.release();
    const second = await last;
    expect(second.token).toBeGreaterThan(first.token);
    // It is no further poll where nothing is offered.
    const before = objects.requests;
    await expect(
      client(false, { requestTimeout: 1000 }).lock(name).acquire({ wait: "20s", maxPolls: 1 }),
    ).rejects.toMatchObject({ code: "lock_timeout" });
    // The poll, and the cancel of a waiter.
    expect(objects.requests - before).toBe(2);
  });

  it("over several names (B7)", async () => {
    const [a, b] = [freshName("a"), freshName("b")];
    const first = await client(false).lock(b).acquire();
    const waiting = client(false).multiLock([a, b]).acquire({ wait: "20s" });
    await pause(300);
    await first.release();
    const both = await waiting;
    expect(await client(false).lock(a).tryAcquire()).toBeNull();
    await both.release();
  });
});

/** A client of objects in this process that can die: it hears nothing from then on, and sends nothing. */
function mortal(port: DurableObjectRedis["port"]): { readonly locks: Locks; die(): void } {
  let isDead = false;
  const never = new Promise<never>(() => {});
  const through: DurableObjectRedis["port"] = Object.assign(
    async (...given: Parameters<DurableObjectRedis["port"]>) => {
      if (isDead) return never;
      const outcome = await port(...given);
      return isDead ? never : outcome;
    },
    { isSingle: true as const },
  );
  return {
    locks: createLocks({ redis: { port: through, server: "" } } as ConnectOptions),
    die() {
      isDead = true;
    },
  };
}

interface Shared {
  release(): Promise<unknown>;
}
const PERMITS = 3;
const wait = { lease: "10m", wait: "60s" } as const;
/** Ways to share a name, with the number of those who may hold it at a time. */
const CROWDS: Readonly<Record<string, readonly [max: number, take: (locks: Locks, name: string) => Promise<Shared>]>> =
  {
    lock: [1, (locks, name) => locks.lock(name).acquire(wait)],
    "fair lock": [1, (locks, name) => locks.fairLock(name).acquire(wait)],
    semaphore: [PERMITS, (locks, name) => locks.semaphore(name, { permits: PERMITS }).acquire(wait)],
    "fair semaphore": [PERMITS, (locks, name) => locks.semaphore(name, { permits: PERMITS, fair: true }).acquire(wait)],
    writers: [1, (locks, name) => locks.readWriteLock(name).write.acquire(wait)],
  };

it.concurrent.each(Object.entries(CROWDS))(
  "%s: while waiters die, nobody shares what is exclusive, and all who live get it (B7, R1)",
  async (_, [max, take]) => {
    const objects = localNamespace();
    const { port } = durableObject(objects);
    const name = freshName();
    const [LIVING, DYING, TURNS] = [6, 6, 4];
    let [inside, turns] = [0, 0];
    async function live(): Promise<void> {
      const { locks } = mortal(port);
      for (let turn = 0; turn < TURNS; turn++) {
        const held = await take(locks, name);
        expect(++inside).toBeLessThanOrEqual(max);
        await pause(10 + Math.random() * 30);
        inside--;
        turns++;
        await held.release();
      }
    }
    async function dieWaiting(): Promise<void> {
      await pause(Math.random() * 300);
      const { locks, die } = mortal(port);
      let isGranted = false;
      const waiting = take(locks, name).then((held) => {
        isGranted = true;
        return held.release();
      });
      const death = pause(40 + Math.random() * 60).then(() => (isGranted ? waiting : die()));
      await Promise.race([waiting, death]);
    }
    await Promise.all([...Array.from({ length: LIVING }, live), ...Array.from({ length: DYING }, dieWaiting)]);
    expect(turns).toBe(LIVING * TURNS);
  },
  90_000,
);
