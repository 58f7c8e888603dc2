import { shown } from "../shared/misuse.ts";
import { type Fenced, StaleTokenError, toFenced } from "./rule.ts";

/** The used part of a transaction of a Durable Object's storage. */
export interface GuardTransaction {
  get<T = unknown>(key: string): Promise<T | undefined>;
  put<T>(key: string, value: T): Promise<void>;
}

/** The used part of a `DurableObjectStorage`. */
export interface GuardStorage<Txn extends GuardTransaction> {
  transaction<T>(closure: (txn: Txn) => Promise<T>): Promise<T>;
}

/** A Durable Object as the protected resource. Its storage keeps the highest token, so it survives an eviction. */
export interface Guard<Txn extends GuardTransaction> {
  /** Raises the token of `lease.name` and writes nothing else. @throws StaleTokenError if a higher one was seen. */
  claim(lease: Fenced): Promise<void>;
  /**
   * Raises the token and does the work in one transaction: an error undoes both. The work must only read and write
   * `txn` (or `storage.sql`): other requests wait for it, and on an object without SQLite it runs again after a
   * conflict with another transaction. `txn.rollback()` also undoes the token, without an error; claim first to keep
   * the token.
   *
   * @throws StaleTokenError if a higher token was seen; then the work does not start.
   */
  write<T>(lease: Fenced, work: (txn: Txn) => Promise<T> | T): Promise<T>;
}

/** The storage key of a name's highest token. */
export const guardKeyOf = (name: string): string => `leasehold-fence:${name}`;

/**
 * Fences the writes of a Durable Object to its own storage.
 *
 * @example
 * ```ts no-run
 * import type { DurableObjectState } from "@cloudflare/workers-types";
 * import type { Fenced } from "leasehold/fence";
 * const pay = (ctx: DurableObjectState, lease: Fenced): Promise<void> =>
 *   guard(ctx.storage).write(lease, async (txn) => {
 *     await txn.put("paid", true);
 *   });
 * ```
 *
 * @throws TypeError for a value that is not the storage of a Durable Object.
 */
export function guard<Txn extends GuardTransaction>(storage: GuardStorage<Txn>): Guard<Txn> {
  if (typeof storage?.transaction !== "function")
    throw new TypeError(`guard: storage must be a Durable Object's, not ${shown(storage)}`);

  async function write<T>(fenced: Fenced, work: (txn: Txn) => Promise<T> | T): Promise<T> {
    const lease = toFenced(fenced);
    if (typeof work !== "function") throw new TypeError(`guard.write: work must be a function, not ${shown(work)}`);
    return storage.transaction(async (txn) => {
      const seen = (await txn.get<number>(guardKeyOf(lease.name))) ?? 0;
      if (seen > lease.token) throw new StaleTokenError(lease, seen);
      if (seen < lease.token) await txn.put(guardKeyOf(lease.name), lease.token);
      return await work(txn);
    });
  }

  return { claim: (lease) => write(lease, () => undefined), write };
}
