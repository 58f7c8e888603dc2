import { misuse, shown } from "../shared/misuse.ts";

/** The last day of a month, whatever its number. */
export const LAST = 32;
type Values = ReadonlySet<number>;

/** A parsed cron expression of five fields. */
export interface Pattern {
  readonly minute: Values;
  readonly hour: Values;
  /** Days of the month, and {@link LAST}. */
  readonly day: Values;
  /** Days of the month, and {@link LAST}, of which the nearest day from Monday to Friday is due. */
  readonly workday: Values;
  readonly month: Values;
  /** Weekdays from Sunday = 0. */
  readonly weekday: Values;
  /** Weekdays that are due once a month, such as `5#2` and `5#L`. */
  readonly nth: ReadonlySet<string>;
  /** Whether a day of the month or a weekday is enough. As in every cron, it is if both are restricted. */
  readonly isEither: boolean;
  /** Whether the minute and the hour are numbers, lists or ranges: as in Vixie cron, such times are fixed. */
  readonly isFixedTime: boolean;
}

interface Field {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly words?: readonly string[];
}
const MINUTE: Field = { name: "minute", min: 0, max: 59 };
const HOUR: Field = { name: "hour", min: 0, max: 23 };
const DAY: Field = { name: "day", min: 1, max: 31 };
const MONTHS = "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split(" ");
const MONTH: Field = { name: "month", min: 1, max: 12, words: MONTHS };
/** Sunday is 0 and 7. */
const WEEKDAY: Field = { name: "weekday", min: 0, max: 7, words: "SUN MON TUE WED THU FRI SAT".split(" ") };
const DAYS = 7;

const NICKNAMES: Readonly<Record<string, string>> = {
  "@YEARLY": "0 0 1 1 *",
  "@ANNUALLY": "0 0 1 1 *",
  "@MONTHLY": "0 0 1 * *",
  "@WEEKLY": "0 0 * * 0",
  "@DAILY": "0 0 * * *",
  "@MIDNIGHT": "0 0 * * *",
  "@HOURLY": "0 * * * *",
};

/** The values of an item of a list: a value, a range, a star, or a step of these two. Undefined for anything else. */
function valuesOf(item: string, { min, max, words = [] }: Field): number[] | undefined {
  const [match, from, to, step] = /^(?:\*|(\w+)(?:-(\w+))?)(?:\/(\d+))?$/.exec(item) ?? [];
  const isStepOfOne = from !== undefined && to === undefined && step !== undefined;
  if (match === undefined || isStepOfOne) return undefined;
  const toNumber = (word: string): number =>
    words.includes(word) ? min + words.indexOf(word) : /^\d+$/.test(word) ? Number(word) : Number.NaN;
  const low = from === undefined ? min : toNumber(from);
  // MON-SUN ends with the week.
  const high = from === undefined ? max : to === "SUN" ? DAYS : toNumber(to ?? from);
  const by = Number(step ?? 1);
  const isWithin = low >= min && low <= high && high <= max && by >= 1 && by <= max - min + 1;
  return isWithin ? Array.from({ length: Math.floor((high - low) / by) + 1 }, (_, n) => low + n * by) : undefined;
}

/**
 * Parses a cron expression: numbers, names, lists, ranges and steps; `?` for `*`; nicknames such as `@daily`. Days of
 * the month also take `L`, `15W` and `LW`, and weekdays `5#2`, `5#L` and `5L`. With `+` before the weekday, both it and
 * the day of the month must match.
 *
 * @throws TypeError; the message does not name the call.
 */
export function parsePattern(schedule: string): Pattern {
  const text = schedule.trim().toUpperCase();
  const fields = (NICKNAMES[text] ?? text).replaceAll("?", "*").split(/\s+/);
  const { length } = fields;
  if (length !== 5)
    throw misuse(
      TypeError,
      `schedule ${shown(schedule)} has ${length} ${length === 1 ? "field" : "fields"}, not 5: minute hour day month weekday`,
    );
  const [minute, hour, days, month, weekdays] = fields as [string, string, string, string, string];
  const read = (item: string, field: Field): readonly number[] => {
    const values = valuesOf(item, field);
    if (values) return values;
    const { name, min, max, words } = field;
    const range = `${min}-${min + 4}`;
    throw misuse(
      TypeError,
      `schedule ${shown(schedule)}: ${name} ${shown(item)} must be ${min} to ${max}${words ? " or a name" : ""}, a range such as ${range}, or a step such as */2 or ${range}/2`,
    );
  };
  const setOf = (list: string, field: Field): Values => new Set(list.split(",").flatMap((item) => read(item, field)));
  const [day, workday] = [new Set<number>(), new Set<number>()];
  for (const item of days.split(",")) {
    const [, number, isWorkday] = /^(L|\d+(?=W))(W?)$/.exec(item) ?? [];
    const found = number === "L" ? [LAST] : read(number ?? item, DAY);
    for (const each of found) (isWorkday ? workday : day).add(each);
  }
  const [weekday, nth] = [new Set<number>(), new Set<string>()];
  for (const item of weekdays.replace(/^\+/, "").split(",")) {
    const [, name = item, which] = /^(.+?)(?:#([1-5L])|L)$/.exec(item) ?? [];
    const isNth = name !== item;
    for (const each of read(name, WEEKDAY))
      if (isNth) nth.add(`${each % DAYS}#${which ?? "L"}`);
      else weekday.add(each % DAYS);
  }
  return {
    minute: setOf(minute, MINUTE),
    hour: setOf(hour, HOUR),
    day,
    workday,
    month: setOf(month, MONTH),
    weekday,
    nth,
    isEither: days !== "*" && weekdays !== "*" && !weekdays.startsWith("+"),
    isFixedTime: !/[*/]/.test(minute + hour),
  };
}
