import { shown } from "../shared/misuse.ts";
import { type SqlBatchFence, sqlFence } from "./sql-fence.ts";

/** SQL that creates the fence's table, a whole statement with its semicolon, for migrations of SQLite and D1. */
export const SQLITE_FENCE_TABLE =
  "CREATE TABLE IF NOT EXISTS leasehold_fence (name TEXT PRIMARY KEY NOT NULL, token INTEGER NOT NULL);";

/** The used part of `DatabaseSync` (`node:sqlite`) or of better-sqlite3's `Database`. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): {
    run(...params: unknown[]): { readonly changes: number | bigint };
    get(...params: unknown[]): unknown;
  };
}

/** Whether an error of SQLite or D1 means that the guard refused a stale token. */
export const sqliteRefused = (error: unknown): boolean =>
  /NOT NULL constraint failed: leasehold_fence\.token/.test((error as Error | undefined)?.message ?? "");

/**
 * Fences writes to a SQLite database that several processes share. A claim inside your own transaction becomes visible
 * to others at the commit.
 *
 * @example
 * ```ts
 * import { DatabaseSync } from "node:sqlite";
 * const db = new DatabaseSync(":memory:");
 * db.exec("CREATE TABLE invoices (id INTEGER, paid INTEGER)");
 * const fence = sqliteFence(db);
 * await fence.setup();
 * await locks.lock("invoice 42").run(async (lease) => {
 *   await fence.write(lease, "UPDATE invoices SET paid = 1 WHERE id = ?", [42]);
 * });
 * ```
 *
 * @throws TypeError for a value that is not a SQLite database.
 */
export function sqliteFence(db: SqliteDatabase): SqlBatchFence {
  if (typeof db?.prepare !== "function")
    throw new TypeError(`sqliteFence: db must be a SQLite database, not ${shown(db)}`);

  /** Runs `work` in a savepoint, which is a transaction if none is open. Its first statement takes the write lock. */
  function atomically<T>(work: () => T): T {
    db.exec("SAVEPOINT leasehold_fence");
    try {
      const result = work();
      db.exec("RELEASE leasehold_fence");
      return result;
    } catch (error) {
      try {
        db.exec("ROLLBACK TO leasehold_fence");
      } catch {
        // Some errors have ended the whole transaction.
        throw error;
      }
      try {
        db.exec("RELEASE leasehold_fence");
      } catch {
        // RELEASE fails only as the commit of the fence's own transaction, for example if a reader blocks it. Left
        // open, the transaction would include all later statements.
        db.exec("ROLLBACK");
      }
      throw error;
    }
  }
  const run = (sql: string, params: readonly unknown[]): number => Number(db.prepare(sql).run(...params).changes);

  return sqlFence(SQLITE_FENCE_TABLE, {
    dialect: "sqlite",
    run: async ({ sql, params }) => run(sql, params),
    first: async ({ sql, params }) => db.prepare(sql).get(...params) as Record<string, unknown> | undefined,
    together: async (guard, work) =>
      atomically(() => {
        run(guard.sql, guard.params);
        return work.map(({ sql, params }) => run(sql, params));
      }),
    refused: sqliteRefused,
  });
}
