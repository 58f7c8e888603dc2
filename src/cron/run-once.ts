import type { Refusing } from "../engine/unavailable.ts";
import { type ConnectionSource, connectionOf } from "../redis/connect.ts";
import { toWork } from "../shared/checks.ts";
import { requestContext } from "../shared/vercel.ts";
import { boundWaitUntil } from "../shared/wait-until.ts";
import { toPart, toSlot } from "./names.ts";
import type { Report } from "./report.ts";
import { type Invocation, type Run, runOccurrence, type UnprotectedRun } from "./run-occurrence.ts";
import { type CronSettings, toSettings } from "./settings.ts";

export interface RunOnceOptions extends CronSettings {
  /** The locks from `createLocks`, or the connection from `connect`. */
  readonly locks: ConnectionSource;
}

/**
 * Runs `work` once per slot of a job, and never at the same time as for another slot of it: for `Deno.cron`, a script,
 * a scheduled CI job. The slot names the occurrence: the one that is due (see `slotOf`), or any text of 1 to 200 bytes,
 * such as the id of a scheduled run. The result of the work is ignored.
 *
 * @example
 * ```ts
 * const slot = slotOf({ every: "1h" });
 * const report = await runOnce("export", slot, async ({ token }) => record(token), { locks });
 * console.log(report.status); // "ran", "skipped: already ran" or "skipped: still running"
 * ```
 *
 * @throws the error of the work; LeaseLostError when the lease was lost during the work; LeaseholdError when Redis was
 * unavailable, and then nothing ran; TypeError or RangeError for an invalid argument.
 */
export async function runOnce(
  name: string,
  slot: Date | string,
  work: (run: Run) => unknown,
  options: RunOnceOptions & Refusing,
): Promise<Report>;
export async function runOnce(
  name: string,
  slot: Date | string,
  work: (run: Run | UnprotectedRun) => unknown,
  options: RunOnceOptions,
): Promise<Report>;
export async function runOnce(
  name: string,
  slot: Date | string,
  work: (run: never) => unknown,
  options: RunOnceOptions,
): Promise<Report> {
  toWork(work, "runOnce", "runOnce(name, slot, work, options)");
  return runOccurrence({
    connection: connectionOf(options?.locks),
    name: toPart(name, "name"),
    slot: toSlot(slot),
    settings: toSettings(options, ""),
    waitUntil: boundWaitUntil(options, requestContext()),
    onReport: options.onReport,
    work: work as Invocation["work"],
  });
}
