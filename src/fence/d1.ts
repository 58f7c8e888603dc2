import { shown } from "../shared/misuse.ts";
import type { Fenced } from "./rule.ts";
import type { Statement } from "./sql-dialect.ts";
import { type SqlBatchFence, sqlFence } from "./sql-fence.ts";
import { SQLITE_CHANGES, SQLITE_TABLE, sqliteGuard, sqliteKept } from "./sqlite-table.ts";

/** The used part of a prepared statement of D1. */
export interface D1Statement {
  bind(...values: unknown[]): D1Statement;
  first(): Promise<Record<string, unknown> | null>;
}

/** The used part of a D1 database or session. */
export interface D1Like<S extends D1Statement = D1Statement> {
  prepare(sql: string): S;
  batch(statements: S[]): Promise<readonly { readonly results: readonly unknown[] }[]>;
}

/**
 * Fences writes to D1, whose `batch` is a transaction.
 *
 * @example
 * ```ts no-run
 * import type { D1Database } from "@cloudflare/workers-types";
 * declare const DB: D1Database;
 * const fence = d1Fence(DB); // its table: SQLITE_FENCE_TABLE in a migration, or `await fence.setup()`
 * await locks.lock("invoice 42").run(async (lease) => {
 *   await fence.write(lease, "UPDATE invoices SET paid = 1 WHERE id = ?", [42]);
 *   await fence.batch(lease, [
 *     { sql: "UPDATE stock SET left = left - 1 WHERE id = ?", params: [7] },
 *     { sql: "INSERT INTO outbox (mail) VALUES (?)", params: ["paid"] },
 *   ]);
 * });
 * ```
 *
 * @throws TypeError for a value that is not a D1 database.
 */
export function d1Fence<S extends D1Statement>(db: D1Like<S>): SqlBatchFence {
  if (typeof db?.batch !== "function") throw new TypeError(`d1Fence: db must be a D1 database, not ${shown(db)}`);
  const prepare = ({ sql, params }: Statement): S => db.prepare(sql).bind(...params) as S;
  /**
   * Runs a transaction; returns the number of rows that each statement of `work` changed. Not `meta.changes`, which
   * includes the rows of triggers.
   */
  async function changesOf(
    work: readonly Statement[],
    before: readonly Statement[] = [],
    after: readonly Statement[] = [],
  ): Promise<readonly number[]> {
    const counted = work.flatMap((statement) => [statement, SQLITE_CHANGES]);
    const results = await db.batch([...before, ...counted, ...after].map(prepare));
    return work.map((_, index) => {
      const [row] = results[before.length + 2 * index + 1]?.results ?? [];
      return Number((row as { readonly changes: number }).changes);
    });
  }
  const together = (lease: Fenced, work: readonly Statement[]): Promise<readonly number[]> =>
    changesOf(work, [sqliteGuard(lease)], [sqliteKept(lease)]);
  return sqlFence({
    dialect: "sqlite",
    table: SQLITE_TABLE,
    run: async (statement) => (await changesOf([statement]))[0] ?? 0,
    first: async (statement) => (await prepare(statement).first()) ?? undefined,
    claim: (lease) => together(lease, []),
    together,
  });
}
