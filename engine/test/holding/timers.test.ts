import { describe, expect, it } from "vitest";
import { UNSENT } from "../../src/holding/index.ts";
import { createStage } from "./stage.ts";

const LATENCY_MS = 50;
/** A stage whose waiters are tried at the times that they know, and not every second. */
const createQuietStage = () => createStage({ checkMs: Number.POSITIVE_INFINITY });

describe("the time of a waiter", () => {
  it("ends without another run, however long a run takes", async () => {
    const stage = createQuietStage();
    const begin = stage.now;
    stage.lock("a", "h");
    const waiter = stage.lock("a", "1", { waitMs: 300 });
    stage.setLatency(LATENCY_MS);
    await stage.advance(500);
    expect([waiter.status(), waiter.at - begin, stage.runs]).toEqual(["held", 300, []]);
  });

  it("ends with a run in progress when the room closes", async () => {
    const stage = createQuietStage();
    stage.lock("a", "h");
    const waiter = stage.lock("a", "1");
    stage.setLatency(LATENCY_MS);
    stage.room.wake("a");
    await stage.settle();
    const closed = stage.room.closeAll();
    expect(waiter.held).toBeUndefined();
    await stage.advance(LATENCY_MS);
    await closed;
    expect([waiter.held?.ending, stage.room.size, stage.timers()]).toEqual(["closed", 0, 0]);
  });

  it("is the grant that a run in progress brings when the room closes", async () => {
    const stage = createQuietStage();
    const holder = stage.lock("a", "h");
    const waiter = stage.lock("a", "1");
    stage.setLatency(LATENCY_MS);
    stage.unlock("a", holder, "h");
    await stage.settle();
    const closed = stage.room.closeAll();
    await stage.advance(LATENCY_MS);
    await closed;
    expect([waiter.status(), waiter.held?.ending]).toEqual(["granted", "answered"]);
  });

  it.each([
    [
      "fails",
      () => {
        throw new Error("the connection broke");
      },
    ],
    ["cannot be sent", () => UNSENT],
  ])("begins at once for the next one if the run of one that has left %s", async (_, accident) => {
    const stage = createQuietStage();
    const holder = stage.lock("a", "h");
    const leaves = new AbortController();
    stage.lock("a", "1", { signal: leaves.signal });
    const waiter = stage.lock("a", "2");
    stage.setLatency(LATENCY_MS);
    stage.accidents.push(accident);
    stage.unlock("a", holder, "h");
    await stage.settle();
    const begin = stage.now;
    leaves.abort();
    await stage.advance(10 * LATENCY_MS);
    expect([waiter.status(), waiter.at - begin]).toEqual(["granted", 2 * LATENCY_MS]);
  });
});

describe("the next try", () => {
  it("of a lock comes when the lease of the waiter that was granted ends", async () => {
    const stage = createQuietStage();
    const holder = stage.lock("a", "h");
    const [granted, next] = ["1", "2"].map((id) => stage.lock("a", id, {}, { lease: 700 }));
    stage.unlock("a", holder, "h");
    await stage.advance(690);
    expect([granted?.status(), next?.status()]).toEqual(["granted", undefined]);
    await stage.advance(20);
    expect([next?.status(), stage.runs.length]).toEqual(["granted", 2]);
  });

  it("of a latch that is not set, which no lease blocks, comes after a second", async () => {
    const stage = createStage();
    const waiter = stage.zero("a", "1");
    await stage.advance(999);
    expect(stage.runs.length).toBe(0);
    await stage.advance(1);
    expect([waiter.status(), stage.runs.length]).toEqual([undefined, 1]);
  });

  it("of other readers follows a run that keeps a reader's place and is granted", async () => {
    const stage = createQuietStage();
    const writer = stage.side("a", "w", "write");
    const readers = [stage.side("a", "1", "read")];
    await stage.advance(300);
    readers.push(stage.side("a", "2", "read"), stage.side("a", "3", "read"));
    const token = String(writer.reply?.[2]);
    const own = { id: "w".padStart(36, "0"), token, retention: 60_000, due: 0 };
    stage.act("rw-close", ["a", "a%crowd"], own, false);
    while (stage.runs.length === 0) await stage.advance(10);
    expect(readers.map((reader) => reader.status())).toEqual(["granted", "granted", "granted"]);
    expect(stage.runs.length).toBe(3);
  });

  it("does not follow a run that keeps a place and is refused", async () => {
    const stage = createQuietStage();
    stage.side("a", "w", "write");
    stage.side("a", "1", "read");
    while (stage.runs.length === 0) await stage.advance(10);
    await stage.advance(100);
    expect(stage.runs.length).toBe(1);
  });

  it("of the first in a queue comes a second after the run that keeps its place, which is a try as well", async () => {
    const stage = createStage();
    stage.fair("a", "h", {}, { lease: 60_000 });
    stage.fair("a", "1", { validMs: 30_000, waitMs: 20_000 });
    await stage.advance(10_000);
    // A run keeps the place for 700 ms; checks in between would make 20 runs.
    expect(stage.runs.length).toBeLessThanOrEqual(15);
  });

  it("never comes by a timer if no lease ends and the room checks nobody", async () => {
    const stage = createQuietStage();
    const waiter = stage.zero("a", "1");
    await stage.settle();
    // The timer for the end of its time.
    expect([waiter.error, stage.timers()]).toEqual([undefined, 1]);
  });
});
