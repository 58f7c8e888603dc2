import { readFileSync } from "node:fs";
import { afterAll, expect, it } from "vitest";
import { runCron } from "../../src/cron/index.ts";
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

/** The prices of a million, in dollars. */
const [REQUEST_PRICE, ROW_PRICE] = [0.15, 1];

/** What one operation costs, over all objects that it uses. */
async function costOf(act: () => Promise<unknown>): Promise<Cost> {
  const rows = (): number => [...objects.objects.values()].reduce((sum, { storage }) => sum + storage.rowsWritten, 0);
  const [before, requests] = [rows(), objects.requests];
  await act();
  return { rows: rows() - before, requests: objects.requests - requests };
}

it("the prices of the page are those of the requests and rows that are counted here", async () => {
  const [name, job] = [freshName(), freshName()];
  const lock = locks.lock(name);
  let hour = 0;
  const run = (): Promise<unknown> =>
    runCron({ locks, name: job, slot: new Date(Date.UTC(2026, 10, 24, hour)).toISOString() }, () => undefined);
  await (await lock.acquire()).release();
  await run();
  hour++;
  let lease: Awaited<ReturnType<typeof lock.acquire>>;
  const once = locks.once(freshName());
  await once.run({}, async () => "result");
  const found: Record<string, Cost> = {
    "acquire and release": await costOf(async () => (await lock.acquire()).release()),
    "a cron run": await costOf(run),
    "a cron run already done by another process": await costOf(run),
    "a duplicate of a finished `once`": await costOf(() => once.run({}, async () => "another result")),
  };
  lease = await lock.acquire();
  found["a poll (a refused try)"] = await costOf(() => lock.tryAcquire());
  found["extend"] = await costOf(() => lease.extend("60s"));

  const [, from = ""] = readFileSync(new URL("../../docs/scale.md", import.meta.url), "utf8").split(
    "## Prices at Cloudflare",
  );
  const [page = ""] = from.split("\n## ");
  const rowsOfPage = [...page.matchAll(/^\| ([^|]+) \| (\d+) \| (\d+) \| \$([\d.]+) \|/gm)];
  expect(Object.fromEntries(rowsOfPage.map(([, what, ...figures]) => [what, figures.map(Number)]))).toEqual(
    Object.fromEntries(
      Object.entries(found).map(([what, { requests, rows }]) => [
        what,
        [requests, rows, Number((requests * REQUEST_PRICE + rows * ROW_PRICE).toFixed(2))],
      ]),
    ),
  );
});
