import { describe, expect, it } from "vitest";
import { type Asked, createStage } from "./stage.ts";

/** A room that tries nobody without a write, and whose runs take 50 ms. */
const LATENCY_MS = 50;
const createSlowStage = () => {
  const stage = createStage({ checkMs: Number.POSITIVE_INFINITY });
  return { stage, slowDown: () => stage.setLatency(LATENCY_MS) };
};

/** Two waiters for a fair lock. The first one keeps its place by a run, long before the second one has to. */
async function fairQueue(stage: ReturnType<typeof createStage>) {
  const holder = stage.fair("a", "h", {}, { lease: 60_000 });
  const first = stage.fair("a", "1", { validMs: 30_000, waitMs: 20_000 });
  await stage.advance(300);
  return { holder, waiters: [first, stage.fair("a", "2", { validMs: 30_000, waitMs: 20_000 })] };
}

const statuses = (list: readonly Asked[]): (string | undefined)[] => list.map((asked) => asked.status());

describe("a run that is in progress", () => {
  it("is the last one if it is refused after the time of its request", async () => {
    const { stage, slowDown } = createSlowStage();
    stage.lock("a", "h");
    const begin = stage.now;
    const waiter = stage.lock("a", "1", { waitMs: 300 });
    slowDown();
    await stage.advance(280);
    stage.room.wake("a");
    await stage.advance(30);
    stage.room.wake("a");
    await stage.advance(200);
    expect([waiter.status(), waiter.at - begin, stage.runs.length]).toEqual(["held", 280 + LATENCY_MS, 1]);
  });

  it("and grants to the first in a queue makes a release try nobody else", async () => {
    const { stage, slowDown } = createSlowStage();
    const { holder, waiters } = await fairQueue(stage);
    slowDown();
    while (stage.runs.length === 0) await stage.advance(10);
    stage.unfair("a", holder, "h");
    await stage.advance(2 * LATENCY_MS);
    expect(statuses(waiters)).toEqual(["granted", undefined]);
    expect(stage.runs.length).toBe(1);
  });

  it("and fails makes a release try nobody else", async () => {
    const { stage, slowDown } = createSlowStage();
    const { holder, waiters } = await fairQueue(stage);
    slowDown();
    stage.accidents.push(() => "-LOADING Redis is loading the dataset in memory");
    while (stage.runs.length === 0) await stage.advance(10);
    stage.unfair("a", holder, "h");
    await stage.advance(2 * LATENCY_MS);
    expect(statuses(waiters)).toEqual(["-", undefined]);
    expect(stage.runs.length).toBe(1);
  });
});

describe("waiters of groups", () => {
  it("that share a name are tried independently of each other", async () => {
    const { stage } = createSlowStage();
    const a = stage.lock("a", "h");
    stage.lock("b", "h");
    const blocked = stage.group(["a", "b"], "1");
    const free = stage.group(["a", "c"], "2");
    stage.unlock("a", a, "h");
    await stage.settle();
    expect(statuses([blocked, free])).toEqual([undefined, "granted"]);
  });
});
