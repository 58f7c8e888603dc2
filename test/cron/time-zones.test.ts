import { expect, it } from "vitest";
import { cronExpression } from "../../src/cron/index.ts";
import { dueIn, type Shown, shownIn } from "./oracle.ts";

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;

/** Zones whose clocks are set in unlike ways: by half an hour, by two, over midnight, on a Friday, for a month, never. */
const SAMPLE = [
  "UTC",
  "Europe/Berlin",
  "America/Nuuk",
  "America/Scoresbysund",
  "America/Santiago",
  "Australia/Lord_Howe",
  "Antarctica/Troll",
  "Africa/Casablanca",
  "Asia/Beirut",
  "Pacific/Chatham",
];
/** Every zone and two years in `npm run test:long`. */
const ALL = process.env["EVERY_ZONE"] !== undefined;
const [FROM, TO] = [Date.UTC(ALL ? 2025 : 2026, 0, 1), Date.UTC(2027, 0, 1)];
const zones = ALL ? Intl.supportedValuesOf("timeZone") : SAMPLE;

/** Times of the day around every jump, days of all forms, and what is due every hour or several times an hour. */
const EXPRESSIONS = [
  "30 23 * * *",
  "0 23 * * *",
  "59 23 * * *",
  "0 0 * * *",
  "30 0 * * *",
  "0 1 * * *",
  "30 1 * * *",
  "0 2 * * *",
  "15 2 * * *",
  "30 2 * * *",
  "45 2 * * *",
  "0 3 * * *",
  "0,30 1,2,3 * * *",
  "0,30 23,0 * * *",
  "0 2,14 * * *",
  "15,45 1-3 * * *",
  "0-59 2 * * 0",
  "30 23 L * *",
  "30 0 1 * *",
  "30 23 * * 6",
  "30 2 * * 0",
  "30 2 29 3 *",
  "30 2 28 * 0",
  "30 2 LW * *",
  "30 2 30W * *",
  "30 2 * * 0#L",
  "30 23 * * 6#L",
  "30 2 * * 0#2",
  "0 * * * *",
  "*/15 * * * *",
  "30 */2 * * *",
  "*/20 2 * * *",
  "5 0-22/2 * * *",
  "10-50/20 22-23 * * *",
];
/** How far a change of the clock is looked at closely, by how often the expression is due. */
const NEAR_MINUTES = 2 * DAY_MINUTES;
const CLOSE_MINUTES = 240;
/** Elsewhere one in so many occurrences is looked at. */
const ELSEWHERE = 97;

/** The occurrences at which our search and the oracle differ. */
function differences({ zone, changes, from, local }: Shown, expression: string, due: readonly number[]): string[] {
  const { latest } = cronExpression(expression, { timezone: zone });
  const reach = due.length > 5000 ? CLOSE_MINUTES : NEAR_MINUTES;
  const found: string[] = [];
  const check = (now: number, expected: number): void => {
    const got = latest(now)?.toISOString();
    const wanted = new Date(expected * MINUTE_MS).toISOString();
    if (got !== wanted) found.push(`${expression} in ${zone} at ${new Date(now).toISOString()}: ${got}, not ${wanted}`);
  };
  for (const [n, minute] of due.entries()) {
    const next = due[n + 1];
    // A search may look back at the days before the first one that is known.
    if (next === undefined || minute < from + 3 * DAY_MINUTES || next > from + local.length - 3 * DAY_MINUTES) continue;
    const isNear = changes.some(
      (change) => minute - reach < change && change < next + reach && next - minute < reach * 2,
    );
    const isAcross = changes.some((change) => minute <= change && change <= next);
    if (!isNear && !isAcross && n % ELSEWHERE !== 0) continue;
    check(minute * MINUTE_MS, minute);
    check(next * MINUTE_MS - 1, minute);
  }
  return found;
}

it.each(zones)(
  "what is due in %s is what a clock shows that is watched every minute (E10)",
  (zone) => {
    const shown = shownIn(zone, FROM, TO);
    const found = EXPRESSIONS.flatMap((expression) => differences(shown, expression, dueIn(shown, expression)));
    expect(found.slice(0, 10)).toEqual([]);
  },
  120_000,
);

it.each([
  // 22:59 on 28 March is followed by midnight.
  ["30 23 * * *", "America/Nuuk", "2026-03-29T01:00"],
  ["30 23 * * *", "America/Scoresbysund", "2026-03-29T01:00"],
  ["30 23 * * 6", "America/Nuuk", "2026-03-29T01:00"],
  ["59 23 28 3 *", "America/Nuuk", "2026-03-29T01:00"],
  // Midnight itself, on the next day, is due then too.
  ["0 0 * * *", "America/Nuuk", "2026-03-29T01:00"],
  // Each time of a list is due as a single one is: at a jump over it, and the first of two times.
  ["30 2,14 * * *", "Europe/Berlin", "2026-03-29T01:00"],
  ["0,30 2 * * *", "Europe/Berlin", "2026-03-29T01:00", "2026-03-29T05:00"],
  ["30 2,14 * * *", "Europe/Berlin", "2026-10-25T00:30", "2026-10-25T01:45"],
  // Steps and stars are due whenever the clock shows one of their times.
  ["*/30 2 * * *", "Europe/Berlin", "2026-03-28T01:30", "2026-03-29T01:45"],
  ["*/30 2 * * *", "Europe/Berlin", "2026-10-25T01:30", "2026-10-25T01:45"],
  // A day that a zone skips as a whole has no occurrences: Apia went from 29 to 31 December 2011.
  ["0 12 * * *", "Pacific/Apia", "2011-12-29T22:00", "2011-12-30T12:00"],
])("%s in %s is due at %s (E10)", (text, timezone, due, now = due) => {
  const { latest } = cronExpression(text, { timezone });
  expect(latest(Date.parse(`${now}:00Z`))).toEqual(new Date(`${due}:00Z`));
});
