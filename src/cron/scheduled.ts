import { type ConnectionSource, connectionOf } from "../redis/connect.ts";
import { boundWaitUntil, type WaitUntil } from "../shared/wait-until.ts";
import { toPart, toSlot, WITH_EXPRESSION_BYTES } from "./names.ts";
import { occur, type Run } from "./occur.ts";
import { type CronSettings, toSettings } from "./settings.ts";

/** What Cloudflare says of the event, as far as it is needed. */
export interface Scheduled {
  /** The expression that is due. */
  readonly cron: string;
  /** When it is, in ms since 1970: the same for every delivery of the event. */
  readonly scheduledTime: number;
}

export interface ScheduledGuardOptions<Env = unknown, Controller extends Scheduled = Scheduled> extends CronSettings {
  /** What `createLocks` or `connect` gave, or a function that makes it of `env`. */
  readonly locks: ConnectionSource | ((env: Env) => ConnectionSource);
  /**
   * Of the job. A text is followed by a space and the expression, since the expressions of one Worker are usually jobs of their own:
   * `"nightly 0 3 * * *"`. A function gives the whole name, for several expressions that are one job.
   */
  readonly name: string | ((controller: Controller) => string);
}

/**
 * The `scheduled` handler of a Worker, which runs a job once for every scheduled time and never two of one name at once. The slot is
 * `controller.scheduledTime`. Where there is nothing to do it returns; `onReport` is told.
 *
 * It throws what the handler throws; LeaseLostError when the lease was lost during the work; LeaseholdError when Redis could not be
 * asked, and then nothing ran.
 *
 * @throws TypeError or RangeError for an option that cannot be.
 */
export function scheduledGuard<
  Env = unknown,
  Controller extends Scheduled = Scheduled,
  Context extends { waitUntil: WaitUntil } = { waitUntil: WaitUntil },
>(
  options: ScheduledGuardOptions<Env, Controller>,
  handler: (run: Run, controller: Controller, env: Env, ctx: Context) => unknown,
): (controller: Controller, env: Env, ctx: Context) => Promise<void> {
  const settings = toSettings(options, "name");
  const { locks, name, onReport } = options;
  if (typeof handler !== "function") throw new TypeError("handler must be a function");
  if (typeof locks !== "function") connectionOf(locks);
  if (typeof name !== "function") toPart(name, "name");

  return async function scheduled(controller: Controller, env: Env, ctx: Context): Promise<void> {
    const named = typeof name === "function" ? name(controller) : `${name} ${controller.cron}`.trimEnd();
    await occur({
      connection: connectionOf(typeof locks === "function" ? locks(env) : locks),
      name: toPart(named, "name", WITH_EXPRESSION_BYTES),
      slot: toSlot(new Date(controller.scheduledTime)),
      settings,
      waitUntil: boundWaitUntil(options, ctx),
      onReport,
      work: (run) => handler(run, controller, env, ctx),
    });
  };
}
