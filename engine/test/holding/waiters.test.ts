import { describe, expect, it } from "vitest";
import { answerFromRoom } from "../../src/holding/index.ts";
import { createStage } from "./stage.ts";

const MOST = 100;

describe("who waits", () => {
  it("is listed in order of arrival, with label, process and time, and without an ID (R10)", async () => {
    const stage = createStage();
    stage.lock("a", "holder");
    stage.lock("a", "first", {}, { note: "build%201@ci-7", waited: 4000 });
    await stage.advance(1500);
    stage.lock("a", "second");
    await stage.advance(500);
    const answer = answerFromRoom(stage.room, ["LEASEHOLD.WAITERS", "a"]);
    expect(answer).toEqual([
      2,
      [
        ["lock-acquire", 6000, "build%201@ci-7"],
        ["lock-acquire", 500, ""],
      ],
    ]);
    expect(JSON.stringify(answer)).not.toMatch(/0{20}|first|second|holder/);
    expect(answerFromRoom(stage.room, ["leasehold.waiters", "b"])).toEqual([0, []]);
  });

  it("is listed for every kind and each name of a group, and has the note of an ID", async () => {
    const stage = createStage();
    stage.group(["g1", "g2"], "holder");
    stage.group(["g1", "g2"], "waits");
    stage.permits("pool", "has", 1, 1);
    stage.ask("semaphore-acquire", ["pool", "pool%crowd"], {
      id: `${"w".padStart(36, "0")}#1@nightly@host`,
      kind: "semaphore",
      ...{ lease: 10_000, permits: 1, ttl: 60_000, retention: 60_000, waited: 0 },
    });
    stage.setLatch("latch", "set", 3);
    stage.zero("latch", "waits");
    stage.begin("once", "runs");
    stage.begin("once", "waits");
    const of = (key: string): unknown => answerFromRoom(stage.room, ["LEASEHOLD.WAITERS", key]);
    for (const key of ["g1", "g2"]) expect(of(key)).toEqual([1, [["group-acquire", 0, ""]]]);
    expect(of("pool")).toEqual([1, [["semaphore-acquire", 0, "nightly@host"]]]);
    expect(of("latch")).toEqual([1, [["latch-wait", null, ""]]]);
    expect(of("once")).toEqual([1, [["once-begin", null, ""]]]);
    expect(answerFromRoom(stage.room, ["LEASEHOLD.AWAITED"])).toEqual(
      expect.arrayContaining([
        ["g1", 1],
        ["g2", 1],
        ["pool", 1],
        ["latch", 1],
        ["once", 1],
      ]),
    );
  });

  it("leaves out a holder that watches its own lease", () => {
    const stage = createStage();
    const own = { id: `${"h".padStart(36, "0")}#1`, retention: 60_000 };
    const holder = stage.permits("turn", "h", 1, 1);
    stage.ask("crowd-extend", ["turn", "turn%crowd"], { ...own, token: String(holder.reply?.[2]), duration: 0 });
    expect(stage.room.isWatched("turn")).toBe(true);
    expect(answerFromRoom(stage.room, ["LEASEHOLD.WAITERS", "turn"])).toEqual([0, []]);
    expect(answerFromRoom(stage.room, ["LEASEHOLD.AWAITED"])).toEqual([]);
  });

  it("counts a waiter on while it asks again, once, and for no longer", async () => {
    const stage = createStage();
    stage.lock("a", "holder");
    stage.lock("a", "first", { waitMs: 1000 }, { note: "first" });
    stage.lock("a", "second", {}, { note: "second" });
    const notes = (): unknown => {
      const [count, waiting] = answerFromRoom(stage.room, ["LEASEHOLD.WAITERS", "a"]) as [number, string[][]];
      return [count, ...waiting.map(([, , note]) => note)];
    };
    await stage.advance(1200);
    expect(stage.room.size).toBe(1);
    expect(notes()).toEqual([2, "first", "second"]);
    stage.lock("a", "first", { waitMs: 1000 }, { note: "first" });
    expect(notes()).toEqual([2, "first", "second"]);
    await stage.advance(1200);
    expect(answerFromRoom(stage.room, ["LEASEHOLD.AWAITED"])).toEqual([["a", 2]]);
    await stage.advance(400);
    expect(notes()).toEqual([1, "second"]);
  });

  it("is described for the first hundred and counted for all, most waiters first", () => {
    const stage = createStage();
    for (const name of ["few", "many"]) stage.lock(name, "holder");
    for (let n = 0; n < MOST + 5; n++) stage.lock("many", `waits${n}`);
    stage.lock("few", "waits");
    const [count, first] = answerFromRoom(stage.room, ["LEASEHOLD.WAITERS", "many"]) as [number, readonly unknown[]];
    expect([count, first.length]).toEqual([MOST + 5, MOST]);
    expect(answerFromRoom(stage.room, ["LEASEHOLD.AWAITED"])).toEqual([
      ["many", MOST + 5],
      ["few", 1],
    ]);
  });

  it("answers a wrong number of arguments as Redis does, and a time that is no number with null", () => {
    const stage = createStage();
    for (const words of [["LEASEHOLD.WAITERS"], ["LEASEHOLD.WAITERS", "a", "b"], ["LEASEHOLD.AWAITED", "a"]])
      expect(answerFromRoom(stage.room, words)).toMatchObject({
        message: `ERR wrong number of arguments for '${words[0]?.toLowerCase()}' command`,
      });
    stage.lock("a", "holder");
    stage.lock("a", "odd", {}, { waited: "soon" });
    expect(answerFromRoom(stage.room, ["LEASEHOLD.WAITERS", "a"])).toEqual([1, [["lock-acquire", null, ""]]]);
  });
});
