/**
 * What an attempt and a database share to do work exactly once: the attempt says which row marks the work as done, and
 * the database writes that row in the transaction of the work.
 */

import type { OnlyJson, StoredResult } from "./json.ts";
import { kindOf, shown } from "./misuse.ts";

/** A name and its token, as a fence compares them. */
interface NamedToken {
  readonly name: string;
  readonly token: number;
}

/** The attempt that commits, as a database needs it. */
export interface Committing {
  /** The key of the row. */
  readonly key: string;
  /** The attempt's name and token; an older attempt's token is refused. */
  readonly lease: NamedToken;
  /** Number of the attempt, from 1. A later one looks for the row before its work. */
  readonly attempt: number;
  /** A lock under which the attempt runs, and the key of its row; its token must not be stale either. */
  readonly under?: { readonly key: string; readonly lease: NamedToken } | undefined;
}

/**
 * A database that does work and stores, in the same transaction, that it is done: made by `postgresOnce`, `d1Once` and
 * the others of `leasehold/fence`. `Tx` is its transaction, as the work gets it.
 */
export interface OnceDatabase<Tx> {
  /**
   * For the `commit` of an attempt, which calls it. Runs the work in a transaction that also writes the row of the key;
   * if the row exists, nothing is written, and its result is returned.
   *
   * @throws StaleTokenError if a newer attempt has begun its commit; what the work throws; the database's errors.
   */
  commit<T>(attempt: Committing, work: (tx: Tx) => Promise<T> | T): Promise<StoredResult<T>>;
}

/**
 * Does the work of an attempt exactly once in one database. `work` writes by the transaction that it gets, and returns
 * what is stored: JSON of at most 256 kB. A row with the key, the token and the result is written in the same
 * transaction, so that either both are there or neither. A later attempt finds the row: its work has no effect, and this
 * returns the stored result. That holds even if Redis has lost everything.
 *
 * The work may run again after a serialization failure, and on a first attempt it may run before the row is found; then
 * its writes are rolled back. So it must do nothing but read and write in its transaction. Nothing may end the
 * transaction or begin another one.
 *
 * An attempt commits once: put all writes into one call. After an error, the call may be repeated.
 *
 * @throws StaleTokenError if a newer attempt has begun its commit, and then nothing was written; what the work throws;
 * the database's error, after which the work may have been committed: repeating it is safe. TypeError for a second
 * commit, and for a result that is not JSON; RangeError for one that is too large.
 */
export type Commit = <Tx, T>(
  database: OnceDatabase<Tx>,
  work: ((tx: Tx) => Promise<T> | T) & OnlyJson<T>,
) => Promise<StoredResult<T>>;

/** Makes the `commit` of one attempt. */
export function commitOf(attempt: Committing): Commit {
  let state: "open" | "running" | "committed" = "open";
  return async (database, work) => {
    if (typeof database?.commit !== "function")
      throw new TypeError(
        `commit: the first argument must be a database, such as postgresOnce(pool), not ${shown(database)}`,
      );
    if (typeof work !== "function") throw new TypeError(`commit: work must be a function, not ${kindOf(work)}`);
    if (state !== "open")
      throw new TypeError(
        `commit: this attempt ${state === "running" ? "is committing" : "has committed"}, and commits once: do all writes in one commit`,
      );
    state = "running";
    try {
      const result = await database.commit(attempt, work);
      state = "committed";
      return result;
    } finally {
      if (state === "running") state = "open";
    }
  };
}
