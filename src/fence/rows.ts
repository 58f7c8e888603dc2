import { checkOptions } from "../shared/checks.ts";
import { type Fenced, StaleTokenError, toToken } from "./rule.ts";

/** How parameters are written: `?` for SQLite and D1, `$1` for Postgres. */
export type SqlDialect = "sqlite" | "postgres";

export interface GuardedRow {
  /** Its name, or `schema.table`. */
  readonly table: string;
  /** Columns and values that name one row: for an upsert, those of a unique index. */
  readonly key: Readonly<Record<string, unknown>>;
  /** Columns and values to write. */
  readonly set: Readonly<Record<string, unknown>>;
  readonly token: number;
  /** The column that keeps the token: a BIGINT in Postgres, an INTEGER elsewhere. Default `token`. */
  readonly column?: string | undefined;
  /** Default `sqlite`. */
  readonly dialect?: SqlDialect | undefined;
}

export interface Statement {
  readonly sql: string;
  readonly params: readonly unknown[];
}

function quote(name: string, what: string): string {
  if (typeof name !== "string" || name === "" || name.includes("\0")) throw new TypeError(`${what} must be a name`);
  return `"${name.replaceAll('"', '""')}"`;
}

const quoteTable = (table: string): string =>
  `${table ?? ""}`
    .split(".")
    .map((part) => quote(part, "table"))
    .join(".");

/** Columns, quoted, with their values. */
function columns(values: Readonly<Record<string, unknown>>, what: string): (readonly [name: string, value: unknown])[] {
  if (typeof values !== "object" || values === null) throw new TypeError(`${what} must be an object of columns`);
  return Object.entries(values).map(([name, value]) => {
    if (value === undefined) throw new TypeError(`${what}.${name} is undefined`);
    return [quote(name, what), value] as const;
  });
}

/** What a statement is made of. `bind` takes the values in the order of the text, since not all drivers know `?1`. */
function parts(row: GuardedRow) {
  checkOptions(row, "table key set token column dialect where>key values>set");
  const { dialect = "sqlite" } = row;
  if (dialect !== "sqlite" && dialect !== "postgres") throw new TypeError('dialect must be "sqlite" or "postgres"');
  const column = quote(row.column ?? "token", "column");
  const keys = columns(row.key, "key");
  const fields = columns(row.set, "set");
  if (keys.length === 0) throw new TypeError("key must name a row");
  if (keys.some(([, value]) => value === null)) throw new TypeError("a value of key is null, which equals nothing");
  if ([...keys, ...fields].some(([name]) => name === column)) throw new TypeError("set the token by token alone");
  const params: unknown[] = [];
  const bind = (value: unknown): string => placeholder(dialect, params.push(value));
  const assign = (list: typeof keys): string[] => list.map(([name, value]) => `${name} = ${bind(value)}`);
  return { table: quoteTable(row.table), token: toToken(row.token), column, keys, fields, params, bind, assign };
}

export const placeholder = (dialect: SqlDialect, index: number): string => (dialect === "postgres" ? `$${index}` : "?");

/**
 * An UPDATE of one row that keeps its token itself: no row is changed when the row has a higher token, or does not exist. Hand the
 * number of rows to {@link assertFresh} where the row is known to exist.
 *
 * @throws TypeError or RangeError for what cannot be.
 */
export function guardedUpdate(row: GuardedRow): Statement {
  const { table, token, column, keys, fields, params, bind, assign } = parts(row);
  const sets = assign([[column, token], ...fields]).join(", ");
  const sql = `UPDATE ${table} SET ${sets} WHERE ${assign(keys).join(" AND ")} AND COALESCE(${column}, 0) <= ${bind(token)}`;
  return { sql, params };
}

/**
 * An INSERT of one row, or an UPDATE where the key is there already. No row is changed when that has a higher token, and for no other
 * reason, unless a trigger skips the row: hand the number of rows to {@link assertFresh}.
 *
 * @throws TypeError or RangeError for what cannot be.
 */
export function guardedUpsert(row: GuardedRow): Statement {
  const { table, token, column, keys, fields, params, bind } = parts(row);
  const all = [[column, token], ...keys, ...fields] as const;
  const into = `INSERT INTO ${table} AS held (${all.map(([name]) => name).join(", ")}) VALUES (${all.map(([, value]) => bind(value)).join(", ")})`;
  const sets = [column, ...fields.map(([name]) => name)].map((name) => `${name} = excluded.${name}`);
  const sql = `${into} ON CONFLICT (${keys.map(([name]) => name).join(", ")}) DO UPDATE SET ${sets.join(", ")} WHERE COALESCE(held.${column}, 0) <= excluded.${column}`;
  return { sql, params };
}

/** The current token of a row, to tell stale from missing. */
export function tokenOf(row: GuardedRow): Statement {
  const { table, column, keys, params, assign } = parts(row);
  return { sql: `SELECT ${column} AS token FROM ${table} WHERE ${assign(keys).join(" AND ")}`, params };
}

/** Of a guarded statement, with the number of rows that it changed. @throws StaleTokenError for 0. */
export function assertFresh(rows: number | bigint, lease: Fenced): void {
  if (typeof rows !== "bigint" && !Number.isSafeInteger(rows)) throw new TypeError("rows must be a number of rows");
  if (Number(rows) === 0) throw new StaleTokenError(lease);
}
