import type { Refusing } from "../engine/unavailable.ts";
import { type ConnectionSource, connectionOf } from "../redis/connect.ts";
import { toChoice, toFunction, toWork } from "../shared/checks.ts";
import { LockTimeoutError } from "../shared/errors.ts";
import { requestContext } from "../shared/vercel.ts";
import { boundWaitUntil } from "../shared/wait-until.ts";
import { toPart, toSlot, WITH_EXPRESSION_BYTES } from "./names.ts";
import { type Run, runOccurrence, type UnprotectedRun } from "./run-occurrence.ts";
import { type CronSettings, toSettings } from "./settings.ts";

/** The part of a run of Vercel Schedules that is used: of the metadata, or of the message in a queue. */
export interface ScheduledRun {
  /** The name of the schedule. */
  readonly name: string;
  /** The time at which the schedule was due, without jitter: the same for every delivery of the run. */
  readonly scheduledAt: Date | string;
  /** The namespace of the schedule; `"default"` for those of `vercel.json`. */
  readonly namespace?: string | undefined;
}

export interface ScheduleGuardOptions<Scheduled extends ScheduledRun = ScheduledRun> extends CronSettings {
  /** The locks or connection, or a function that returns them. */
  readonly locks: ConnectionSource | (() => ConnectionSource);
  /**
   * The job's name, 1 to 300 bytes, or a function that returns it. Default: the name of the schedule, after its
   * namespace and a slash unless that is `"default"`.
   */
  readonly name?: string | ((scheduled: Scheduled) => string) | undefined;
  /** Returns the occurrence that a run stands for. Default: `scheduledAt`. */
  readonly slot?: ((scheduled: Scheduled) => Date | string) | undefined;
  /**
   * Decides what becomes of a delivery that finds its occurrence, or the previous one, still running. `"skip"`: the
   * guard returns, and the delivery counts as done. `"throw"`: the guard throws LockTimeoutError, so that a queue
   * delivers the message again: it is not lost if the run that was in the way dies. Default `"skip"`.
   */
  readonly whileRunning?: "skip" | "throw" | undefined;
}

/** The occurrence's time. @throws TypeError for a value that is not a time. */
function timeOf({ scheduledAt }: ScheduledRun): Date {
  const time = new Date(scheduledAt instanceof Date || typeof scheduledAt === "string" ? scheduledAt : Number.NaN);
  if (Number.isNaN(time.getTime())) throw new TypeError("scheduledAt must be a Date, or a time in ISO 8601");
  return time;
}

const nameOf = ({ name, namespace = "default" }: ScheduledRun): string =>
  namespace === "default" ? name : `${namespace}/${name}`;

/**
 * Makes the function that `handleSchedule` of `@vercel/schedules` (a schedule whose target is a function) and
 * `handleCallback` of `@vercel/queue` (one whose target is a topic) call with a run. It runs the job once per scheduled
 * time and never two runs of one name at once. It returns where there is nothing to do; `onReport` gets the report. For
 * a queue set `whileRunning: "throw"`.
 *
 * The returned function throws the error of the work; LeaseLostError when the lease was lost during the work;
 * LockTimeoutError with `whileRunning: "throw"`; LeaseholdError when Redis was unavailable, and then nothing ran.
 *
 * @example
 * ```ts
 * // export const POST = handleSchedule(cleanUp);
 * const cleanUp = scheduleGuard({ locks, maxDuration: 60 }, async ({ slot, token }, { name }) => {
 *   console.log(`${name} was due at ${slot}`);
 *   await record(token);
 * });
 * await cleanUp({ name: "cleanup", scheduledAt: "2026-11-21T03:00:00.000Z" });
 * ```
 *
 * @throws TypeError or RangeError for an invalid option.
 */
export function scheduleGuard<Scheduled extends ScheduledRun = ScheduledRun, Rest extends unknown[] = []>(
  options: ScheduleGuardOptions<Scheduled> & Refusing,
  handler: (run: Run, scheduled: Scheduled, ...rest: Rest) => unknown,
): (scheduled: Scheduled, ...rest: Rest) => Promise<void>;
export function scheduleGuard<Scheduled extends ScheduledRun = ScheduledRun, Rest extends unknown[] = []>(
  options: ScheduleGuardOptions<Scheduled>,
  handler: (run: Run | UnprotectedRun, scheduled: Scheduled, ...rest: Rest) => unknown,
): (scheduled: Scheduled, ...rest: Rest) => Promise<void>;
export function scheduleGuard<Scheduled extends ScheduledRun, Rest extends unknown[]>(
  options: ScheduleGuardOptions<Scheduled>,
  handler: (run: never, scheduled: Scheduled, ...rest: Rest) => unknown,
): (scheduled: Scheduled, ...rest: Rest) => Promise<void> {
  toWork(handler, "scheduleGuard", "scheduleGuard(options, handler)", options, "handler");
  const settings = toSettings(options, "name slot whileRunning");
  const { locks, name = nameOf, slot = timeOf, whileRunning = "skip", onReport } = options;
  toFunction(slot, "slot");
  toChoice(whileRunning, "whileRunning", "skip or throw");
  if (typeof locks !== "function") connectionOf(locks);
  if (typeof name !== "function") toPart(name, "name", WITH_EXPRESSION_BYTES);

  return async function scheduled(run: Scheduled, ...rest: Rest): Promise<void> {
    const report = await runOccurrence({
      connection: connectionOf(typeof locks === "function" ? locks() : locks),
      name: toPart(typeof name === "function" ? name(run) : name, "name", WITH_EXPRESSION_BYTES),
      slot: toSlot(slot(run)),
      settings,
      waitUntil: boundWaitUntil(options, requestContext()),
      onReport,
      work: (given) => handler(given as never, run, ...rest),
    });
    if (whileRunning === "throw" && report.status === "skipped: still running")
      throw new LockTimeoutError(`a run of "${report.name}" goes on`, report.retryAfterMs);
  };
}
