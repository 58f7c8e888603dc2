import { Cron, CronPattern } from "croner";
import fc from "fast-check";
import { expect, it } from "vitest";
import { lastMatch } from "../../src/cron/calendar.ts";

const MINUTE_MS = 60_000;
const START = Date.UTC(2020, 0, 1);
const YEARS_MS = 12 * 366 * 86_400_000;

const part = (from: number, to: number, more: fc.Arbitrary<string>[] = []): fc.Arbitrary<string> => {
  const one = fc.integer({ min: from, max: to });
  return fc.oneof(
    fc.constant("*"),
    one.map(String),
    fc.tuple(one, one).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`),
    fc.uniqueArray(one, { minLength: 2, maxLength: 3 }).map((all) => all.join(",")),
    fc.integer({ min: 2, max: Math.min(to, 15) }).map((step) => `*/${step}`),
    ...more,
  );
};
const weekday = fc.integer({ min: 0, max: 6 });
const expression = fc
  .tuple(
    part(0, 59),
    part(0, 23),
    part(1, 31, [fc.constantFrom("L", "LW", "1W", "15W", "31W", "?")]),
    part(1, 12),
    part(0, 6, [
      fc.tuple(weekday, fc.constantFrom("1", "3", "5", "L")).map(([day, nth]) => `${day}#${nth}`),
      fc.constantFrom("MON-FRI", "7", "?"),
    ]),
  )
  .map((fields) => fields.join(" "));

/** Undefined for what is not an expression, such as a day that its months lack. */
function croner(schedule: string): Cron | undefined {
  try {
    return new Cron(schedule, { mode: "5-part", timezone: "UTC", paused: true });
  } catch {
    return undefined;
  }
}

it("the calendar finds the minute before which croner's own search has it next", () => {
  let asked = 0;
  fc.assert(
    fc.property(expression, fc.integer({ min: 0, max: YEARS_MS }), (schedule, offset) => {
      const job = croner(schedule);
      if (!job) return;
      const time = START + offset;
      const found = lastMatch(new CronPattern(schedule, "UTC", { mode: "5-part" }), time);
      // Searched forwards: from the minute before the one found, which is next, up to the time, where another follows.
      if (found === undefined) return;
      asked++;
      expect(job.nextRun(new Date(found - MINUTE_MS))?.getTime(), schedule).toBe(found);
      const next = job.nextRun(new Date(found))?.getTime() ?? Number.POSITIVE_INFINITY;
      expect(next, schedule).toBeGreaterThan(time);
    }),
    { numRuns: 1500 },
  );
  expect(asked).toBeGreaterThan(1000);
});
