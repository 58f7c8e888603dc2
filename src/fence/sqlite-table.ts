import type { RowToWrite } from "./done-row.ts";
import type { Fenced } from "./rule.ts";
import type { Statement } from "./sql-dialect.ts";
import { HAS, KEPT, type TableSql } from "./token-table.ts";

/** SQL that creates the fence's table, a whole statement with its semicolon, for migrations of SQLite and D1. */
export const SQLITE_FENCE_TABLE =
  "CREATE TABLE IF NOT EXISTS leasehold_fence (name TEXT PRIMARY KEY NOT NULL, token INTEGER NOT NULL, result TEXT, done_at INTEGER);";

const INSERT = "INSERT INTO leasehold_fence AS held (name, token) VALUES (?, CAST(? AS INTEGER)) ON CONFLICT (name)";
/** A column may keep text or NULL, which no comparison orders as a number. */
const isNumber = (column: string): string => `typeof(${column}) IN ('integer', 'real')`;
const NOT_STALE = `${isNumber("held.token")} AND held.token <= excluded.token`;
/** Fails with a text: SQLite has no other way outside a trigger. */
const fail = (text: string, value: string): string => `json_extract('{}', '${text}' || ${value})`;

/** The guard: raises the token, or fails. */
export const sqliteGuard = ({ name, token }: Fenced): Statement => ({
  sql: `${INSERT} DO UPDATE SET token = CASE WHEN ${NOT_STALE} THEN excluded.token ELSE ${fail(HAS, "COALESCE(CAST(held.token AS TEXT), 'NULL')")} END`,
  params: [name, token],
});

/**
 * Writes the rows of a commit, or fails if one is done or has a higher token: for a batch, which no code can end.
 */
export function sqliteFinish(rows: readonly RowToWrite[]): Statement {
  const isOpen = "(held.done_at IS NULL OR excluded.done_at IS NULL)";
  return {
    sql: `INSERT INTO leasehold_fence AS held (name, token, result, done_at) VALUES ${rows.map(() => "(?, CAST(? AS INTEGER), ?, CAST(? AS INTEGER))").join(", ")} ON CONFLICT (name) DO UPDATE SET token = CASE WHEN ${isOpen} AND ${NOT_STALE} THEN excluded.token ELSE ${fail(HAS, "COALESCE(CAST(held.token AS TEXT), 'NULL')")} END, result = COALESCE(excluded.result, held.result), done_at = COALESCE(excluded.done_at, held.done_at)`,
    params: rows.flatMap(({ name, token, text, doneAt }) => [name, token, text, doneAt]),
  };
}

/** The check after the writes: fails unless the table has the token, under exactly this name. */
export const sqliteKept = ({ name, token }: Fenced): Statement => ({
  sql: `SELECT CASE COUNT(*) WHEN 1 THEN 1 ELSE ${fail(KEPT, "COUNT(*)")} END AS kept FROM leasehold_fence WHERE name = ? AND CAST(name AS BLOB) = CAST(? AS BLOB) AND ${isNumber("token")} AND token = CAST(? AS INTEGER)`,
  params: [name, name, token],
});

/** Counts the rows that the last statement changed, without those of its triggers. */
export const SQLITE_CHANGES: Statement = { sql: "SELECT changes() AS changes", params: [] };

const IS_FENCE = "lower(name) = 'leasehold_fence'";
const column = (name: string, what: string): string =>
  `(SELECT ${what} FROM pragma_table_info('leasehold_fence') WHERE lower(name) = '${name}')`;
/** The collation of each unique index whose only column is the name. */
const KEYS = `
  SELECT columns.coll AS coll FROM pragma_index_list('leasehold_fence') AS indexes
  JOIN pragma_index_xinfo(indexes.name) AS columns ON columns.key AND lower(columns.name) = 'name'
  WHERE indexes."unique" AND NOT indexes.partial
  AND (SELECT COUNT(*) FROM pragma_index_xinfo(indexes.name) AS parts WHERE parts.key) = 1`;

export const SQLITE_TABLE: TableSql = {
  schema: SQLITE_FENCE_TABLE,
  definition: `
    SELECT type AS kind, CASE schema WHEN 'temp' THEN 'temporary' END AS loss,
      (SELECT group_concat(schema, ', ') FROM pragma_table_list WHERE ${IS_FENCE}) AS places,
      (SELECT COUNT(*) FROM pragma_table_list WHERE ${IS_FENCE}) AS count,
      ${column("name", "type")} AS name_type,
      ${column("token", "type")} AS token_type,
      ${column("token", 'NOT "notnull"')} AS token_nullable,
      (SELECT COUNT(*) FROM (${KEYS})) AS keys,
      (SELECT coll FROM (${KEYS}) WHERE coll <> 'BINARY') AS collation,
      (SELECT group_concat(name, ', ') FROM sqlite_master WHERE type = 'trigger' AND lower(tbl_name) = 'leasehold_fence') AS triggers,
      NULL AS rules
    FROM pragma_table_list WHERE ${IS_FENCE} ORDER BY schema <> 'temp', schema <> 'main' LIMIT 1`,
};
