import { describe, expect, it } from "vitest";
import { OFFERED } from "../../src/holding/index.ts";
import { type Asked, createStage } from "./stage.ts";

const NEVER = { checkMs: Number.POSITIVE_INFINITY };

describe("a waiter that is offered the name", () => {
  it("gets its last refusal, and leaves the others what a grant would leave them (B7)", async () => {
    const stage = createStage(NEVER);
    const holder = stage.lock("a", "h");
    const [first, second] = ["1", "2"].map((id) => stage.lock("a", id)) as [Asked, Asked];
    await stage.advance(1000);
    stage.accidents.push(() => OFFERED);
    stage.unlock("a", holder, "h");
    await stage.settle();
    expect(first.held).toMatchObject({ ending: "offered", heldMs: 0 });
    expect(first.status()).toBe("held");
    expect([second.status(), stage.runs.length]).toEqual([undefined, 1]);
    // It counts as a waiter until it is back, and keeps its place.
    expect(stage.room.waiters("a").count).toBe(2);
    const back = stage.lock("a", "1");
    expect(back.status()).toBe("granted");
    expect(second.status()).toBeUndefined();
  });

  it("does not end the tries of permits: each waiter is offered its own (B7)", async () => {
    const stage = createStage(NEVER);
    const holder = stage.permits("a", "h", 2, 2);
    const waiters = ["1", "2"].map((id) => stage.permits("a", id, 1, 2));
    await stage.advance(1000);
    stage.accidents.push(
      () => OFFERED,
      () => OFFERED,
    );
    stage.giveBack("a", holder, "h", 2);
    await stage.settle();
    expect(waiters.map((waiter) => waiter.held?.ending)).toEqual(["offered", "offered"]);
  });
});

it("a grant to a request that was not held sets the next try of the waiters to the end of its lease (B7)", async () => {
  const stage = createStage(NEVER);
  const holder = stage.lock("a", "h");
  const waiter = stage.lock("a", "1", { validMs: 60_000, waitMs: 60_000 });
  // Nobody saw the release, and another request took the name, for less time than the holder had.
  stage.unlock("a", holder, "h", false);
  const args = { id: "2".padStart(36, "0"), lease: 700, retention: 60_000, reentryKey: "", note: "", reentrant: 1 };
  const { call, reply } = stage.run("lock-acquire", ["a"], { ...args, waited: 0, asked: "" });
  expect(stage.room.answered(call, reply)).toBe(true);
  await stage.advance(699);
  expect(waiter.status()).toBeUndefined();
  await stage.advance(3);
  expect(waiter.status()).toBe("granted");
  expect(stage.room.answered(call, ["held", stage.now * 1000, 1000])).toBe(false);
});
