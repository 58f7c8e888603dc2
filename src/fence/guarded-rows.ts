import { checkOptions, isPlain } from "../shared/checks.ts";
import { inCall, misuse, shown } from "../shared/misuse.ts";
import { type Fenced, StaleTokenError, toToken } from "./rule.ts";
import {
  folded,
  isRowNumber,
  placeholder,
  quote,
  quoteTable,
  type SqlDialect,
  type Statement,
  toDialect,
} from "./sql-dialect.ts";

/** A row that keeps the highest token in its own column. */
export interface GuardedRow {
  /** The table's name, or `schema.table`. */
  readonly table: string;
  /** Columns and values that identify the row; for an upsert, those of a unique index. */
  readonly key: Readonly<Record<string, unknown>>;
  /** Columns and values to write. */
  readonly set: Readonly<Record<string, unknown>>;
  /** The fencing token of the writer's lease. */
  readonly token: number;
  /**
   * The column that keeps the token: a BIGINT in Postgres, otherwise an INTEGER, and not a key of the table. `key` and
   * `set` must not contain it, in any spelling that the database accepts. Default `token`.
   */
  readonly column?: string | undefined;
  /** The dialect of the database. Default `sqlite`. */
  readonly dialect?: SqlDialect | undefined;
}

/** A quoted column and the value for it. */
type Column = readonly [name: string, value: unknown];

/** Lists quoted columns with their values. */
function columns(values: Readonly<Record<string, unknown>>, what: string): Column[] {
  const isObject = typeof values === "object" && values !== null && !Array.isArray(values);
  // A Date or a forgotten Promise has no columns.
  if (!isObject || (Object.keys(values).length === 0 && !isPlain(values)))
    throw misuse(TypeError, `${what} must be an object of columns, not ${shown(values)}`);
  return Object.entries(values).map(([name, value]) => {
    if (value === undefined) throw misuse(TypeError, `${what}.${name} is undefined: pass a value or null`);
    return [quote(name, what), value] as const;
  });
}

/** Rejects columns that are the same for the database, which would silently keep one of their values. */
function checkDistinct(list: readonly Column[], what: string, dialect: SqlDialect): void {
  const seen = new Map<string, string>();
  for (const [name] of list) {
    const other = seen.get(folded(name, dialect));
    if (other !== undefined) throw misuse(TypeError, `${what} has ${other} and ${name}, which are one column`);
    seen.set(folded(name, dialect), name);
  }
}

/** Checks the columns: the token's column must not be written under another spelling. */
function checkColumns(column: string, keys: readonly Column[], fields: readonly Column[], dialect: SqlDialect): void {
  if (keys.length === 0) throw misuse(TypeError, "key must name a row");
  if (keys.some(([, value]) => value === null))
    throw misuse(TypeError, "key must not contain null, which equals nothing in SQL");
  if (isRowNumber(column, dialect)) throw misuse(TypeError, "the token needs its own column, not the row ID");
  if ([...keys, ...fields].some(([name]) => folded(name, dialect) === folded(column, dialect)))
    throw misuse(TypeError, "key and set must not contain the token's column");
  checkDistinct(keys, "key", dialect);
  checkDistinct(fields, "set", dialect);
}

/**
 * Checks the row and makes the parts of a statement. `bind` follows the order of the text: not all drivers know `?1`.
 */
function parts(row: GuardedRow) {
  checkOptions(row, "table key set token column dialect where>key values>set");
  const dialect = toDialect(row.dialect);
  const column = quote(row.column ?? "token", "column");
  const keys = columns(row.key, "key");
  const fields = columns(row.set, "set");
  checkColumns(column, keys, fields, dialect);
  const params: unknown[] = [];
  const bind = (value: unknown): string => placeholder(dialect, params.push(value));
  const assign = (list: typeof keys): string[] => list.map(([name, value]) => `${name} = ${bind(value)}`);
  return {
    table: quoteTable(row.table),
    token: toToken(row.token),
    dialect,
    column,
    keys,
    fields,
    params,
    bind,
    assign,
  };
}

