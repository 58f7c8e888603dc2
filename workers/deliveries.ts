/** The deliveries in D1. Every write carries the fencing token and changes nothing where a higher one was seen. */

/** A higher token was here first: we froze past our lease, and a redelivery took over. */
export class StaleWriteError extends Error {
  override readonly name = "StaleWriteError";
}

export interface Delivery {
  readonly id: string;
  readonly token: number;
  readonly attempt: number;
  readonly event: string;
  /** Some events have none. */
  readonly action: string | undefined;
}

const CLAIM = `
  INSERT INTO deliveries (id, token) VALUES (?1, ?2)
  ON CONFLICT (id) DO UPDATE SET token = excluded.token WHERE excluded.token >= token
  RETURNING processed_at`;

const RECORD = `
  UPDATE deliveries SET token = ?2, attempt = ?3, event = ?4, action = ?5, processed_at = datetime('now')
  WHERE id = ?1 AND ?2 >= token`;

/**
 * A new holder's first act: once its token is here, no earlier holder writes any more. False when one of them had written already,
 * and only died before it could say so.
 *
 * @throws StaleWriteError when a later holder was here.
 */
export async function claim(db: D1Database, id: string, token: number): Promise<boolean> {
  const row = await db.prepare(CLAIM).bind(id, token).first<{ processed_at: string | null }>();
  if (!row) throw new StaleWriteError(`delivery ${id} has been taken over`);
  return row.processed_at === null;
}

/** @throws StaleWriteError when a later holder was here; then nothing is written. */
export async function record(db: D1Database, delivery: Delivery): Promise<void> {
  const { id, token, attempt, event, action } = delivery;
  const { meta } = await db
    .prepare(RECORD)
    .bind(id, token, attempt, event, action ?? null)
    .run();
  if (meta.changes === 0) throw new StaleWriteError(`delivery ${id} has been taken over`);
}
