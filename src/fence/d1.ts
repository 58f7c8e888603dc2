import { shown } from "../shared/misuse.ts";
import type { Statement } from "./sql-dialect.ts";
import { type SqlBatchFence, sqlFence } from "./sql-fence.ts";
import { SQLITE_FENCE_TABLE, sqliteRefused } from "./sqlite.ts";

/** The used part of a prepared statement of D1. */
export interface D1Statement {
  bind(...values: unknown[]): D1Statement;
  run(): Promise<{ readonly meta: { readonly changes: number } }>;
  first(): Promise<Record<string, unknown> | null>;
}

/** The used part of a D1 database or session. */
export interface D1Like<S extends D1Statement = D1Statement> {
  prepare(sql: string): S;
  batch(statements: S[]): Promise<readonly { readonly meta: { readonly changes: number } }[]>;
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
  return sqlFence(SQLITE_FENCE_TABLE, {
    dialect: "sqlite",
    run: async (statement) => (await prepare(statement).run()).meta.changes,
    first: async (statement) => (await prepare(statement).first()) ?? undefined,
    together: async (guard, work) =>
      (await db.batch([guard, ...work].map(prepare))).slice(1).map(({ meta }) => meta.changes),
    refused: sqliteRefused,
  });
}
