import { checkOptions, type Duration, toMs } from "../shared/checks.ts";
import type { CronExpression, Latest } from "./cron-expression.ts";

/**
 * When a job is due: by `schedule` or by `every`, one of the two. The expression is text for `cronGuard`, and a
 * {@link CronExpression} for `slotOf`.
 */
export type Schedule<Expression = CronExpression> = (
  | {
      /** A cron expression of five fields, in UTC: the same as in `vercel.json`. */
      readonly schedule: Expression;
      readonly every?: undefined;
    }
  | {
      /** The interval, counted from 1970 in UTC: `"5m"` is due at :00, :05, :10. At least 1 s. */
      readonly every: Duration;
      readonly schedule?: undefined;
    }
) & {
  /**
   * How much too early an invocation may come and still mean the occurrence ahead, since clocks differ. Default 5 s,
   * but at most a tenth of `every`, and none where the next occurrence follows within a minute, since Vercel calls at
   * any time within the minute that is due. It must be shorter than `every`, or than a minute with `schedule`.
   */
  readonly clockTolerance?: Duration | undefined;
};

/** Names of the options of a schedule. A time zone is not among them: schedules are in UTC. */
export const SCHEDULE_OPTIONS = "schedule every clockTolerance timezone>schedule tz>schedule cron>schedule";

/** The shortest interval that an expression of five fields can have. */
const MINUTE_MS = 60_000;

/**
 * Makes the function that finds the occurrence that an invocation at a given time stands for.
 *
 * @throws TypeError or RangeError for an invalid schedule.
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
    // Vercel calls within the minute that is due: in a schedule of every minute, late is far more likely than early.
    const due = latest(nowMs);
    return due && found.getTime() - due.getTime() <= MINUTE_MS ? due : found;
  };
  // Tried at a fixed time, since the clock of Workers stands at 1970 while modules are loaded.
  occurrence(Date.UTC(2100, 0));
  return occurrence;
}

/**
 * Finds the occurrence that an invocation at `now` stands for: the latest one that is due, or one that will be within
 * `clockTolerance`. Use it with schedulers that do not tell it, such as `Deno.cron`.
 *
 * @example
 * ```ts
 * const now = new Date("2026-11-21T10:20:00Z");
 * slotOf({ every: "1h" }, now); // 2026-11-21T10:00:00.000Z
 * slotOf({ schedule: cronExpression("0 3 * * *") }, now); // 2026-11-21T03:00:00.000Z
 * ```
 *
 * @throws TypeError or RangeError for an invalid schedule or time.
 */
export function slotOf(schedule: Schedule, now: Date = new Date()): Date {
  checkOptions(schedule, SCHEDULE_OPTIONS);
  const slot = occurrences(schedule);
  if (!(now instanceof Date) || Number.isNaN(now.getTime())) throw new TypeError("now must be a valid Date");
  return slot(now.getTime());
}
