import type { Lease } from "./lease.ts";
import { type Lock, type LockOptions, lock } from "./lock.ts";
import { type Once, type OnceOptions, once } from "./once.ts";
import { type ConnectOptions, connect } from "./redis/connect.ts";
import { resume } from "./resume.ts";

/** All kinds over one connection. */
export interface Locks {
  /** See {@link lock}. */
  lock(name: string, options?: LockOptions): Lock;
  /** See {@link once}. */
  once(key: string, options?: OnceOptions): Once;
  /**
   * The lease of a ticket from another invocation. Its `remaining` is 0 until its first `extend` or `verify`; nothing is sent before.
   *
   * @throws TypeError for a text that is no ticket, or is not signed as `ticketKey` asks.
   */
  resume(ticket: string): Promise<Lease>;
}

/**
 * A connection with every kind as a method. Where bundle size counts, use {@link connect} and the functions of the kinds you need.
 *
 * @throws TypeError or RangeError as {@link connect}.
 */
export function createLocks(options: ConnectOptions): Locks {
  const connection = connect(options);
  return {
    lock: (name, lockOptions) => lock(connection, name, lockOptions),
    once: (key, onceOptions) => once(connection, key, onceOptions),
    resume: (ticket) => resume(connection, ticket),
  };
}
