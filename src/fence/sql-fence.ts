import { toStatement } from "./check-statement.ts";
import { type GuardedRow, guardedUpdate, guardedUpsert, tokenOf } from "./guarded-rows.ts";
import { type Fenced, StaleTokenError, toFenced } from "./rule.ts";
import type { SqlDialect, Statement, TableDialect } from "./sql-dialect.ts";
import { type Definition, problemsOf, type TableSql, translated } from "./token-table.ts";

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
export interface SqlFence extends TableFence {
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

/** The part of a fence that keeps the highest token of each name in the table `leasehold_fence`. */
export interface TableFence {
  /**
   * Creates the table `leasehold_fence` unless it exists, and checks its definition. Its SQL is exported for migrations.
   *
   * @throws TypeError for a table that cannot be used, such as one whose token may be NULL.
   */
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
}

/** Several statements as one transaction. */
interface Batching {
  /**
   * Raises the token and runs several INSERTs, UPDATEs and DELETEs in order, atomically. Returns the number of changed
   * rows of each.
   *
   * @throws StaleTokenError if a higher token was seen; TypeError for any other statement.
   */
  batch(lease: Fenced, statements: readonly Statement[]): Promise<readonly number[]>;
}

/** A fence for a database that runs several statements as one transaction. */
export interface SqlBatchFence extends SqlFence, Batching {}

/** A fence of tables alone, for a database that runs several statements as one transaction. */
export interface TableBatchFence extends TableFence, Batching {}

/** The operations that each database with the table provides. */
interface TableDriver {
  readonly dialect: TableDialect;
  /** The statements on the fence's table. */
  readonly table: TableSql;
  /** Runs a statement. */
  run(statement: Statement): Promise<unknown>;
  /** Runs a statement; returns its first row, if there is one. */
  first(statement: Statement): Promise<Readonly<Record<string, unknown>> | undefined>;
  /** Raises the token. @throws like {@link together}, or the translated error. */
  claim(lease: Fenced): Promise<unknown>;
  /**
   * Raises the token and runs the statements, all or nothing; returns the number of rows that each of them changed.
   *
   * @throws the database's error if the token is stale or not kept, which {@link translated} reads.
   */
  together(lease: Fenced, work: readonly Statement[]): Promise<readonly number[]>;
}

/** The operations that each database provides for rows that keep the token themselves. */
export interface Driver extends TableDriver {
  readonly dialect: SqlDialect;
  /** Runs a statement; returns the number of rows that it changed, without those of triggers. */
  run(statement: Statement): Promise<number>;
}

/** What the check of a table needs. */
export type DriverOfTable = Pick<TableDriver, "dialect" | "table" | "first" | "run"> & {
  /** Also requires the columns of a commit. */
  readonly columns?: "done";
};

/** Creates the table. */
async function createTable({ run, table }: DriverOfTable): Promise<void> {
  const create = (): Promise<unknown> => run({ sql: table.schema, params: [] });
  try {
    await create();
  } catch (error) {
    // In Postgres, IF NOT EXISTS fails if another session creates the table at the same moment; then it exists.
    await create().catch(() => {
      throw error;
    });
  }
}

/** Whether the table has the columns of a commit, which those of earlier releases lack. */
const hasDone = ({ first }: DriverOfTable): Promise<boolean> =>
  first({ sql: "SELECT result, done_at FROM leasehold_fence WHERE 1 = 0", params: [] }).then(
    () => true,
    () => false,
  );

/** Creates the table unless it exists, and checks it. @throws TypeError for a table that cannot be used. */
export async function setupTable(driver: DriverOfTable): Promise<void> {
  const read = async (): Promise<Definition | undefined> =>
    (await driver.first({ sql: driver.table.definition, params: [] })) as Definition | undefined;
  let definition = await read();
  if (!definition) {
    await createTable(driver);
    definition = await read();
  }
  if (!definition) throw new TypeError("fence.setup: leasehold_fence was created, and cannot be found");
  const problems = [...problemsOf(definition, driver.dialect)];
  if (problems.length === 0 && driver.columns === "done" && !(await hasDone(driver)))
    problems.push("lacks the columns result and done_at");
  if (problems.length > 0)
    throw new TypeError(
      `fence.setup: leasehold_fence ${problems.join(", and ")}. Change the table to: ${driver.table.schema}`,
    );
}

/** Fences writes to a database by its table. */
export function tableFence(driver: TableDriver): TableBatchFence {
  const { dialect } = driver;

  /** Reads the errors of the guard. */
  async function guarded<T>(lease: Fenced, operation: () => Promise<T>): Promise<T> {
    try {
      return await operation();
    } catch (error) {
      throw translated(error, lease);
    }
  }

  async function batch(fenced: Fenced, statements: readonly Statement[]): Promise<readonly number[]> {
    const lease = toFenced(fenced);
    const work = statements.map(({ sql, params }) => toStatement(sql, params, dialect));
    // The guard refuses by an error, which undoes everything. A condition in the caller's statement would read the table
    // before a concurrent claim.
    return guarded(lease, () => driver.together(lease, work));
  }

  return {
    batch,
    setup: () => setupTable(driver),
    async claim(fenced) {
      const lease = toFenced(fenced);
      await guarded(lease, () => driver.claim(lease));
    },
    write: async (fenced, sql, params = []) => (await batch(fenced, [{ sql, params }]))[0] ?? 0,
  };
}

/** Fences writes to a database, by its table or by the rows themselves. */
export function sqlFence(driver: Driver): SqlBatchFence {
  const { dialect } = driver;
  return {
    ...tableFence(driver),
    async update(fenced, row) {
      const lease = toFenced(fenced);
      const guarded = { ...row, token: lease.token, dialect };
      const rows = await driver.run(guardedUpdate(guarded));
      if (rows > 0) return rows;
      const seen = Number((await driver.first(tokenOf(guarded)))?.["token"] ?? 0);
      if (seen > lease.token) throw new StaleTokenError(lease, seen);
      return 0;
    },
    async upsert(fenced, row) {
      const lease = toFenced(fenced);
      const guarded = { ...row, token: lease.token, dialect };
      if ((await driver.run(guardedUpsert(guarded))) > 0) return;
      const seen = await driver.first(tokenOf(guarded)).catch(() => undefined);
      throw new StaleTokenError(lease, seen && Number(seen["token"]));
    },
  };
}
