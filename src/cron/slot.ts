import { checkOptions, type Duration, toMs } from "../shared/checks.ts";
import { inCall, misuse, shown } from "../shared/misuse.ts";
import type { CronExpression, Latest } from "./cron-expression.ts";
import { toPart } from "./names.ts";

/**
 * When a job is due: by `schedule` or by `every`, one of the two. The expression is text for `cronRoute`, and a
 * {@link CronExpression} for `slotOf`.
 */
export type Schedule<Expression = CronExpression> = (
  | {
      /** A cron expression of five fields: the same as in `vercel.json`. */
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
   * How early an invocation may arrive and still count for the next occurrence, since clocks differ; in ms or like
   * `"5s"`. It must be shorter than `every`, or than a minute with `schedule`. Default 5 s, but at most a tenth of
   * `every`, and 0 if the next occurrence follows within a minute, since Vercel calls at any time within the due
   * minute.
   */
  readonly clockTolerance?: Duration | undefined;
};

/** Names of the options of a schedule. */
export const SCHEDULE_OPTIONS = "schedule every clockTolerance cron>schedule";

/** The shortest interval that an expression of five fields can have. */
const MINUTE_MS = 60_000;

/** The rarest schedule is a 29th of February on a given weekday. */
const LONGEST_INTERVAL_MS = 41 * 366 * 86_400_000;

/** The first occurrence after an instant, found by searching backwards from later instants; undefined for none. */
function firstAfter(latest: Latest, afterMs: number): Date | undefined {
  /** The latest occurrence up to an instant that is still after the first one. */
  const found = (beforeMs: number): number | undefined => {
    const ms = latest(beforeMs)?.getTime();
    return ms !== undefined && ms > afterMs ? ms : undefined;
  };
  let spanMs = MINUTE_MS;
  while (found(afterMs + spanMs) === undefined) {
    if (spanMs > LONGEST_INTERVAL_MS) return undefined;
    spanMs *= 2;
  }
  let first = found(afterMs + spanMs) as number;
  // Nothing is due before this.
  let freeMs = spanMs === MINUTE_MS ? afterMs : afterMs + spanMs / 2;
  while (first - freeMs > MINUTE_MS) {
    const middleMs = Math.floor((freeMs + first) / 2);
    const earlier = found(middleMs);
    if (earlier === undefined) freeMs = middleMs;
    else first = earlier;
  }
  return new Date(first);
}

/** The occurrences of a schedule. */
export interface Occurrences {
  /** The occurrence of an invocation at a given time. */
  due(nowMs: number): Date;
  /** The next occurrence after another one; undefined for none. */
  after(slot: Date): Date | undefined;
}

/**
 * Finds the occurrences of a schedule.
 *
 * @throws TypeError or RangeError for an invalid schedule; the message does not name the call.
 */
export function occurrences(input: Schedule): Occurrences {
  const { schedule, every, clockTolerance } = input ?? {};
  if ((schedule === undefined) === (every === undefined)) throw misuse(TypeError, "pass either schedule or every");
  const everyMs = every === undefined ? MINUTE_MS : toMs(every, "every", 1000);
  if (schedule !== undefined && typeof schedule?.latest !== "function")
    throw misuse(TypeError, `schedule ${shown(schedule)} is not parsed: cronExpression(${shown(schedule)})`);
  const toleranceMs = toMs(clockTolerance ?? Math.min(5000, everyMs / 10), "clockTolerance", 0);
  if (toleranceMs >= everyMs)
    throw misuse(
      RangeError,
      `clockTolerance ${shown(clockTolerance)} must be shorter than ${every === undefined ? "a minute" : "every"}`,
    );
  const latest: Latest =
    schedule === undefined ? (ms) => new Date(Math.floor(ms / everyMs) * everyMs) : schedule.latest;
  const due = (nowMs: number): Date => {
    const found = latest(nowMs + toleranceMs);
    if (!found) throw misuse(RangeError, "schedule is never due");
    if (clockTolerance !== undefined || everyMs !== MINUTE_MS || found.getTime() <= nowMs) return found;
    // Vercel calls within the due minute: with a schedule of every minute, late is far more likely than early.
    const past = latest(nowMs);
    return past && found.getTime() - past.getTime() <= MINUTE_MS ? past : found;
  };
  // Tested at a fixed time, since the clock of Workers shows 1970 while modules are loaded.
  due(Date.UTC(2100, 0));
  return {
    due,
    after: (slot) => (schedule === undefined ? new Date(slot.getTime() + everyMs) : firstAfter(latest, slot.getTime())),
  };
}

/** An invocation that identifies its occurrence by an ID, the same for every delivery. */
interface Identified {
  readonly id: string | number | null | undefined;
}

/**
 * Finds the occurrence of an invocation at `now`: the latest one that is due, or one that will be due within
 * `clockTolerance`. Use it with schedulers that do not report the occurrence, such as `Deno.cron`. With `{ id }`, an ID
 * of 1 to 200 bytes identifies the occurrence. The scheduler must assign it and keep it across retries: `runId` of
 * Inngest, `Upstash-Message-Id` of QStash, `github.run_id` of GitHub Actions.
 *
 * @example
 * ```ts
 * const now = new Date("2026-11-21T10:20:00Z");
 * slotOf({ every: "1h" }, now); // 2026-11-21T10:00:00.000Z
 * slotOf({ schedule: cronExpression("0 3 * * *") }, now); // 2026-11-21T03:00:00.000Z
 * slotOf({ id: 1658821493 }); // "1658821493"
 * ```
 *
 * @throws TypeError or RangeError for an invalid schedule or time, or an invalid or missing ID.
 */
export function slotOf(call: Identified): string;
export function slotOf(schedule: Schedule, now?: Date): Date;
export function slotOf(schedule: Schedule | Identified, now: Date = new Date()): Date | string {
  return inCall("slotOf", () => {
    if (typeof schedule === "object" && schedule && "id" in schedule) {
      checkOptions(schedule, "id");
      const { id } = schedule;
      return toPart(Number.isSafeInteger(id) ? `${id}` : (id as string), "id");
    }
    checkOptions(schedule, `${SCHEDULE_OPTIONS} id timezone>schedule tz>schedule`);
    const { due } = occurrences(schedule);
    if (!(now instanceof Date) || Number.isNaN(now.getTime()))
      throw misuse(TypeError, `now must be a valid Date, not ${shown(now)}`);
    return due(now.getTime());
  });
}
