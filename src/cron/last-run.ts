import { fencedValues } from "../fence/fenced-values.ts";
import { type Connection, type ConnectionSource, connectionOf } from "../redis/connect.ts";
import { inCall } from "../shared/misuse.ts";
import { recordName, toPart, WITH_EXPRESSION_BYTES } from "./names.ts";

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

const fenceOf = (connection: ConnectionSource) => fencedValues(connection, { ttl: "365d" });

/** Writes the record, fenced by the run's token. @throws StaleTokenError if a later run has begun. */
export const writeRecord = (connection: Connection, record: LastRun): Promise<void> =>
  fenceOf(connection).write({ name: recordName(record.name), token: record.token }, JSON.stringify(record));

/**
 * Reads the most recently started run of a job, in one request. Returns null if none began within the last year.
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
  const found = await inCall("lastRun", () =>
    fenceOf(connectionOf(locks)).read(recordName(toPart(name, "name", WITH_EXPRESSION_BYTES))),
  );
  return found?.value ? (JSON.parse(found.value) as LastRun) : null;
}
