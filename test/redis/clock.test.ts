import { expect, it } from "vitest";
import { learnOffset, type Offsets, offsetOf } from "../../src/redis/clock.ts";
import { clockOf } from "../../src/redis/script.ts";

it("the clocks of a hundred records are remembered at most, and the latest among them", () => {
  const offsets: Offsets = new Map();
  for (let record = 0; record < 250; record++) {
    learnOffset(offsets, `record ${record}`, 1000 + record, 0, undefined);
    expect(offsets.size).toBeLessThanOrEqual(100);
    expect(offsetOf(offsets, `record ${record}`)).toBe(1000 + record);
  }
  expect(offsets.size).toBeGreaterThan(1);
});

it("a reply for which the server did not read its clock tells no time", () => {
  expect(clockOf({ status: "held", now: 5, clockRead: 0 })).toBe(undefined);
  expect(clockOf({ status: "held", now: 5, clockRead: 1 })).toBe(5);
  expect(clockOf({ status: "held", now: 5 })).toBe(5);
});
