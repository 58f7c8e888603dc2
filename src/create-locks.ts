import { ONCE, type OnceOptions } from "./kinds/attempts.ts";
import { type Counter, type CounterOptions, counter } from "./kinds/counter.ts";
import { FAIR_LOCK, type FairLock, type FairLockOptions, fairLock } from "./kinds/fair-lock.ts";
import { type Latch, type LatchOptions, latch } from "./kinds/latch.ts";
import { LOCK, type Lock, type LockOptions, lock } from "./kinds/lock.ts";
import { LOCK_GROUP, type MultiLock, type MultiLockOptions, multiLock } from "./kinds/multi-lock.ts";
import { type Once, once } from "./kinds/once.ts";
import { type QuorumLock, type QuorumLockOptions, quorumLock } from "./kinds/quorum-lock/index.ts";
import { READ_WRITE_LOCK, type ReadWriteLock, readWriteLock } from "./kinds/read-write-lock.ts";
import { SEMAPHORE, type Semaphore, type SemaphoreLease, type SemaphoreOptions, semaphore } from "./kinds/semaphore.ts";
import {
  type LockSnapshot,
  query,
  type RequestArguments,
  type RequestOptions,
  request,
  type WebLock,
} from "./kinds/web-locks.ts";
import type { Joinable } from "./lease/acquire.ts";
import type { Lease, Work } from "./lease/lease.ts";
import { resumeAs } from "./lease/resume.ts";
import { type Connection, type ConnectionSource, type ConnectOptions, open } from "./redis/connect.ts";
import { type GroupConnection, group } from "./redis/group.ts";
import { inCall } from "./shared/misuse.ts";

/** The kinds whose leases have tickets. */
const HOLD_KINDS = [LOCK, LOCK_GROUP, FAIR_LOCK, READ_WRITE_LOCK, SEMAPHORE, ONCE];

/**
 * Makes the lease of a ticket from another invocation. Its `remaining` is 0 until its first `extend` or `verify`;
 * nothing is sent before. A lease of permits also has the members of {@link SemaphoreLease}; `semaphore.resume` knows
 * their types.
 *
 * @example
 * ```ts
 * const lease = await lock(connection, "report").acquire({ lease: "1m" });
 * const elsewhere = await resume(connection, lease.ticket());
 * if (await elsewhere.verify()) await elsewhere.keepAlive(() => build());
 * ```
 *
 * @throws TypeError for a text that is not a ticket, or lacks the signature that `ticketKey` requires. It never quotes
 * the ticket, which is a secret.
 */
export const resume = (connection: ConnectionSource, ticket: string): Promise<Lease> =>
  resumeAs(connection, ticket, HOLD_KINDS);

