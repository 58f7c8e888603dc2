import { DatabaseSync } from "node:sqlite";
import { sqliteFence } from "../../src/fence/index.ts";
import type { Resource } from "./deed.ts";

export function openSqlite(file: string): DatabaseSync {
  const db = new DatabaseSync(file);
  db.exec("PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF");
  return db;
}

export async function resourceOf(db: DatabaseSync): Promise<Resource> {
  const fence = sqliteFence(db);
  await fence.setup();
  db.exec("CREATE TABLE IF NOT EXISTS log (at INTEGER PRIMARY KEY, value TEXT NOT NULL)");
  return {
    claim: (lease) => fence.claim(lease),
    write: (lease, value) => fence.write(lease, "INSERT INTO log (value) VALUES (?)", [value]),
    values: async () =>
      db
        .prepare("SELECT value FROM log ORDER BY at")
        .all()
        .map((row) => `${row["value"]}`),
  };
}
