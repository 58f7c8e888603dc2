import type { Refusing } from "../lease/unavailable.ts";
import { toChoice, toFunction, toWork } from "../shared/checks.ts";
import { LockTimeoutError } from "../shared/errors.ts";
import { inCall } from "../shared/misuse.ts";
import { requestContext } from "../shared/vercel.ts";
import { cronCore } from "./core.ts";
import { toPart, WITH_EXPRESSION_BYTES } from "./names.ts";
import type { CronOptions } from "./options.ts";
import type { Run, UnprotectedRun } from "./run-occurrence.ts";

/** The used part of a run of Vercel Schedules, from its metadata or its message in a queue. */
export interface ScheduledRun {
  /** The name of the schedule. */
  readonly name: string;
  /** When the schedule was due, without jitter; the same for every delivery of the run. */
  readonly scheduledAt: Date | string;
  /** The namespace of the schedule; `"default"` for those of `vercel.json`. */
  readonly namespace?: string | undefined;
}

/** Options of {@link vercelSchedule}. A function for `locks` is called with the run. */
export interface VercelScheduleOptions<Scheduled extends ScheduledRun = ScheduledRun>
  extends CronOptions<[scheduled: Scheduled]> {
  /**
   * The job's name, 1 to 300 bytes, or a function that returns it. Default: the name of the schedule, after its
   * namespace and a slash unless that is `"default"`.
   */
  readonly name?: string | ((scheduled: Scheduled) => string) | undefined;
  /** Returns the occurrence of a run. Default: `scheduledAt`. */
  readonly slot?: ((scheduled: Scheduled) => Date | string) | undefined;
  /**
   * What to do with a delivery whose occurrence, or the previous one, is still running. `"skip"`: the function returns,
   * and the delivery counts as done. `"throw"`: the function throws LockTimeoutError, so that a queue redelivers the
   * message, and the occurrence is not lost if the other run dies. Default `"skip"`.
   */
  readonly whileRunning?: "skip" | "throw" | undefined;
}

/** The occurrence's time. @throws TypeError for a value that is not a time. */
function timeOf({ scheduledAt }: ScheduledRun): Date {
  const time = new Date(scheduledAt instanceof Date || typeof scheduledAt === "string" ? scheduledAt : Number.NaN);
  if (Number.isNaN(time.getTime()))
    throw new TypeError("vercelSchedule: scheduledAt must be a valid Date, or a time in ISO 8601");
  return time;
}

/** @throws TypeError or RangeError for a name or a namespace that is none. */
function nameOf({ name, namespace = "default" }: ScheduledRun): string {
  toPart(name, "name", WITH_EXPRESSION_BYTES);
  toPart(namespace, "namespace", WITH_EXPRESSION_BYTES);
  return namespace === "default" ? name : `${namespace}/${name}`;
}

/**
 * Makes the function for `handleSchedule` of `@vercel/schedules` (a schedule whose target is a function) and
 * `handleCallback` of `@vercel/queue` (whose target is a topic). It runs the job once per scheduled time, and never two
 * runs of one name at the same time. If there is nothing to do, it returns; `onReport` receives the report. For a
 * queue, set `whileRunning: "throw"`.
 *
 * The returned function throws the error of the work; LeaseLostError if the lease was lost during the work;
 * LockTimeoutError with `whileRunning: "throw"`; LeaseholdError if Redis was unavailable, and then nothing ran.
 *
 * @example
 * ```ts
 * // export const POST = handleSchedule(cleanUp);
 * const cleanUp = vercelSchedule({ locks, maxDuration: 60 }, async ({ slot, token }, { name }) => {
 *   console.log(`${name} was due at ${slot}`);
 *   await record(token);
 * });
 * await cleanUp({ name: "cleanup", scheduledAt: "2026-11-21T03:00:00.000Z" });
 * ```
 *
 * @throws TypeError or RangeError for an invalid option.
 */
export function vercelSchedule<Scheduled extends ScheduledRun = ScheduledRun, Rest extends unknown[] = []>(
  options: VercelScheduleOptions<Scheduled> & Refusing,
  handler: (run: Run, scheduled: Scheduled, ...rest: Rest) => unknown,
): (scheduled: Scheduled, ...rest: Rest) => Promise<void>;
export function vercelSchedule<Scheduled extends ScheduledRun = ScheduledRun, Rest extends unknown[] = []>(
  options: VercelScheduleOptions<Scheduled>,
  handler: (run: Run | UnprotectedRun, scheduled: Scheduled, ...rest: Rest) => unknown,
): (scheduled: Scheduled, ...rest: Rest) => Promise<void>;
export function vercelSchedule<Scheduled extends ScheduledRun, Rest extends unknown[]>(
  options: VercelScheduleOptions<Scheduled>,
  handler: (run: never, scheduled: Scheduled, ...rest: Rest) => unknown,
): (scheduled: Scheduled, ...rest: Rest) => Promise<void> {
  toWork(handler, "vercelSchedule", "vercelSchedule(options, handler)", options, "handler");
  const { connect, run } = cronCore("vercelSchedule", options, "name slot whileRunning");
  const { name = nameOf, slot = timeOf, whileRunning = "skip" } = options;
  inCall("vercelSchedule", () => {
    toFunction(slot, "slot");
    toChoice(whileRunning, "whileRunning", "skip or throw");
    if (typeof name !== "function") toPart(name, "name", WITH_EXPRESSION_BYTES);
  });

  return async function scheduled(due: Scheduled, ...rest: Rest): Promise<void> {
    const report = await run({
      connection: connect(due),
      name: inCall("vercelSchedule", () => (typeof name === "function" ? name(due) : name)),
      slot: slot(due),
      context: requestContext(),
      work: (run) => handler(run as never, due, ...rest),
    });
    if (whileRunning === "throw" && report.status === "skipped: still running")
      throw new LockTimeoutError(`a run of "${report.name}" is still running elsewhere`, {
        kind: "cron",
        lockName: report.name,
        remainingMs: report.retryAfterMs,
      });
  };
}
