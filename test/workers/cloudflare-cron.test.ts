import { afterAll, beforeAll, expect, it } from "vitest";
import { lastRun } from "../../src/cron/index.ts";
import { createLocks, type Locks } from "../../src/index.ts";
import { useStack } from "../support/use-stack.ts";
import { type ExampleWorker, startWorker } from "./worker.ts";

const CRON = "0 * * * *";
const NAME = `sessions ${CRON}`;
const slotAt = (hour: number): Date => new Date(Date.UTC(2026, 10, 21, hour));

const stack = useStack();
let worker: ExampleWorker;
let locks: Locks;
beforeAll(async () => {
  worker = await startWorker("cloudflare-cron", stack, { database: "DB" });
  locks = createLocks({ url: stack.url, token: stack.token });
});
afterAll(async () => {
  await worker?.stop();
});

const scheduled = async (at: Date): Promise<string> =>
  (await (await worker.mf.getWorker()).scheduled({ cron: CRON, scheduledTime: at })).outcome;
const rowsOf = async <Row>(sql: string, ...values: unknown[]): Promise<Row[]> => {
  const db = await worker.mf.getD1Database("DB");
  return (
    await db
      .prepare(sql)
      .bind(...values)
      .all<Row>()
  ).results;
};
const runsOf = (at: Date) =>
  rowsOf<{ token: number; attempt: number; removed: number }>(
    "SELECT token, attempt, removed FROM runs WHERE slot = ?",
    at.toISOString(),
  );
const addSession = (id: string, expires: Date) =>
  rowsOf("INSERT INTO sessions VALUES (?, ?)", id, expires.toISOString());

it("does the work once for a time that is delivered many times, and again for the next", async () => {
  await addSession("old", slotAt(2));
  await addSession("new", slotAt(23));
  expect(await Promise.all(Array.from({ length: 10 }, () => scheduled(slotAt(3))))).toEqual(Array(10).fill("ok"));
  expect(await scheduled(slotAt(3))).toBe("ok");
  expect(await scheduled(slotAt(4))).toBe("ok");

  const [first, ...others] = await runsOf(slotAt(3));
  const [next] = await runsOf(slotAt(4));
  expect([first, others, next]).toEqual([
    { token: expect.any(Number), attempt: 1, removed: 1 },
    [],
    { token: expect.any(Number), attempt: expect.any(Number), removed: 0 },
  ]);
  expect(next?.token).toBeGreaterThan(first?.token ?? Number.POSITIVE_INFINITY);
  expect(await rowsOf("SELECT id FROM sessions")).toEqual([{ id: "new" }]);
  expect(await lastRun(locks, NAME)).toMatchObject({ outcome: "ran", slot: slotAt(4).toISOString() });
  const said = worker.logs.filter((line) => line.includes(slotAt(3).toISOString()));
  expect(said.filter((line) => line.endsWith(": ran"))).toHaveLength(1);
  expect(said.filter((line) => line.includes(": skipped: "))).toHaveLength(10);
});

it("a run whose token is stale changes nothing, and its time can be delivered again", async () => {
  // A later holder than any of ours has been there.
  await rowsOf("UPDATE leasehold_fence SET token = token + 60000000 WHERE name = ?", `cron:${NAME}`);
  await addSession("expired", slotAt(6));
  expect(await scheduled(slotAt(7))).toBe("exception");
  expect(await runsOf(slotAt(7))).toEqual([]);
  expect(await rowsOf("SELECT id FROM sessions WHERE id = 'expired'")).toHaveLength(1);
  expect(await lastRun(locks, NAME)).toMatchObject({
    outcome: "failed",
    error: expect.stringMatching(/^StaleTokenError: /),
  });

  await rowsOf("UPDATE leasehold_fence SET token = token - 60000000 WHERE name = ?", `cron:${NAME}`);
  expect(await scheduled(slotAt(7))).toBe("ok");
  expect(await runsOf(slotAt(7))).toMatchObject([{ attempt: 2, removed: 1 }]);
});
