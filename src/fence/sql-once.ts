import type { Committing } from "../shared/commit.ts";
import type { StoredResult } from "../shared/json.ts";
import { shown } from "../shared/misuse.ts";
import { namesOf, type RowRead, rowsOf, type Standing, standingOf, toCommitting, toText } from "./done-row.ts";
import { type ManagedOnceDatabase, toCutoff } from "./once-database.ts";
import { ONCE_SQL } from "./once-sql.ts";
import { isSerialization, retried } from "./retried.ts";
import { StaleTokenError } from "./rule.ts";
import type { Statement, TableDialect } from "./sql-dialect.ts";
import { setupTable } from "./sql-fence.ts";

/** A database, or a library over it, that runs a function in a transaction. */
export interface SqlTransactions<Tx> {
  /** The SQL of the database. `mysql` is also that of MariaDB, `sqlite` that of libSQL. */
  readonly dialect: TableDialect;
  /** Runs the work in a transaction of its own: commits when it resolves, and rolls back when it rejects. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Runs one statement in that transaction, and returns its rows: objects with the columns as members. Parameters are
   * `$1` for Postgres and `?` elsewhere. The rows of a statement that returns none may be anything.
   */
  query(tx: Tx, sql: string, params: unknown[]): Promise<readonly unknown[]>;
}

/** Thrown in the transaction, so that it is rolled back: a row is done, or has a higher token. */
class Conflict extends Error {}

/** The work's own transaction found that the work is done. */
class AlreadyDone extends Error {
  readonly standing: Standing<unknown>;
  constructor(standing: Standing<unknown>) {
    super("done");
    this.standing = standing;
  }
}

/**
 * Makes a database for `commit` from any client or library that runs a function in a transaction, such as Kysely,
 * Drizzle or Prisma. The work gets the transaction of the library.
 *
 * @example
 * ```ts no-run
 * import { type Kysely, CompiledQuery, type Transaction } from "kysely";
 * interface Shop { paid: { invoice: string } }
 * declare const db: Kysely<Shop>;
 * const payments = sqlOnce<Transaction<Shop>>({
 *   dialect: "postgres",
 *   transaction: (work) => db.transaction().execute(work),
 *   query: async (tx, sql, params) => (await tx.executeQuery(CompiledQuery.raw(sql, params))).rows,
 * });
 * ```
 *
 * @throws TypeError for an invalid argument.
 */
export function sqlOnce<Tx>(database: SqlTransactions<Tx>): ManagedOnceDatabase<Tx> {
  if (typeof database?.transaction !== "function" || typeof database.query !== "function")
    throw new TypeError(`sqlOnce: database must have the functions transaction and query, not ${shown(database)}`);
  const { dialect } = database;
  if (!Object.hasOwn(ONCE_SQL, dialect))
    throw new TypeError(`sqlOnce: dialect ${shown(dialect)} must be "postgres", "sqlite" or "mysql"`);
  const sql = ONCE_SQL[dialect];
  const transaction = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => database.transaction(work);
  const query = (tx: Tx, statement: { readonly sql: string; readonly params: readonly unknown[] }) =>
    database.query(tx, statement.sql, [...statement.params]);

  function rowsIn(result: readonly unknown[]): readonly RowRead[] {
    if (!Array.isArray(result))
      throw new TypeError(`sqlOnce: query must resolve to a list of rows, not ${shown(result)}`);
    return result.map((row) => sql.decode(row as RowRead));
  }

  /** Reads the rows in a transaction of its own, so that no earlier snapshot hides them. */
  const look = async (attempt: Committing): Promise<readonly RowRead[]> =>
    rowsIn(await transaction((tx) => query(tx, sql.read(namesOf(attempt)))));

  /** Looks for the row and takes it, before the work of a later attempt. */
  async function claim(tx: Tx, attempt: Committing): Promise<void> {
    const [row] = rowsOf({ ...attempt, under: undefined }, "");
    let rows: readonly unknown[] = [];
    for (const statement of row ? sql.claim(row) : []) rows = await query(tx, statement);
    const standing = standingOf(attempt, rowsIn(rows));
    // Rolls back what the claim has written.
    if (standing.status === "done") throw new AlreadyDone(standing);
    if (standing.status === "stale") throw standing.error;
  }

  function once<T>(attempt: Committing, work: (tx: Tx) => Promise<T> | T): Promise<StoredResult<T>> {
    return transaction(async (tx) => {
      if (attempt.attempt > 1) await claim(tx, attempt);
      const text = toText(await work(tx));
      const rows = rowsOf(attempt, text);
      const written = await query(tx, sql.finish(rows));
      if (sql.counts && rowsIn(written).length !== rows.length) throw new Conflict("a row is done or newer");
      return JSON.parse(text);
    });
  }

  return {
    async commit<T>(committing: Committing, work: (tx: Tx) => Promise<T> | T): Promise<StoredResult<T>> {
      const attempt = toCommitting(committing);
      const committed = async (): Promise<StoredResult<T>> => {
        try {
          return await once(attempt, work);
        } catch (error) {
          if (error instanceof AlreadyDone) return (error.standing as Standing<T> & { status: "done" }).result;
          if (error instanceof StaleTokenError) throw error;
          // Whatever went wrong, the row says whether the work is done: by another attempt, or by this one if the answer
          // to its COMMIT was lost.
          const rows = await look(attempt).catch(() => undefined);
          const standing = rows && standingOf<T>(attempt, rows);
          if (standing?.status === "done") return standing.result;
          throw standing?.status === "stale" ? standing.error : error;
        }
      };
      return retried(committed, (error) => error instanceof Conflict || isSerialization(error));
    },
    async setup() {
      const first = async (statement: Statement): Promise<Record<string, unknown> | undefined> => {
        const [row] = await transaction((tx) => query(tx, statement));
        return row as Record<string, unknown> | undefined;
      };
      await setupTable({ dialect, table: sql.table, first, run: first, columns: "done" });
    },
    async forget(options) {
      const { tokenBefore, doneBefore } = toCutoff(options);
      await transaction((tx) => query(tx, sql.forget(tokenBefore, doneBefore)));
    },
  };
}
