import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

/** Makes a D1 database over `node:sqlite` with the tables of one file: as much of D1 as a test needs. */
export function d1Of(schema: string): D1Database {
  const sqlite = new DatabaseSync(":memory:");
  sqlite.exec(readFileSync(join(import.meta.dirname, "..", schema), "utf8"));

  function bound(query: StatementSync, values: readonly SQLInputValue[]): D1PreparedStatement {
    const all = (): D1Result => {
      const results = query.all(...values);
      const changes = sqlite.prepare("SELECT changes() AS n").get()?.["n"];
      return { success: true, results, meta: { changes } } as unknown as D1Result;
    };
    const first = (column?: string): unknown => {
      const row = query.get(...values);
      return (column === undefined ? row : row?.[column]) ?? null;
    };
    const statement = {
      bind: (...args: SQLInputValue[]) => bound(query, args),
      first: async (column?: string) => first(column),
      all: async () => all(),
      run: async () => all(),
    };
    return statement as unknown as D1PreparedStatement;
  }

  const database: Pick<D1Database, "prepare" | "batch"> = {
    prepare: (sql) => bound(sqlite.prepare(sql), []),
    batch: <T>(statements: D1PreparedStatement[]) => Promise.all(statements.map((each) => each.all<T>())),
  };
  return database as D1Database;
}

/** The same database for an instance that stops at its next query, and goes on when the function is called. */
export function frozen(database: D1Database): { readonly database: D1Database; readonly wake: () => void } {
  let wake = (): void => {};
  const woken = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const stopped = (statement: D1PreparedStatement): D1PreparedStatement =>
    ({
      bind: (...values: unknown[]) => stopped(statement.bind(...values)),
      first: async (column: string) => woken.then(() => statement.first(column)),
      all: async () => woken.then(() => statement.all()),
      run: async () => woken.then(() => statement.run()),
    }) as unknown as D1PreparedStatement;
  const stopping: Pick<D1Database, "prepare" | "batch"> = {
    prepare: (sql) => stopped(database.prepare(sql)),
    batch: <T>(statements: D1PreparedStatement[]) => Promise.all(statements.map((each) => each.all<T>())),
  };
  return { database: stopping as D1Database, wake };
}
