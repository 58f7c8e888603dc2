import type { Refusing } from "../lease/unavailable.ts";
import { toWork } from "../shared/checks.ts";
import { refuseMissing } from "../shared/identity.ts";
import { inCall, misuse, shown } from "../shared/misuse.ts";
import type { WaitUntil } from "../shared/wait-until.ts";
import { cronCore } from "./core.ts";
import { toPart, WITH_EXPRESSION_BYTES } from "./names.ts";
import type { CronOptions } from "./options.ts";
import type { Run, UnprotectedRun } from "./run-occurrence.ts";

/** The part of Cloudflare's `ScheduledController` that is used. */
export interface ScheduledControllerLike {
  /** The cron expression that is due. */
  readonly cron: string;
  /** When it is due, in ms since 1970; the same for every delivery of the event. */
  readonly scheduledTime: number;
}

/** Options of {@link cloudflareCron}. A function for `locks` is called with `env`. */
export interface CloudflareCronOptions<
  Env = unknown,
  Controller extends ScheduledControllerLike = ScheduledControllerLike,
> extends CronOptions<[env: Env]> {
  /**
   * The job's name. A text gets a space and the expression appended, as in `"nightly 0 3 * * *"`, since the expressions
   * of one Worker are usually separate jobs. A function returns the whole name, for several expressions of one job.
   */
  readonly name: string | ((controller: Controller) => string);
}

/** The expression of an event; a trigger by hand has an empty one. @throws TypeError for anything but text. */
function expressionOf({ cron }: ScheduledControllerLike): string {
  if (typeof cron !== "string") throw misuse(TypeError, `the controller's cron must be a string, not ${shown(cron)}`);
  return refuseMissing(cron, "the controller's cron");
}

/** When an event is due. @throws TypeError for anything but a time, such as null, which would be 1970. */
function timeOf({ scheduledTime }: ScheduledControllerLike): Date {
  if (!Number.isFinite(scheduledTime))
    throw misuse(TypeError, `scheduledTime must be a time in ms, not ${shown(scheduledTime)}`);
  return new Date(scheduledTime);
}

/**
 * Makes the `scheduled` handler of a Worker. It runs a job once per scheduled time, and never two runs of one name at
 * the same time. The slot is `controller.scheduledTime`. If there is nothing to do, the handler returns; `onReport`
 * receives the report.
 *
 * The returned function throws the error of the work; LeaseLostError if the lease was lost during the work;
 * LeaseholdError if Redis was unavailable, and then nothing ran.
 *
 * @example
 * ```ts
 * const scheduled = cloudflareCron({ locks, name: "reports" }, async ({ slot, token }, controller) => {
 *   console.log(`${controller.cron} was due at ${slot}`);
 *   await record(token);
 * });
 * await scheduled({ cron: "0 3 * * *", scheduledTime: Date.UTC(2026, 10, 21, 3) }, env, ctx);
 * ```
 *
 * @throws TypeError or RangeError for an invalid option.
 */
export function cloudflareCron<
  Env = unknown,
  Controller extends ScheduledControllerLike = ScheduledControllerLike,
  Context extends { waitUntil: WaitUntil } = { waitUntil: WaitUntil },
>(
  options: CloudflareCronOptions<Env, Controller> & Refusing,
  handler: (run: Run, controller: Controller, env: Env, ctx: Context) => unknown,
): (controller: Controller, env: Env, ctx: Context) => Promise<void>;
export function cloudflareCron<
  Env = unknown,
  Controller extends ScheduledControllerLike = ScheduledControllerLike,
  Context extends { waitUntil: WaitUntil } = { waitUntil: WaitUntil },
>(
  options: CloudflareCronOptions<Env, Controller>,
  handler: (run: Run | UnprotectedRun, controller: Controller, env: Env, ctx: Context) => unknown,
): (controller: Controller, env: Env, ctx: Context) => Promise<void>;
export function cloudflareCron<
  Env,
  Controller extends ScheduledControllerLike,
  Context extends { waitUntil: WaitUntil },
>(
  options: CloudflareCronOptions<Env, Controller>,
  handler: (run: never, controller: Controller, env: Env, ctx: Context) => unknown,
): (controller: Controller, env: Env, ctx: Context) => Promise<void> {
  toWork(handler, "cloudflareCron", "cloudflareCron(options, handler)", options, "handler");
  const { connect, run } = cronCore("cloudflareCron", options, "name");
  const { name } = options;
  if (typeof name !== "function") inCall("cloudflareCron", () => toPart(name, "name"));

  return async function scheduled(controller: Controller, env: Env, ctx: Context): Promise<void> {
    const job = typeof name === "function" ? name(controller) : name;
    const due = inCall("cloudflareCron", () => ({
      name:
        typeof name === "function"
          ? toPart(job, "name", WITH_EXPRESSION_BYTES)
          : `${job} ${expressionOf(controller)}`.trimEnd(),
      slot: timeOf(controller),
    }));
    await run({
      connection: connect(env),
      ...due,
      context: ctx,
      work: (run) => handler(run as never, controller, env, ctx),
    });
  };
}
