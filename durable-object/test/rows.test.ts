import { afterAll, expect, it } from "vitest";
import { createLocks } from "../../src/index.ts";
import { freshName } from "../../test/support/names.ts";
import { durableObject } from "../src/port.ts";
import { localNamespace } from "./support/namespace.ts";

const objects = localNamespace();
afterAll(() => objects.close());

interface Cost {
  readonly rows: number;
  readonly requests: number;
}

/** The rows and the requests of each step, on a name that was used before. */
async function costs(
  name: string,
  steps: Readonly<Record<string, () => Promise<unknown>>>,
): Promise<Record<string, Cost>> {
  const { storage } = objects.object(name);
  const found: Record<string, Cost> = {};
  for (const round of ["first", "second"]) {
    for (const [step, act] of Object.entries(steps)) {
      const [rows, requests] = [storage.rowsWritten, objects.requests];
      await act();
      if (round === "second") found[step] = { rows: storage.rowsWritten - rows, requests: objects.requests - requests };
    }
  }
  return found;
}

const locks = createLocks({ redis: durableObject(objects) });
const one = (rows: number): Cost => ({ rows, requests: 1 });

it("a lock writes one row to acquire, extend and release, and none to refuse or look", async () => {
  const name = freshName();
  const lock = locks.lock(name);
  let lease: Awaited<ReturnType<typeof lock.acquire>>;
  const found = await costs(name, {
    acquire: async () => {
      lease = await lock.acquire();
    },
    refused: () => lock.tryAcquire(),
    inspect: () => lock.inspect(),
    extend: () => lease.extend("60s"),
    verify: () => lease.verify(),
    release: () => lease.release(),
  });
  const rows = { acquire: 1, refused: 0, inspect: 0, extend: 1, verify: 0, release: 1 };
  expect(found).toEqual(Object.fromEntries(Object.entries(rows).map(([step, count]) => [step, one(count)])));
});

it("a once writes one row to begin and to complete", async () => {
  const name = freshName();
  const { storage } = objects.object(name);
  await locks.once(name).run({}, async () => "result");
  expect(storage.rowsWritten).toBe(2);
  // A duplicate reads.
  await locks.once(name).run({}, async () => "another result");
  expect(storage.rowsWritten).toBe(2);
});

it("permits write four rows at most, however many there are", async () => {
  const name = freshName();
  const semaphore = locks.semaphore(name, { permits: 1000 });
  for (let n = 0; n < 50; n++) await semaphore.acquire({ lease: "60s" });
  let lease: Awaited<ReturnType<typeof semaphore.acquire>>;
  const found = await costs(name, {
    acquire: async () => {
      lease = await semaphore.acquire({ lease: "60s" });
    },
    release: () => lease.release(),
  });
  for (const { rows } of Object.values(found)) expect(rows).toBeLessThanOrEqual(4);
});

it("a fair lock without a queue costs what a lock does", async () => {
  const name = freshName();
  const fair = locks.fairLock(name);
  const found = await costs(name, {
    cycle: async () => {
      const lease = await fair.acquire();
      await lease.release();
    },
  });
  expect(found["cycle"]).toEqual({ rows: 2, requests: 2 });
});
