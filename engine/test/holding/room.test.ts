import { describe, expect, it } from "vitest";
import { type Asked, createStage } from "./stage.ts";

const granted = (list: readonly Asked[]): number[] =>
  list.flatMap((asked, index) => (asked.status() === "granted" ? [index] : []));

describe("a held request", () => {
  it("is answered when its turn comes, in the order of arrival", async () => {
    const stage = createStage();
    const holder = stage.lock("a", "h");
    const waiters = ["1", "2", "3"].map((id) => stage.lock("a", id));
    await stage.advance(1000);
    expect(granted(waiters)).toEqual([]);
    stage.unlock("a", holder, "h");
    await stage.settle();
    expect(granted(waiters)).toEqual([0]);
    stage.unlock("a", waiters[0] as Asked, "1");
    await stage.settle();
    expect(granted(waiters)).toEqual([0, 1]);
    expect(waiters[1]?.held).toMatchObject({ ending: "answered", heldMs: 1000 });
  });

  it("is granted without a release when the lease ends", async () => {
    const stage = createStage({ checkMs: Number.POSITIVE_INFINITY });
    stage.lock("a", "h", {}, { lease: 700 });
    const waiter = stage.lock("a", "1");
    await stage.advance(699);
    expect(waiter.status()).toBeUndefined();
    await stage.advance(3);
    expect(waiter.status()).toBe("granted");
    expect(stage.runs.length).toBe(1);
  });

  it("is tried again at the new end of a lease that was extended", async () => {
    const stage = createStage({ checkMs: Number.POSITIVE_INFINITY });
    const holder = stage.lock("a", "h", {}, { lease: 500 });
    const waiter = stage.lock("a", "1");
    await stage.advance(300);
    const own = { id: "h".padStart(36, "0"), token: String(holder.reply?.[2]), duration: 1000, retention: 60_000 };
    stage.act("hold-extend", ["a"], own, false);
    await stage.advance(900);
    expect(waiter.status()).toBeUndefined();
    await stage.advance(200);
    expect(waiter.status()).toBe("granted");
  });

  it("is not held beyond its wait, nor beyond the time after which its script is void (R3c)", async () => {
    const stage = createStage();
    stage.lock("a", "h");
    const short = stage.lock("a", "1", { waitMs: 300 });
    const bounded = stage.lock("a", "2", { validMs: 1000 });
    await stage.advance(299);
    expect(short.status()).toBeUndefined();
    await stage.advance(2);
    expect(short.status()).toBe("held");
    expect(short.held?.ending).toBe("refused");
    await stage.advance(698);
    expect(bounded.status()).toBe("held");
    expect(bounded.at).toBeLessThan(stage.now);
    expect(stage.room.size).toBe(0);
    expect(stage.timers()).toBe(0);
  });

  it("is not held where its answer is no refusal, or there is no time", () => {
    const stage = createStage();
    expect(stage.lock("a", "h").held).toBeUndefined();
    expect(stage.lock("a", "h").status()).toBe("granted");
    expect(stage.lock("a", "1", { waitMs: 0 }).status()).toBe("held");
    expect(stage.lock("a", "2", { validMs: 20 }).status()).toBe("held");
    expect(stage.room.size).toBe(0);
  });

  it("is replaced by a later request of the same id, which keeps its place", async () => {
    const stage = createStage();
    const holder = stage.lock("a", "h");
    const first = stage.lock("a", "1");
    const second = stage.lock("a", "2");
    const again = stage.lock("a", "1");
    await stage.settle();
    expect(first.held?.ending).toBe("replaced");
    expect(first.status()).toBe("held");
    stage.unlock("a", holder, "h");
    await stage.settle();
    expect(granted([again, second])).toEqual([0]);
  });

  it("that replaces a request during its run gets the grant of that run", async () => {
    const stage = createStage({ checkMs: Number.POSITIVE_INFINITY });
    const holder = stage.lock("a", "h");
    stage.lock("a", "1");
    stage.setLatency(50);
    stage.room.wake("a");
    await stage.advance(10);
    const again = stage.lock("a", "1");
    stage.unlock("a", holder, "h", false);
    await stage.advance(200);
    expect(again.status()).toBe("granted");
  });

  it("is answered by a run in progress when its time ends", async () => {
    const stage = createStage({ checkMs: Number.POSITIVE_INFINITY });
    const holder = stage.lock("a", "h");
    const waiter = stage.lock("a", "1", { waitMs: 300 });
    stage.setLatency(50);
    await stage.advance(280);
    stage.unlock("a", holder, "h");
    await stage.advance(100);
    expect(waiter.status()).toBe("granted");
  });

  it("reports how long it was held to its script, as a poll reports how long it waited", async () => {
    const stage = createStage();
    const [a, b] = [stage.lock("a", "h"), stage.lock("b", "h")];
    stage.lock("a", "1");
    await stage.advance(3000);
    stage.unlock("a", a, "h");
    stage.unlock("b", b, "h");
    await stage.settle();
    stage.lock("b", "1", {}, { waited: 3000 });
    expect(stage.command("GET", "a")).toEqual(stage.command("GET", "b"));
  });

  it("keeps its place when its sender comes back soon after the end of a hold", async () => {
    const stage = createStage();
    const holder = stage.lock("a", "h");
    const first = stage.lock("a", "1", { waitMs: 100 });
    const second = stage.lock("a", "2");
    await stage.advance(200);
    expect(first.status()).toBe("held");
    const again = stage.lock("a", "1");
    stage.unlock("a", holder, "h");
    await stage.settle();
    expect(granted([again, second])).toEqual([0]);
  });

  it("is gone at once when its connection is, and the next one is tried", async () => {
    const stage = createStage();
    stage.setLatency(50);
    const holder = stage.lock("a", "h");
    const gone = new AbortController();
    const first = stage.lock("a", "1", { signal: gone.signal });
    const second = stage.lock("a", "2");
    stage.accidents.push(() => {
      throw new Error("nobody waits for it");
    });
    stage.unlock("a", holder, "h");
    await stage.advance(20);
    gone.abort();
    expect(stage.room.size).toBe(1);
    await stage.advance(100);
    expect(first.held?.ending).toBe("aborted");
    expect(second.status()).toBe("granted");
  });

  it.each<readonly [string, () => unknown]>([
    [
      "cannot be made",
      () => {
        throw new Error("no connection");
      },
    ],
    ["ends with an error", () => "-LOADING Redis is loading the dataset in memory"],
  ])("ends when its run %s, and the next ones are tried soon, one by one", async (_, accident) => {
    const stage = createStage();
    const holder = stage.lock("a", "h");
    const waiters = ["1", "2", "3"].map((id) => stage.lock("a", id));
    stage.accidents.push(accident, accident);
    stage.unlock("a", holder, "h");
    await stage.settle();
    expect([stage.room.size, stage.runs.length]).toEqual([2, 1]);
    await stage.advance(300);
    expect([stage.room.size, stage.runs.length]).toEqual([1, 2]);
    await stage.advance(300);
    expect(granted(waiters)).toEqual([2]);
  });

  it("is answered with its last refusal when the room closes, and nobody is held any more", async () => {
    const stage = createStage();
    stage.lock("a", "h");
    const waiters = ["1", "2"].map((id) => stage.lock("a", id));
    await stage.room.closeAll();
    expect(waiters.map(({ held }) => held?.ending)).toEqual(["closed", "closed"]);
    expect(stage.lock("a", "3").status()).toBe("held");
    expect([stage.room.size, stage.timers()]).toEqual([0, 0]);
  });

  it("gets no more than the room's and its owner's number of places", async () => {
    const stage = createStage({ max: 3, mostOfOwner: 2 });
    stage.lock("a", "h");
    const waiters = ["x", "x", "x", "y", "y"].map((owner, index) => stage.lock("a", `${index}`, { owner }));
    expect(waiters.map((waiter) => waiter.status() ?? "waits")).toEqual(["waits", "waits", "held", "waits", "held"]);
    expect(stage.events.filter(({ type }) => type === "full").length).toBe(2);
  });
});

