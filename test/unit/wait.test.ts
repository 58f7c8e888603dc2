import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultBackoff } from "../../src/engine/backoff.ts";
import { sleep } from "../../src/shared/timers.ts";

const ms = fc.double({ min: 0, max: 1e7, noNaN: true });
const unit = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe("the default back-off", () => {
  it("stays between its floor and its cap, and within the lease in the way", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), ms, ms, ms, ms, ms, ms, unit, (polls, ...rest) => {
        const [waitedMs, roundTripMs, remainingMs, ageMs, tenureMs, queueMs, value] = rest;
        const info = { polls, waitedMs, roundTripMs, remainingMs, ageMs, tenureMs, queueMs, random: () => value };
        const delay = defaultBackoff(info);
        expect(delay).toBeGreaterThanOrEqual(Math.min(5, remainingMs + 1));
        expect(delay).toBeLessThanOrEqual(Math.min(2000, remainingMs + 1));
        expect(defaultBackoff(info)).toBe(delay);
      }),
      { numRuns: 2000 },
    );
  });

  const info = { polls: 1, waitedMs: 0, roundTripMs: 2, remainingMs: 30_000, ageMs: 0, tenureMs: 0, queueMs: 0 };

  it("has jitter: two waiters with the same knowledge do not come back together", () => {
    const delays = Array.from({ length: 50 }, () => defaultBackoff({ ...info, random: Math.random }));
    expect(new Set(delays).size).toBeGreaterThan(45);
  });

  it("aims just past the usual end of a tenure, and polls long ones seldom", () => {
    const random = (): number => 0.5;
    const short = defaultBackoff({ ...info, polls: 10, tenureMs: 400, ageMs: 300, random });
    expect(short).toBeGreaterThan(90);
    expect(short).toBeLessThan(140);
    expect(defaultBackoff({ ...info, polls: 3, tenureMs: 20_000, random })).toBe(2000);
    // Ten times overdue: the next poll is about as far away again, not a floor's worth.
    expect(defaultBackoff({ ...info, polls: 3, tenureMs: 100, ageMs: 1000, random })).toBeGreaterThan(100);
  });

  it("lets newcomers sleep through the tenures of those before them", () => {
    const random = (): number => 0.5;
    const queue = { ...info, polls: 3, tenureMs: 50, queueMs: 1000, random };
    expect(defaultBackoff({ ...queue, waitedMs: 0 })).toBeGreaterThan(600);
    expect(defaultBackoff({ ...queue, waitedMs: 950 })).toBeLessThan(120);
  });
});

describe("sleep", () => {
  it("ends at once on an abort, with its reason, and takes its listener with it", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    let listeners = 0;
    const { signal } = controller;
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners++;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners--;
      remove(...args);
    };
    await sleep(1, signal);
    expect(listeners).toBe(0);
    const long = sleep(60_000, signal);
    controller.abort(reason);
    await expect(long).rejects.toBe(reason);
    await expect(sleep(1, signal)).rejects.toBe(reason);
  });
});
