import type { Hold, Lease } from "./lease.ts";
import { createLease } from "./lease.ts";
import { type Lock, type LockOptions, lock } from "./lock.ts";
import { type Once, type OnceOptions, once } from "./once.ts";
import { placeOf } from "./place.ts";
import { type ConnectOptions, connect } from "./redis/connect.ts";
import { lockClose } from "./redis/scripts/lock-close.gen.ts";
import { onceClose } from "./redis/scripts/once-close.gen.ts";
import { readTicket } from "./ticket.ts";

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

const closes: Record<string, Hold["close"]> = { lock: lockClose, once: onceClose };

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
    async resume(ticket) {
      const { kind, name, group, id, token } = await readTicket(ticket, connection.signer);
      const close = Object.hasOwn(closes, kind) ? closes[kind] : undefined;
      if (!close) throw new TypeError("this ticket is for a kind that this release of leasehold does not know");
      const place = placeOf(connection, kind, name, group);
      return createLease({ place, close, id, token, leaseMs: connection.leaseMs }, ticket).lease;
    },
  };
}
