import { describe, expect, it } from "vitest";
import { answerFromRoom, createWaitingRoom, isForRoom } from "../../src/holding/index.ts";
import { createStage } from "./stage.ts";

const empty = createWaitingRoom({ now: () => 0, after: () => () => {} });

describe("the commands that a room answers", () => {
  it("are two, in any case", () => {
    const names = ["LEASEHOLD.WAITERS", "leasehold.awaited", "LEASEHOLD", "GET", ""];
    expect(names.map((name) => isForRoom([name, "key"]))).toEqual([true, true, false, false, false]);
    expect(isForRoom([])).toBe(false);
  });

  it.each([
    [["LEASEHOLD.WAITERS"], "leasehold.waiters"],
    [["leasehold.waiters", "a", "b"], "leasehold.waiters"],
    [["LEASEHOLD.AWAITED", "a"], "leasehold.awaited"],
  ])("%j has the wrong number of arguments", (words, name) => {
    expect(answerFromRoom(empty, words)).toEqual(new Error(`ERR wrong number of arguments for '${name}' command`));
  });

  it("list who waits, and for which keys", async () => {
    const { room, ask, settle } = createStage();
    expect(answerFromRoom(room, ["LEASEHOLD.WAITERS", "record"])).toEqual([0, []]);
    expect(answerFromRoom(room, ["LEASEHOLD.AWAITED"])).toEqual([]);
    const args = { lease: 60_000, retention: 60_000, reentryKey: "", reentrant: 1, waited: 7, asked: "" };
    ask("lock-acquire", ["record"], { ...args, id: "a".repeat(36), note: "" });
    ask("lock-acquire", ["record"], { ...args, id: "b".repeat(36), note: "job@host" });
    await settle();
    expect(answerFromRoom(room, ["LEASEHOLD.WAITERS", "record"])).toEqual([1, [["lock-acquire", 7, "job@host"]]]);
    expect(answerFromRoom(room, ["leasehold.awaited"])).toEqual([["record", 1]]);
  });
});
