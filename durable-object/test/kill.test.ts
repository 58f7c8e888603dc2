import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { createLocks, LeaseholdError, type Locks } from "../../src/index.ts";
import { freshName, pause } from "../../test/support/names.ts";
import { startReadyWorker } from "./support/workerd.ts";

const TOKEN = "test-token-0123456789";
const KILLS = 3;
const PERMITS = 10_000;
const CLIENTS = 4;
const folder = mkdtempSync(join(tmpdir(), "leasehold-killed-"));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

/** What a client knows of its name when the server ends. */
interface Known {
  readonly name: string;
  readonly permits: string;
  /** The largest token that it was given. */
  token: number;
  /** Its lease by a ticket, from its grant to the call of its release. */
  ticket: string | undefined;
  /** How many permits it holds at least: each is granted, and none is released. */
  granted: number;
}

/** Asks until the server is there again. */
async function untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      expect(error).toBeInstanceOf(LeaseholdError);
      await pause(50);
    }
  }
}

/** What was answered is there; a request without an answer ran as a whole or not at all. */
async function check(locks: Locks, known: Known): Promise<void> {
  const semaphore = locks.semaphore(known.permits, { permits: PERMITS });
  const { acquired } = await untilAnswered(() => semaphore.inspect());
  expect(acquired).toBeGreaterThanOrEqual(known.granted);
  expect(acquired).toBeLessThanOrEqual(known.granted + 1);
  known.granted = acquired;
  const { ticket } = known;
  if (ticket !== undefined) expect(await untilAnswered(async () => (await locks.resume(ticket)).verify())).toBe(true);
  known.ticket = undefined;
  await untilAnswered(() => locks.lock(known.name).forceRelease());
}

/** One acquire of a lock and of a permit that stays, one extension and one release. */
async function cycle(locks: Locks, known: Known): Promise<void> {
  const lease = await locks.lock(known.name).acquire({ lease: "10m", wait: "5s" });
  expect(lease.token).toBeGreaterThan(known.token);
  known.token = lease.token;
  known.ticket = lease.ticket();
  const permit = locks.semaphore(known.permits, { permits: PERMITS }).tryAcquire({ lease: "10m" });
  if (await permit) known.granted++;
  await lease.extend("10m");
  known.ticket = undefined;
  await lease.release();
}

/** Goes on until the end, and compares after each failure. Returns how many there were. */
async function use(locks: Locks, known: Known, isOver: () => boolean): Promise<number> {
  let failures = 0;
  while (!isOver()) {
    try {
      await cycle(locks, known);
    } catch (error) {
      expect(error).toBeInstanceOf(LeaseholdError);
      failures++;
      await check(locks, known);
    }
  }
  await check(locks, known);
  return failures;
}

it("keeps all that it has answered when its process is killed at any moment (R1, R2)", {
  timeout: 90_000,
}, async () => {
  const worker = await startReadyWorker({ LEASEHOLD_TOKEN: TOKEN }, folder);
  const locks = createLocks({ url: worker.url, token: TOKEN, requestTimeout: 2000 });
  const all = Array.from({ length: CLIENTS }, (): Known => {
    const name = freshName();
    return { name, permits: `${name}s`, token: 0, ticket: undefined, granted: 0 };
  });
  let isOver = false;
  const using = Promise.all(all.map((known) => use(locks, known, () => isOver)));
  let kills = 0;
  // Its process is started anew on the same port, with the same storage.
  while (kills < KILLS) {
    // Miniflare does not start a process anew that is killed while it starts, which takes seconds on a busy machine.
    while (!(await fetch(worker.url).catch(() => undefined))?.ok) await pause(50);
    await pause(800 + Math.random() * 800);
    if (worker.kill()) kills++;
  }
  await pause(800);
  isOver = true;
  const failures = await using;
  await worker.stop();
  console.log(`${failures} calls failed, ${all.map(({ granted }) => granted)} permits were taken`);
  expect(all.every(({ granted }) => granted > 0)).toBe(true);
});
