import { type Fenced, StaleTokenError, toFenced } from "./rule.ts";

/** What the guard itself uses of a transaction. */
export interface GuardTransaction {
  get<T = unknown>(key: string): Promise<T | undefined>;
  put<T>(key: string, value: T): Promise<void>;
}

/** What is used of a `DurableObjectStorage`. */
export interface GuardStorage<Txn extends GuardTransaction> {
  transaction<T>(closure: (txn: Txn) => Promise<T>): Promise<T>;
}

/** A Durable Object as the protected resource. What was seen is in its storage, so that an eviction forgets nothing. */
export interface Guard<Txn extends GuardTransaction> {
  /** Raises the token of `lease.name`. @throws StaleTokenError when a higher one was seen. */
  claim(lease: Fenced): Promise<void>;
  /**
   * Raises the token and does the work, both or neither: what throws is undone. The work should do nothing but read and write `txn` (or
   * `storage.sql`): other requests wait for it, and without SQLite behind the object it runs again when it met another transaction.
   * `txn.rollback()` undoes the token too, though nothing is thrown: to keep it, claim before.
   *
   * @throws StaleTokenError when a higher token was seen, and the work is not begun.
   */
  write<T>(lease: Fenced, work: (txn: Txn) => Promise<T> | T): Promise<T>;
}

/** Where the object keeps the highest token of a name. */
const keyOf = (name: string): string => `leasehold-fence:${name}`;

/**
 * Fences what a Durable Object writes to its own storage: `guard(ctx.storage)`.
 *
 * @throws TypeError for what is no storage.
 */
export function guard<Txn extends GuardTransaction>(storage: GuardStorage<Txn>): Guard<Txn> {
  if (typeof storage?.transaction !== "function") throw new TypeError("storage must be a Durable Object's");

  async function write<T>(given: Fenced, work: (txn: Txn) => Promise<T> | T): Promise<T> {
    const lease = toFenced(given);
    if (typeof work !== "function") throw new TypeError("work must be a function");
    return storage.transaction(async (txn) => {
      const seen = (await txn.get<number>(keyOf(lease.name))) ?? 0;
      if (seen > lease.token) throw new StaleTokenError(lease, seen);
      if (seen < lease.token) await txn.put(keyOf(lease.name), lease.token);
      return work(txn);
    });
  }

  return { claim: (lease) => write(lease, () => undefined), write };
}
