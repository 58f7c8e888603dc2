/** The statements of a commit on the table `leasehold_fence`, in each dialect. */

import type { RowRead, RowToWrite } from "./done-row.ts";
import { MYSQL_TABLE, mysqlRaise, mysqlRead, mysqlWrite, nameOfHex } from "./mysql-table.ts";
import { POSTGRES_TABLE } from "./postgres-table.ts";
import type { Statement, TableDialect } from "./sql-dialect.ts";
import { SQLITE_TABLE } from "./sqlite-table.ts";
import type { TableSql } from "./token-table.ts";

/** The statements of one dialect. */
export interface OnceSql {
  readonly table: TableSql;
  /**
   * Locks the row of the key before the work of a later attempt, and raises its token. The last statement returns the
   * row.
   */
  claim(row: RowToWrite): readonly Statement[];
  /**
   * Writes the rows after the work. If one of them is done or has a higher token, it fails, or returns fewer rows than
   * it was given, as `counts` says.
   */
  finish(rows: readonly RowToWrite[]): Statement;
  readonly counts: boolean;
  /** Reads the rows of these names. */
  read(names: readonly string[]): Statement;
  /** Makes a row as it is read of one that the database returned. */
  decode(row: RowRead): RowRead;
  /** Removes rows whose token was granted before `tokenBefore` (µs) and whose work was done before `doneBefore` (ms). */
  forget(tokenBefore: number, doneBefore: number): Statement;
}

const COLUMNS = "name, token, result, done_at";
const valuesOf = ({ name, token, text, doneAt }: RowToWrite): readonly unknown[] => [name, token, text, doneAt];

/** Postgres and SQLite differ in their parameters, and in the name of the larger of two numbers. */
function conflictSql(dialect: "postgres" | "sqlite", table: TableSql): OnceSql {
  const isPostgres = dialect === "postgres";
  const at = (index: number, type: string): string => (isPostgres ? `CAST($${index} AS ${type})` : "?");
  const types = ["TEXT", "BIGINT", "TEXT", "BIGINT"];
  const insert = (rows: readonly RowToWrite[]): string => {
    const values = rows.map((_, row) => `(${types.map((type, column) => at(4 * row + column + 1, type)).join(", ")})`);
    return `INSERT INTO leasehold_fence AS held (${COLUMNS}) VALUES ${values.join(", ")} ON CONFLICT (name) DO UPDATE SET`;
  };
  // A column of SQLite may have kept text, which no comparison orders as a number.
  const notStale = `${isPostgres ? "" : "typeof(held.token) IN ('integer', 'real') AND "}held.token <= excluded.token`;
  const larger = isPostgres ? "GREATEST" : "MAX";
  return {
    table,
    claim: (row) => [
      {
        sql: `${insert([row])} token = ${larger}(held.token, excluded.token) RETURNING ${COLUMNS}`,
        params: valuesOf({ ...row, text: null, doneAt: null }),
      },
    ],
    finish: (rows) => ({
      sql: `${insert(rows)} token = excluded.token, result = COALESCE(excluded.result, held.result), done_at = COALESCE(excluded.done_at, held.done_at) WHERE (held.done_at IS NULL OR excluded.done_at IS NULL) AND ${notStale} RETURNING ${COLUMNS}`,
      params: rows.flatMap(valuesOf),
    }),
    counts: true,
    read: (names) => ({
      sql: `SELECT ${COLUMNS} FROM leasehold_fence WHERE name IN (${names.map((_, index) => at(index + 1, "TEXT")).join(", ")})`,
      params: names,
    }),
    decode: (row) => row,
    forget: (tokenBefore, doneBefore) => ({
      sql: `DELETE FROM leasehold_fence WHERE token < ${at(1, "BIGINT")} AND (done_at IS NULL OR done_at < ${at(2, "BIGINT")})`,
      params: [tokenBefore, doneBefore],
    }),
  };
}

const MYSQL: OnceSql = {
  table: MYSQL_TABLE,
  claim: (row) => [mysqlRaise(row), mysqlRead([row.name], "FOR UPDATE")],
  finish: mysqlWrite,
  counts: false,
  read: mysqlRead,
  decode: (row) => ({ ...row, name: nameOfHex(`${row.name}`) }),
  forget: (tokenBefore, doneBefore) => ({
    sql: "DELETE FROM leasehold_fence WHERE token < ? AND (done_at IS NULL OR done_at < ?)",
    params: [tokenBefore, doneBefore],
  }),
};

export const ONCE_SQL: Readonly<Record<TableDialect, OnceSql>> = {
  postgres: conflictSql("postgres", POSTGRES_TABLE),
  sqlite: conflictSql("sqlite", SQLITE_TABLE),
  mysql: MYSQL,
};
