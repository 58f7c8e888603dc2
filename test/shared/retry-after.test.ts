import { describe, expect, it } from "vitest";
import { fromRetryAfter, toRetryAfter } from "../../src/shared/retry-after.ts";

describe("Retry-After", () => {
  it.each([
    [0, 1],
    [1, 1],
    [1000, 1],
    [1001, 2],
    [59_999.5, 60],
  ])("is written for %j ms as %j s: whole seconds, never 0, never too early", (ms, seconds) => {
    expect(toRetryAfter(ms)).toBe(seconds);
  });

  it.each([
    ["9", 9000],
    ["0", 0],
    ["1.5", 1500],
    ["-3", 0],
    ["", 0],
    ["soon", 0],
    [null, 0],
    ["Thu, 01 Jan 1970 00:00:00 GMT", 0],
  ])("%j is read as %j ms", (header, ms) => {
    expect(fromRetryAfter(header)).toBe(ms);
  });

  it("is read as a date", () => {
    const inAMinute = fromRetryAfter(new Date(Date.now() + 60_000).toUTCString());
    expect(inAMinute).toBeGreaterThan(0);
    expect(inAMinute).toBeLessThanOrEqual(60_000);
  });
});
