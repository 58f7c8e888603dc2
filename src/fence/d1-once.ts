import type { Committing } from "../shared/commit.ts";
import type { StoredResult } from "../shared/json.ts";
import { shown } from "../shared/misuse.ts";
import { toStatement } from "./check-statement.ts";
import type { D1Like, D1Statement } from "./d1.ts";
import { namesOf, type RowRead, rowsOf, type Standing, standingOf, toCommitting, toText } from "./done-row.ts";
import { type ManagedOnceDatabase, toCutoff } from "./once-database.ts";
import { ONCE_SQL } from "./once-sql.ts";
import type { Statement } from "./sql-dialect.ts";
import { setupTable } from "./sql-fence.ts";
import { sqliteFinish } from "./sqlite-table.ts";

/** The transaction of a commit to D1: a list of statements, which are sent together when the work has returned. */
export interface D1OnceTransaction {
  /**
   * Adds one INSERT, UPDATE or DELETE. It has no result yet: let a constraint fail if something is not as expected,
   * which undoes everything.
   *
   * @throws TypeError for any other statement.
   */
  run(sql: string, params?: readonly unknown[]): void;
}

const sql = ONCE_SQL.sqlite;

/**
 * A D1 database that does the work of an attempt once: see `commit` of an attempt. D1 has no transaction that waits for
 * your code, so the work adds statements, which one `batch` runs together with the row of the attempt.
 *
 * @example
 * ```ts no-run
 * import type { D1Database } from "@cloudflare/workers-types";
 * declare const DB: D1Database;
 * const payments = d1Once(DB); // its table: SQLITE_FENCE_TABLE in a migration, or `await payments.setup()`
 * await locks.once("invoice 42").run(({ commit }) =>
 *   commit(payments, (tx) => {
 *     tx.run("UPDATE invoices SET paid = 1 WHERE id = ?", [42]);
 *     tx.run("INSERT INTO outbox (mail) VALUES (?)", ["paid"]);
 *     return { paid: 42 };
 *   }),
 * );
 * ```
 *
 * @throws TypeError for a value that is not a D1 database.
 */
export function d1Once<S extends D1Statement>(db: D1Like<S>): ManagedOnceDatabase<D1OnceTransaction> {
  if (typeof db?.batch !== "function") throw new TypeError(`d1Once: db must be a D1 database, not ${shown(db)}`);
  const prepare = ({ sql: text, params }: Statement): S => db.prepare(text).bind(...params) as S;
  async function all(statements: readonly Statement[]): Promise<RowRead[]> {
    const results = await db.batch(statements.map(prepare));
    return (results.at(-1)?.results ?? []) as RowRead[];
  }
  const look = (attempt: Committing): Promise<RowRead[]> => all([sql.read(namesOf(attempt))]);

  return {
    async commit<T>(committing: Committing, work: (tx: D1OnceTransaction) => Promise<T> | T): Promise<StoredResult<T>> {
      const attempt = toCommitting(committing);
      if (attempt.attempt > 1) {
        const [row] = rowsOf({ ...attempt, under: undefined }, "");
        const standing: Standing<T> = standingOf(attempt, await all(row ? sql.claim(row) : []));
        if (standing.status === "done") return standing.result;
        if (standing.status === "stale") throw standing.error;
      }
      const added: Statement[] = [];
      let isOpen = true;
      const result = await work({
        run(text, params = []) {
          if (!isOpen) throw new TypeError("commit: the work has returned, so this statement would be lost");
          added.push(toStatement(text, params, "sqlite", "commit: tx.run", "tx.run(sql, params)"));
        },
      });
      isOpen = false;
      const text = toText(result);
      try {
        // The guard is first, so that nothing runs if the work is done.
        await all([sqliteFinish(rowsOf(attempt, text)), ...added]);
        return JSON.parse(text);
      } catch (error) {
        const rows = await look(attempt).catch(() => undefined);
        const standing = rows && standingOf<T>(attempt, rows);
        if (standing?.status === "done") return standing.result;
        throw standing?.status === "stale" ? standing.error : error;
      }
    },
    async setup() {
      const first = async (statement: Statement) => (await prepare(statement).first()) ?? undefined;
      await setupTable({ dialect: "sqlite", table: sql.table, first, run: first, columns: "done" });
    },
    async forget(options) {
      const { tokenBefore, doneBefore } = toCutoff(options);
      await all([sql.forget(tokenBefore, doneBefore)]);
    },
  };
}
