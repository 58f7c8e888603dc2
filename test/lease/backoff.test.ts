import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Backoff, constantBackoff, defaultBackoff, exponentialBackoff } from "../../src/index.ts";

const unit = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const ms = fc.double({ min: 0, max: 1e9, noNaN: true });
const polls = fc.integer({ min: 1, max: 1e6 });
const setting = fc
  .tuple(
    fc.integer({ min: 1, max: 1e5 }),
    fc.integer({ min: 1, max: 1e6 }),
    fc.double({ min: 1.01, max: 10, noNaN: true }),
  )
  .map(([floor, more, factor]) => ({ floor, cap: floor + more, factor }));

const info = { polls: 1, waitedMs: 0, roundTripMs: 2, remainingMs: 1e9, ageMs: 0, tenureMs: 0, queueMs: 0 };
const almostOne = 1 - Number.EPSILON / 2;
/** The delay that this random number gives. */
const delayOf = (backoff: Backoff, count: number, random: number, remainingMs = 1e9): number =>
  backoff({ ...info, polls: count, remainingMs, random: () => random });
/** How far apart the delays of many waiters are that know the same, as a part of the longest. */
function spread(backoff: Backoff, count: number): number {
  const delays = Array.from({ length: 200 }, () => backoff({ ...info, polls: count, random: Math.random }));
  expect(new Set(delays).size).toBeGreaterThan(190);
  return 1 - Math.min(...delays) / Math.max(...delays);
}

describe("the exponential back-off", () => {
  it("stays between floor and cap, and never much exceeds the end of the blocking lease", () => {
    fc.assert(
      fc.property(setting, polls, unit, ms, (given, count, random, remainingMs) => {
        const delay = delayOf(exponentialBackoff(given), count, random, remainingMs);
        expect(delay).toBeGreaterThanOrEqual(Math.min(given.floor, remainingMs + 1));
        expect(delay).toBeLessThanOrEqual(Math.min(given.cap, remainingMs + 1));
      }),
      { numRuns: 2000 },
    );
  });

  it("has an envelope that begins at the floor, grows by the factor and stops at the cap", () => {
    fc.assert(
      fc.property(setting, fc.integer({ min: 1, max: 400 }), (given, count) => {
        const backoff = exponentialBackoff(given);
        expect(delayOf(backoff, count, 0)).toBe(given.floor);
        const longest = delayOf(backoff, count, almostOne);
        expect(longest).toBeCloseTo(Math.min(given.floor * given.factor ** count, given.cap), 5);
        expect(delayOf(backoff, count + 1, almostOne)).toBeGreaterThanOrEqual(longest);
      }),
    );
  });

  it("is a pure function of what it is given", () => {
    fc.assert(
      fc.property(setting, polls, unit, ms, (given, count, random, remainingMs) => {
        const first = delayOf(exponentialBackoff(given), count, random, remainingMs);
        const backoff = exponentialBackoff(given);
        delayOf(backoff, count + 7, random / 2);
        expect(delayOf(backoff, count, random, remainingMs)).toBe(first);
      }),
    );
  });

  it("has jitter from the first delay on, and at the cap", () => {
    for (const count of [1, 2, 3, 8, 50, 100_000]) {
      expect(spread(exponentialBackoff({ floor: 20, cap: "2s" }), count)).toBeGreaterThan(0.4);
    }
  });

  it("is from 50 ms to 2 s and doubles by default", () => {
    for (const backoff of [exponentialBackoff(), exponentialBackoff({ floor: undefined, cap: undefined })]) {
      const longest = [1, 2, 3, 4, 5, 6, 7].map((count) => Math.round(delayOf(backoff, count, almostOne)));
      expect(longest).toEqual([100, 200, 400, 800, 1600, 2000, 2000]);
      expect(delayOf(backoff, 9, 0)).toBe(50);
    }
  });

  it("refuses what cannot be where it is written", () => {
    expect(() => exponentialBackoff({ floor: "soon" as never })).toThrow(TypeError);
    expect(() => exponentialBackoff({ cap: {} as never })).toThrow(TypeError);
    expect(() => exponentialBackoff({ factor: "2" as never })).toThrow(TypeError);
    expect(() => exponentialBackoff({ floor: 0 })).toThrow(RangeError);
    expect(() => exponentialBackoff({ floor: "1s", cap: "1s" })).toThrow(RangeError);
    expect(() => exponentialBackoff({ floor: "3s" })).toThrow(RangeError);
    for (const factor of [1, 0.5, -2, Number.NaN]) expect(() => exponentialBackoff({ factor })).toThrow(RangeError);
  });
});

describe("the constant back-off", () => {
  it("stays constant within a tenth, for every poll, and within the blocking lease", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e7 }), polls, unit, ms, (delayMs, count, random, remainingMs) => {
        const delay = delayOf(constantBackoff(delayMs), count, random, remainingMs);
        expect(delay).toBeGreaterThanOrEqual(Math.min(0.9 * delayMs, remainingMs + 1));
        expect(delay).toBeLessThanOrEqual(Math.min(1.1 * delayMs, remainingMs + 1) * (1 + 1e-12));
        expect(delayOf(constantBackoff(delayMs), 1, random, remainingMs)).toBe(delay);
      }),
      { numRuns: 2000 },
    );
  });

  it("has slight jitter", () => {
    expect(spread(constantBackoff("200ms"), 1)).toBeGreaterThan(0.1);
    expect(spread(constantBackoff("200ms"), 1000)).toBeLessThan(0.2);
  });

  it("refuses what is no duration where it is written", () => {
    expect(() => constantBackoff(0)).toThrow(RangeError);
    expect(() => constantBackoff("often" as never)).toThrow(TypeError);
    expect(() => constantBackoff(undefined as never)).toThrow(TypeError);
  });
});

