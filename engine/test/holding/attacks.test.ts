import { expect, it } from "vitest";
import { answerFromRoom } from "../../src/holding/index.ts";
import { createStage } from "./stage.ts";

const MONTH_MS = 31 * 24 * 3_600_000;
const NEVER = Number.POSITIVE_INFINITY;

it("a request that asks for a month is held for a minute, and no timer is longer than a timer can be (W2)", async () => {
  const stage = createStage({ checkMs: NEVER });
  stage.lock("a", "h", {}, { lease: MONTH_MS });
  const begin = stage.now;
  const waiter = stage.lock("a", "1", { validMs: MONTH_MS, waitMs: MONTH_MS });
  await stage.advance(61_000);
  expect([waiter.status(), waiter.at - begin, stage.runs]).toEqual(["held", 60_000, []]);
});

it("a negative grace is no busy loop (W2)", async () => {
  const stage = createStage({ checkMs: NEVER });
  stage.fair("a", "h", {}, { lease: 60_000 });
  stage.fair("a", "1", { validMs: 3_000, waitMs: 3_000 }, { grace: -99_999_999 });
  // As long as each run takes, so that a loop shows as many runs.
  stage.setLatency(1);
  await stage.advance(1_000);
  expect(stage.runs.length).toBeLessThan(100);
});

it("the first waiter of the 17th class gets a free permit in a moment (W12)", async () => {
  const stage = createStage({ checkMs: NEVER });
  stage.permits("a", "h19", 19, 20);
  const one = stage.permits("a", "h1", 1, 20);
  for (let wanted = 2; wanted <= 18; wanted++) stage.permits("a", `large${wanted}`, wanted, 20);
  const small = stage.permits("a", "small", 1, 20);
  stage.giveBack("a", one, "h1", 1);
  // Each step lets some of the tries in a row go on.
  for (let step = 0; step < 20; step++) await stage.advance(5);
  expect(small.status()).toBe("granted");
});

it("a flood of reports about a held name tries its waiters at most every few milliseconds (W11)", async () => {
  const stage = createStage({ checkMs: NEVER });
  stage.setLatency(1);
  stage.lock("a", "h", {}, { lease: 60_000 });
  for (let at = 0; at < 10; at++) stage.lock("a", `${at}`);
  for (let ms = 0; ms < 1_000; ms++) {
    stage.room.wake("a");
    await stage.advance(1);
  }
  expect(stage.runs.length).toBeLessThan(250);
});

it("lists of waiters and of keys are bounded, whatever notes and names callers choose (W1)", async () => {
  const stage = createStage();
  // Longer commands are not held.
  const note = `${"x".repeat(15_000)}@host`;
  for (let at = 0; at < 50; at++) {
    stage.lock("a", `a${at}`, {}, { note });
    stage.lock(`${at}${"k".repeat(15_000)}`, `k${at}h`);
    stage.lock(`${at}${"k".repeat(15_000)}`, `k${at}`);
  }
  const size = (...words: string[]): number => JSON.stringify(answerFromRoom(stage.room, words)).length;
  expect(size("LEASEHOLD.WAITERS", "a")).toBeLessThan(50_000);
  expect(size("LEASEHOLD.AWAITED")).toBeLessThan(300_000);
});
