/** An oracle for cron expressions in time zones: it walks every minute and asks `Intl` what the clock of the zone shows. */

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;
const QUARTER = 15;

/** What the clock of a zone shows, minute by minute. Local times are minutes since 1970, as if the clock showed UTC. */
export interface Shown {
  readonly zone: string;
  /** The first minute, in UTC. */
  readonly from: number;
  readonly local: Int32Array;
  /** The minutes at which the clock is set. */
  readonly changes: readonly number[];
}

/** Returns the local time that `Intl` writes for a UTC minute. */
function wallClock(zone: string): (minute: number) => number {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  return (minute) => {
    const [, day, month, year, hour, past] = /^(\d+)\/(\d+)\/(\d+), (\d+):(\d+)$/.exec(
      format.format(minute * MINUTE_MS),
    ) as RegExpExecArray;
    return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(past)) / MINUTE_MS;
  };
}

/** Asks for each quarter of an hour, and for every minute of a quarter in which the clock is set. */
export function shownIn(zone: string, fromMs: number, toMs: number): Shown {
  const [from, to] = [fromMs / MINUTE_MS, toMs / MINUTE_MS];
  const shows = wallClock(zone);
  const local = new Int32Array(to - from);
  const changes: number[] = [];
  let last = shows(from);
  for (let quarter = from; quarter < to; quarter += QUARTER) {
    const next = shows(quarter + QUARTER);
    const isSet = next - last !== QUARTER;
    for (let past = 0; past < QUARTER; past++)
      local[quarter - from + past] = isSet ? shows(quarter + past) : last + past;
    last = next;
  }
  for (let n = 1; n < local.length; n++)
    if ((local[n] as number) - (local[n - 1] as number) !== 1) changes.push(from + n);
  return { zone, from, local, changes };
}

/** The values of a field of numbers, lists, ranges and steps. */
function valuesOf(field: string, min: number, max: number): Set<number> {
  const values = new Set<number>();
  for (const part of field.split(",")) {
    const [range = "", step = "1"] = part.split("/");
    const [first = "", last = first] = range.split("-");
    const [low, high] = range === "*" ? [min, max] : [Number(first), Number(last)];
    for (let value = low; value <= high; value += Number(step)) values.add(value);
  }
  return values;
}

/** The day from Monday to Friday that is nearest to a day of the month, within the month. */
function nearestWorkday(year: number, month: number, day: number, last: number): number {
  const isWorkday = (each: number): boolean => new Date(Date.UTC(year, month, each)).getUTCDay() % 6 !== 0;
  const near = [day, day - 1, day + 1, day - 2, day + 2];
  return near.find((each) => each >= 1 && each <= last && isWorkday(each)) as number;
}

function isDay(date: Date, [, , days = "", months = "", weekdays = ""]: readonly string[]): boolean {
  const [year, month, day, weekday] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate(), date.getUTCDay()];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  if (!valuesOf(months, 1, 12).has(month + 1)) return false;
  const inMonth = days.split(",").some((part) => {
    if (part === "L") return day === last;
    if (part === "LW") return day === nearestWorkday(year, month, last, last);
    if (!part.endsWith("W")) return valuesOf(part, 1, 31).has(day);
    const wanted = Number.parseInt(part, 10);
    return wanted <= last && day === nearestWorkday(year, month, wanted, last);
  });
  const inWeek = weekdays.split(",").some((part) => {
    const [wanted = "", nth] = part.split("#");
    if (nth === undefined) return valuesOf(wanted, 0, 6).has(weekday);
    return Number(wanted) === weekday && (nth === "L" ? day + 7 > last : Math.ceil(day / 7) === Number(nth));
  });
  return days === "*" || weekdays === "*" ? inMonth && inWeek : inMonth || inWeek;
}

/** Whether an expression names its times of the day: then each is due once on its days, whatever the clock does. */
const namesTimes = (expression: string): boolean => /^[\d,-]+ [\d,-]+ /.test(expression);

/**
 * The minutes at which an expression is due. A time that the expression names is due at the jump if the clock skips it,
 * and the first time if the clock shows it twice. An expression with `*` or a step is due whenever the clock shows one of
 * its times.
 */
export function dueIn({ from, local }: Shown, expression: string): number[] {
  const fields = expression.split(" ");
  const [minutes, hours] = [valuesOf(fields[0] as string, 0, 59), valuesOf(fields[1] as string, 0, 23)];
  const isTime = Array.from({ length: DAY_MINUTES }, (_, n) => minutes.has(n % 60) && hours.has(Math.floor(n / 60)));
  const isOnce = namesTimes(expression);
  const days = new Map<number, boolean>();
  const matches = (time: number): boolean => {
    if (!isTime[time % DAY_MINUTES]) return false;
    const day = Math.floor(time / DAY_MINUTES);
    const known = days.get(day) ?? isDay(new Date(day * DAY_MINUTES * MINUTE_MS), fields);
    days.set(day, known);
    return known;
  };
  const due: number[] = [];
  let latest = local[0] as number;
  for (let n = 1; n < local.length; n++) {
    const time = local[n] as number;
    let isDue = matches(time) && (!isOnce || time > latest);
    for (let skipped = latest + 1; isOnce && skipped < time; skipped++) isDue ||= matches(skipped);
    if (isDue) due.push(from + n);
    latest = Math.max(latest, time);
  }
  return due;
}
