import type { Statement } from "./rows.ts";
import { type SqlFence, sqlFence } from "./sql.ts";

/** Creates the fence's table, for migrations. */
export const POSTGRES_FENCE_TABLE =
  "CREATE TABLE IF NOT EXISTS leasehold_fence (name TEXT PRIMARY KEY, token BIGINT NOT NULL)";

/**
 * A pool or a client of `pg`. Others by a function of three lines:
 *
 * - postgres.js: `{ query: async (text, values) => { const rows = await sql.unsafe(text, values); return { rows, rowCount: rows.count }; } }`
 * - neon over HTTP: `{ query: (text, values) => sql.query(text, values, { fullResults: true }) }`
 */
export interface PostgresLike {
  query(
    text: string,
    values: unknown[],
  ): Promise<{ readonly rows: readonly unknown[]; readonly rowCount: number | null }>;
}

/** Whether NULL was refused in our table, where only the guard puts it. Drivers name the table differently, and some wrap errors. */
function refused(error: unknown, depth = 0): boolean {
  const { code, table, table_name, message, cause } = (error ?? {}) as Record<string, unknown>;
  const where = table ?? table_name ?? /"(leasehold_fence)"/.exec(`${message}`)?.[1];
  return (
    (code === "23502" && where === "leasehold_fence") ||
    (cause !== undefined && depth < 10 && refused(cause, depth + 1))
  );
}

/** Null of what has no rows. A driver that does not count would make every claim look stale. */
function countOf({ rowCount }: { readonly rowCount: number | null }): number {
  if (rowCount === undefined) throw new TypeError("query must resolve to { rows, rowCount }");
  return rowCount ?? 0;
}

/** Where `$1` would be no parameter of Postgres. */
const NO_PARAMETER =
  /(?<![\w$])e'(?:\\[\s\S]|''|[^'\\])*'|'[^']*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\/|(?<![\w$])\$([a-z_]\w*)?\$[\s\S]*?\$\1\$/gi;

/** Behind the caller's parameters come the guard's own, which would stand in for those that are missing. */
function checkParams({ sql, params }: Statement): void {
  const bare = sql.replace(NO_PARAMETER, " ");
  const used = Math.max(0, ...[...bare.matchAll(/(?<![\w$])\$(\d+)/g)].map(([, index]) => Number(index)));
  if (used > params.length) throw new TypeError(`sql has a parameter $${used}, and params has ${params.length}`);
}

/**
 * Fences writes to Postgres. Each call is one statement, so that it may go through a pool or a driver that speaks HTTP. Within a
 * transaction of yours a claim counts, for the others, when you commit, and a stale write fails the transaction.
 *
 * @throws TypeError for what is no pool or client.
 */
export function postgresFence(db: PostgresLike): SqlFence {
  if (typeof db?.query !== "function") throw new TypeError("db must have a function query");
  return sqlFence(POSTGRES_FENCE_TABLE, {
    dialect: "postgres",
    run: async ({ sql, params }) => countOf(await db.query(sql, [...params])),
    first: async ({ sql, params }) => (await db.query(sql, [...params])).rows[0] as Record<string, unknown> | undefined,
    async together(guard, work) {
      checkParams(work);
      const [, recursive = "", others] = /^with\b(\s+recursive\b)?([\s\S]*)$/i.exec(work.sql) ?? [];
      const rest = others === undefined ? ` ${work.sql}` : `,${others}`;
      const text = `WITH${recursive} leasehold AS (${guard.sql})${rest}`;
      return countOf(await db.query(text, [...work.params, ...guard.params]));
    },
    refused: (error) => refused(error),
  });
}
