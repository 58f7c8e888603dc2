import type { Refusing } from "../lease/unavailable.ts";
import { toWork } from "../shared/checks.ts";
import { inCall } from "../shared/misuse.ts";
import { requestContext } from "../shared/vercel.ts";
import { cronCore } from "./core.ts";
import { toPart } from "./names.ts";
import type { CronOptions } from "./options.ts";
import type { Report } from "./report.ts";
import type { Run, UnprotectedRun } from "./run-occurrence.ts";

/** Options of {@link runCron}. */
export interface RunCronOptions extends CronOptions {
  /** The job's name, 1 to 200 bytes. */
  readonly name: string;
  /**
   * The occurrence: the one that is due (see `slotOf`), or a text of 1 to 200 bytes, such as the ID of a scheduled run.
   */
  readonly slot: Date | string;
}

/**
 * Runs `work` once per slot of a job, and never for two slots at the same time: for `Deno.cron`, a script, a scheduled
 * CI job. The result of the work is ignored.
 *
 * @example
 * ```ts
 * const slot = slotOf({ every: "1h" });
 * const report = await runCron({ locks, name: "export", slot }, async ({ token }) => record(token));
 * console.log(report.status); // "ran", "skipped: already ran" or "skipped: still running"
 * ```
 *
 * @throws the error of the work; LeaseLostError if the lease was lost during the work; LeaseholdError if Redis was
 * unavailable, and then nothing ran; TypeError or RangeError for an invalid option.
 */
export async function runCron(options: RunCronOptions & Refusing, work: (run: Run) => unknown): Promise<Report>;
export async function runCron(options: RunCronOptions, work: (run: Run | UnprotectedRun) => unknown): Promise<Report>;
export async function runCron(options: RunCronOptions, work: (run: never) => unknown): Promise<Report> {
  toWork(work, "runCron", "runCron(options, work)", options);
  const { connect, run } = cronCore("runCron", options, "name slot");
  return run({
    connection: connect(),
    name: inCall("runCron", () => toPart(options.name, "name")),
    slot: options.slot,
    context: requestContext(),
    work: (run) => work(run as never),
  });
}
