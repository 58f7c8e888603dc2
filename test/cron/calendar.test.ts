import { Cron } from "croner";
import fc from "fast-check";
import { expect, it } from "vitest";
import { lastMatch } from "../../src/cron/calendar.ts";
import { parsePattern } from "../../src/cron/parse-pattern.ts";

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
      const found = lastMatch(parsePattern(schedule), time);
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

const FIELDS: readonly (readonly string[])[] = [
  [
    "*",
    "?",
    "5",
    "0-10",
    "1,2,30",
    "*/15",
    "10-50/20",
    "*/60",
    "60",
    "a",
    "",
    "5/10",
    "*/61",
    "*/0",
    "7-3",
    "1-2-3",
    "L",
  ],
  ["0-5", "*/2", "0-22/2", "*/24", "24", "5-3", "23,", "-1", "1.5"],
  ["1", "31", "L", "LW", "L,15", "15W", "1W,31w", "*/2", "0", "32", "W", "5L", "L-3", "1-5W", "1#2"],
  ["12", "JAN", "jan-mar", "FEB,NOV", "JUL", "*/3", "13", "0", "JANUARY", "MON", "L"],
  [
    "0",
    "7",
    "MON",
    "mon-fri",
    "MON-SUN",
    "SUN-SAT",
    "1#2",
    "5#L",
    "5L",
    "FRIL",
    "FRI#3",
    "1-5#2",
    "+MON",
    "+5#2",
    "5-7",
  ],
  ["8", "5#6", "5#0", "5#", "#2", "+", "L", "FRI-MON", "MONDAY", "1##2", "15W", "JAN"],
];

it.each(FIELDS.flatMap((texts, place) => texts.map((text) => [text, Math.min(place, 4)] as const)))(
  "the parser accepts %s in field %i if croner does, and then it is due at the same minutes",
  (text, place) => {
    const schedule = ["30", "3", "*", "*", "*"].map((field, at) => (at === place ? text : field)).join(" ");
    const job = croner(schedule);
    if (!job)
      return void expect(() => parsePattern(schedule)).toThrow(
        /^schedule ".*" has|^schedule ".*: (minute|hour|day|month|weekday) "/,
      );
    const found = lastMatch(parsePattern(schedule), Date.UTC(2026, 10, 21)) as number;
    expect(job.nextRun(new Date(found - MINUTE_MS))?.getTime()).toBe(found);
    expect(job.nextRun(new Date(found))?.getTime()).toBeGreaterThan(Date.UTC(2026, 10, 21));
  },
);

it.each(["@yearly", "@annually", "@monthly", "@weekly", "@DAILY", "@midnight", "@hourly"])(
  "%s is what it is for croner",
  (name) => {
    const found = lastMatch(parsePattern(name), Date.UTC(2026, 10, 21, 5, 30)) as number;
    expect(
      croner(name)
        ?.nextRun(new Date(found - MINUTE_MS))
        ?.getTime(),
    ).toBe(found);
  },
);
