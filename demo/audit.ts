/** The writes that really happened, from D1: a trigger records every write, whatever the Worker believes. */
import type { Database } from "./workers.ts";

export async function installAudit(db: Database): Promise<void> {
  await db.batch([
    db.prepare("CREATE TABLE audit (id TEXT NOT NULL, token INTEGER NOT NULL)"),
    db.prepare(
      `CREATE TRIGGER audit_deliveries AFTER UPDATE OF processed_at ON deliveries
       BEGIN INSERT INTO audit VALUES (new.id, new.token); END`,
    ),
  ]);
}

export interface Row {
  readonly id: string;
  readonly token: number;
  /** The attempt that wrote it; null before any write. */
  readonly attempt: number | null;
  readonly processed_at: string | null;
  /** The successful writes for this delivery. */
  readonly writes: number;
}

export async function readRows(db: Database): Promise<Row[]> {
  const { results } = await db
    .prepare("SELECT d.*, (SELECT count(*) FROM audit a WHERE a.id = d.id) AS writes FROM deliveries d")
    .all<Row>();
  return results;
}
