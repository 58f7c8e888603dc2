import { LAST, type Pattern } from "./parse-pattern.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** The calendar repeats after 400 years. */
const LONGEST_MS = 146_097 * DAY_MS;

const [SUNDAY, SATURDAY] = [0, 6];

/** Whether a pattern is due on the day of a date in UTC. */
function isDue(pattern: Pattern, date: Date): boolean {
  const day = date.getUTCDate();
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  /** Finds the day from Monday to Friday that is nearest to a day of the month, within the month. */
  const nearest = (wanted: number): number => {
    const weekday = (date.getUTCDay() + wanted - day + 35) % 7;
    if (weekday === SUNDAY) return wanted === last ? wanted - 2 : wanted + 1;
    if (weekday === SATURDAY) return wanted === 1 ? wanted + 2 : wanted - 1;
    return wanted;
  };
  const inMonth =
    pattern.day.has(day) ||
    (pattern.day.has(LAST) && day === last) ||
    [...pattern.workday].some((wanted) =>
      wanted === LAST ? day === nearest(last) : wanted <= last && day === nearest(wanted),
    );
  const weekday = date.getUTCDay();
  const inWeek =
    pattern.weekday.has(weekday) ||
    pattern.nth.has(`${weekday}#${Math.ceil(day / 7)}`) ||
    (pattern.nth.has(`${weekday}#L`) && day + 7 > last);
  return pattern.isEither ? inMonth || inWeek : inMonth && inWeek;
}

/** Finds the latest minute, at or before a time, that a pattern of five fields matches in UTC. */
export function lastMatch(pattern: Pattern, beforeMs: number): number | undefined {
  const { minute, hour, month } = pattern;
  let time = Math.floor(beforeMs / MINUTE_MS) * MINUTE_MS;
  while (time > beforeMs - LONGEST_MS) {
    const date = new Date(time);
    // Each step leads to the last minute of the month, the day or the hour before.
    if (!month.has(date.getUTCMonth() + 1))
      time = (Math.floor(time / DAY_MS) + 1 - date.getUTCDate()) * DAY_MS - MINUTE_MS;
    else if (!isDue(pattern, date)) time = Math.floor(time / DAY_MS) * DAY_MS - MINUTE_MS;
    else if (!hour.has(date.getUTCHours())) time = Math.floor(time / HOUR_MS) * HOUR_MS - MINUTE_MS;
    else if (!minute.has(date.getUTCMinutes())) time -= MINUTE_MS;
    else return time;
  }
  return undefined;
}