describe("an owner's places", () => {
  it("are as many as before when one of its requests has left", async () => {
    const stage = createStage({ mostOfOwner: 2 });
    stage.lock("a", "h");
    const gone = new AbortController();
    stage.lock("a", "1", { owner: "x", signal: gone.signal });
    stage.lock("a", "2", { owner: "x" });
    gone.abort();
    const waiters = ["3", "4"].map((id) => stage.lock("a", id, { owner: "x" }));
    expect(waiters.map((waiter) => waiter.status() ?? "waits")).toEqual(["waits", "held"]);
  });
});

describe("the room's places", () => {
  it("are not exceeded by a waiter that comes back", async () => {
    const stage = createStage({ max: 1 });
    stage.lock("a", "h");
    stage.lock("a", "1", { waitMs: 100 });
    await stage.advance(200);
    const other = stage.lock("a", "2");
    const back = stage.lock("a", "1");
    expect([other.status(), back.status(), stage.room.size]).toEqual([undefined, "held", 1]);
  });
});

describe("a wake-up", () => {
  it("is not lost while a waiter is being tried", async () => {
    const stage = createStage({ checkMs: Number.POSITIVE_INFINITY });
    const holder = stage.lock("a", "h");
    const waiter = stage.lock("a", "1");
    stage.setLatency(50);
    // Its answer is from before the release, and comes after it.
    stage.accidents.push(() => ["held", stage.now * 1000, 5_000_000, 0, 0, 0, 1]);
    stage.room.wake("a");
    await stage.advance(20);
    stage.unlock("a", holder, "h");
    await stage.advance(200);
    expect(waiter.status()).toBe("granted");
  });

  it("that is missed costs a second", async () => {
    const stage = createStage();
    const holder = stage.lock("a", "h");
    const waiters = ["1", "2", "3"].map((id) => stage.lock("a", id));
    await stage.advance(300);
    stage.unlock("a", holder, "h", false);
    await stage.advance(1000);
    expect(granted(waiters)).toEqual([0]);
  });

  it("tries one waiter of many: no herd", async () => {
    const stage = createStage();
    let last: [Asked, string] = [stage.lock("a", "h"), "h"];
    const waiters = Array.from({ length: 500 }, (_, index) =>
      stage.lock("a", `${index}`, { validMs: 60_000, waitMs: 50_000 }),
    );
    for (let index = 0; index < 500; index++) {
      await stage.advance(5);
      stage.unlock("a", ...last);
      await stage.settle();
      last = [waiters[index] as Asked, `${index}`];
      expect(last[0].status()).toBe("granted");
    }
    // One for each grant, and one each second.
    expect(stage.runs.length).toBeLessThan(510);
  });

  it("of all keys tries the first of each", async () => {
    const stage = createStage({ checkMs: Number.POSITIVE_INFINITY });
    const names = Array.from({ length: 20 }, (_, index) => `n${index}`);
    for (const name of names) stage.lock(name, "h");
    const waiters = names.map((name) => stage.lock(name, "1"));
    for (const name of names) stage.lock(name, "2");
    stage.command("FLUSHALL");
    await stage.room.wakeAll();
    expect(granted(waiters).length).toBe(20);
    expect(stage.runs.length).toBe(20);
  });

  it("of some keys tries their first waiters, some at a time, and no others (47.3)", async () => {
    const stage = createStage({ checkMs: Number.POSITIVE_INFINITY });
    const names = Array.from({ length: 30 }, (_, index) => `n${index}`);
    for (const name of names) stage.lock(name, "h");
    const waiters = names.map((name) => stage.lock(name, "1"));
    stage.command("FLUSHALL");
    stage.setLatency(10);
    const woken = stage.room.wakeAll([...names.slice(10), "nobody waits for it"]);
    await stage.settle();
    expect(stage.runs.length).toBe(8);
    await stage.advance(100);
    await woken;
    expect(granted(waiters)).toEqual(names.slice(10).map((_name, index) => index + 10));
    expect(stage.runs.length).toBe(20);
  });
});

