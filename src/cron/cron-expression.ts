import { checkOptions } from "../shared/checks.ts";
import { inCall, misuse, shown } from "../shared/misuse.ts";
import { lastMatch } from "./calendar.ts";
import { type Pattern, parsePattern } from "./parse-pattern.ts";
import { type TimeZone, timeZone } from "./time-zone.ts";

const DAY_MS = 86_400_000;
/** The maximum by which a zone sets its clock back. */
const LONGEST_REPEAT_MS = 10_800_000;

/** The latest occurrence at or before an instant. */
export type Latest = (beforeMs: number) => Date | undefined;

/** A parsed cron expression. */
export interface CronExpression {
  /** Returns the latest occurrence at or before an instant (ms since 1970), or undefined if there is none. */
  readonly latest: Latest;
}

/** Options of {@link cronExpression}. */
export interface CronExpressionOptions {
  /**
   * The IANA name of the time zone whose clock the expression follows, such as `"Europe/Berlin"`. An expression whose
   * minute and hour are numbers, lists or ranges (`30 2,14 * * *`) is due once for each of its times: at the jump if the
   * clock skips the time, and the first time if the clock shows it twice. An expression with `*` or a step in its minute
   * or hour is due whenever the clock shows one of its times. A date that a zone skips as a whole has no occurrences.
   * Default UTC.
   */
  readonly timezone?: string | undefined;
}

/** @throws TypeError or RangeError for an unknown time zone. */
function toTimeZone(timezone: string): TimeZone {
  if (typeof timezone !== "string")
    throw misuse(TypeError, `timezone ${shown(timezone)} must be a name such as "Europe/Berlin"`);
  try {
    return timeZone(timezone);
  } catch {
    throw misuse(RangeError, `timezone ${shown(timezone)} does not exist: use a name such as "Europe/Berlin"`);
  }
}

/**
 * Returns the instants at which a local time of a zone is due. A time of a fixed-time expression is due once. A jump
 * may end on the next date, but dates that a jump skips as a whole are never due.
 */
function dueAt(localMs: number, isFixedTime: boolean, { instantsOf, localTime }: TimeZone): readonly number[] {
  const { instants, jump } = instantsOf(localMs);
  if (!isFixedTime) return instants;
  if (jump === undefined) return instants.slice(0, 1);
  const skippedMs = localTime(jump) - localTime(jump - 1000);
  return skippedMs < DAY_MS ? [jump] : [];
}

/** Finds the latest instant, at or before another, at which a pattern is due in a time zone. */
function lastInZone(pattern: Pattern, zone: TimeZone, beforeMs: number): number | undefined {
  /** The latest due instant of the local times up to this one. */
  function last(localMs: number): number | undefined {
    for (let local = lastMatch(pattern, localMs); local !== undefined; local = lastMatch(pattern, local - 1)) {
      const past = dueAt(local, pattern.isFixedTime, zone).filter((ms) => ms <= beforeMs);
      if (past.length > 0) return Math.max(...past);
    }
    return undefined;
  }
  const now = last(zone.localTime(beforeMs));
  // In a repeated hour, the clock may have shown a later time during the first pass than it shows now.
  const asBefore = last(zone.localTime(beforeMs - LONGEST_REPEAT_MS) + LONGEST_REPEAT_MS);
  if (now === undefined || asBefore === undefined) return now ?? asBefore;
  return Math.max(now, asBefore);
}

/**
 * Parses an expression, with weekdays from Sunday = 0.
 *
 * @throws like {@link cronExpression}.
 */
export function parseExpression(schedule: string, options: CronExpressionOptions): CronExpression {
  const { timezone } = options;
  const { pattern, zone } = inCall("cronExpression", () => {
    if (typeof schedule !== "string") throw misuse(TypeError, `schedule must be a string, not ${shown(schedule)}`);
    checkOptions(options, "timezone tz>timezone timeZone>timezone");
    return { zone: timezone === undefined ? undefined : toTimeZone(timezone), pattern: parsePattern(schedule) };
  });
  return {
    latest(beforeMs) {
      const latest = zone ? lastInZone(pattern, zone, beforeMs) : lastMatch(pattern, beforeMs);
      return latest === undefined ? undefined : new Date(latest);
    },
  };
}

/** Whether an expression has a weekday by its number. The numbers of a step and of `MON#2` are none. */
const hasNumberedWeekday = (schedule: string): boolean =>
  (schedule.trim().split(/\s+/)[4] ?? "").split(",").some((part) => /\d/.test(part.replace(/[/#].*/, "")));

/**
 * Rejects weekdays by number in an expression that may count them from Sunday = 1: with a `?`, which only Quartz and
 * Amazon EventBridge write, or for a given scheduler. @throws TypeError; the message does not name the call.
 */
export function checkWeekdays(schedule: string, scheduler?: string): void {
  const dialect = schedule.includes("?") ? "EventBridge, whose expressions have a ?," : scheduler;
  if (dialect !== undefined && hasNumberedWeekday(schedule))
    throw misuse(
      TypeError,
      `schedule ${shown(schedule)} has a weekday by its number, which ${dialect} counts from Sunday = 1 and others from Sunday = 0: write names, such as MON-FRI`,
    );
}

/**
 * Parses a cron expression of five fields for {@link slotOf}; it is in UTC unless `timezone` names a zone. Only this
 * function and `cronRoute`, which calls it, add a parser to a bundle.
 *
 * @example
 * ```ts
 * const nightly = cronExpression("0 3 * * *");
 * nightly.latest(Date.UTC(2026, 10, 21, 12)); // 2026-11-21T03:00:00.000Z
 * const inBerlin = cronExpression("0 3 * * *", { timezone: "Europe/Berlin" });
 * inBerlin.latest(Date.UTC(2026, 10, 21, 12)); // 2026-11-21T02:00:00.000Z
 * ```
 *
 * Weekdays are names (`MON-FRI`), or numbers from Sunday = 0, and 7 is Sunday, too. In Deno, only names are accepted,
 * since `Deno.cron` counts from Sunday = 1.
 *
 * @throws TypeError for text that is not a cron expression of five fields; RangeError for an unknown time zone.
 */
export function cronExpression(schedule: string, options: CronExpressionOptions = {}): CronExpression {
  const expression = parseExpression(schedule, options);
  inCall("cronExpression", () => checkWeekdays(schedule, "Deno" in globalThis ? "Deno.cron" : undefined));
  return expression;
}
