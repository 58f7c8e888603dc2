import { describe, expect, it } from "vitest";
import { AWAY_MS, LAST_MOMENT_MS, MAX_FAILURES, type RetryFacts, retryPolicy } from "../../src/redis/retry-policy.ts";

/** The first failure of a request that has time. */
const FACTS: RetryFacts = {
  setback: "passing",
  late: 0,
  failures: 0,
  made: 0,
  max: Number.POSITIVE_INFINITY,
  elapsedMs: 100,
  budgetMs: 4500,
  spreadMs: 4500,
  awayAtMs: undefined,
  waits: false,
  insists: false,
  rememberedMs: 60_000,
  retryAfterMs: 0,
  random: () => 0,
};

type Row = readonly [what: string, facts: Partial<RetryFacts>, retry: "now" | "later" | "never", delayMs?: number];

const ROWS: readonly Row[] = [
  ["a failure that may pass: after a delay", {}, "later", 25],
  ["a failure that does not pass: the caller's", { setback: "final" }, "never"],

  ["an unknown script: at once, with its text", { setback: "unknown script" }, "now"],
  ["a refused flag: at once, without it", { setback: "refused flag" }, "now"],
  ["an unknown script, and no request is left", { setback: "unknown script", made: 2, max: 2 }, "never"],
  ["a refused flag, and no request is left", { setback: "refused flag", made: 2, max: 2 }, "never"],

  ["too late: at once, by the clock that was learnt", { setback: "late", late: 1 }, "now"],
  ["too late for the second time: at once", { setback: "late", late: 2 }, "now"],
  ["too late for the third time: as a failure", { setback: "late", late: 3 }, "later", 25],
  ["too late, and no request is left", { setback: "late", late: 1, made: 2, max: 2 }, "never"],

  ["the last request but one", { made: 0, max: 2 }, "later", 25],
  ["the last request", { made: 1, max: 2 }, "never"],
  ["no more requests are wanted", { made: 0, max: 0 }, "never"],

  ["the last failure but one", { failures: MAX_FAILURES - 2 }, "later", 25 * 90],
  ["the last failure", { failures: MAX_FAILURES - 1 }, "never"],

  ["the most jitter doubles the delay", { random: () => 1 }, "later", 50],
  ["delays grow to the length of the budget", { failures: 4, budgetMs: 800, spreadMs: 800 }, "later", 400],
  ["delays grow to the longest budget of those that retry together", { failures: 4, budgetMs: 3000 }, "later", 2250],
  ["a delay leaves a fifth of the time that is left", { elapsedMs: 4500 - 200, failures: 3 }, "later", 0.8 * 200],
  ["the last moment is left after the delay", { elapsedMs: 4500 - 5 * LAST_MOMENT_MS, failures: 3 }, "later", 100],
  ["less than the last moment would be left", { elapsedMs: 4501 - 5 * LAST_MOMENT_MS, failures: 3 }, "never"],
  ["the time is over", { elapsedMs: 4500 }, "never"],

  ["the server wants to be left alone", { retryAfterMs: 2000 }, "later", 2000],
  [
    "the server wants to be left alone: not all come back at once",
    { retryAfterMs: 2000, random: () => 0.5 },
    "later",
    2500,
  ],
  ["the longest time over what the server wants", { retryAfterMs: 2000, random: () => 1 }, "later", 3000],
  ["a backoff that is longer than what the server wants", { retryAfterMs: 10, random: () => 1 }, "later", 50],
  ["the time over what the server wants leaves time", { retryAfterMs: 4300, random: () => 1 }, "later", 4360],
  ["no time over what the server wants is left", { retryAfterMs: 4375, random: () => 1 }, "later", 4375],
  ["the server wants to be left alone for too long", { retryAfterMs: 4400 }, "never"],

  ["no server is reachable: for a moment", { awayAtMs: 100 }, "later", 25],
  ["no server is reachable, and the moment is over", { awayAtMs: 100, elapsedMs: 101 + AWAY_MS }, "never"],
  ["it insists although no server is reachable", { awayAtMs: 0, elapsedMs: 3000, insists: true }, "later", 25],

  [
    "a call that waits, after ever so many failures (49.2)",
    { waits: true, failures: 500, budgetMs: 1e6 },
    "later",
    1500,
  ],
  [
    "a call that waits: at most three seconds (49.2)",
    { waits: true, failures: 500, budgetMs: 1e6, spreadMs: 1e6, random: () => 1 },
    "later",
    3000,
  ],
  [
    "a call that waits for a short time: its delays fit into it (49.2)",
    { waits: true, failures: 9, spreadMs: 800 },
    "later",
    400,
  ],

  ["the server forgets the id before the budget ends", { rememberedMs: 200, failures: 3 }, "later", 160],
  ["the server has forgotten the id", { rememberedMs: 0 }, "never"],
];

describe("whether a request is retried, and when", () => {
  for (const [what, facts, retry, delayMs] of ROWS) {
    it(`${what} (R3, R4)`, () => {
      const decision = retryPolicy({ ...FACTS, ...facts });
      expect(decision.type).toBe(retry);
      if (decision.type === "later") expect(decision.delayMs).toBeCloseTo(delayMs ?? 0, 6);
    });
  }

  it("clients with the same Retry-After spread over the time after it, and none returns sooner", () => {
    const delays = Array.from({ length: 100 }, (_, at) => {
      const decision = retryPolicy({ ...FACTS, retryAfterMs: 1000, random: () => at / 100 });
      return decision.type === "later" ? decision.delayMs : 0;
    });
    expect(Math.min(...delays)).toBe(1000);
    for (let from = 1000; from < 1500; from += 100) {
      const within = delays.filter((delayMs) => delayMs >= from && delayMs < from + 100);
      expect(within.length, `from ${from} ms`).toBeLessThanOrEqual(21);
    }
  });

  it("delays of an outage of any length fit into the budget, and at most six attempts fail", () => {
    for (const budgetMs of [100, 700, 4500, 60_000, 3_600_000]) {
      let elapsedMs = 0;
      let failures = 0;
      for (;;) {
        const facts = { budgetMs, spreadMs: budgetMs, elapsedMs, failures, rememberedMs: 2 * budgetMs };
        const decision = retryPolicy({ ...FACTS, ...facts });
        failures++;
        if (decision.type !== "later") break;
        elapsedMs += decision.delayMs;
      }
      expect(failures).toBeLessThanOrEqual(MAX_FAILURES);
      expect(elapsedMs).toBeLessThanOrEqual(budgetMs - LAST_MOMENT_MS);
    }
  });
});
