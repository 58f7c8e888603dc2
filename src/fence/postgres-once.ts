import { checkOptions, toChoice } from "../shared/checks.ts";
import { inCall, shown } from "../shared/misuse.ts";
import type { ManagedOnceDatabase } from "./once-database.ts";
import type { PostgresLike } from "./postgres.ts";
import { sqlOnce } from "./sql-once.ts";

/** The used part of a pooled client of `pg`. */
export interface PostgresClient extends PostgresLike {
  release(error?: boolean): void;
}

/** The used part of a pool of `pg`, or of Neon's over WebSockets. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>;
}

/** The client of a pool whose `connect` also takes a callback, as that of `pg` does. */
type ClientOfOverloads<Pool> = Pool extends { connect: { (): Promise<infer Client>; (...args: never[]): unknown } }
  ? Client
  : unknown;
type ClientOfPool<Pool> = Pool extends { connect(): Promise<infer Client> } ? Client : unknown;
/** The client of a pool, which the work gets. */
export type ClientOf<Pool> = unknown extends ClientOfOverloads<Pool> ? ClientOfPool<Pool> : ClientOfOverloads<Pool>;

/** Options of {@link postgresOnce}. */
export interface PostgresOnceOptions {
  /**
   * The isolation of the transaction. Under the last two, the work runs again after a serialization failure. Default:
   * the server's own, which is `read committed` unless it was configured.
   */
  readonly isolation?: "read committed" | "repeatable read" | "serializable" | undefined;
}

/**
 * A Postgres database that does the work of an attempt once: see `commit` of an attempt. The work gets a client of the
 * pool, in a transaction. For other drivers and for ORMs, see {@link sqlOnce}.
 *
 * @example
 * ```ts no-run
 * import pg from "pg";
 * const payments = postgresOnce(new pg.Pool({ connectionString: "postgres://localhost/shop" }));
 * await payments.setup(); // or POSTGRES_FENCE_TABLE in a migration
 * await locks.once("invoice 42").run(({ commit }) =>
 *   commit(payments, async (tx) => {
 *     const { rowCount } = await tx.query("UPDATE invoices SET paid = true WHERE id = $1", [42]);
 *     return { paid: rowCount };
 *   }),
 * );
 * ```
 *
 * @throws TypeError for a value that is not a pool, and for an invalid option.
 */
export function postgresOnce<Pool extends PostgresPool>(
  pool: Pool,
  options: PostgresOnceOptions = {},
): ManagedOnceDatabase<ClientOf<Pool>> {
  if (typeof pool?.connect !== "function") throw new TypeError(`postgresOnce: pool must be a pool, not ${shown(pool)}`);
  const begin = inCall("postgresOnce", () => {
    checkOptions(options, "isolation");
    const { isolation } = options;
    if (isolation === undefined) return "BEGIN";
    toChoice(isolation, "isolation", "read committed or repeatable read or serializable");
    return `BEGIN ISOLATION LEVEL ${isolation.toUpperCase()}`;
  });

  async function transaction<T>(work: (client: PostgresClient) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    let broken = true;
    try {
      await client.query(begin, []);
      const result = await work(client);
      await client.query("COMMIT", []);
      broken = false;
      return result;
    } catch (error) {
      // A client that cannot roll back is removed from the pool, which ends its transaction.
      broken = await client.query("ROLLBACK", []).then(
        () => false,
        () => true,
      );
      throw error;
    } finally {
      client.release(broken);
    }
  }

  const once = sqlOnce<PostgresClient>({
    dialect: "postgres",
    transaction,
    query: async (client, sql, params) => (await client.query(sql, params)).rows,
  });
  // The type of the pool says which clients it has.
  return once as ManagedOnceDatabase<never>;
}
