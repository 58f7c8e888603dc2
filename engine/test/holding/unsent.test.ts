import { describe, expect, it } from "vitest";
import { UNSENT } from "../../src/holding/index.ts";
import { createStage } from "./stage.ts";

const unsent = () => UNSENT;

describe("a held request that could not be sent", () => {
  it("stays first, and is tried when its key is woken (47.3)", async () => {
    const stage = createStage();
    const holder = stage.lock("a", "h");
    const waiters = ["1", "2"].map((id) => stage.lock("a", id));
    stage.accidents.push(unsent);
    stage.unlock("a", holder, "h");
    await stage.settle();
    expect(stage.room.size).toBe(2);
    // Only the first one: the others could not be sent either.
    expect(stage.runs).toEqual(["lock-acquire"]);
    stage.room.wake("a");
    await stage.settle();
    expect(waiters.map((waiter) => waiter.status())).toEqual(["granted", undefined]);
  });

  it("is tried a moment later without a wake-up (47.3)", async () => {
    const stage = createStage({ checkMs: Number.POSITIVE_INFINITY });
    const holder = stage.lock("a", "h", {}, { lease: 60_000 });
    const waiter = stage.lock("a", "1");
    stage.accidents.push(unsent, unsent);
    stage.unlock("a", holder, "h");
    await stage.advance(1_000);
    expect(waiter.status()).toBe("granted");
    expect(stage.runs.length).toBe(3);
  });

  it("is tried at once when its key was woken during the attempt (47.3)", async () => {
    const stage = createStage({ checkMs: Number.POSITIVE_INFINITY });
    const holder = stage.lock("a", "h", {}, { lease: 60_000 });
    const waiter = stage.lock("a", "1");
    stage.setLatency(20);
    stage.accidents.push(unsent);
    stage.unlock("a", holder, "h");
    await stage.advance(10);
    stage.room.wake("a");
    await stage.advance(30);
    expect(waiter.status()).toBe("granted");
  });

  it("is not tried all the time while nothing can be sent, and ends with its last refusal (47.3)", async () => {
    const stage = createStage();
    stage.fair("a", "h", {}, { lease: 60_000 });
    const waiters = ["1", "2", "3"].map((id) => stage.fair("a", id, { validMs: 20_000, waitMs: 10_000 }));
    stage.accidents.push(...Array.from({ length: 1_000 }, () => unsent));
    await stage.advance(11_000);
    expect(waiters.map((waiter) => [waiter.status(), waiter.held?.ending])).toEqual(
      waiters.map(() => ["held", "refused"]),
    );
    // Each of them four times a second at most.
    expect(stage.runs.length).toBeLessThan(3 * 45);
    expect(stage.timers()).toBe(0);
  });
});
