import type { Fenced } from "./rule.ts";
import type { Statement } from "./sql-dialect.ts";
import { HAS, KEPT, type TableSql } from "./token-table.ts";

/** SQL that creates the fence's table, a whole statement with its semicolon, for migrations. */
export const POSTGRES_FENCE_TABLE =
  "CREATE TABLE IF NOT EXISTS leasehold_fence (name TEXT PRIMARY KEY, token BIGINT NOT NULL, result TEXT, done_at BIGINT);";

/** Fails with a text, since it is no number. A function of the row, so that it is not computed in advance. */
const fail = (text: string, value: string): string => `CAST(CONCAT('${text}', ${value}) AS BIGINT)`;
const shown = (token: string): string => `COALESCE(CAST(${token} AS TEXT), 'NULL')`;

/**
 * The guard, as queries of a WITH: raises the token, or fails. `at` writes the parameter with a number; the first two
 * are the name and the token.
 *
 * Postgres runs the caller's statement first, which may remove the fence's row, itself or by a trigger. So the guard
 * compares twice: with the row before the statement, and with a concurrent claim's row. Its second query fails unless
 * the first one has kept the token, under exactly this name.
 */
export function postgresGuard(at: (index: number) => string): string {
  const [name, token] = [`CAST(${at(1)} AS TEXT)`, `CAST(${at(2)} AS BIGINT)`];
  const before = `SELECT ${name}, CASE WHEN MAX(token) > ${token} THEN ${fail(HAS, "MAX(token)")} ELSE ${token} END FROM leasehold_fence WHERE name = ${name}`;
  const raised = `CASE WHEN held.token <= ${token} THEN ${token} ELSE ${fail(HAS, shown("held.token"))} END`;
  const raise = `INSERT INTO leasehold_fence AS held (name, token) ${before} ON CONFLICT (name) DO UPDATE SET token = ${raised} RETURNING name, token`;
  const check = `INSERT INTO leasehold_fence (name, token) SELECT ${name}, ${fail(KEPT, "COUNT(*)")} FROM leasehold WHERE CAST(name AS TEXT) COLLATE "C" = ${name} AND token = ${token} HAVING COUNT(*) <> 1`;
  return `leasehold AS (${raise}), leasehold_kept AS (${check})`;
}

/** The claim: raises the token and returns the row, or returns no row. It does not fail, which would end a transaction. */
export const postgresClaim = ({ name, token }: Fenced): Statement => ({
  sql: `INSERT INTO leasehold_fence AS held (name, token) VALUES (CAST($1 AS TEXT), CAST($2 AS BIGINT)) ON CONFLICT (name) DO UPDATE SET token = CAST($2 AS BIGINT) WHERE held.token <= CAST($2 AS BIGINT) RETURNING CAST(name AS TEXT) AS name, token`,
  params: [name, token],
});

/** Reads the token of a name. */
export const postgresSeen = ({ name }: Fenced): Statement => ({
  sql: "SELECT token FROM leasehold_fence WHERE name = CAST($1 AS TEXT)",
  params: [name],
});

const column = (name: string, what: string): string =>
  `(SELECT ${what} FROM pg_attribute a LEFT JOIN pg_collation l ON l.oid = a.attcollation WHERE a.attrelid = c.oid AND a.attname = '${name}' AND a.attnum > 0)`;
const names = (name: string, from: string): string =>
  `(SELECT string_agg(${name}, ', ' ORDER BY ${name}) FROM ${from})`;
const PLACES = `
  pg_class f JOIN pg_namespace n ON n.oid = f.relnamespace
  WHERE f.relname = 'leasehold_fence' AND f.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname = ANY (current_schemas(false))`;

export const POSTGRES_TABLE: TableSql = {
  schema: POSTGRES_FENCE_TABLE,
  definition: `
    SELECT ${names("n.nspname", PLACES)} AS places,
      (SELECT COUNT(*) FROM ${PLACES}) AS count,
      CASE c.relkind WHEN 'r' THEN 'table' WHEN 'p' THEN 'table' WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view' ELSE 'foreign table or other relation' END AS kind,
      CASE c.relpersistence WHEN 't' THEN 'temporary' WHEN 'u' THEN 'unlogged' END AS loss,
      ${column("name", "format_type(a.atttypid, a.atttypmod)")} AS name_type,
      ${column("token", "format_type(a.atttypid, a.atttypmod)")} AS token_type,
      ${column("token", "CASE WHEN a.attnotnull THEN 0 ELSE 1 END")} AS token_nullable,
      (SELECT COUNT(*) FROM pg_index i WHERE i.indrelid = c.oid AND i.indisunique AND i.indimmediate AND i.indisvalid
        AND i.indpred IS NULL AND i.indexprs IS NULL AND i.indnkeyatts = 1
        AND i.indkey[0] = ${column("name", "a.attnum")}) AS keys,
      ${column("name", "CASE WHEN NOT l.collisdeterministic THEN l.collname END")} AS collation,
      ${names("t.tgname", "pg_trigger t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal")} AS triggers,
      ${names("r.rulename", "pg_rewrite r WHERE r.ev_class = c.oid AND r.rulename <> '_RETURN'")} AS rules
    FROM pg_class c WHERE c.oid = to_regclass('leasehold_fence')`,
};
