import { Cron } from "croner";

/** The latest occurrence at or before an instant. */
export type Latest = (beforeMs: number) => Date | undefined;

/** A cron expression that was parsed. */
export interface CronExpression {
  /** Gives the latest occurrence at or before an instant (ms since 1970), or undefined when there is none. */
  readonly latest: Latest;
}

/**
 * Parses a cron expression of five fields, in UTC, for {@link slotOf}. It is the only function here that brings a parser into a bundle,
 * besides `cronGuard`, which calls it.
 *
 * @throws TypeError for what is no such expression.
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
