import { describe, expect, it } from "vitest";
import { HeldPlaces, LongPoll, type PollOutcome } from "../../src/redis/long-poll.ts";

const LIMIT_MS = 1000;
const PARK_MS = 800;
const ANSWERED = { isAnswered: true, mayHaveRun: false, isDoubted: false };
const LATE = { tookMs: LIMIT_MS };
const BROKEN_OFF = { tookMs: LIMIT_MS - 1 };

/** Records a request that was to be parked, and got no answer unless `outcome` says so. */
function record(poll: LongPoll, outcome: Partial<PollOutcome>): LongPoll {
  poll.record({
    parkMs: PARK_MS,
    limitMs: LIMIT_MS,
    tookMs: 10,
    parkedMs: undefined,
    isAnswered: false,
    mayHaveRun: true,
    isDoubted: true,
    ...outcome,
  });
  return poll;
}

const pollOf = (leftMs: number, ...outcomes: readonly Partial<PollOutcome>[]): LongPoll =>
  outcomes.reduce(record, new LongPoll(() => leftMs));

describe("how long a server may park a request", () => {
  it.each([
    ["so long that half a second is left for the answer", pollOf(10_000), 5000, 4500],
    ["twice that once an answer was late", pollOf(10_000, LATE), 5000, 4000],
    ["not at all after two late answers", pollOf(10_000, LATE, LATE), 5000, 0],
    ["a fifth of a short attempt is left", pollOf(10_000), 1000, 800],
    ["until the wait ends, in whole milliseconds", pollOf(100.2), 5000, 101],
    ["no request is parked for a moment", pollOf(19), 5000, 0],
    ["the shortest time", pollOf(19.5), 5000, 20],
  ] as const)("%s", (_, poll, limitMs, expected) => {
    expect(poll.parkMs(limitMs)).toBe(expected);
  });

  it("is limited by the call", () => {
    expect(pollOf(10_000).parkMs(5000, 700)).toBe(700);
  });
});

describe("what a request says of the next one", () => {
  it("an answer says whether the server parked it, also for no time", () => {
    expect(pollOf(1, { ...ANSWERED, parkedMs: 0 }).wasParked).toBe(true);
    expect(pollOf(1, { ...ANSWERED, parkedMs: 0 }, ANSWERED).wasParked).toBe(false);
    expect(pollOf(1, { ...ANSWERED, parkedMs: 0 }, LATE).wasParked).toBe(true);
  });

  it("one that broke off early ends the long poll, until an answer says that it cannot run any more", () => {
    const poll = pollOf(10_000, BROKEN_OFF);
    expect(poll.parkMs(5000)).toBe(0);
    expect(record(poll, { ...ANSWERED, isDoubted: true, parkMs: 0 }).parkMs(5000)).toBe(0);
    expect(record(poll, { ...BROKEN_OFF, parkMs: 0 }).parkMs(5000)).toBe(0);
    expect(record(poll, { ...ANSWERED, parkMs: 0 }).parkMs(5000)).toBe(4500);
  });

  it("one that was not to be parked says nothing", () => {
    expect(pollOf(10_000, { ...LATE, parkMs: 0 }, { ...BROKEN_OFF, parkMs: 0 }).parkMs(5000)).toBe(4500);
  });
});

describe("the places for held requests", () => {
  it("are as many as allowed, and free again when a request has ended (49.4)", () => {
    const places = new HeldPlaces(2);
    expect([places.take(0, 100), places.take(0, 200), places.take(0, 300)]).toEqual([true, true, false]);
    places.giveBack(100);
    expect([places.take(0, 300), places.take(0, 400)]).toEqual([true, false]);
    expect(new HeldPlaces(0).take(0, 100)).toBe(false);
  });

  it("end with the attempt if an invocation was killed, and are not given back twice (49.4)", () => {
    const places = new HeldPlaces(1);
    expect(places.take(0, 100)).toBe(true);
    expect([places.take(99, 200), places.take(100, 200)]).toEqual([false, true]);
    // What is late to end gives back no place of another request.
    places.giveBack(100);
    expect(places.take(101, 300)).toBe(false);
  });
});
