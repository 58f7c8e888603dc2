import type { Lease } from "../engine/hold.ts";
import { stopwatch } from "../redis/clock.ts";
import type { Connection } from "../redis/connect.ts";
import { type Duration, toMs } from "../shared/checks.ts";
import { LeaseLostError } from "../shared/errors.ts";
import { type Background, noop } from "../shared/wait-until.ts";
import { briefly } from "./brief.ts";
import { describe, type Outcome, writeRecord } from "./last-run.ts";
import type { Ran, Report } from "./report.ts";
import { type CronSettings, outlasting, type Settings } from "./settings.ts";
import { type Taken, take } from "./take.ts";

/** What the work is told of its run. */
export interface Run {
  readonly name: string;
  /** The occurrence: an instant in UTC (`"2026-11-21T03:00:00.000Z"`), or the text that was given. */
  readonly slot: string;
  /** How many invocations have begun this slot, those that found the previous occurrence still running included. */
  readonly attempt: number;
  /** Of the lock `cron:<name>`. Its token rises from run to run: give it to whatever the work writes to. */
  readonly lease: Lease;
  /** The lease's. */
  readonly token: number;
  /** Aborted when the lease is over before the work is: then it must stop. */
  readonly signal: AbortSignal;
}

export interface Occasion {
  readonly connection: Connection;
  readonly name: string;
  readonly slot: string;
  readonly settings: Settings;
  readonly waitUntil: Background | undefined;
  readonly onReport: CronSettings["onReport"];
  readonly work: (run: Run) => unknown;
}

/** That the lease ended before the work did, or undefined. After a freeze the signal's timer may be late; the clock is not. */
function lossOf({ lease }: Taken): unknown {
  if (lease.remaining > 0) return undefined;
  return lease.signal.aborted ? lease.signal.reason : new LeaseLostError(lease.name, "expired");
}

/** Does the work, and has the slot remembered as done before anything else: what is not remembered is done again. */
async function perform({ connection, name, slot, work, waitUntil, settings }: Occasion, taken: Taken): Promise<Ran> {
  const { turn, lease, startedAt } = taken;
  const { attempt } = turn;
  const { token } = lease;
  const { leaseMs } = settings;
  const elapsed = stopwatch(connection.clock);
  const run: Run = {
    name,
    slot,
    attempt,
    // The slot's attempt must outlast the lock: else another call for the slot takes it over, and the work is done again.
    lease: Object.create(lease, {
      extend: {
        async value(duration?: Duration) {
          const ms = duration === undefined ? leaseMs : toMs(duration, "duration");
          await turn.lease.extend(outlasting(ms, 2000));
          await lease.extend(ms);
        },
      },
    }) as Lease,
    token,
    get signal() {
      return lease.signal;
    },
  };

  const timed = () => ({ token, startedAt: new Date(startedAt).toISOString(), durationMs: Math.round(elapsed()) });
  /** What the record says is for people: it hides nothing and stops nothing. A later run's is left alone. */
  const keep = (outcome: Outcome, error?: unknown): Promise<void> => {
    const failed = outcome === "ran" ? {} : { error: describe(error) };
    return writeRecord(connection, { name, slot, ...timed(), outcome, attempt, ...failed }).catch(noop);
  };

  try {
    await work(run);
    const loss = lossOf(taken);
    // Somebody else may have been at it meanwhile, so it does not count as done.
    if (loss) throw loss;
  } catch (error) {
    const failed = briefly(turn.fail(), connection, waitUntil);
    await Promise.all([keep(lossOf(taken) ? "lost" : "failed", error), failed]);
    throw error;
  }
  // Alone to the end, so it counts however late this is known; unless another invocation has begun the slot since.
  const result = timed();
  try {
    await turn.complete(result);
  } catch (error) {
    await keep(error instanceof LeaseLostError ? "lost" : "ran", error);
    throw error;
  }
  await keep("ran");
  return { status: "ran", name, slot, attempt, ...result };
}

async function attend(occasion: Occasion): Promise<Report> {
  const { connection, name, slot, settings, waitUntil } = occasion;
  const taken = await take(connection, name, slot, settings, waitUntil);
  if (taken.status !== "taken") return taken;
  const { turn, lease } = taken;
  const { limits } = settings;
  const done: { report?: Ran } = {};
  const releases: Promise<unknown>[] = [];
  const own = { waitUntil: (promise: Promise<unknown>) => void releases.push(promise) };
  const run = async (): Promise<void> => {
    done.report = await perform(occasion, taken);
  };
  try {
    await turn.lease.keepAlive(own, () => lease.keepAlive(own, run, limits), limits);
  } catch (error) {
    // A lease that ended after all was done changes nothing of that.
    if (!done.report) throw error;
  } finally {
    // When we answer the next occurrence may begin.
    await briefly(Promise.all(releases), connection, waitUntil);
  }
  return done.report as Ran;
}

/**
 * Runs one occurrence, or finds that there is nothing to do.
 *
 * @throws what the work throws; LeaseLostError when the lease was lost during the work; LeaseholdError when there is no answer.
 */
export async function occur(occasion: Occasion): Promise<Report> {
  const { waitUntil, onReport } = occasion;
  const attended = (async () => {
    const report = await attend(occasion);
    try {
      await onReport?.(report);
    } catch {}
    return report;
  })();
  waitUntil?.(attended.catch(noop));
  return attended;
}
