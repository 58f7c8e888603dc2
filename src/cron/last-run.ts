import { redisFence } from "../fence/redis.ts";
import { type Connection, type ConnectionSource, connectionOf } from "../redis/connect.ts";
import { recordName, toPart, WITH_EXPRESSION_BYTES } from "./names.ts";

/**
 * - `running`: it has begun. It still runs, or died without a word: when it began longer ago than a run can take, it died.
 * - `ran`: it has ended well.
 * - `failed`: it threw.
 * - `lost`: its lease was over before it had ended, so it may have overlapped with a later run.
 */
export type Outcome = "running" | "ran" | "failed" | "lost";

/** The run of a name that began last. */
export interface LastRun {
  readonly name: string;
  /** The occurrence: an instant in UTC, or the text that was given. */
  readonly slot: string;
  /** In ISO 8601, by the clock of the machine that ran it. */
  readonly startedAt: string;
  /** Null while `running`. */
  readonly durationMs: number | null;
  readonly outcome: Outcome;
  /** Its fencing token. */
  readonly token: number;
  readonly attempt: number;
  /** Name and message of what a run threw that did not end well, cut to 300 characters. */
  readonly error?: string;
}

const MOST_CHARACTERS = 300;

/** Never throws, whatever was thrown. */
export function describe(error: unknown): string {
  try {
    const text =
      error instanceof Error ? `${error.name}: ${error.message}` : typeof error === "string" ? error : typeof error;
    return text.slice(0, MOST_CHARACTERS);
  } catch {
    return typeof error;
  }
}

const fenceOf = (connection: ConnectionSource) => redisFence(connection, { ttl: "365d" });

/** Fenced by the run's token. @throws StaleTokenError when a later run has begun. */
export const writeRecord = (connection: Connection, record: LastRun): Promise<void> =>
  fenceOf(connection).write({ name: recordName(record.name), token: record.token }, JSON.stringify(record));

/**
 * The run of this name that began last, or null when there was none within a year. One request.
 *
 * @throws TypeError or RangeError for what is no connection or no name; LeaseholdError when there is no answer.
 */
export async function lastRun(locks: ConnectionSource, name: string): Promise<LastRun | null> {
  if (typeof locks === "string") throw new TypeError("lastRun takes the locks first, and then the name");
  const found = await fenceOf(connectionOf(locks)).read(recordName(toPart(name, "name", WITH_EXPRESSION_BYTES)));
  return found?.value ? (JSON.parse(found.value) as LastRun) : null;
}
