import { checkOptions, toChoice } from "../shared/checks.ts";
import { inCall, shown } from "../shared/misuse.ts";
import type { RowRead } from "./done-row.ts";
import { MYSQL_TABLE, mysqlRead, mysqlWrite } from "./mysql-table.ts";
import type { ManagedOnceDatabase } from "./once-database.ts";
import { isSerialization, retried } from "./retried.ts";
import { type Fenced, StaleTokenError } from "./rule.ts";
import type { Statement } from "./sql-dialect.ts";
import { type TableBatchFence, tableFence } from "./sql-fence.ts";
import { sqlOnce } from "./sql-once.ts";
import { notKept } from "./token-table.ts";

/** The used part of a connection of `mysql2/promise`. */
export interface MysqlConnection {
  query(sql: string, values: unknown[]): Promise<readonly [result: unknown, ...more: unknown[]]>;
  release(): void;
  destroy(): void;
}

/** The used part of a pool of `mysql2/promise`. */
export interface MysqlPool<Connection extends MysqlConnection = MysqlConnection> {
  getConnection(): Promise<Connection>;
}

/** Options of {@link mysqlOnce}. */
export interface MysqlOnceOptions {
  /** The isolation of the transaction. Default: the server's own, `repeatable read` unless it was configured. */
  readonly isolation?: "read committed" | "repeatable read" | "serializable" | undefined;
}

/** Runs the work in a transaction on a connection of its own. */
async function transaction<Connection extends MysqlConnection, T>(
  pool: MysqlPool<Connection>,
  isolation: string | undefined,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await pool.getConnection();
  let isBroken = true;
  try {
    if (isolation !== undefined) await connection.query(`SET TRANSACTION ISOLATION LEVEL ${isolation}`, []);
    await connection.query("START TRANSACTION", []);
    const result = await work(connection);
    await connection.query("COMMIT", []);
    isBroken = false;
    return result;
  } catch (error) {
    // A connection that cannot roll back is closed, which ends its transaction.
    isBroken = await connection.query("ROLLBACK", []).then(
      () => false,
      () => true,
    );
    throw error;
  } finally {
    if (isBroken) connection.destroy();
    else connection.release();
  }
}

function checkPool(pool: MysqlPool, call: string): void {
  if (typeof pool?.getConnection !== "function")
    throw new TypeError(`${call}: pool must be a pool of mysql2/promise, not ${shown(pool)}`);
}

/**
 * Fences writes to MySQL or MariaDB. Each call is a transaction on a connection of the pool, in any isolation level. It
 * counts rows as the client does: `mysql2` counts those that an UPDATE finds, even if it changes nothing in them. After a
 * deadlock, the call is repeated.
 *
 * @example
 * ```ts no-run
 * import { createPool } from "mysql2/promise";
 * const fence = mysqlFence(createPool("mysql://localhost/shop"));
 * await fence.setup(); // or MYSQL_FENCE_TABLE in a migration
 * await locks.lock("invoice 42").run(async (lease) => {
 *   await fence.write(lease, "UPDATE invoices SET paid = 1 WHERE id = ?", [42]);
 * });
 * ```
 *
 * @throws TypeError for a value that is not a pool.
 */
export function mysqlFence(pool: MysqlPool): TableBatchFence {
  checkPool(pool, "mysqlFence");
  const run = async (connection: MysqlConnection, { sql, params }: Statement): Promise<unknown> =>
    (await connection.query(sql, [...params]))[0];
  const alone = (statement: Statement): Promise<unknown> =>
    transaction(pool, undefined, (connection) => run(connection, statement));
  /** The token that the table has for a name. */
  const tokenIn = (rows: unknown): number => Number((rows as readonly RowRead[])[0]?.token ?? 0);

  /** Raises the token, then writes: the row of the token stays locked until the end of the transaction. */
  async function once(lease: Fenced, work: readonly Statement[]): Promise<readonly number[]> {
    const { name, token } = lease;
    try {
      return await transaction(pool, undefined, async (connection) => {
        await run(connection, mysqlWrite([{ name, token, text: null, doneAt: null }]));
        const counts: number[] = [];
        for (const statement of work) {
          const { affectedRows } = (await run(connection, statement)) as { readonly affectedRows: number };
          counts.push(affectedRows);
        }
        if (tokenIn(await run(connection, mysqlRead([name], "FOR UPDATE"))) !== token) throw notKept(lease);
        return counts;
      });
    } catch (error) {
      // The guard fails without the token, so it is read.
      const seen = await alone(mysqlRead([name])).then(tokenIn, () => 0);
      throw seen > token ? new StaleTokenError(lease, seen) : error;
    }
  }
  const together = (lease: Fenced, work: readonly Statement[]): Promise<readonly number[]> =>
    retried(() => once(lease, work), isSerialization);

  return tableFence({
    dialect: "mysql",
    table: MYSQL_TABLE,
    run: alone,
    first: async (statement) => ((await alone(statement)) as Record<string, unknown>[])[0],
    claim: (lease) => together(lease, []),
    together,
  });
}

/**
 * A MySQL or MariaDB database that does the work of an attempt once: see `commit` of an attempt. The work gets a
 * connection of the pool, in a transaction, which a statement that defines a table would end. After a deadlock, the work
 * runs again.
 *
 * @example
 * ```ts no-run
 * import { createPool } from "mysql2/promise";
 * const payments = mysqlOnce(createPool("mysql://localhost/shop"));
 * await payments.setup(); // or MYSQL_FENCE_TABLE in a migration
 * await locks.once("invoice 42").run(({ commit }) =>
 *   commit(payments, async (tx) => {
 *     await tx.query("UPDATE invoices SET paid = 1 WHERE id = ?", [42]);
 *     return { paid: 42 };
 *   }),
 * );
 * ```
 *
 * @throws TypeError for a value that is not a pool, and for an invalid option.
 */
export function mysqlOnce<Connection extends MysqlConnection>(
  pool: MysqlPool<Connection>,
  options: MysqlOnceOptions = {},
): ManagedOnceDatabase<Connection> {
  checkPool(pool, "mysqlOnce");
  const { isolation } = options ?? {};
  inCall("mysqlOnce", () => {
    checkOptions(options, "isolation");
    if (isolation !== undefined) toChoice(isolation, "isolation", "read committed or repeatable read or serializable");
  });
  return sqlOnce<Connection>({
    dialect: "mysql",
    transaction: (work) => transaction(pool, isolation?.toUpperCase(), work),
    async query(connection, sql, params) {
      const [rows] = await connection.query(sql, params);
      return Array.isArray(rows) ? rows : [];
    },
  });
}