/**
 * Makes an UPDATE of one row that keeps the token itself. It changes no row if the row has a higher token or does not
 * exist. If the row is known to exist, pass the number of changed rows to {@link assertFresh}.
 *
 * @example
 * ```ts
 * import { DatabaseSync } from "node:sqlite";
 * const db = new DatabaseSync(":memory:");
 * db.exec("CREATE TABLE invoices (id INTEGER, paid INTEGER, token INTEGER); INSERT INTO invoices (id) VALUES (42)");
 * await locks.lock("invoice 42").run(async (lease) => {
 *   const row = { table: "invoices", key: { id: 42 }, set: { paid: 1 }, token: lease.token };
 *   const { sql, params } = guardedUpdate(row);
 *   assertFresh(db.prepare(sql).run(...(params as number[])).changes, lease);
 * });
 * ```
 *
 * @throws TypeError or RangeError for an invalid row.
 */
export function guardedUpdate(row: GuardedRow): Statement {
  const { table, token, column, keys, fields, params, bind, assign } = inCall("guardedUpdate", () => parts(row));
  // Of two assignments to one column, SQLite keeps the last: the token's.
  const sets = assign([...fields, [column, token]]).join(", ");
  const sql = `UPDATE ${table} SET ${sets} WHERE ${assign(keys).join(" AND ")} AND COALESCE(${column}, 0) <= ${bind(token)}`;
  return { sql, params };
}

/**
 * Makes an INSERT of one row, or an UPDATE if the key exists. It changes no row if the row has a higher token, or if a
 * trigger skipped it. Pass the number of changed rows to {@link assertFresh}.
 *
 * @example
 * ```ts
 * import { DatabaseSync } from "node:sqlite";
 * const db = new DatabaseSync(":memory:");
 * db.exec("CREATE TABLE invoices (id INTEGER PRIMARY KEY, paid INTEGER, token INTEGER)");
 * await locks.lock("invoice 42").run(async (lease) => {
 *   const row = { table: "invoices", key: { id: 42 }, set: { paid: 1 }, token: lease.token };
 *   const { sql, params } = guardedUpsert(row);
 *   assertFresh(db.prepare(sql).run(...(params as number[])).changes, lease);
 * });
 * ```
 *
 * @throws TypeError or RangeError for an invalid row.
 */
export function guardedUpsert(row: GuardedRow): Statement {
  const { table, token, column, keys, fields, params, bind } = inCall("guardedUpsert", () => {
    const checked = parts(row);
    checkDistinct([...checked.keys, ...checked.fields], "key and set", checked.dialect);
    return checked;
  });
  const all = [[column, token], ...keys, ...fields] as const;
  const into = `INSERT INTO ${table} AS held (${all.map(([name]) => name).join(", ")}) VALUES (${all.map(([, value]) => bind(value)).join(", ")})`;
  const sets = [...fields.map(([name]) => name), column].map((name) => `${name} = excluded.${name}`);
  const unique = keys.map(([name]) => name).join(", ");
  const sql = `${into} ON CONFLICT (${unique}) DO UPDATE SET ${sets.join(", ")} WHERE COALESCE(held.${column}, 0) <= excluded.${column}`;
  return { sql, params };
}

/** Makes a SELECT of the token in a row, to distinguish a stale write from a missing row. */
export function tokenOf(row: GuardedRow): Statement {
  const { table, column, keys, params, assign } = parts(row);
  return { sql: `SELECT ${column} AS token FROM ${table} WHERE ${assign(keys).join(" AND ")}`, params };
}

/**
 * Checks the number of rows that a guarded statement changed, without those of triggers: `meta.changes` of D1 and
 * `rowsWritten` of a Durable Object include them; `SELECT changes()` does not.
 *
 * @example
 * ```ts
 * const lease = { name: "invoice 42", token: 7 };
 * assertFresh(1, lease);
 * try {
 *   assertFresh(0, lease); // throws: the row has a higher token
 * } catch (error) {
 *   console.log((error as StaleTokenError).code); // "stale_token"
 * }
 * ```
 *
 * @throws StaleTokenError for 0; TypeError for a value that is not a number of rows.
 */
export function assertFresh(rows: number | bigint, lease: Fenced): void {
  if (typeof rows !== "bigint" && !Number.isSafeInteger(rows))
    throw new TypeError(`assertFresh: rows must be the number of changed rows, not ${shown(rows)}`);
  if (Number(rows) === 0) throw new StaleTokenError(lease);
}
