/**
 * The rows of `leasehold_fence` that an attempt's commit reads and writes: the row of its key, which marks the work as
 * done, and that of the lock under which it runs, if there is one.
 */

import type { Committing } from "../shared/commit.ts";
import type { StoredResult } from "../shared/json.ts";
import { writeResult } from "../shared/json.ts";
import { StaleTokenError, toFenced } from "./rule.ts";
import { unreadable } from "./token-table.ts";

/** A row as it is written. `text` and `doneAt` are null in the row of a lock. */
export interface RowToWrite {
  readonly name: string;
  readonly token: number;
  /** The result, in JSON. */
  readonly text: string | null;
  /** In ms since 1970. */
  readonly doneAt: number | null;
}

/** A row as drivers return it: some return a `BIGINT` as text or as a bigint. */
export interface RowRead {
  readonly name: unknown;
  readonly token: unknown;
  readonly result: unknown;
  readonly done_at: unknown;
}

/** What the rows say about an attempt. */
export type Standing<T> =
  | { readonly status: "done"; readonly result: StoredResult<T> }
  | { readonly status: "stale"; readonly error: StaleTokenError }
  | { readonly status: "open" };

/** Checks the tokens of a commit. @throws TypeError or RangeError for one that no lease can have. */
export const toCommitting = ({ key, lease, attempt, under }: Committing): Committing => ({
  key,
  lease: toFenced(lease),
  attempt,
  under: under && { key: under.key, lease: toFenced(under.lease) },
});

/** The result as JSON. Only ASCII, so that no character set of a database changes it. @throws if it is not JSON. */
export function toText(result: unknown): string {
  const { text, ...failed } = writeResult(result);
  if (text === undefined) throw (failed as { readonly error: Error }).error;
  return text.replace(/[\u007f-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The names of the rows of an attempt, sorted, so that two transactions lock them in the same order. */
export function namesOf({ key, under }: Committing): readonly string[] {
  return under && under.key !== key ? [key, under.key].sort() : [key];
}

/** The rows of a commit, in the order of {@link namesOf}. */
export function rowsOf(attempt: Committing, text: string): readonly RowToWrite[] {
  const { key, lease, under } = attempt;
  return namesOf(attempt).map((name) => {
    if (name === key) return { name, token: lease.token, text, doneAt: Date.now() };
    return { name, token: under?.lease.token ?? lease.token, text: null, doneAt: null };
  });
}

/** Reads the rows that the database returned for the names of an attempt. @throws TypeError for a token that is no number. */
export function standingOf<T>(attempt: Committing, rows: readonly RowRead[]): Standing<T> {
  const { key, lease, under } = attempt;
  const done = rows.find(({ name, done_at }) => name === key && done_at !== null && done_at !== undefined);
  // Whoever asks, also under a lower token: the work is done, and this is its result.
  if (done) return { status: "done", result: JSON.parse(`${done.result}`) };
  for (const { key: own, lease: fenced } of under ? [{ key, lease }, under] : [{ key, lease }]) {
    const row = rows.find(({ name }) => name === own);
    if (!row) continue;
    const seen =
      typeof row.token === "string" && !/^\d+$/.test(row.token) ? Number.NaN : Number(row.token ?? Number.NaN);
    if (Number.isNaN(seen)) throw unreadable(fenced, `${row.token}`);
    if (seen > fenced.token) return { status: "stale", error: new StaleTokenError(fenced, seen) };
  }
  return { status: "open" };
}
