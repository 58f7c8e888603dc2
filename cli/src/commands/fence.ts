import { MYSQL_FENCE_TABLE, POSTGRES_FENCE_TABLE, SQLITE_FENCE_TABLE } from "../../../src/fence/index.ts";
import { type Command, EXIT, UsageError } from "../command.ts";

/** The SQL of each database. */
const TABLES: Readonly<Record<string, string>> = {
  postgres: POSTGRES_FENCE_TABLE,
  sqlite: SQLITE_FENCE_TABLE,
  d1: SQLITE_FENCE_TABLE,
  libsql: SQLITE_FENCE_TABLE,
  mysql: MYSQL_FENCE_TABLE,
  mariadb: MYSQL_FENCE_TABLE,
};
const names = Object.keys(TABLES).join(", ");

export const fence: Command = {
  name: "fence",
  operands: "sql DATABASE",
  summary: "print the SQL of the table that fences and commits use",
  more: `DATABASE is ${names}. It sends nothing to a server:
leasehold fence sql d1 > migrations/0001_leasehold.sql`,
  options: {},
  async run({ out }, { operands }) {
    const [what, database = "", ...others] = operands;
    const sql = Object.hasOwn(TABLES, database) ? TABLES[database] : undefined;
    if (what !== "sql" || sql === undefined || others.length > 0)
      throw new UsageError(`give sql and a database: ${names}`);
    out.line(sql);
    return EXIT.done;
  },
};
