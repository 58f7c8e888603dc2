import { DatabaseSync } from "node:sqlite";

/** A resource that checks tokens: one row in SQLite that remembers the highest token that it has seen. */
export interface Ledger {
  /** The first act of a holder: from now on all earlier ones are refused. Rows changed. */
  raise(token: number): number;
  /** Writes unless a later token was seen. Rows changed. */
  write(token: number, value: string): number;
  read(): { token: number; value: string };
  close(): void;
}

export function openLedger(file: string): Ledger {
  const db = new DatabaseSync(file, { timeout: 5000 });
  db.exec("CREATE TABLE IF NOT EXISTS ledger (id INTEGER PRIMARY KEY, token INTEGER NOT NULL, value TEXT NOT NULL)");
  db.exec("INSERT OR IGNORE INTO ledger VALUES (1, 0, '')");
  return {
    raise: (token) => Number(db.prepare("UPDATE ledger SET token = ? WHERE token < ?").run(token, token).changes),
    write: (token, value) =>
      Number(db.prepare("UPDATE ledger SET token = ?, value = ? WHERE token <= ?").run(token, value, token).changes),
    read: () => db.prepare("SELECT token, value FROM ledger").get() as { token: number; value: string },
    close: () => db.close(),
  };
}
