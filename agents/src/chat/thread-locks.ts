import { type Connection, type Duration, LeaseLostError, type Lock, lock } from "leasehold";
import { isNoAnswer, isWellFormed, LOCK, resumeAs } from "leasehold/internal";

/** The lock of a thread, in the form of `chat`. */
export interface ThreadLock {
  readonly threadId: string;
  /** The fencing token, followed by the ticket that proves ownership. */
  readonly token: string;
  /** When the lock ends unless it is extended, in ms since 1970 by the local clock. It is early, never late. */
  readonly expiresAt: number;
}

/** Locks of threads. */
export interface ThreadLocks {
  /** Locks a thread for `ttlMs`; null if it is locked. */
  acquireLock(threadId: string, ttlMs: number): Promise<ThreadLock | null>;
  /**
   * Extends a lock to `ttlMs` from now, and never shortens it. Returns false if it has expired, was released or was
   * taken over.
   *
   * @throws OutcomeUnknownError without an answer, since unknown does not mean "no".
   */
  extendLock(lock: ThreadLock, ttlMs: number): Promise<boolean>;
  /** Releases a lock if it is still held. Without an answer, it expires. */
  releaseLock(lock: ThreadLock): Promise<void>;
  /** Releases the lock of a thread by force, and raises its fencing token. */
  forceReleaseLock(threadId: string): Promise<void>;
}

/** A number of ms with its unit, since a lease rejects bare numbers below 100. */
const inMs = (ttlMs: number): Duration => `${Math.ceil(ttlMs)}ms` as Duration;

/**
 * Returns the fencing token of a lock: larger than that of every earlier lock of the thread.
 *
 * @example
 * ```ts
 * const state = chatState(connection);
 * await state.connect();
 * const lock = await state.acquireLock("slack:C123:18", 30_000);
 * if (lock) console.log(fencingTokenOf(lock));
 * ```
 *
 * @throws TypeError for a lock of another state.
 */
export function fencingTokenOf({ token }: { readonly token: string }): number {
  const number = Number(/^(\d+)\./.exec(token)?.[1]);
  if (!Number.isSafeInteger(number))
    throw new TypeError("fencingTokenOf: this is not a lock of leasehold-agents/chat: acquireLock returns one");
  return number;
}

/**
 * The locks of threads. A lock is represented by the ticket of its lease, so that any process can extend and release
 * it.
 */
export function threadLocks(connection: Connection, nameOf: (threadId: string) => string): ThreadLocks {
  const lockOf = (threadId: string): Lock => lock(connection, nameOf(threadId));

  /** The lease of a lock; undefined for a lock of another state. */
  async function leaseOf({ threadId, token }: ThreadLock) {
    const [, ticket] = /^\d+\.(.+)$/s.exec(isWellFormed(token) ? token : "") ?? [];
    if (ticket === undefined) return undefined;
    const lease = await resumeAs(connection, ticket, [LOCK]).catch((error: unknown) => {
      if (error instanceof TypeError) return undefined;
      throw error;
    });
    return lease?.name === nameOf(threadId) ? lease : undefined;
  }

  return {
    async acquireLock(threadId, ttlMs) {
      const lease = await lockOf(threadId).tryAcquire({ lease: inMs(ttlMs) });
      return lease && { threadId, token: `${lease.token}.${lease.ticket()}`, expiresAt: lease.expiresAt };
    },
    async extendLock(held, ttlMs) {
      const lease = await leaseOf(held);
      try {
        await lease?.extend(inMs(ttlMs));
        return lease !== undefined;
      } catch (error) {
        if (error instanceof LeaseLostError) return false;
        throw error;
      }
    },
    async releaseLock(held) {
      const lease = await leaseOf(held);
      // Without an answer, the lock expires. The caller's work is done, and its own error is more important.
      await lease?.release().catch((error: unknown) => {
        if (!isNoAnswer(error)) throw error;
      });
    },
    async forceReleaseLock(threadId) {
      await lockOf(threadId).forceRelease();
    },
  };
}
