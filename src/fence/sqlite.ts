import { shown } from "../shared/misuse.ts";
import type { Fenced } from "./rule.ts";
import type { Statement } from "./sql-dialect.ts";
import { type SqlBatchFence, sqlFence } from "./sql-fence.ts";
import { SQLITE_CHANGES, SQLITE_TABLE, sqliteGuard, sqliteKept } from "./sqlite-table.ts";

/** The used part of `DatabaseSync` (`node:sqlite`) or of better-sqlite3's `Database`. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): {
    run(...params: unknown[]): unknown;
    get(...params: unknown[]): unknown;
  };
}

/** Runs `work` in a savepoint, which is a transaction if none is open. Its first statement takes the write lock. */
export function atomically<T>(db: SqliteDatabase, work: () => T): T {
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

  const first = ({ sql, params }: Statement) =>
    (db.prepare(sql).get(...params) ?? undefined) as Record<string, unknown> | undefined;
  function run({ sql, params }: Statement): number {
    db.prepare(sql).run(...params);
    // Not the driver's own count, which some take from `total_changes()`, with the rows of triggers.
    return Number(first(SQLITE_CHANGES)?.["changes"]);
  }

  const together = async (lease: Fenced, work: readonly Statement[]): Promise<readonly number[]> =>
    atomically(db, () => {
      run(sqliteGuard(lease));
      const changes = work.map(run);
      first(sqliteKept(lease));
      return changes;
    });

  return sqlFence({
    dialect: "sqlite",
    table: SQLITE_TABLE,
    run: async (statement) => run(statement),
    first: async (statement) => first(statement),
    claim: (lease) => together(lease, []),
    together,
  });
}
