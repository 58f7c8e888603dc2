/**
 * The writes that really happened, as D1 tells them: a trigger notes every one that gets through, whatever the Worker
 * believes.
 */
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
  /** The attempt whose write it is; null while nobody has written. */
  readonly attempt: number | null;
  readonly processed_at: string | null;
  /** Writes that got through for this delivery. */
  readonly writes: number;
}

export async function readRows(db: Database): Promise<Row[]> {
  const { results } = await db
    .prepare("SELECT d.*, (SELECT count(*) FROM audit a WHERE a.id = d.id) AS writes FROM deliveries d")
    .all<Row>();
  return results;
}
