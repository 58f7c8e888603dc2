import { shown } from "../shared/misuse.ts";
import { bareSql } from "./check-statement.ts";
import { POSTGRES_TABLE, postgresClaim, postgresGuard, postgresSeen } from "./postgres-table.ts";
import { type Fenced, StaleTokenError } from "./rule.ts";
import { placeholder, type Statement } from "./sql-dialect.ts";
import { type SqlFence, sqlFence } from "./sql-fence.ts";
import { notKept, unreadable } from "./token-table.ts";

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

/** A statement that only the guard precedes. */
const NOTHING: Statement = { sql: "SELECT 1", params: [] };

/** Counts rows; null counts as 0. A driver without a count is an error, since every claim would look stale. */
function countOf({ rows, rowCount }: Awaited<ReturnType<PostgresLike["query"]>>): number {
  if (rowCount === undefined || !Array.isArray(rows))
    throw new TypeError("postgresFence: query must resolve to { rows, rowCount }, a list and a number");
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
  const query = ({ sql, params }: Statement) => db.query(sql, [...params]);
  async function first(statement: Statement): Promise<Record<string, unknown> | undefined> {
    const result = await query(statement);
    countOf(result);
    return result.rows[0] as Record<string, unknown> | undefined;
  }

  async function claim(lease: Fenced): Promise<void> {
    const row = await first(postgresClaim(lease));
    if (row && (row["name"] !== lease.name || Number(row["token"]) !== lease.token)) throw notKept(lease);
    if (row) return;
    // Only for the error's message.
    const seen = (await first(postgresSeen(lease)).catch(() => undefined))?.["token"];
    throw seen === null
      ? unreadable(lease, "NULL")
      : new StaleTokenError(lease, seen === undefined ? seen : Number(seen));
  }

  // Several statements would need one connection, which a pool or an HTTP driver does not offer.
  const { batch: _, ...fence } = sqlFence({
    dialect: "postgres",
    table: POSTGRES_TABLE,
    run: async (statement) => countOf(await query(statement)),
    first,
    claim,
    async together({ name, token }, [work = NOTHING]) {
      checkParams(work);
      const guard = postgresGuard((index) => placeholder("postgres", work.params.length + index));
      const [begin = "", recursive = ""] = /^with\b(\s+recursive\b)?/i.exec(bareSql(work.sql, "postgres")) ?? [];
      const rest = begin === "" ? ` ${work.sql}` : `,${work.sql.slice(begin.length)}`;
      return [countOf(await query({ sql: `WITH${recursive} ${guard}${rest}`, params: [...work.params, name, token] }))];
    },
  });
  return fence;
}
