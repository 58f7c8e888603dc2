import { shown } from "../shared/misuse.ts";
import { bareSql } from "./check-statement.ts";
import type { Statement } from "./sql-dialect.ts";
import { type SqlFence, sqlFence } from "./sql-fence.ts";

/** SQL that creates the fence's table, a whole statement with its semicolon, for migrations. */
export const POSTGRES_FENCE_TABLE =
  "CREATE TABLE IF NOT EXISTS leasehold_fence (name TEXT PRIMARY KEY, token BIGINT NOT NULL);";

/**
 * A pool or a client of `pg`. For other drivers, write a function of three lines:
 *
 * ```ts
 * const ofPostgresJs = {
 *   async query(text, values) {
 *     const rows = await sql.unsafe(text, values);
 *     return { rows, rowCount: rows.count };
 *   },
 * };
 * const ofNeonOverHttp = { query: (text, values) => sql.query(text, values, { fullResults: true }) };
 * ```
 */
export interface PostgresLike {
  query(
    text: string,
    values: unknown[],
  ): Promise<{ readonly rows: readonly unknown[]; readonly rowCount: number | null }>;
}

/**
 * Whether an error means that the guard refused, by writing NULL into the fence's table. Drivers report the table
 * differently, and some wrap errors.
 */
function refused(error: unknown, depth = 0): boolean {
  const { code, table, table_name, message, cause } = (error ?? {}) as Record<string, unknown>;
  const where = table ?? table_name ?? /"(leasehold_fence)"/.exec(`${message}`)?.[1];
  return (
    (code === "23502" && where === "leasehold_fence") ||
    (cause !== undefined && depth < 10 && refused(cause, depth + 1))
  );
}

/** Counts rows; null counts as 0. A driver without a count is an error, since every claim would look stale. */
function countOf({ rowCount }: { readonly rowCount: number | null }): number {
  if (rowCount === undefined)
    throw new TypeError("postgresFence: query must resolve to { rows, rowCount }, and rowCount is undefined");
  return rowCount ?? 0;
}

/** Checks for missing parameters: the guard's own follow the caller's, and would replace them. */
function checkParams({ sql, params }: Statement): void {
  const bare = bareSql(sql, "postgres");
  const used = Math.max(0, ...[...bare.matchAll(/(?<![\w$])\$(\d+)/g)].map(([, index]) => Number(index)));
  if (used > params.length)
    throw new TypeError(`fence.write: sql has a parameter $${used}, and params has ${params.length}`);
}

/**
 * Fences writes to Postgres. Each call is one statement, so a pool or an HTTP driver works. A claim inside your own
 * transaction becomes visible to others at the commit, and a stale write fails the transaction.
 *
 * @example
 * ```ts no-run
 * import pg from "pg";
 * const fence = postgresFence(new pg.Pool({ connectionString: "postgres://localhost/shop" }));
 * await fence.setup(); // or POSTGRES_FENCE_TABLE in a migration
 * await locks.lock("invoice 42").run(async (lease) => {
 *   await fence.write(lease, "UPDATE invoices SET paid = true WHERE id = $1", [42]);
 * });
 * ```
 *
 * @throws TypeError for a value without a function `query`.
 */
export function postgresFence(db: PostgresLike): SqlFence {
  if (typeof db?.query !== "function")
    throw new TypeError(`postgresFence: db must have a function query, not ${shown(db)}`);
  // Several statements would need one connection, which a pool or an HTTP driver does not offer.
  const { batch: _, ...fence } = sqlFence(POSTGRES_FENCE_TABLE, {
    dialect: "postgres",
    run: async ({ sql, params }) => countOf(await db.query(sql, [...params])),
    first: async ({ sql, params }) => (await db.query(sql, [...params])).rows[0] as Record<string, unknown> | undefined,
    async together(guard, [work = guard]) {
      checkParams(work);
      const [begin = "", recursive = ""] = /^with\b(\s+recursive\b)?/i.exec(bareSql(work.sql, "postgres")) ?? [];
      const rest = begin === "" ? ` ${work.sql}` : `,${work.sql.slice(begin.length)}`;
      const text = `WITH${recursive} leasehold AS (${guard.sql})${rest}`;
      return [countOf(await db.query(text, [...work.params, ...guard.params]))];
    },
    refused: (error) => refused(error),
  });
  return fence;
}
