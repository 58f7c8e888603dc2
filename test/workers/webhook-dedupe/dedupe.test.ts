import { afterAll, beforeAll, expect, test } from "vitest";
import type { Delivery } from "../../../demo/deliveries.ts";
import { answerOf, type Harness, LEASE_MS, startHarness } from "./harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({}, 2);
});
afterAll(() => harness.stop());

/**
 * A failed attempt is given up in `waitUntil`, after its answer: a redelivery within the next few ms may still find it
 * running.
 */
async function sendAfterFailure(delivery: Delivery): Promise<string> {
  const giveUp = Date.now() + LEASE_MS / 2;
  for (;;) {
    const answer = answerOf(await harness.send(delivery));
    if (answer !== "409 running" || Date.now() > giveUp) return answer;
  }
}

/** D1 refuses the write of this delivery while `work` runs, as it does when it is overloaded. */
async function withBrokenD1(id: string, work: () => Promise<void>): Promise<void> {
  const { db } = harness.workers;
  await db
    .prepare(
      `CREATE TRIGGER broken BEFORE UPDATE OF processed_at ON deliveries WHEN new.id = '${id}'
       BEGIN SELECT RAISE(ABORT, 'broken on purpose'); END`,
    )
    .run();
  await work().finally(() => db.prepare("DROP TRIGGER broken").run());
}

test("200 processed, with a row that has the token; then 200 duplicate, and nothing is written again", async () => {
  const delivery = await harness.delivery();
  const first = await harness.send(delivery);
  expect(answerOf(first)).toBe("200 processed");
  expect(first.headers.get("Server-Timing")).toMatch(/^dedupe;dur=\d+/);
  const row = await harness.row(delivery);
  expect(row).toMatchObject({ attempt: 1, event: "issues", action: "opened", writes: 1 });
  // A token is at least the server's time in µs.
  expect(row?.token).toBeGreaterThan((Date.now() - 60_000) * 1000);
  expect(answerOf(await harness.send(delivery))).toBe("200 duplicate");
  expect(await harness.row(delivery)).toEqual(row);
});

test("409 with Retry-After in whole seconds while another attempt runs, and 200 duplicate after it", async () => {
  const delivery = await harness.delivery();
  const first = harness.sendToFreeze(delivery, 1000);
  await harness.claimed(delivery);
  const second = await harness.send(delivery);
  expect(answerOf(second)).toBe("409 running");
  expect(second.headers.get("Retry-After")).toBe(String(LEASE_MS / 1000));
  expect(answerOf(await first)).toBe("200 processed");
  expect(answerOf(await harness.send(delivery))).toBe("200 duplicate");
});

test("of ten copies at once, one is processed", async () => {
  const delivery = await harness.delivery();
  const answers = await Promise.all(Array.from({ length: 10 }, () => harness.send(delivery)));
  expect(answers.map(answerOf).filter((answer) => answer === "200 processed")).toHaveLength(1);
  expect(await harness.row(delivery)).toMatchObject({ writes: 1 });
});

test("after a handler that threw, the redelivery starts at once, long before the lease ends", async () => {
  const delivery = await harness.delivery();
  await withBrokenD1(delivery.id, async () => {
    expect(answerOf(await harness.send(delivery))).toBe("500 failed");
    expect(harness.logs.join()).toContain("broken on purpose");
  });
  expect(await sendAfterFailure(delivery)).toBe("200 processed");
  expect(await harness.row(delivery)).toMatchObject({ attempt: 2, writes: 1 });
});

test("422 exhausted after ten attempts that failed", async () => {
  const delivery = await harness.delivery();
  await withBrokenD1(delivery.id, async () => {
    for (let attempt = 1; attempt <= 10; attempt++) expect(await sendAfterFailure(delivery)).toBe("500 failed");
    expect(await sendAfterFailure(delivery)).toBe("422 exhausted");
  });
});

test("a delivery that an earlier attempt wrote before it died is not written again", async () => {
  const delivery = await harness.delivery();
  const { db } = harness.workers;
  await db.prepare("INSERT INTO deliveries VALUES (?, 1, 1, 'issues', 'opened', 'then')").bind(delivery.id).run();
  expect(answerOf(await harness.send(delivery))).toBe("200 processed");
  expect(await harness.row(delivery)).toMatchObject({ processed_at: "then", writes: 0 });
  expect(answerOf(await harness.send(delivery))).toBe("200 duplicate");
});
