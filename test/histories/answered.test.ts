import { describe, expect, it } from "vitest";
import { percent, shareAnswered, tooFewAnswered } from "../../verification/histories/report.ts";

const entry = (site: string, operations: number, unanswered: number) => ({
  site,
  server: "Redis 8.0",
  operations,
  unanswered,
});

describe("a run of histories", () => {
  it("counts the answered operations of all rounds at a site", () => {
    expect(shareAnswered([entry("one", 100, 20), entry("one", 300, 0)])).toBe(0.95);
  });

  it("passes if at each site at least 80 % of the operations were answered", () => {
    expect(tooFewAnswered([entry("one", 100, 20), entry("two", 100, 5)])).toEqual([]);
    expect(tooFewAnswered([entry("one", 100, 40), entry("one", 100, 0)])).toEqual([]);
  });

  it("fails at a site where fewer were answered, however many were at the others", () => {
    expect(tooFewAnswered([entry("one", 100, 21), entry("two", 10_000, 0)])).toEqual([
      "one, Redis 8.0: only 79.0 % of the operations were answered, too few to prove anything (at least 80.0 %)",
    ]);
  });

  it("fails at a site where nothing was asked", () => {
    expect(tooFewAnswered([entry("one", 0, 0)])).toHaveLength(1);
  });

  it("shows a share rounded down", () => {
    expect(percent(0.99999)).toBe("99.9 %");
    expect(percent(1)).toBe("100.0 %");
  });
});
