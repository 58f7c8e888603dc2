import { checkOptions, type Duration, toMs } from "../shared/checks.ts";
import type { CronExpression, Latest } from "./expression.ts";

/** When the job is due: one of the two. An expression is a text for `cronGuard`, and a {@link CronExpression} for `slotOf`. */
export type Schedule<Expression = CronExpression> = (
  | {
      /** A cron expression of five fields, in UTC: the one in `vercel.json`. */
      readonly schedule: Expression;
      readonly every?: undefined;
    }
  | {
      /** So often, counted from 1970 in UTC: `"5m"` is due at :00, :05, :10. From 1 s. */
      readonly every: Duration;
      readonly schedule?: undefined;
    }
) & {
  /**
   * How much earlier than due an invocation may come and still mean the occurrence ahead, since clocks differ. Default 5 s, and a tenth
   * of `every` at most; none where the next occurrence is one minute after the last, since Vercel calls within the minute that is due.
   * Less than a minute with `schedule`.
   */
  readonly clockTolerance?: Duration | undefined;
};

/** Schedules are in UTC. */
export const SCHEDULE_OPTIONS = "schedule every clockTolerance timezone>schedule tz>schedule cron>schedule";

/** The shortest time between two occurrences of an expression with five fields. */
const MINUTE_MS = 60_000;

/**
 * Gives the occurrence that an invocation at a given time stands for.
 *
 * @throws TypeError or RangeError for a schedule that cannot be.
 */
export function occurrences(given: Schedule): (nowMs: number) => Date {
  const { schedule, every, clockTolerance } = given ?? {};
  if ((schedule === undefined) === (every === undefined)) throw new TypeError("give schedule or every, and not both");
  const everyMs = every === undefined ? MINUTE_MS : toMs(every, "every", 1000);
  if (schedule !== undefined && typeof schedule?.latest !== "function")
    throw new TypeError(`schedule must be parsed: cronExpression(${JSON.stringify(schedule)})`);
  const toleranceMs = toMs(clockTolerance ?? Math.min(5000, everyMs / 10), "clockTolerance", 0);
  if (toleranceMs >= everyMs)
    throw new RangeError(`clockTolerance must be shorter than ${every === undefined ? "a minute" : "every"}`);
  const latest: Latest =
    schedule === undefined ? (ms) => new Date(Math.floor(ms / everyMs) * everyMs) : schedule.latest;
  const occurrence = (nowMs: number): Date => {
    const found = latest(nowMs + toleranceMs);
    if (!found) throw new RangeError("schedule is never due");
    if (clockTolerance !== undefined || everyMs !== MINUTE_MS || found.getTime() <= nowMs) return found;
    // Vercel calls within the minute that is due: where the next one follows at once, late is far more likely than early.
    const due = latest(nowMs);
    return due && found.getTime() - due.getTime() <= MINUTE_MS ? due : found;
  };
  // Not now: on Workers the clock stands at 1970 while modules are loaded.
  occurrence(Date.UTC(2100, 0));
  return occurrence;
}

/**
 * Gives the occurrence that an invocation at `now` stands for: the latest one due, or one due within `clockTolerance`. For schedulers
 * that do not say it themselves, such as `Deno.cron`: `slotOf({ every: "1h" })`, `slotOf({ schedule: cronExpression("0 3 * * *") })`.
 *
 * @throws TypeError or RangeError for a schedule that cannot be.
 */
export function slotOf(schedule: Schedule, now: Date = new Date()): Date {
  checkOptions(schedule, SCHEDULE_OPTIONS);
  const slot = occurrences(schedule);
  if (!(now instanceof Date) || Number.isNaN(now.getTime())) throw new TypeError("now must be a valid Date");
  return slot(now.getTime());
}
