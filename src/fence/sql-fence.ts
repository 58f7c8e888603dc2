import { toStatement } from "./check-statement.ts";
import { type GuardedRow, guardedUpdate, guardedUpsert, tokenOf } from "./guarded-rows.ts";
import { type Fenced, StaleTokenError, toFenced } from "./rule.ts";
import { onConflictSet, placeholder, type SqlDialect, type Statement } from "./sql-dialect.ts";

/**
 * A row that keeps the token itself: the options of `guardedUpdate`, without those that the lease and the database
 * provide.
 */
export type Row = Omit<GuardedRow, "token" | "dialect">;

/**
 * A database as the protected resource. `claim` and `write` keep the highest token of each name in the table
 * `leasehold_fence`; `update` and `upsert` keep it in the row that they write, and need no other table.
 *
 * Any error other than {@link StaleTokenError} is the database's own. The write may have happened before it, as with
 * any request. Repeating the write with the same token is accepted.
 */
export interface SqlFence {
  /** Creates the table `leasehold_fence` unless it exists. Its SQL is exported for migrations. */
  setup(): Promise<void>;
  /** Raises the token of `lease.name` and writes nothing else. @throws StaleTokenError if a higher one was seen. */
  claim(lease: Fenced): Promise<void>;
  /**
   * Raises the token and runs one INSERT, UPDATE or DELETE, atomically. Returns the number of changed rows. The
   * statement may begin with WITH. A SELECT is rejected, even after a WITH that writes.
   *
   * @throws StaleTokenError if a higher token was seen; TypeError for any other statement.
   */
  write(lease: Fenced, sql: string, params?: readonly unknown[]): Promise<number>;
  /**
   * Updates one row that keeps the token itself. Returns the number of changed rows, 0 if the row does not exist.
   *
   * @throws StaleTokenError if the row has a higher token.
   */
  update(lease: Fenced, row: Row): Promise<number>;
  /**
   * Inserts or updates one row that keeps the token itself.
   *
   * @throws StaleTokenError if the row has a higher token, or a trigger skipped it (then `seen` is not higher).
   */
  upsert(lease: Fenced, row: Row): Promise<void>;
}

/** A fence for a database that runs several statements as one transaction. */
export interface SqlBatchFence extends SqlFence {
  /**
   * Raises the token and runs several INSERTs, UPDATEs and DELETEs in order, atomically. Returns the number of changed
   * rows of each.
   *
   * @throws StaleTokenError if a higher token was seen; TypeError for any other statement.
   */
  batch(lease: Fenced, statements: readonly Statement[]): Promise<readonly number[]>;
}

/** The operations that each database provides. */
export interface Driver {
  readonly dialect: SqlDialect;
  /** Runs a statement; returns the number of changed rows. */
  run(statement: Statement): Promise<number>;
  /** Reads the first row, if there is one. */
  first(statement: Statement): Promise<Readonly<Record<string, unknown>> | undefined>;
  /** Runs the guard and the other statements atomically; returns the number of rows that each of the others changed. */
  together(guard: Statement, work: readonly Statement[]): Promise<readonly number[]>;
  /** Whether an error is from the guard, which writes NULL as the token. */
  refused(error: unknown): boolean;
}

const UPSERT = "INSERT INTO leasehold_fence AS held (name, token) VALUES";
const ON_CONFLICT = `${onConflictSet(["name"])} token =`;

/** Creates the table unless it exists. */
async function createTable(driver: Driver, schema: string): Promise<void> {
  const create = (): Promise<unknown> => driver.run({ sql: schema, params: [] });
  try {
    await create();
  } catch (error) {
    // In Postgres, IF NOT EXISTS fails if another session creates the table at the same moment; then it exists.
    await create().catch(() => {
      throw error;
    });
  }
}

/** Fences writes to a database; `schema` creates its table. */
export function sqlFence(schema: string, driver: Driver): SqlBatchFence {
  const { dialect } = driver;
  const at = (index: number): string => placeholder(dialect, index);

  async function seenOf({ name }: Fenced): Promise<number | undefined> {
    const sql = `SELECT token FROM leasehold_fence WHERE name = ${at(1)}`;
    // Only for the error's message; a failed transaction does not allow the query.
    const row = await driver.first({ sql, params: [name] }).catch(() => undefined);
    return row && Number(row["token"]);
  }

  async function batch(given: Fenced, statements: readonly Statement[]): Promise<readonly number[]> {
    const lease = toFenced(given);
    const work = statements.map(({ sql, params }) => toStatement(sql, params, dialect));
    // The guard refuses by an error, which undoes everything. A condition in the caller's statement would read the
    // table before a concurrent claim.
    const first = work[0]?.params.length ?? 0;
    const guard = {
      sql: `${UPSERT} (${at(first + 1)}, ${at(first + 2)}) ${ON_CONFLICT} CASE WHEN held.token <= excluded.token THEN excluded.token END`,
      params: [lease.name, lease.token],
    };
    try {
      return await driver.together(guard, work);
    } catch (error) {
      if (driver.refused(error)) throw new StaleTokenError(lease, await seenOf(lease));
      throw error;
    }
  }

  return {
    batch,
    setup: () => createTable(driver, schema),
    async claim(given) {
      const lease = toFenced(given);
      const sql = `${UPSERT} (${at(1)}, ${at(2)}) ${ON_CONFLICT} excluded.token WHERE held.token <= excluded.token`;
      const rows = await driver.run({ sql, params: [lease.name, lease.token] });
      if (rows === 0) throw new StaleTokenError(lease, await seenOf(lease));
    },
    write: async (given, sql, params = []) => (await batch(given, [{ sql, params }]))[0] ?? 0,
    async update(given, row) {
      const lease = toFenced(given);
      const guarded = { ...row, token: lease.token, dialect };
      const rows = await driver.run(guardedUpdate(guarded));
      if (rows > 0) return rows;
      const seen = Number((await driver.first(tokenOf(guarded)))?.["token"] ?? 0);
      if (seen > lease.token) throw new StaleTokenError(lease, seen);
      return 0;
    },
    async upsert(given, row) {
      const lease = toFenced(given);
      const guarded = { ...row, token: lease.token, dialect };
      if ((await driver.run(guardedUpsert(guarded))) > 0) return;
      const seen = await driver.first(tokenOf(guarded)).catch(() => undefined);
      throw new StaleTokenError(lease, seen && Number(seen["token"]));
    },
  };
}