/** All kinds over one connection. */
export interface Locks {
  /** The connection, for the functions of single kinds and for `leasehold/fence`. */
  readonly connection: Connection;
  /**
   * All kinds for the names of one group: `locks.group("cart:7").lock("items")`. They are other names than the same ones
   * outside the group. See {@link group}.
   */
  group(name: string): GroupLocks;
  /** Makes a lock: one holder at a time, reentrant for the same `reentryKey`. See {@link lock}. */
  lock(name: string, options?: LockOptions): Lock;
  /** Makes a lock that serves its waiters in order of arrival. See {@link fairLock}. */
  fairLock(name: string, options?: FairLockOptions): FairLock;
  /** Combines several locks into one: all are held, or none. See {@link multiLock}. */
  multiLock<P extends string | Joinable>(
    parts: readonly P[],
    options?: MultiLockOptions<P>,
  ): ReturnType<typeof multiLock<P>>;
  /**
   * Makes a lock on a majority of servers: the one of this connection, and the `others`. The settings of this
   * connection apply. See {@link quorumLock}.
   */
  quorumLock(others: readonly ConnectionSource[], name: string, options?: QuorumLockOptions): QuorumLock;
  /** Makes a count-down latch, which waiters pass when its count reaches zero. See {@link latch}. */
  latch(name: string, options?: LatchOptions): Latch;
  /** Makes a lock for many readers or one writer. See {@link readWriteLock}. */
  readWriteLock(name: string, options?: LockOptions): ReadWriteLock;
  /** Makes a semaphore, whose permits have leases. See {@link semaphore}. */
  semaphore(name: string, options?: SemaphoreOptions): Semaphore;
  /** Makes a counter, whose permits are taken and returned without leases. See {@link counter}. */
  counter(name: string, options?: CounterOptions): Counter;
  /** Runs `work` under a lock and extends its lease meanwhile, like `navigator.locks.request`. See {@link request}. */
  request<T>(name: string, work: Work<T, WebLock>): Promise<T>;
  request<T>(
    name: string,
    options: RequestOptions & { readonly ifAvailable?: false },
    work: Work<T, WebLock>,
  ): Promise<T>;
  request<T>(name: string, options: RequestOptions, work: Work<T, WebLock | null>): Promise<T>;
  /** Reports who holds these names and who waits, like `navigator.locks.query`. See {@link query}. */
  query(names: readonly string[]): Promise<LockSnapshot>;
  /** Runs something once for a key and remembers the result. See {@link once}. */
  once(key: string, options?: OnceOptions): Once;
  /**
   * Makes the lease of a ticket from another invocation. Its `remaining` is 0 until its first `extend` or `verify`;
   * nothing is sent before. See {@link resume}.
   *
   * @throws TypeError for a text that is not a ticket, or lacks the signature that `ticketKey` requires.
   */
  resume(ticket: string): Promise<Lease>;
}

/** All kinds over the view of a group: every name is a name of this group. */
export interface GroupLocks extends Omit<Locks, "connection" | "group" | "multiLock"> {
  /** The view of the connection, for the functions of single kinds and for `leasehold/fence`. */
  readonly connection: GroupConnection;
  /** Combines several names of the group into one lock, in one request and under one token. See {@link multiLock}. */
  multiLock(names: readonly string[], options?: LockOptions): MultiLock;
}

const isConnection = (options: ConnectOptions | Connection): options is Connection =>
  typeof options === "object" && options !== null && "port" in options;

/**
 * Makes a client with every kind as a method, from options, from an existing connection or from a {@link group}'s view. If bundle size matters, use
 * `connect` and the functions of the kinds that you need.
 *
 * @example
 * ```ts
 * const kinds = createLocks({ url, token });
 * await kinds.lock("invoice 17").run({ lease: "10s", wait: "2s" }, () => build());
 * ```
 *
 * @throws TypeError or RangeError, like `connect`.
 */
export function createLocks(view: GroupConnection): GroupLocks;
export function createLocks(options: ConnectOptions | Connection): Locks;
export function createLocks(options: ConnectOptions | Connection): Locks | GroupLocks {
  const connection = isConnection(options) ? options : inCall("createLocks", () => open(options));
  return {
    connection,
    group: (name) => createLocks(group(connection, name)),
    lock: (name, lockOptions) => lock(connection, name, lockOptions),
    fairLock: (name, lockOptions) => fairLock(connection, name, lockOptions),
    multiLock: (parts: readonly (string | Joinable)[], lockOptions?: LockOptions) =>
      multiLock(connection, parts, lockOptions) as never,
    quorumLock: (others, name, lockOptions) => quorumLock([connection, ...others], name, lockOptions),
    latch: (name, latchOptions) => latch(connection, name, latchOptions),
    readWriteLock: (name, lockOptions) => readWriteLock(connection, name, lockOptions),
    semaphore: (name, semaphoreOptions) => semaphore(connection, name, semaphoreOptions),
    counter: (name, counterOptions) => counter(connection, name, counterOptions),
    request: <T>(name: string, ...args: RequestArguments<T>) => request<T>(connection, name, ...args),
    query: (names) => query(connection, names),
    once: (key, onceOptions) => once(connection, key, onceOptions),
    resume: (ticket: string) => resume(connection, ticket),
  };
}
