import { bytesOf } from "../shared/bytes.ts";
import type { RowToWrite } from "./done-row.ts";
import type { Statement } from "./sql-dialect.ts";
import type { TableSql } from "./token-table.ts";

/**
 * SQL that creates the fence's table in MySQL and MariaDB, a whole statement with its semicolon, for migrations. The name
 * is binary, so that no collation or padding makes two names one, and the engine must have transactions.
 */
export const MYSQL_FENCE_TABLE =
  "CREATE TABLE IF NOT EXISTS leasehold_fence (name VARBINARY(2048) NOT NULL PRIMARY KEY, token BIGINT NOT NULL, result MEDIUMTEXT CHARACTER SET ascii, done_at BIGINT) ENGINE=InnoDB;";

const MAX_NAME_BYTES = 2048;

/**
 * Names travel in hexadecimal, so that no character set of a connection changes them.
 *
 * @throws RangeError for a name that the column would cut off in some SQL modes.
 */
function hexOf(name: string): string {
  const bytes = bytesOf(name);
  if (bytes.length > MAX_NAME_BYTES)
    throw new RangeError(`leasehold_fence: the key has ${bytes.length} bytes: at most ${MAX_NAME_BYTES} are stored`);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The name of a row that {@link mysqlRead} has read. */
export const nameOfHex = (hex: string): string =>
  new TextDecoder().decode(Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)));

/** Fails in every SQL mode, since no unsigned number is so large. It depends on the row, so it is not computed ahead. */
const FAIL = "18446744073709551615 + token";

/**
 * Writes the rows, or fails if one is done or has a higher token. The database compares with the newest version of the
 * row, and locks it until the end of the transaction. A SELECT would read the snapshot of a transaction under REPEATABLE
 * READ, which is the default.
 */
export const mysqlWrite = (rows: readonly RowToWrite[]): Statement => ({
  sql: `INSERT INTO leasehold_fence (name, token, result, done_at) VALUES ${rows.map(() => "(UNHEX(?), ?, ?, ?)").join(", ")} ON DUPLICATE KEY UPDATE token = IF((done_at IS NULL OR VALUES(done_at) IS NULL) AND token <= VALUES(token), VALUES(token), ${FAIL}), result = COALESCE(VALUES(result), result), done_at = COALESCE(VALUES(done_at), done_at)`,
  params: rows.flatMap(({ name, token, text, doneAt }) => [hexOf(name), token, text, doneAt]),
});

/** Raises the token of a row, whatever it is, and locks the row. */
export const mysqlRaise = ({ name, token }: RowToWrite): Statement => ({
  sql: "INSERT INTO leasehold_fence (name, token) VALUES (UNHEX(?), ?) ON DUPLICATE KEY UPDATE token = GREATEST(token, VALUES(token))",
  params: [hexOf(name), token],
});

/** Reads rows; `locking` reads their newest version instead of the snapshot. */
export const mysqlRead = (names: readonly string[], locking: "FOR UPDATE" | "" = ""): Statement => ({
  sql: `SELECT HEX(name) AS name, token, result, done_at FROM leasehold_fence WHERE name IN (${names.map(() => "UNHEX(?)").join(", ")}) ${locking}`,
  params: names.map(hexOf),
});

const IS_FENCE = "table_schema = DATABASE() AND table_name = 'leasehold_fence'";
const column = (name: string, what: string): string =>
  `(SELECT ${what} FROM information_schema.columns WHERE ${IS_FENCE} AND column_name = '${name}')`;

export const MYSQL_TABLE: TableSql = {
  schema: MYSQL_FENCE_TABLE,
  definition: `
    SELECT table_schema AS places, 1 AS count,
      CASE table_type WHEN 'BASE TABLE' THEN 'table' ELSE LOWER(table_type) END AS kind,
      CASE WHEN engine = 'InnoDB' THEN NULL ELSE 'engine' END AS loss,
      ${column("name", "column_type")} AS name_type,
      ${column("token", "column_type")} AS token_type,
      ${column("token", "CASE is_nullable WHEN 'YES' THEN 1 ELSE 0 END")} AS token_nullable,
      (SELECT COUNT(*) FROM information_schema.statistics AS one WHERE ${IS_FENCE} AND column_name = 'name' AND non_unique = 0
        AND sub_part IS NULL AND 1 = (SELECT COUNT(*) FROM information_schema.statistics AS each_part
        WHERE each_part.table_schema = one.table_schema AND each_part.table_name = one.table_name AND each_part.index_name = one.index_name)) AS \`keys\`,
      NULL AS collation,
      (SELECT GROUP_CONCAT(trigger_name SEPARATOR ', ') FROM information_schema.triggers
        WHERE event_object_schema = DATABASE() AND event_object_table = 'leasehold_fence') AS \`triggers\`,
      NULL AS rules
    FROM information_schema.tables WHERE ${IS_FENCE}`,
};
