import { commitUnder } from "../kinds/attempts.ts";
import { toLimits } from "../lease/keep-alive.ts";
import type { Lease } from "../lease/lease.ts";
import { mayRunUnprotected } from "../lease/unavailable.ts";
import { stopwatch } from "../redis/clock.ts";
import type { Commit } from "../shared/commit.ts";
import { type LeaseholdError, LeaseLostError } from "../shared/errors.ts";
import type { CronStatus } from "../shared/events.ts";
import { type Background, noop } from "../shared/wait-until.ts";
import { type Begun, beginRun, type SlotToRun } from "./job.ts";
import { describe } from "./last-run.ts";
import { lockName, slotKey } from "./names.ts";
import type { CronOptions } from "./options.ts";
import type { Ran, RanUnprotected, Report } from "./report.ts";

/** One run of a job, as its work sees it. */
export interface Run {
  readonly name: string;
  /** The occurrence: an instant in UTC (`"2026-11-21T03:00:00.000Z"`), or the text that was passed. */
  readonly slot: string;
  /** The number of runs of this slot that have begun, from 1. */
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
  /**
   * Does the work of this slot exactly once in one database: in a transaction that also stores its result, which a later
   * run of the slot gets instead of doing the work. A run that froze, and that a later slot has overtaken there, is
   * refused. See {@link Commit}.
   */
  readonly commit: Commit;
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
  readonly commit: undefined;
  readonly protected: false;
  /** Why Redis was unavailable. */
  readonly error: LeaseholdError;
}

/** One call for an occurrence: which one, and how to run it. */
export interface Invocation extends SlotToRun {
  readonly waitUntil: Background | undefined;
  readonly onReport: CronOptions["onReport"];
  readonly work: (run: Run | UnprotectedRun) => unknown;
}

/** Does the work under the lease of a run, and ends the run by one request. */
async function perform(invocation: Invocation, { held, attempt, startedAt, end }: Begun): Promise<Ran> {
  const { connection, name, slot, work } = invocation;
  const { lease } = held;
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
    commit: commitUnder(connection, slotKey(name, slot), { attempt, token }, lease),
    protected: true,
  };
  /** Without an answer, the lease ends the run as well. */
  const failed = (outcome: "failed" | "lost", error: unknown): Promise<void> =>
    end({ outcome, durationMs: Math.round(elapsed()), error: describe(error) }).catch(noop);

  try {
    await work(run);
    // Another run may have overlapped this one, so it does not count as done. This reads the clock, since the signal's
    // timer may be late after a freeze.
    lease.throwIfEnded();
  } catch (error) {
    await failed(held.ended() ? "lost" : "failed", error);
    throw error;
  }
  // No other run overlapped, so this one counts as done even if that is stored late, unless another has begun the slot
  // since.
  const durationMs = Math.round(elapsed());
  const result = { token, startedAt, durationMs };
  try {
    await end({ outcome: "ran", durationMs, result, busyMs: lease.remaining });
  } catch (error) {
    if (error instanceof LeaseLostError) await failed("lost", error);
    throw error;
  }
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
    commit: undefined,
    protected: false,
    error,
  });
  return { status: "ran unprotected", name, slot, code: error.code };
}

/** Begins a run, does the work while its lease is kept alive, and ends the run. */
async function beginAndPerform(invocation: Invocation): Promise<Report> {
  const { settings } = invocation;
  const begun = await beginRun(invocation).catch((error: unknown) => {
    if (!settings.open || !mayRunUnprotected(error)) throw error;
    return performUnprotected(invocation, error);
  });
  if (begun.status !== "begun") return begun;
  const limits = toLimits(settings.limits, undefined);
  const done: { report?: Ran } = {};
  const work = async (): Promise<void> => {
    done.report = await perform(invocation, begun);
  };
  try {
    await begun.held.run(work, undefined, limits);
  } catch (error) {
    // The end of the lease after all was done does not undo it.
    if (!done.report) throw error;
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

/** Begins and performs a run, and reports the result to listeners and to `onReport`. */
async function observed(invocation: Invocation): Promise<Report> {
  const { connection, name, slot, onReport } = invocation;
  const elapsed = stopwatch(connection.clock);
  let status: CronStatus = "unavailable";
  let report: Report;
  try {
    report = await beginAndPerform({
      ...invocation,
      work(run) {
        status = "failed";
        return invocation.work(run);
      },
    });
    status = report.status;
  } catch (error) {
    if (isLoss(error)) status = "lost";
    throw error;
  } finally {
    connection.emit?.({ kind: "cron", name, type: "occurred", slot, status, durationMs: elapsed() });
  }
  try {
    await onReport?.(report);
  } catch {}
  return report;
}

/**
 * Runs one occurrence, or finds that there is nothing to do.
 *
 * @throws the error of the work; LeaseLostError if the lease was lost during the work; LeaseholdError if Redis does not
 * answer.
 */
export async function runOccurrence(invocation: Invocation): Promise<Report> {
  const ended = observed(invocation);
  invocation.waitUntil?.(ended.catch(noop));
  return ended;
}
