import type { Refusing } from "../engine/unavailable.ts";
import { type ConnectionSource, connectionOf } from "../redis/connect.ts";
import { toWork } from "../shared/checks.ts";
import { boundWaitUntil, type WaitUntil } from "../shared/wait-until.ts";
import { toPart, toSlot, WITH_EXPRESSION_BYTES } from "./names.ts";
import { type Run, runOccurrence, type UnprotectedRun } from "./run-occurrence.ts";
import { type CronSettings, toSettings } from "./settings.ts";

/** The part of Cloudflare's `ScheduledController` that is used. */
export interface Scheduled {
  /** The cron expression that is due. */
  readonly cron: string;
  /** When it is due, in ms since 1970: the same for every delivery of the event. */
  readonly scheduledTime: number;
}

export interface ScheduledGuardOptions<Env = unknown, Controller extends Scheduled = Scheduled> extends CronSettings {
  /** The locks or connection, or a function that makes them from `env`. */
  readonly locks: ConnectionSource | ((env: Env) => ConnectionSource);
  /**
   * The job's name. A text is followed by a space and the expression, since the expressions of one Worker are usually
   * jobs of their own: `"nightly 0 3 * * *"`. A function returns the whole name, for several expressions that are one
   * job.
   */
  readonly name: string | ((controller: Controller) => string);
}

/**
 * Makes the `scheduled` handler of a Worker. It runs a job once per scheduled time and never two runs of one name at
 * once. The slot is `controller.scheduledTime`. The handler returns where there is nothing to do; `onReport` gets the
 * report.
 *
 * The returned function throws the error of the work; LeaseLostError when the lease was lost during the work;
 * LeaseholdError when Redis was unavailable, and then nothing ran.
 *
 * @example
 * ```ts
 * const scheduled = scheduledGuard({ locks, name: "reports" }, async ({ slot, token }, controller) => {
 *   console.log(`${controller.cron} was due at ${slot}`);
 *   await record(token);
 * });
 * await scheduled({ cron: "0 3 * * *", scheduledTime: Date.UTC(2026, 10, 21, 3) }, env, ctx);
 * ```
 *
 * @throws TypeError or RangeError for an invalid option.
 */
export function scheduledGuard<
  Env = unknown,
  Controller extends Scheduled = Scheduled,
  Context extends { waitUntil: WaitUntil } = { waitUntil: WaitUntil },
>(
  options: ScheduledGuardOptions<Env, Controller> & Refusing,
  handler: (run: Run, controller: Controller, env: Env, ctx: Context) => unknown,
): (controller: Controller, env: Env, ctx: Context) => Promise<void>;
export function scheduledGuard<
  Env = unknown,
  Controller extends Scheduled = Scheduled,
  Context extends { waitUntil: WaitUntil } = { waitUntil: WaitUntil },
>(
  options: ScheduledGuardOptions<Env, Controller>,
  handler: (run: Run | UnprotectedRun, controller: Controller, env: Env, ctx: Context) => unknown,
): (controller: Controller, env: Env, ctx: Context) => Promise<void>;
export function scheduledGuard<Env, Controller extends Scheduled, Context extends { waitUntil: WaitUntil }>(
  options: ScheduledGuardOptions<Env, Controller>,
  handler: (run: never, controller: Controller, env: Env, ctx: Context) => unknown,
): (controller: Controller, env: Env, ctx: Context) => Promise<void> {
  toWork(handler, "scheduledGuard", "scheduledGuard(options, handler)", options, "handler");
  const settings = toSettings(options, "name");
  const { locks, name, onReport } = options;
  if (typeof locks !== "function") connectionOf(locks);
  if (typeof name !== "function") toPart(name, "name");

  return async function scheduled(controller: Controller, env: Env, ctx: Context): Promise<void> {
    const named = typeof name === "function" ? name(controller) : `${name} ${controller.cron}`.trimEnd();
    await runOccurrence({
      connection: connectionOf(typeof locks === "function" ? locks(env) : locks),
      name: toPart(named, "name", WITH_EXPRESSION_BYTES),
      slot: toSlot(new Date(controller.scheduledTime)),
      settings,
      waitUntil: boundWaitUntil(options, ctx),
      onReport,
      work: (run) => handler(run as never, controller, env, ctx),
    });
  };
}