describe("waiters of different kinds", () => {
  it("of a fair lock go in the order of their places, and keep them without polls", async () => {
    const stage = createStage();
    const holder = stage.fair("a", "h");
    const first = stage.fair("a", "1", { validMs: 30_000, waitMs: 20_000 });
    const second = stage.fair("a", "2", { validMs: 30_000, waitMs: 20_000 });
    await stage.advance(8000);
    const crowd = stage.command("ZRANGE", "a%crowd", "0", "-1") as string[];
    expect(crowd.length).toBe(4);
    stage.unfair("a", holder, "h");
    await stage.settle();
    expect(granted([first, second])).toEqual([0]);
    stage.unfair("a", first, "1");
    await stage.settle();
    expect(granted([first, second])).toEqual([0, 1]);
    // A run in some 0.7 to 2.5 s keeps a place.
    expect(stage.runs.length).toBeLessThan(30);
  });

  it("of a fair lock join its queue again within a moment when their places are lost", async () => {
    const stage = createStage();
    stage.fair("a", "h");
    stage.fair("a", "1");
    stage.command("DEL", "a%crowd");
    stage.room.wake("a");
    await stage.advance(30);
    expect(stage.command("ZRANGE", "a%crowd", "0", "-1")).toHaveLength(2);
  });

  it("of a fair lock that leave while they join its queue again are not tried any more", async () => {
    const stage = createStage();
    stage.fair("a", "h");
    const gone = new AbortController();
    stage.fair("a", "1", { signal: gone.signal });
    stage.command("DEL", "a%crowd");
    stage.setLatency(50);
    stage.room.wake("a");
    // The first run ends without a place, and the second one is in progress.
    await stage.advance(70);
    gone.abort();
    await stage.advance(100);
    expect([stage.room.isWatched("a"), stage.timers(), stage.runs.length]).toEqual([false, 0, 2]);
  });

  it("of a fair lock are served within the grace after one in front of them has died", async () => {
    const stage = createStage();
    const holder = stage.fair("a", "h");
    const gone = new AbortController();
    stage.fair("a", "1", { signal: gone.signal });
    const second = stage.fair("a", "2");
    gone.abort();
    stage.unfair("a", holder, "h");
    await stage.advance(1300);
    expect(second.status()).toBe("granted");
  });

  it("of a free fair lock are tried when one in front of them is late, and not only to keep their places", async () => {
    const stage = createStage({ checkMs: Number.POSITIVE_INFINITY });
    const holder = stage.fair("a", "h");
    const gone = new AbortController();
    stage.fair("a", "1", { signal: gone.signal });
    const second = stage.fair("a", "2");
    await stage.advance(100);
    gone.abort();
    stage.unfair("a", holder, "h");
    await stage.advance(1100);
    expect(second.status()).toBe("granted");
  });

  it("readers go together, and a writer alone", async () => {
    const stage = createStage();
    const writer = stage.side("a", "w", "write");
    const readers = ["1", "2", "3", "4", "5"].map((id) => stage.side("a", id, "read"));
    const next = stage.side("a", "x", "write");
    await stage.advance(100);
    stage.unside("a", writer, "w");
    await stage.settle();
    expect(granted(readers)).toEqual([0, 1, 2, 3, 4]);
    expect(next.status()).toBeUndefined();
    for (const [index, reader] of readers.entries()) stage.unside("a", reader, `${index + 1}`);
    await stage.advance(1);
    expect(next.status()).toBe("granted");
  });

  it("a reader with a place before the next writer is tried, whoever arrived before it without one", async () => {
    const stage = createStage();
    const reader = stage.side("a", "r", "read");
    const writer = stage.side("a", "w", "write");
    await stage.advance(100);
    const without = stage.side("a", "1", "read");
    stage.unside("a", reader, "r");
    await stage.settle();
    expect(writer.status()).toBe("granted");
    const placed = stage.side("a", "2", "read");
    const next = stage.side("a", "x", "write");
    await stage.advance(100);
    stage.unside("a", writer, "w");
    await stage.settle();
    expect(granted([without, placed, next])).toEqual([1]);
    stage.unside("a", placed, "2");
    await stage.settle();
    expect(granted([without, placed, next])).toEqual([1, 2]);
  });

  it("get as many permits as there are", async () => {
    const stage = createStage();
    const holder = stage.permits("a", "h", 3, 3);
    const waiters = ["1", "2", "3", "4", "5"].map((id) => stage.permits("a", id, 1, 3));
    stage.giveBack("a", holder, "h", 3);
    await stage.settle();
    expect(granted(waiters)).toEqual([0, 1, 2]);
    expect(stage.runs.length).toBe(4);
  });

  it("get the permits that a spend returns, and no others (51.3)", async () => {
    const stage = createStage();
    const holder = stage.permits("a", "h", 3, 3);
    const waiters = ["1", "2", "3"].map((id) => stage.permits("a", id, 1, 3));
    expect(stage.spend("a", holder, "h", 3, 1)[0]).toBe("spent");
    await stage.settle();
    expect(granted(waiters)).toEqual([0, 1]);
    expect(stage.runs.length).toBe(3);
  });

  it("learn from a spend that too few permits are left (51.3)", async () => {
    const stage = createStage();
    const holder = stage.permits("a", "h", 3, 3);
    const waiter = stage.permits("a", "1", 3, 3);
    stage.spend("a", holder, "h", 3, 1);
    await stage.settle();
    expect(waiter.reply?.slice(0, 1)).toEqual(["short"]);
  });

  it("that want few permits are not kept waiting by one that wants many", async () => {
    const stage = createStage();
    const [one, two] = [stage.permits("a", "h1", 1, 3), stage.permits("a", "h2", 2, 3)];
    const many = stage.permits("a", "1", 3, 3);
    const few = stage.permits("a", "2", 1, 3);
    stage.giveBack("a", one, "h1", 1);
    await stage.settle();
    expect(granted([many, few])).toEqual([1]);
    expect(two.status()).toBe("granted");
  });

  it("of a once all get its result, or one of them the next attempt", async () => {
    const stage = createStage();
    const attempt = stage.begin("a", "h");
    const waiters = ["1", "2", "3", "4", "5", "6"].map((id) => stage.begin("a", id));
    stage.fail("a", attempt, "h");
    await stage.settle();
    expect(granted(waiters)).toEqual([0]);
    expect(stage.runs.length).toBe(1);
    stage.complete("a", waiters[0] as Asked, "1");
    await stage.settle();
    expect(waiters.slice(1).map(({ reply }) => reply?.slice(3))).toEqual(Array(5).fill(["=1"]));
  });

  it("of a latch all learn of zero, and a count-down tries one of them", async () => {
    const stage = createStage();
    stage.setLatch("a", "s", 3);
    const waiters = Array.from({ length: 40 }, (_, index) => stage.zero("a", `${index}`));
    for (const party of ["x", "y"]) {
      stage.countDown("a", party);
      await stage.settle();
    }
    expect(stage.runs.length).toBe(2);
    expect(waiters.map((waiter) => waiter.status())).toEqual(Array(40).fill(undefined));
    stage.countDown("a", "z");
    await stage.settle();
    expect(waiters.map((waiter) => waiter.status())).toEqual(Array(40).fill("open"));
    expect(stage.runs.length).toBe(42);
  });

  it("of a latch that is not set yet wait for its first zero", async () => {
    const stage = createStage();
    const waiters = ["1", "2"].map((id) => stage.zero("a", id));
    stage.setLatch("a", "s", 1);
    await stage.settle();
    expect(waiters.map((waiter) => waiter.status())).toEqual([undefined, undefined]);
    stage.countDown("a", "x");
    await stage.settle();
    expect(waiters.map((waiter) => waiter.status())).toEqual(["open", "open"]);
  });

  it("of a latch keep the generation that they saw: set anew in between, it has been at zero", async () => {
    const stage = createStage();
    stage.setLatch("a", "s", 1);
    const old = stage.zero("a", "1");
    stage.countDown("a", "x", false);
    stage.setLatch("a", "t", 1, false);
    const young = stage.zero("a", "2");
    stage.room.wake("a");
    await stage.settle();
    expect([old.status(), young.status()]).toEqual(["open", undefined]);
  });

  it("of a latch that is removed learn that it is lost, behind others that had seen no generation too", async () => {
    const stage = createStage();
    const early = stage.zero("a", "1");
    stage.setLatch("a", "s", 1);
    await stage.settle();
    const unset = stage.zero("a", "2", {}, 0);
    stage.forceLatch("a", "f");
    await stage.settle();
    const before = stage.zero("a", "3");
    stage.setLatch("a", "t", 1);
    await stage.settle();
    const late = stage.zero("a", "4");
    expect([early, unset].map((waiter) => waiter.status())).toEqual(["lost", "lost"]);
    stage.forceLatch("a", "g");
    await stage.settle();
    expect([before, late].map((waiter) => waiter.status())).toEqual(["lost", "lost"]);
  });

  it("of a latch learn that it is forgotten when its time ends", async () => {
    const stage = createStage({ checkMs: Number.POSITIVE_INFINITY });
    stage.act("latch-set", ["a", "a%crowd"], { id: "s".padStart(36, "0"), count: 1, ttl: 700, retention: 60_000 });
    const waiter = stage.zero("a", "1");
    await stage.advance(710);
    expect(waiter.status()).toBe("lost");
  });

  it("with the reentry key of the next holder join it, and others do not", async () => {
    const stage = createStage();
    const holder = stage.lock("a", "h");
    const keys = ["x", "y", "x", "", "x"];
    const waiters = keys.map((reentryKey, index) => stage.lock("a", `${index}`, {}, { reentryKey }));
    stage.unlock("a", holder, "h");
    await stage.settle();
    expect(granted(waiters)).toEqual([0, 2, 4]);
    expect(stage.runs.length).toBe(3);
  });

  it("of one name and of several names do not block each other", async () => {
    const stage = createStage();
    const [a, b] = [stage.lock("a", "h"), stage.lock("b", "h")];
    const both = stage.group(["a", "b"], "1");
    const single = stage.lock("a", "2");
    stage.unlock("a", a, "h");
    await stage.settle();
    expect(granted([both, single])).toEqual([1]);
    stage.unlock("a", single, "2");
    stage.unlock("b", b, "h");
    await stage.settle();
    expect(both.status()).toBe("granted");
  });
});

