import type { Committing } from "../shared/commit.ts";
import type { StoredResult } from "../shared/json.ts";
import { shown } from "../shared/misuse.ts";
import { namesOf, type RowRead, rowsOf, type Standing, standingOf, toCommitting, toText } from "./done-row.ts";
import { type ManagedOnceDatabase, toCutoff } from "./once-database.ts";
import { ONCE_SQL } from "./once-sql.ts";
import type { Statement } from "./sql-dialect.ts";
import { setupTable } from "./sql-fence.ts";
import { atomically, type SqliteDatabase } from "./sqlite.ts";

/** The used part of `DatabaseSync` (`node:sqlite`) or of better-sqlite3's `Database`. */
export interface SqliteOnceDatabase extends SqliteDatabase {
  prepare(sql: string): {
    run(...params: unknown[]): unknown;
    get(...params: unknown[]): unknown;
    all(...params: unknown[]): unknown[];
  };
  /** Whether a transaction is open: `node:sqlite`. */
  readonly isTransaction?: boolean;
  /** Whether a transaction is open: better-sqlite3. */
  readonly inTransaction?: boolean;
}

const sql = ONCE_SQL.sqlite;

/**
 * A SQLite database that does the work of an attempt once: see `commit` of an attempt. The work gets the database, in a
 * transaction, and must be synchronous, since all users of the database share that transaction.
 *
 * @example
 * ```ts
 * import { DatabaseSync } from "node:sqlite";
 * const db = new DatabaseSync(":memory:");
 * db.exec("CREATE TABLE invoices (id INTEGER, paid INTEGER)");
 * const payments = sqliteOnce(db);
 * await payments.setup();
 * await locks.once("invoice 42").run(({ commit }) =>
 *   commit(payments, (tx) => {
 *     tx.prepare("UPDATE invoices SET paid = 1 WHERE id = ?").run(42);
 *     return { paid: true };
 *   }),
 * );
 * ```
 *
 * @throws TypeError for a value that is not a SQLite database. A commit throws TypeError for work that is asynchronous,
 * which is rolled back, and inside a transaction of your own.
 */
export function sqliteOnce<Db extends SqliteOnceDatabase>(db: Db): ManagedOnceDatabase<Db> {
  if (typeof db?.prepare !== "function")
    throw new TypeError(`sqliteOnce: db must be a SQLite database, not ${shown(db)}`);
  const all = ({ sql: text, params }: Statement): RowRead[] => db.prepare(text).all(...params) as RowRead[];

  /** One transaction, which a synchronous function cannot share with others. */
  function once<T>(attempt: Committing, work: (tx: Db) => Promise<T> | T): T {
    const [row] = rowsOf({ ...attempt, under: undefined }, "");
    // The first statement writes, so the transaction has the write lock before it reads.
    if (row) for (const statement of sql.claim(row)) all(statement);
    const standing: Standing<T> = standingOf(attempt, all(sql.read(namesOf(attempt))));
    if (standing.status === "done") return standing.result as T;
    if (standing.status === "stale") throw standing.error;
    const result = work(db);
    if (typeof (result as PromiseLike<T> | null)?.then === "function") {
      (result as Promise<T>).then(undefined, () => undefined);
      throw new TypeError("commit: work on sqliteOnce must be synchronous, and returned a Promise: it was rolled back");
    }
    const text = toText(result);
    const rows = rowsOf(attempt, text);
    // No one else writes meanwhile.
    if (all(sql.finish(rows)).length !== rows.length)
      throw new TypeError("commit: leasehold_fence did not keep the row: setup() reports what is wrong with the table");
    return JSON.parse(text) as T;
  }

  return {
    async commit<T>(committing: Committing, work: (tx: Db) => Promise<T> | T): Promise<StoredResult<T>> {
      const attempt = toCommitting(committing);
      if (work.constructor.name === "AsyncFunction")
        throw new TypeError("commit: work on sqliteOnce must be synchronous, not an async function");
      if (db.isTransaction || db.inTransaction)
        throw new TypeError("commit: a transaction is open, and a commit needs its own: call it outside");
      return atomically(db, () => once(attempt, work)) as StoredResult<T>;
    },
    async setup() {
      const first = async (statement: Statement) => all(statement)[0] as unknown as Record<string, unknown> | undefined;
      const run = async (statement: Statement) => db.prepare(statement.sql).run(...statement.params);
      await setupTable({ dialect: "sqlite", table: sql.table, first, run, columns: "done" });
    },
    async forget(options) {
      const { tokenBefore, doneBefore } = toCutoff(options);
      const statement = sql.forget(tokenBefore, doneBefore);
      db.prepare(statement.sql).run(...statement.params);
    },
  };
}
