import { type ConnectionSource, connectionOf } from "../redis/connect.ts";
import { boundWaitUntil } from "../shared/wait-until.ts";
import { toPart, toSlot } from "./names.ts";
import { occur, type Run } from "./occur.ts";
import type { Report } from "./report.ts";
import { type CronSettings, toSettings } from "./settings.ts";
import { requestContext } from "./vercel.ts";

export interface RunOnceOptions extends CronSettings {
  /** What `createLocks` or `connect` gave. */
  readonly locks: ConnectionSource;
}

/**
 * Runs `work` once for a slot of a job, and never at the same time as for another slot of it: for `Deno.cron`, a script, a scheduled
 * CI job. The slot is the occurrence that is due (see `slotOf`) or any text that names it, such as the id of a scheduled run. What the
 * work returns is ignored.
 *
 * @throws what the work throws; LeaseLostError when the lease was lost during the work; LeaseholdError when Redis could not be asked,
 * and then nothing ran; TypeError or RangeError for what cannot be.
 */
export async function runOnce(
  name: string,
  slot: Date | string,
  work: (run: Run) => unknown,
  options: RunOnceOptions,
): Promise<Report> {
  if (typeof work !== "function") throw new TypeError("work must be a function");
  return occur({
    connection: connectionOf(options?.locks),
    name: toPart(name, "name"),
    slot: toSlot(slot),
    settings: toSettings(options, ""),
    waitUntil: boundWaitUntil(options, requestContext()),
    onReport: options.onReport,
    work,
  });
}
