import { DatabaseSync } from "node:sqlite";
import type { ObjectStorage, SqlValue } from "../../src/object-storage.ts";

/** The storage of one object, in a real SQLite. */
export interface SqliteStorage extends ObjectStorage {
  /** Makes the n-th statement from now on fail, counted from 0, as often as it comes; `undefined` for none. */
  failAt(n: number | undefined, message?: string): void;
  /** How many statements were run since the last `failAt`. */
  readonly statements: number;
  /** The time of the alarm, which the test plays. */
  alarm: number | null;
  /** How often the alarm was set. */
  readonly alarms: number;
  readonly tables: readonly string[];
  /** How many rows were inserted, updated and deleted, as Cloudflare bills them; tables and alarms are not counted. */
  readonly rowsWritten: number;
  rows(table: string): Record<string, SqlValue>[];
  /** Begins a trial, and undoes what came since. */
  begin(): void;
  rollBack(): void;
  close(): void;
}

export function openSqlite(): SqliteStorage {
  const database = new DatabaseSync(":memory:");
  let failing: number | undefined;
  let message = "";
  let statements = 0;
  let alarms = 0;
  let alarmBefore: number | null = null;

  /** Counts a step that may fail. */
  function step(): void {
    if (statements++ === failing) throw new Error(message);
  }
  const rows = (query: string, ...bindings: SqlValue[]): Record<string, SqlValue>[] =>
    database.prepare(query).all(...(bindings as never[])) as Record<string, SqlValue>[];
  const tables = (): string[] =>
    rows("SELECT name FROM sqlite_master WHERE type = 'table'").map(({ name }) => String(name));

  const storage: SqliteStorage = {
    sql: {
      exec(query, ...bindings) {
        step();
        const found = rows(query, ...bindings);
        return { toArray: () => found };
      },
    },
    transactionSync(work) {
      database.exec("SAVEPOINT request");
      try {
        const result = work();
        database.exec("RELEASE request");
        return result;
      } catch (error) {
        database.exec("ROLLBACK TO request; RELEASE request");
        throw error;
      }
    },
    getAlarm: () => Promise.resolve(storage.alarm),
    setAlarm(at) {
      step();
      alarms++;
      storage.alarm = at;
      return Promise.resolve();
    },
    deleteAll() {
      step();
      for (const table of tables()) database.exec(`DROP TABLE ${table}`);
      storage.alarm = null;
      return Promise.resolve();
    },
    failAt(n, why = "disk I/O error: SQLITE_IOERR") {
      failing = n;
      message = why;
      statements = 0;
    },
    get statements() {
      return statements;
    },
    alarm: null,
    get alarms() {
      return alarms;
    },
    get tables() {
      return tables();
    },
    get rowsWritten() {
      return Number(rows("SELECT total_changes() AS count")[0]?.["count"]);
    },
    rows: (table) => rows(`SELECT * FROM ${table}`),
    begin() {
      alarmBefore = storage.alarm;
      database.exec("SAVEPOINT trial");
    },
    rollBack() {
      database.exec("ROLLBACK TO trial; RELEASE trial");
      storage.alarm = alarmBefore;
    },
    close: () => database.close(),
  };
  return storage;
}
