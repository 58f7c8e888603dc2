import { CronPattern } from "croner";
import { checkOptions } from "../shared/checks.ts";
import { lastMatch } from "./calendar.ts";
import { type TimeZone, timeZone } from "./time-zone.ts";

const DAY_MS = 86_400_000;
/** No clock is set back by more. */
const LONGEST_REPEAT_MS = 10_800_000;

/** The latest occurrence at or before an instant. */
export type Latest = (beforeMs: number) => Date | undefined;

/** A parsed cron expression. */
export interface CronExpression {
  /** Returns the latest occurrence at or before an instant (ms since 1970), or undefined when there is none. */
  readonly latest: Latest;
}

export interface CronExpressionOptions {
  /**
   * The IANA name of the time zone whose clock the expression follows, such as `"Europe/Berlin"`. An expression with one
   * time of the day (`30 2 * * *`) is due once: as the clock jumps where it skips that time, and the first time where it
   * shows it twice. One with several times (a list, a range, a step, `*`) is due whenever the clock shows one of them.
   * A date that a zone skips as a whole has no occurrences. Default UTC.
   */
  readonly timezone?: string | undefined;
}

/** @throws TypeError or RangeError for a name that is not one of a time zone. */
function toTimeZone(timezone: string): TimeZone {
  if (typeof timezone !== "string") throw new TypeError("timezone must be the name of a time zone");
  try {
    return timeZone(timezone);
  } catch {
    throw new RangeError(`timezone must be a name such as "Europe/Berlin", not "${timezone}"`);
  }
}

/**
 * The latest instant, at or before another, at which the clock of a zone shows what the pattern says. An expression for
 * one time of the day is due at the jump over it, and the first time only where the clock shows it twice. A jump may end
 * on the next date, but a jump over whole dates leaves nothing of them to be due.
 */
function lastInZone(pattern: CronPattern, { localTime, instantsOf }: TimeZone, beforeMs: number): number | undefined {
  /** The latest local time, at or before this one, that was shown by then. */
  function last(localMs: number): number {
    for (let shown = lastMatch(pattern, localMs); shown !== undefined; shown = lastMatch(pattern, shown - 1)) {
      const { instants, jump } = instantsOf(shown);
      const isShort = jump !== undefined && localTime(jump) - localTime(jump - 1000) < DAY_MS;
      const skipped = pattern.isFixedTime && isShort ? [jump] : [];
      const due = pattern.isFixedTime ? [...instants.slice(0, 1), ...skipped] : instants;
      const past = due.filter((ms) => ms <= beforeMs);
      if (past.length > 0) return Math.max(...past);
    }
    return -1 / 0;
  }
  const earlierMs = beforeMs - LONGEST_REPEAT_MS;
  // In an hour that comes twice, what the clock showed the first time may be later than what it shows now.
  const latest = Math.max(last(localTime(beforeMs)), last(localTime(earlierMs) + LONGEST_REPEAT_MS));
  return latest > -1 / 0 ? latest : undefined;
}

/**
 * Parses a cron expression of five fields for {@link slotOf}; it is in UTC unless `timezone` says otherwise. Only this
 * function and `cronGuard`, which calls it, bring a parser into a bundle.
 *
 * @example
 * ```ts
 * const nightly = cronExpression("0 3 * * *");
 * nightly.latest(Date.UTC(2026, 10, 21, 12)); // 2026-11-21T03:00:00.000Z
 * const inBerlin = cronExpression("0 3 * * *", { timezone: "Europe/Berlin" });
 * inBerlin.latest(Date.UTC(2026, 10, 21, 12)); // 2026-11-21T02:00:00.000Z
 * ```
 *
 * @throws TypeError for text that is not a cron expression of five fields; RangeError for an unknown time zone.
 */
export function cronExpression(schedule: string, options: CronExpressionOptions = {}): CronExpression {
  if (typeof schedule !== "string") throw new TypeError("schedule must be a cron expression");
  checkOptions(options, "timezone tz>timezone timeZone>timezone");
  const { timezone } = options;
  const zone = timezone === undefined ? undefined : toTimeZone(timezone);
  let pattern: CronPattern;
  try {
    pattern = new CronPattern(schedule, timezone, { mode: "5-part" });
  } catch (error) {
    throw new TypeError(`schedule must be a cron expression of five fields: ${(error as Error).message}`);
  }
  return {
    latest(beforeMs) {
      const latest = zone ? lastInZone(pattern, zone, beforeMs) : lastMatch(pattern, beforeMs);
      return latest === undefined ? undefined : new Date(latest);
    },
  };
}
