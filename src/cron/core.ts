import { type Connection, connectionOf } from "../redis/connect.ts";
import { inCall } from "../shared/misuse.ts";
import { refuseUnstarted } from "../shared/unstarted.ts";
import { boundWaitUntil, type WaitUntil } from "../shared/wait-until.ts";
import { toPart, toSlot, WITH_EXPRESSION_BYTES } from "./names.ts";
import { type CronOptions, toSettings } from "./options.ts";
import type { Report } from "./report.ts";
import { type Run, runOccurrence, type UnprotectedRun } from "./run-occurrence.ts";

/** One call, from any platform. */
interface Call {
  readonly connection: Connection;
  /** The name of the job. */
  readonly name: string;
  /** The occurrence of the call. */
  readonly slot: Date | string;
  /** Finds the next occurrence, if the platform's function knows the schedule. */
  readonly next?: (() => Date | undefined) | undefined;
  /** The object with the platform's `waitUntil`, if there is one. An option of that name takes precedence. */
  readonly context: { readonly waitUntil?: WaitUntil | undefined };
  readonly work: (run: Run | UnprotectedRun) => unknown;
}

/** The core shared by all platforms' functions. */
interface Core<LocksOf extends readonly unknown[]> {
  /** Returns the connection of a call. */
  connect(...call: LocksOf): Connection;
  /** Runs the occurrence of a call, or finds that there is nothing to do. */
  run(call: Call): Promise<Report>;
}

/**
 * Checks the options of every cron, and makes the shared core. `own` lists the options that one platform adds, and
 * `door` is its function's name in errors.
 *
 * @throws TypeError or RangeError for an invalid option.
 */
export function cronCore<LocksOf extends readonly unknown[]>(
  door: string,
  options: CronOptions<LocksOf>,
  own: string,
): Core<LocksOf> {
  const settings = inCall(door, () => toSettings(options, own));
  const { locks, onReport } = options;
  if (typeof locks !== "function") inCall(door, () => connectionOf(locks));
  return {
    connect: (...call) => inCall(door, () => connectionOf(typeof locks === "function" ? locks(...call) : locks)),
    async run({ connection, name, slot, next, context, work }) {
      const checked = inCall(door, () => ({
        name: toPart(name, "name", WITH_EXPRESSION_BYTES),
        slot: toSlot(slot),
        waitUntil: boundWaitUntil(options, context),
      }));
      return runOccurrence({
        ...{ connection, ...checked, next, settings, onReport },
        work: async (run) => refuseUnstarted(await work(run), door),
      });
    },
  };
}
