import { Cron } from "croner";
import { checkOptions } from "../shared/checks.ts";

/** The latest occurrence at or before an instant. */
export type Latest = (beforeMs: number) => Date | undefined;

/** A parsed cron expression. */
export interface CronExpression {
  /** Returns the latest occurrence at or before an instant (ms since 1970), or undefined when there is none. */
  readonly latest: Latest;
}

export interface CronExpressionOptions {
  /**
   * The IANA name of the time zone whose clock the expression follows, such as `"Europe/Berlin"`. Where that clock
   * skips the time of an occurrence, the occurrence is due as the clock jumps; where it shows the time twice, it is due
   * the first time only. An expression of every hour, or of several times an hour, is due in a repeated hour again.
   * Default UTC.
   */
  readonly timezone?: string | undefined;
}

/** @throws TypeError or RangeError for a name that is not one of a time zone. */
function toTimezone(timezone: string): string {
  if (typeof timezone !== "string") throw new TypeError("timezone must be the name of a time zone");
  try {
    new Intl.DateTimeFormat("en", { timeZone: timezone });
  } catch {
    throw new RangeError(`timezone must be a name such as "Europe/Berlin", not "${timezone}"`);
  }
  return timezone;
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
  const zone = timezone === undefined ? { utcOffset: 0 } : { timezone: toTimezone(timezone) };
  let cron: Cron;
  try {
    cron = new Cron(schedule, { mode: "5-part", ...zone });
  } catch (error) {
    throw new TypeError(`schedule must be a cron expression of five fields: ${(error as Error).message}`);
  }
  if (cron.getPattern() === undefined) throw new TypeError("schedule must be a cron expression, not a date");
  // An occurrence at the very instant does not count as a previous one.
  return { latest: (beforeMs) => cron.previousRuns(1, new Date(beforeMs + 1))[0] };
}
