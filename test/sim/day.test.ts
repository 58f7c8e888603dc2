import { describe, expect, it } from "vitest";
import { growthOf, liveThrough } from "../../verification/sim/day.ts";

/** Virtual hours. The long form is `npm run sim:day`. */
const HOURS = 4;
const SHORT = { looksAnHour: 8, names: 50 } as const;

describe("hours of virtual time", () => {
  it.each(["lock", "fair", "once", "queue"])("leave the heap of %s flat", { timeout: 120_000 }, async (kind) => {
    const { calls, looks, isFlat, violations } = await liveThrough(kind, HOURS, SHORT);
    expect(violations).toEqual([]);
    expect(calls).toBeGreaterThan(500);
    expect(isFlat, JSON.stringify(looks)).toBe(true);
  });

  it("show a planted leak: a heap that keeps every request is not flat", { timeout: 120_000 }, async () => {
    const kept: object[] = [];
    const onChange = (change: object): number => kept.push(change);
    const { isFlat } = await liveThrough("lock", HOURS, { ...SHORT, onChange });
    expect(kept.length).toBeGreaterThan(500);
    expect(isFlat).toBe(false);
  });

  it("are judged by the smallest heaps of the second and the last quarter", () => {
    const looks = [1, 500, 900, 600, 700].map((heapBytes, index) => ({ hours: index, heapBytes, keys: 0 }));
    expect(growthOf(looks.slice(1))).toBe(-100);
    expect(growthOf(looks.slice(0, 4))).toBe(50);
  });
});
