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

describe("a waiter that left during the run that grants to it", () => {
  it("has left once, for its owner too", async () => {
    const stage = createStage({ checkMs: Number.POSITIVE_INFINITY, mostOfOwner: 2 });
    const holder = stage.lock("a", "h");
    const gone = new AbortController();
    stage.lock("a", "1", { signal: gone.signal, owner: "x" });
    stage.lock("b", "h");
    stage.lock("b", "2", { owner: "x" });
    stage.setLatency(LATENCY_MS);
    stage.unlock("a", holder, "h");
    await stage.settle();
    gone.abort();
    await stage.advance(2 * LATENCY_MS);
    expect(stage.events.filter(({ type }) => type === "ended")).toMatchObject([{ ending: "aborted" }]);
    const more = ["3", "4"].map((id) => stage.lock("b", id, { owner: "x" }));
    expect(statuses(more)).toEqual([undefined, "held"]);
  });
});

describe("a name whose only waiter left during its run", () => {
  it("is still watched for the waiter that came after it", async () => {
    const { stage, slowDown } = createSlowStage();
    const holder = stage.lock("a", "h");
    const gone = new AbortController();
    stage.lock("a", "1", { signal: gone.signal });
    slowDown();
    stage.room.wake("a");
    await stage.settle();
    gone.abort();
    const next = stage.lock("a", "2");
    await stage.advance(2 * LATENCY_MS);
    const changes = stage.events.filter(({ type }) => type === "watch" || type === "unwatch");
    expect(changes.map(({ type }) => type)).toEqual(["watch", "unwatch", "watch"]);
    stage.unlock("a", holder, "h");
    await stage.advance(LATENCY_MS);
    expect(next.status()).toBe("granted");
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