describe("the default back-off", () => {
  /** The maximum delay: a quarter of the age from 25 ms, a twelfth from 75 ms, a second. */
  const maxMs = (ageMs: number): number => Math.min(25 + ageMs / 4, 75 + ageMs / 12, 1000);

  it("stays between its floor and its cap, and within the blocking lease", () => {
    fc.assert(
      fc.property(polls, ms, ms, ms, ms, ms, ms, unit, (polls, ...rest) => {
        const [waitedMs, roundTripMs, remainingMs, ageMs, tenureMs, queueMs, value] = rest;
        const info = { polls, waitedMs, roundTripMs, remainingMs, ageMs, tenureMs, queueMs, random: () => value };
        const delay = defaultBackoff(info);
        expect(delay).toBeGreaterThanOrEqual(Math.min(5, remainingMs + 1));
        expect(delay).toBeLessThanOrEqual(Math.min(1000, remainingMs + 1));
        expect(defaultBackoff(info)).toBe(delay);
      }),
      { numRuns: 2000 },
    );
  });

  it("is bounded by the age of the tenure, whatever history says, unless others came first (49.1)", () => {
    fc.assert(
      fc.property(polls, ms, ms, ms, ms, ms, unit, unit, (polls, ...rest) => {
        const [roundTripMs, remainingMs, ageMs, tenureMs, queueMs, value, part] = rest;
        // The tenure began before this wait did: nobody has been granted the name in between.
        const waitedMs = (ageMs + roundTripMs) * part;
        const info = { polls, waitedMs, roundTripMs, remainingMs, ageMs, tenureMs, queueMs, random: () => value };
        expect(defaultBackoff(info)).toBeLessThanOrEqual(maxMs(ageMs));
      }),
      { numRuns: 5000 },
    );
  });

  it("polls a long tenure less and less often: the polls grow with the logarithm of its age (49.1)", () => {
    const pollsOf = (tenureMs: number): number => {
      let polls = 0;
      for (let ageMs = 0; ageMs < tenureMs; polls++)
        ageMs += defaultBackoff({ ...held, polls, ageMs, waitedMs: ageMs, random: () => almostOne });
      return polls;
    };
    const [second, four, sixteen] = [pollsOf(1000), pollsOf(4000), pollsOf(14_000)];
    // Up to a delay of a second. Each factor of four adds about as many.
    expect(four - second).toBeLessThan(1.5 * second);
    expect(sixteen - four).toBeLessThan(1.5 * (four - second));
  });

  const held = { ...info, remainingMs: 30_000 };

  it("has jitter: two waiters with the same knowledge do not come back together", () => {
    const delays = Array.from({ length: 50 }, () => defaultBackoff({ ...held, random: Math.random }));
    expect(new Set(delays).size).toBeGreaterThan(45);
  });

  it("aims just past the usual end of a tenure, if that is sooner than its bound", () => {
    const random = (): number => 0.5;
    const soon = defaultBackoff({ ...held, polls: 10, tenureMs: 400, ageMs: 360, random });
    expect(soon).toBeGreaterThan(38);
    expect(soon).toBeLessThan(60);
    expect(defaultBackoff({ ...held, polls: 3, tenureMs: 20_000, ageMs: 400, random })).toBeLessThan(125);
    // Ten times overdue: the next poll is some way off, not a floor's worth.
    expect(defaultBackoff({ ...held, polls: 3, tenureMs: 100, ageMs: 1000, random })).toBeGreaterThan(100);
  });

  it("lets newcomers sleep through the tenures of those before them, if it has seen others come first", () => {
    const random = (): number => 0.5;
    const queue = { ...held, polls: 3, tenureMs: 50, queueMs: 1000, random };
    expect(defaultBackoff({ ...queue, waitedMs: 50 })).toBeGreaterThan(600);
    expect(defaultBackoff({ ...queue, waitedMs: 950 })).toBeLessThan(120);
    expect(defaultBackoff({ ...queue, waitedMs: 0 })).toBeLessThan(25);
  });

  it("polls at every end once it has waited much longer than others", () => {
    const passed = { ...held, polls: 100, ageMs: 90, tenureMs: 100, queueMs: 50, waitedMs: 1000 };
    // The end of the tenure, less the way, and its jitter; by the spread it would be one tenure more.
    expect(defaultBackoff({ ...passed, random: () => almostOne })).toBeCloseTo(18.5, 5);
    expect(defaultBackoff({ ...passed, waitedMs: 150, random: () => almostOne })).toBeCloseTo(18.5 + 103, 5);
  });

  it("comes back in a queue when the server says, less the way there", () => {
    const random = (): number => expect.unreachable();
    expect(defaultBackoff({ ...held, ahead: 0, backMs: 500, random })).toBe(498);
    expect(defaultBackoff({ ...held, ahead: 3, random })).toBe(1998);
  });
});
