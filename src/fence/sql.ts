import {
  type GuardedRow,
  guardedUpdate,
  guardedUpsert,
  placeholder,
  type SqlDialect,
  type Statement,
  tokenOf,
} from "./rows.ts";
import { type Fenced, StaleTokenError, toFenced } from "./rule.ts";

/** A row that keeps its token itself: what `guardedUpdate` takes, without what the lease and the database say. */
export type Row = Omit<GuardedRow, "token" | "dialect">;

/**
 * A database as the protected resource. `claim` and `write` keep the highest token of each name in the table `leasehold_fence`; `update`
 * and `upsert` keep it in the row that they write, and need no other table.
 *
 * An error that is no {@link StaleTokenError} is the database's own: as ever, it may have come after the write. The same write with the
 * same token is accepted again.
 */
export interface SqlFence {
  /** Creates the table `leasehold_fence` unless it is there. For migrations its text is exported too. */
  setup(): Promise<void>;
  /** Raises the token of `lease.name`. @throws StaleTokenError when a higher one was seen. */
  claim(lease: Fenced): Promise<void>;
  /**
   * Runs one INSERT, UPDATE or DELETE and raises the token, both or neither; gives the number of rows that it changed.
   *
   * @throws StaleTokenError when a higher token was seen; TypeError when it is no such statement.
   */
  write(lease: Fenced, sql: string, params?: readonly unknown[]): Promise<number>;
  /**
   * Updates one row that keeps its token itself; 0 when there is no such row.
   *
   * @throws StaleTokenError when the row has a higher token.
   */
  update(lease: Fenced, row: Row): Promise<number>;
  /**
   * Inserts or updates one row that keeps its token itself.
   *
   * @throws StaleTokenError when the row has a higher token, or when a trigger skipped it: then `seen` is not higher.
   */
  upsert(lease: Fenced, row: Row): Promise<void>;
}

/** What a kind of database must be able to do. */
export interface Driver {
  readonly dialect: SqlDialect;
  /** Gives the number of rows that it changed. */
  run(statement: Statement): Promise<number>;
  first(statement: Statement): Promise<Readonly<Record<string, unknown>> | undefined>;
  /** Both statements or neither; gives the number of rows that the second changed. */
  together(guard: Statement, work: Statement): Promise<number>;
  /** Whether this error is the guard's: NULL for a token. */
  refused(error: unknown): boolean;
}

const UPSERT = "INSERT INTO leasehold_fence AS held (name, token) VALUES";
const ON_CONFLICT = "ON CONFLICT (name) DO UPDATE SET token =";

/** Comments and spaces before, a semicolon behind. */
const BEFORE = /^(\s|--[^\n]*(\n|$)|\/\*[\s\S]*?\*\/)+/;

/** Where a semicolon would not end a statement. */
const QUOTED = /'[^']*'|"[^"]*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?\*\//g;

/** What every statement of SQLite that writes has, and no other: the words cannot be names. */
const WRITES = /\b(insert|update|delete|replace\s+into)\b/i;

function toStatement(sql: string, params: readonly unknown[], dialect: SqlDialect): Statement {
  if (typeof sql !== "string" || !Array.isArray(params)) throw new TypeError("write takes a text and its parameters");
  const text = sql.replace(BEFORE, "").replace(/[\s;]+$/, "");
  if (!/^(insert|update|delete|replace|merge|with)\b/i.test(text)) {
    throw new TypeError("sql must be one INSERT, UPDATE or DELETE");
  }
  if (dialect === "sqlite") {
    const bare = text.replace(QUOTED, " ");
    // Some drivers of SQLite run the first of several, and say nothing; Postgres itself refuses them.
    if (bare.includes(";")) throw new TypeError("sql must be one statement");
    // WITH may begin a SELECT, whose rows would count as changed. Unlike in Postgres, nothing within it writes.
    if (!WRITES.test(bare)) throw new TypeError("sql must be one INSERT, UPDATE or DELETE");
  }
  return { sql: text, params };
}

export function sqlFence(schema: string, driver: Driver): SqlFence {
  const { dialect } = driver;
  const at = (index: number): string => placeholder(dialect, index);

  async function seenOf({ name }: Fenced): Promise<number | undefined> {
    const sql = `SELECT token FROM leasehold_fence WHERE name = ${at(1)}`;
    // Only told, and not to be had in a transaction that has failed.
    const row = await driver.first({ sql, params: [name] }).catch(() => undefined);
    return row && Number(row["token"]);
  }

  return {
    async setup() {
      const create = (): Promise<unknown> => driver.run({ sql: schema, params: [] });
      // In Postgres IF NOT EXISTS does not help against another who creates it at the same moment; then it is there.
      await create().catch((error: unknown) =>
        create().catch(() => {
          throw error;
        }),
      );
    },
    async claim(given) {
      const lease = toFenced(given);
      const sql = `${UPSERT} (${at(1)}, ${at(2)}) ${ON_CONFLICT} excluded.token WHERE held.token <= excluded.token`;
      const rows = await driver.run({ sql, params: [lease.name, lease.token] });
      if (rows === 0) throw new StaleTokenError(lease, await seenOf(lease));
    },
    async write(given, sql, params = []) {
      const lease = toFenced(given);
      const work = toStatement(sql, params, dialect);
      // A condition of ours has no place in a statement of the caller's, and it would read an older state of the table than a
      // concurrent claim leaves behind. An error undoes both, whatever comes first.
      const first = params.length;
      const guard = {
        sql: `${UPSERT} (${at(first + 1)}, ${at(first + 2)}) ${ON_CONFLICT} CASE WHEN held.token <= excluded.token THEN excluded.token END`,
        params: [lease.name, lease.token],
      };
      try {
        return await driver.together(guard, work);
      } catch (error) {
        if (driver.refused(error)) throw new StaleTokenError(lease, await seenOf(lease));
        throw error;
      }
    },
    async update(given, row) {
      const lease = toFenced(given);
      const guarded = { ...row, token: lease.token, dialect };
      const rows = await driver.run(guardedUpdate(guarded));
      if (rows > 0) return rows;
      const seen = Number((await driver.first(tokenOf(guarded)))?.["token"] ?? 0);
      if (seen > lease.token) throw new StaleTokenError(lease, seen);
      return 0;
    },
    async upsert(given, row) {
      const lease = toFenced(given);
      const guarded = { ...row, token: lease.token, dialect };
      if ((await driver.run(guardedUpsert(guarded))) > 0) return;
      const seen = await driver.first(tokenOf(guarded)).catch(() => undefined);
      throw new StaleTokenError(lease, seen && Number(seen["token"]));
    },
  };
}
