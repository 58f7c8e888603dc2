import type { Lease } from "../lease/lease.ts";
import { mayRunUnprotected } from "../lease/unavailable.ts";
import { stopwatch } from "../redis/clock.ts";
import { type LeaseholdError, LeaseLostError } from "../shared/errors.ts";
import type { CronStatus } from "../shared/events.ts";
import { noop } from "../shared/wait-until.ts";
import { describe, type Outcome, writeRecord } from "./last-run.ts";
import { lockName } from "./names.ts";
import type { CronOptions } from "./options.ts";
import type { Ran, RanUnprotected, Report } from "./report.ts";
import { awaitCleanUp, type SlotToTake, type Taken, takeSlot } from "./take-slot.ts";

/** One run of a job, as its work sees it. */
export interface Run {
  readonly name: string;
  /** The occurrence: an instant in UTC (`"2026-11-21T03:00:00.000Z"`), or the text that was passed. */
  readonly slot: string;
  /**
   * The number of invocations that have begun this slot, including those that found the previous occurrence still
   * running.
   */
  readonly attempt: number;
  /**
   * The lease of the lock `cron:<name>` and of the slot. Extending it extends both, and it is lost with either of them.
   * Its token rises from run to run: pass it with every write. It ends with the run, so its `ticket()` throws a
   * TypeError; for work that continues elsewhere, acquire a lock and hand over its ticket.
   */
  readonly lease: Lease;
  /** The lease's fencing token. */
  readonly token: number;
  /** Aborts if the lease ends before the work does. The work must then stop. */
  readonly signal: AbortSignal;
  /**
   * Throws a LeaseLostError if the lease has ended. Call it right before a write, since `signal` may abort late after a
   * freeze. See {@link Lease.throwIfEnded}.
   */
  readonly throwIfEnded: () => void;
  readonly protected: true;
}

/**
 * One run of a job without a lease (`onUnavailable: "run"`), as its work sees it. Others may run it at the same time.
 */
export interface UnprotectedRun extends Pick<Run, "name" | "slot"> {
  readonly attempt: undefined;
  readonly lease: undefined;
  readonly token: undefined;
  readonly signal: undefined;
  readonly throwIfEnded: undefined;
  readonly protected: false;
  /** Why Redis was unavailable. */
  readonly error: LeaseholdError;
}

/** One call for an occurrence: which one, and how to run it. */
export interface Invocation extends SlotToTake {
  readonly onReport: CronOptions["onReport"];
  readonly work: (run: Run | UnprotectedRun) => unknown;
}

/**
 * Returns why the lease ended before the work did, or undefined while it lasts. It reads the clock, since the signal's
 * timer may be late after a freeze.
 */
function lossOf({ lease }: Taken): unknown {
  if (lease.remaining > 0) return undefined;
  return lease.signal.aborted ? lease.signal.reason : new LeaseLostError(lease.name, "expired");
}

/** Does the work, and marks the slot as done before anything else: an unmarked slot runs again. */
async function perform({ connection, name, slot, work, waitUntil }: Invocation, taken: Taken): Promise<Ran> {
  const { turn, lease, startedAt } = taken;
  const { about } = taken;
  const { attempt } = turn;
  const { token } = lease;
  const elapsed = stopwatch(connection.clock);
  const run: Run = {
    name,
    slot,
    attempt,
    lease,
    token,
    get signal() {
      return lease.signal;
    },
    throwIfEnded: lease.throwIfEnded,
    protected: true,
  };

  const timed = () => ({ token, startedAt: new Date(startedAt).toISOString(), durationMs: Math.round(elapsed()) });
  /** Records the outcome for people to read; a failure changes nothing. A later run's record is left alone. */
  const keep = (outcome: Outcome, error?: unknown): Promise<void> => {
    const failed = outcome === "ran" ? {} : { error: describe(error) };
    return writeRecord(connection, { ...about, ...timed(), outcome, attempt, ...failed }).catch(noop);
  };

  try {
    await work(run);
    const loss = lossOf(taken);
    // Another run may have overlapped this one, so it does not count as done.
    if (loss) throw loss;
  } catch (error) {
    const failed = awaitCleanUp(turn.fail(), connection, waitUntil);
    await Promise.all([keep(lossOf(taken) ? "lost" : "failed", error), failed]);
    throw error;
  }
  // No other run overlapped, so this one counts as done even if that is stored late, unless another has begun the slot
  // since.
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

/** Does the work without a lease, and records nothing: there is nowhere to record it. */
async function performUnprotected(invocation: Invocation, error: LeaseholdError): Promise<RanUnprotected> {
  const { connection, name, slot, work } = invocation;
  connection.emit?.({ kind: "lock", name: lockName(name), type: "unprotected", why: error.code });
  await work({
    name,
    slot,
    attempt: undefined,
    lease: undefined,
    token: undefined,
    signal: undefined,
    throwIfEnded: undefined,
    protected: false,
    error,
  });
  return { status: "ran unprotected", name, slot, code: error.code };
}

/** Takes the slot, does the work while its lease is kept alive, and releases the lock. */
async function takeAndPerform(invocation: Invocation): Promise<Report> {
  const { connection, settings, waitUntil } = invocation;
  const taken = await takeSlot(invocation).catch((error: unknown) => {
    if (!settings.open || !mayRunUnprotected(error)) throw error;
    return performUnprotected(invocation, error);
  });
  if (taken.status !== "taken") return taken;
  const { lease } = taken;
  const { limits } = settings;
  const done: { report?: Ran } = {};
  const releases: Promise<unknown>[] = [];
  const own = { waitUntil: (promise: Promise<unknown>) => void releases.push(promise) };
  const run = async (): Promise<void> => {
    done.report = await perform(invocation, taken);
  };
  try {
    await lease.keepAlive(own, run, limits);
  } catch (error) {
    // The end of the lease after all was done does not undo it.
    if (!done.report) throw error;
  } finally {
    // The next occurrence may begin as soon as this call returns.
    await awaitCleanUp(Promise.all(releases), connection, waitUntil);
  }
  return done.report as Ran;
}

/** Whether a thrown value is the loss of a lease. Work may throw a value whose members throw. */
function isLoss(error: unknown): boolean {
  try {
    return error instanceof LeaseLostError;
  } catch {
    return false;
  }
}

/** Takes the slot, runs the work, and reports the result to listeners. */
async function observed(invocation: Invocation): Promise<Report> {
  const { connection, name, slot } = invocation;
  const elapsed = stopwatch(connection.clock);
  let status: CronStatus = "unavailable";
  try {
    const report = await takeAndPerform({
      ...invocation,
      work(run) {
        status = "failed";
        return invocation.work(run);
      },
    });
    status = report.status;
    return report;
  } catch (error) {
    if (isLoss(error)) status = "lost";
    throw error;
  } finally {
    connection.emit?.({ kind: "cron", name, type: "occurred", slot, status, durationMs: elapsed() });
  }
}

/**
 * Runs one occurrence, or finds that there is nothing to do.
 *
 * @throws the error of the work; LeaseLostError if the lease was lost during the work; LeaseholdError if Redis does not
 * answer.
 */
export async function runOccurrence(invocation: Invocation): Promise<Report> {
  const { waitUntil, onReport } = invocation;
  const ended = (async () => {
    const report = await observed(invocation);
    try {
      await onReport?.(report);
    } catch {}
    return report;
  })();
  waitUntil?.(ended.catch(noop));
  return ended;
}
