/**
 * The differences between SQL databases that matter to a fence: parameters, names and upserts. The parsing of a
 * caller's SQL, its comments and quotes, is in check-statement.ts.
 */

import { bytesOf } from "../shared/bytes.ts";
import { misuse, shown } from "../shared/misuse.ts";

/** The syntax of parameters: `?` for SQLite and D1, `$1` for Postgres. */
export type SqlDialect = "sqlite" | "postgres";

/** The databases with a table of fences: those of {@link SqlDialect}, and MySQL and MariaDB. */
export type TableDialect = SqlDialect | "mysql";

/** A statement and its parameters, for any driver. */
export interface Statement {
  readonly sql: string;
  readonly params: readonly unknown[];
}

/** Checks a dialect; the default is `sqlite`. */
export function toDialect(dialect: SqlDialect = "sqlite"): SqlDialect {
  if (dialect !== "sqlite" && dialect !== "postgres")
    throw misuse(TypeError, `dialect ${shown(dialect)} must be "sqlite" or "postgres"`);
  return dialect;
}

/** Writes the parameter with this number, from 1. */
export const placeholder = (dialect: TableDialect, index: number): string =>
  dialect === "postgres" ? `$${index}` : "?";

/** Quotes a name; `what` describes it in errors. */
export function quote(name: string, what: string): string {
  if (typeof name !== "string" || name === "" || name.includes("\0"))
    throw misuse(TypeError, `${what} ${shown(name)} must be a name`);
  return `"${name.replaceAll('"', '""')}"`;
}

/** Quotes the name of a table, and of its schema if it has one. */
export function quoteTable(table: string): string {
  const parts = typeof table === "string" ? table.split(".") : [table];
  return parts.map((part) => quote(part, "table")).join(".");
}

/**
 * The name as the database compares it. SQLite ignores the case of ASCII letters, even in quoted names. In Postgres,
 * quoted names keep their case, and only their first 63 bytes count.
 */
export function folded(quoted: string, dialect: SqlDialect): string {
  if (dialect === "sqlite") return quoted.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const name = bytesOf(quoted.slice(1, -1).replaceAll('""', '"'));
  return new TextDecoder().decode(name.subarray(0, 63)).replace(/\uFFFD$/, "");
}

const ROW_NUMBER = /^"(rowid|oid|_rowid_)"$/i;

/** Whether a column is an alias of SQLite's row ID, which cannot hold the token, since it is the key of the row. */
export const isRowNumber = (quoted: string, dialect: SqlDialect): boolean =>
  dialect === "sqlite" && ROW_NUMBER.test(quoted);
