import type { CronOptions, Run, UnprotectedRun } from "leasehold/cron";
import { checkOptions, misuse } from "leasehold/internal";
import { cronCore, toPart, toSettings } from "leasehold/internal/cron";
import { runWith } from "./current.ts";
import { decorateMethod } from "./decorated-method.ts";
import { type Occurrences, occurrencesOf } from "./occurrences.ts";
import { type AsyncMethodDecorator, written } from "./with-lock.ts";

const OPTIONS = "maxDuration lease maxHold ttl onReport timeout>maxDuration";

/** Options of {@link RunCron}: those of `runCron`. */
export interface RunCronOptions extends Pick<CronOptions, "maxDuration" | "lease" | "maxHold" | "ttl" | "onReport"> {}

/**
 * Runs a method with `@Cron` of `@nestjs/schedule` once per occurrence, although every instance fires, and never two
 * runs of a job at the same time. `name` names the job: the same on all instances, and different for each job.
 *
 * The occurrence is read from the expression and the time zone of `@Cron`, in any order of the decorators. `@Interval`
 * and `@Timeout` are rejected, since they fire at different times on each instance. Inside the method, {@link
 * currentRun} returns the run, with its slot, lease and token.
 *
 * A call returns the report of the occurrence: `ran`, or `skipped: …`. It rejects like `runCron`, and Nest logs the
 * error.
 *
 * @throws TypeError or RangeError for an invalid name, when the class is defined, and for a missing `@Cron`, an invalid
 * option or a second job of the same name, when Nest makes the instance.
 */
export function RunCron(name: string, options: RunCronOptions = {}): AsyncMethodDecorator<never[]> {
  return decorateMethod(written("RunCron", name), ({ name: method, place, final }) => {
    toPart(name, "the name");
    checkOptions(options, OPTIONS);
    toSettings(options, "");
    let occurrences: Occurrences | undefined;
    return {
      check({ claimJob }) {
        occurrences = occurrencesOf(final());
        const other = claimJob(name, method);
        if (other) throw misuse(TypeError, `${other} runs a job of this name: give each job its own name`);
      },
      async call({ locks }, _args, work) {
        const slot = occurrences?.(Date.now());
        if (!slot) throw new TypeError(`${place}: no occurrence is due`);
        const { connect, run } = cronCore(place, { ...options, locks }, "");
        return run({
          connection: connect(),
          name,
          slot,
          context: {},
          // It never runs without a lease, since `onUnavailable` is not an option.
          work: (run: Run | UnprotectedRun) => runWith({ lease: (run as Run).lease, run: run as Run }, work),
        });
      },
    };
  });
}
