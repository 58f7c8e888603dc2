import { afterAll, beforeAll, expect, test } from "vitest";
import { pause } from "../../support/stack.ts";
import { answerOf, type Harness, LEASE_MS, startHarness } from "./harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({}, 2);
});
afterAll(() => harness.stop());

test("a handler that froze past its lease is refused in D1, and the row is the new holder's", async () => {
  const delivery = await harness.delivery();
  const frozen = harness.sendToFreeze(delivery, LEASE_MS + 1_000);
  await harness.claimed(delivery);
  const before = await harness.row(delivery);
  await pause(LEASE_MS);

  expect(answerOf(await harness.send(delivery))).toBe("200 processed");
  const row = await harness.row(delivery);
  expect(row).toMatchObject({ attempt: 2, writes: 1 });
  expect(row?.token).toBeGreaterThan(before?.token ?? Number.POSITIVE_INFINITY);

  const woken = await frozen;
  expect(answerOf(woken)).toBe("409 stale");
  expect(woken.headers.get("Retry-After")).toBe("1");
  expect(await harness.row(delivery)).toEqual(row);
  expect(answerOf(await harness.send(delivery))).toBe("200 duplicate");
});

test("its write is refused also while the new holder has only claimed the delivery", async () => {
  const delivery = await harness.delivery();
  const frozen = harness.sendToFreeze(delivery, LEASE_MS + 500);
  await harness.claimed(delivery);
  // A later holder's first act, as `claim` does it, and nothing more yet.
  const { db } = harness.workers;
  await db.prepare("UPDATE deliveries SET token = token + 1 WHERE id = ?").bind(delivery.id).run();
  expect(answerOf(await frozen)).toBe("409 stale");
  expect(await harness.row(delivery)).toMatchObject({ processed_at: null, writes: 0 });
});

test("a handler that wakes after its lease, with nobody in its place, still completes", async () => {
  const delivery = await harness.delivery();
  const late = await harness.sendToFreeze(delivery, LEASE_MS + 500);
  expect(answerOf(late)).toBe("200 processed");
  expect(await harness.row(delivery)).toMatchObject({ attempt: 1, writes: 1 });
  expect(answerOf(await harness.send(delivery))).toBe("200 duplicate");
});

test("a handler that freezes before it claims finds the later token, and does no work", async () => {
  const delivery = await harness.delivery();
  const { db } = harness.workers;
  await db.prepare("INSERT INTO deliveries (id, token) VALUES (?, ?)").bind(delivery.id, Number.MAX_SAFE_INTEGER).run();
  expect(answerOf(await harness.send(delivery))).toBe("409 stale");
  expect(await harness.row(delivery)).toMatchObject({ token: Number.MAX_SAFE_INTEGER, processed_at: null });
});
