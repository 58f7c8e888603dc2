import { sleep } from "../shared/timers.ts";

/** How often a transaction is tried, if the database refuses it for the sake of a concurrent one. */
const MAX_TRIES = 8;
/** The longest pause after the first try. It doubles with each try. */
const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 800;

/**
 * Whether a database has rolled the transaction back because of a concurrent one, in the words of its driver: a
 * serialization failure, a deadlock, a busy file. Libraries wrap the driver's error.
 */
export function isSerialization(error: unknown, depth = 0): boolean {
  const { code, errno, cause, meta, name, CancellationReasons: reasons } = Object(error) as Record<string, unknown>;
  if (/^(40001|40P01|ER_LOCK_DEADLOCK|ER_CHECKREAD|P2034|SQLITE_BUSY)/.test(`${code}`)) return true;
  // 1213: deadlock. 1020: MariaDB, under snapshot isolation.
  if (errno === 1213 || errno === 1020) return true;
  // DynamoDB, of a write alone and of a transaction.
  if (name === "TransactionConflictException") return true;
  if (Array.isArray(reasons) && reasons.some((reason) => reason?.Code === "TransactionConflict")) return true;
  return depth < 5 && [cause, meta].some((inner) => inner !== undefined && isSerialization(inner, depth + 1));
}

/** Repeats a transaction that `again` wants to be repeated. @throws its last error. */
export async function retried<T>(once: () => Promise<T>, again: (error: unknown) => boolean): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await once();
    } catch (error) {
      if (tries === MAX_TRIES || !again(error)) throw error;
    }
    await sleep(Math.random() * Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), MAX_PAUSE_MS));
  }
}