describe.each([
  ["set back by 10 s", -10_000],
  ["set forward by 10 s", 10_000],
])("a server's clock that is %s", (_, byMs) => {
  it.each(["lock", "fair"] as const)("delays no waiter of a %s that is released", async (kind) => {
    const stage = createStage();
    const holder = stage[kind]("a", "h", {}, { lease: 60_000 });
    const waiters = ["1", "2"].map((id) =>
      stage[kind]("a", id, { validMs: 30_000, waitMs: 20_000 }, { lease: 60_000 }),
    );
    await stage.advance(500);
    stage.step(byMs);
    await stage.advance(100);
    const free = kind === "lock" ? stage.unlock : stage.unfair;
    free("a", holder, "h");
    await stage.advance(20);
    expect(granted(waiters)).toEqual([0]);
    free("a", waiters[0] as Asked, "1");
    await stage.advance(20);
    expect(granted(waiters)).toEqual([0, 1]);
  });

  it("ends a lease by that clock, and its waiter is granted within a second", async () => {
    const stage = createStage();
    stage.lock("a", "h", {}, { lease: 12_000 });
    const waiter = stage.lock("a", "1", { validMs: 60_000, waitMs: 50_000 });
    await stage.advance(500);
    stage.step(byMs);
    const leftMs = 11_500 - byMs;
    await stage.advance(leftMs - 50);
    expect(waiter.status()).toBeUndefined();
    await stage.advance(1050);
    expect(waiter.status()).toBe("granted");
  });

  it("delays a fair waiter behind a dead one by no more than its grace, and the step back", async () => {
    const stage = createStage();
    const holder = stage.fair("a", "h", {}, { lease: 60_000 });
    const gone = new AbortController();
    stage.fair("a", "1", { validMs: 30_000, waitMs: 25_000, signal: gone.signal });
    const second = stage.fair("a", "2", { validMs: 40_000, waitMs: 35_000 });
    await stage.advance(500);
    gone.abort();
    stage.step(byMs);
    stage.unfair("a", holder, "h");
    // The time of the dead one ends by the server's clock, with polls as with held requests.
    await stage.advance(1300 + Math.max(-byMs, 0));
    expect(second.status()).toBe("granted");
  });
});
