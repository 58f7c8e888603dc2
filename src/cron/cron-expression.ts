import { Cron } from "croner";

/** The latest occurrence at or before an instant. */
export type Latest = (beforeMs: number) => Date | undefined;

/** A parsed cron expression. */
export interface CronExpression {
  /** Returns the latest occurrence at or before an instant (ms since 1970), or undefined when there is none. */
  readonly latest: Latest;
}

/**
 * Parses a cron expression of five fields, in UTC, for {@link slotOf}. Only this function and `cronGuard`, which calls
 * it, bring a parser into a bundle.
 *
 * @example
 * ```ts
 * const nightly = cronExpression("0 3 * * *");
 * nightly.latest(Date.UTC(2026, 10, 21, 12)); // 2026-11-21T03:00:00.000Z
 * ```
 *
 * @throws TypeError for text that is not a cron expression of five fields.
 */
export function cronExpression(schedule: string): CronExpression {
  if (typeof schedule !== "string") throw new TypeError("schedule must be a cron expression");
  let cron: Cron;
  try {
    cron = new Cron(schedule, { mode: "5-part", utcOffset: 0 });
  } catch (error) {
    throw new TypeError(`schedule must be a cron expression of five fields: ${(error as Error).message}`);
  }
  if (cron.getPattern() === undefined) throw new TypeError("schedule must be a cron expression, not a date");
  // An occurrence at the very instant does not count as a previous one.
  return { latest: (beforeMs) => cron.previousRuns(1, new Date(beforeMs + 1))[0] };
}
