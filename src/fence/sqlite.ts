import { type SqlFence, sqlFence } from "./sql.ts";

/** Creates the fence's table, for migrations of SQLite and D1. */
export const SQLITE_FENCE_TABLE =
  "CREATE TABLE IF NOT EXISTS leasehold_fence (name TEXT PRIMARY KEY NOT NULL, token INTEGER NOT NULL)";

/** What is used of `DatabaseSync` (`node:sqlite`) or of better-sqlite3's `Database`. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): {
    run(...params: unknown[]): { readonly changes: number | bigint };
    get(...params: unknown[]): unknown;
  };
}

/** How SQLite, and D1 behind it, says that our guard refused. */
export const sqliteRefused = (error: unknown): boolean =>
  /NOT NULL constraint failed: leasehold_fence\.token/.test((error as Error | undefined)?.message ?? "");

/**
 * Fences writes to a SQLite database that several processes share. Within a transaction of yours a claim counts, for the others, when
 * you commit.
 *
 * @throws TypeError for what is no database.
 */
export function sqliteFence(db: SqliteDatabase): SqlFence {
  if (typeof db?.prepare !== "function") throw new TypeError("db must be a SQLite database");

  /** A savepoint is a transaction where none is open, and a part of it where one is; its first statement takes the write lock. */
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
        // Some errors end the whole transaction.
        throw error;
      }
      try {
        db.exec("RELEASE leasehold_fence");
      } catch {
        // Only where the transaction is ours is this a commit, which somebody's read may hold up: left open, it would swallow all that follows.
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
        return run(work.sql, work.params);
      }),
    refused: sqliteRefused,
  });
}
