import { type Connection, type ConnectionSource, connectionOf } from "../redis/connect.ts";
import { runScript } from "../redis/run.ts";
import { fenceRead } from "../redis/scripts.gen.ts";
import { type Target, targetOf } from "../redis/target.ts";
import { inCall } from "../shared/misuse.ts";
import { jobView, recordName, toPart, WITH_EXPRESSION_BYTES } from "./names.ts";

/**
 * How a run ended, or `running`:
 *
 * - `running`: it has begun and has not reported its end. If it began longer ago than a run can take, it crashed.
 * - `ran`: it succeeded.
 * - `failed`: it threw an error.
 * - `lost`: its lease ended before the work did, so it may have overlapped a later run.
 */
export type Outcome = "running" | "ran" | "failed" | "lost";

/** The most recently started run of a job. */
export interface LastRun {
  readonly name: string;
  /** The occurrence: an instant in UTC, or the text that was passed. */
  readonly slot: string;
  /** The next occurrence, an instant in UTC, if `cronRoute` knows the schedule. */
  readonly next?: string;
  /** When it began, in ISO 8601, by the clock of the machine that ran it. */
  readonly startedAt: string;
  /** How long it took, in ms; null while `running`. */
  readonly durationMs: number | null;
  readonly outcome: Outcome;
  /** The run's fencing token. */
  readonly token: number;
  /** Number of the slot's attempt, from 1. */
  readonly attempt: number;
  /** Name and message of the error of a run that did not succeed, cut to 300 characters. */
  readonly error?: string;
}

const MAX_CHARACTERS = 300;

/** Describes a thrown value, and never throws. */
export function describe(error: unknown): string {
  try {
    const text =
      error instanceof Error ? `${error.name}: ${error.message}` : typeof error === "string" ? error : typeof error;
    return text.slice(0, MAX_CHARACTERS);
  } catch {
    return typeof error;
  }
}

/** How long a record is kept: a year. */
export const KEPT_MS: number = 365 * 86_400_000;

/** The fence whose value is the last run. */
export function lastRunOf(connection: Connection, name: string): Target {
  const target = targetOf(connection, "fence", [recordName(name)]);
  return { ...target, keys: [`${target.keys[0]}%fence`] };
}

async function read(connection: Connection, name: string): Promise<LastRun | null> {
  const { value } = await runScript(lastRunOf(connection, name), fenceRead, [], { operation: "read" });
  return value === "=" ? null : (JSON.parse(value.slice(1)) as LastRun);
}

/**
 * Reads the most recently started run of a job, in one request, or in two if this release has recorded none. Returns null if none began within the last year.
 *
 * @example
 * ```ts
 * await runCron({ locks, name: "export", slot: "2026-11-21" }, async () => {});
 * const last = await lastRun(locks, "export");
 * console.log(last?.outcome, last?.durationMs); // "ran", and how long it took
 * ```
 *
 * @throws TypeError or RangeError for an invalid connection or name; LeaseholdError if Redis does not answer.
 */
export async function lastRun(locks: ConnectionSource, name: string): Promise<LastRun | null> {
  if (typeof locks === "string") throw new TypeError("lastRun: the locks come before the name: lastRun(locks, name)");
  const [connection, view] = inCall("lastRun", () => {
    const connection = connectionOf(locks);
    return [connection, jobView(connection, toPart(name, "name", WITH_EXPRESSION_BYTES))];
  });
  // An earlier release keeps the record under a key of its own.
  return (await read(view, name)) ?? (view === connection ? null : read(connection, name));
}
