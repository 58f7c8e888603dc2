/**
 * Distributed locks and synchronizers: leases with fencing tokens in Redis. Start with {@link createLocks}.
 *
 * @module leasehold
 */

export { createLocks, type GroupLocks, type Locks, resume } from "./create-locks.ts";
export type {
  BeginOptions,
  Completed,
  Done,
  DoneWithoutResult,
  Exhausted,
  Mismatch,
  OnceOptions,
  Running,
  Started,
  Turn,
} from "./kinds/attempts.ts";
export { type Counter, type CounterOptions, type CounterState, counter } from "./kinds/counter.ts";
export { type FairLock, type FairLockOptions, type FairLockState, fairLock } from "./kinds/fair-lock.ts";
export { type Latch, type LatchOptions, type LatchState, type LatchWaitOptions, latch } from "./kinds/latch.ts";
export { type Lock, type LockOptions, type LockState, lock } from "./kinds/lock.ts";
export {
  type JoinedLock,
  type MultiLease,
  type MultiLock,
  type MultiSemaphoreLease,
  multiLock,
} from "./kinds/multi-lock.ts";
export {
  type DoneUnprotected,
  type DoneUnstored,
  type Once,
  type OnceRunOptions,
  type OnceState,
  once,
} from "./kinds/once.ts";
export type { PermitsByName } from "./kinds/part-sequence.ts";
export type { PermitOptions, SemaphoreState } from "./kinds/permits.ts";
export {
  type QuorumLock,
  type QuorumLockOptions,
  type QuorumServerState,
  type QuorumState,
  quorumLock,
} from "./kinds/quorum-lock/index.ts";
export { type ReadWriteLock, type ReadWriteSide, type ReadWriteState, readWriteLock } from "./kinds/read-write-lock.ts";
export {
  type Semaphore,
  type SemaphoreLease,
  type SemaphoreOptions,
  semaphore,
} from "./kinds/semaphore.ts";
export { type SingleFlightOptions, singleFlight } from "./kinds/single-flight.ts";
export {
  type LockSnapshot,
  query,
  type RequestInfo,
  type RequestOptions,
  request,
  type WebLock,
} from "./kinds/web-locks.ts";
export type { Acquirable, Joinable } from "./lease/acquire.ts";
export type { AcquireOptions, RunOptions, TryOptions } from "./lease/acquire-options.ts";
export {
  type Backoff,
  constantBackoff,
  defaultBackoff,
  type ExponentialBackoffOptions,
  exponentialBackoff,
  type PollInfo,
} from "./lease/backoff.ts";
export { type ExtendResult, extendAll } from "./lease/extend-all.ts";
export type { KeepAliveLimits } from "./lease/keep-alive.ts";
export type { Lease, Work } from "./lease/lease.ts";
export { retryAfter } from "./lease/unavailable.ts";
export type { Clock } from "./redis/clock.ts";
export {
  type Connection,
  type ConnectionSettings,
  type ConnectionSource,
  type ConnectOptions,
  connect,
  type Dialect,
  type UpstashRedis,
} from "./redis/connect.ts";
export { fromEnv } from "./redis/from-env.ts";
export { type GroupConnection, type GroupSource, group } from "./redis/group.ts";
export type { RedisOverTcp } from "./redis/port.ts";
export type { Around, AroundLease } from "./shared/around.ts";
export type { Duration } from "./shared/checks.ts";
export type { Commit, Committing, OnceDatabase } from "./shared/commit.ts";
export {
  type ErrorDetails,
  LeaseholdError,
  type LeaseholdErrorCode,
  LeaseLostError,
  LockTimeoutError,
  type LossReason,
  OutcomeUnknownError,
} from "./shared/errors.ts";
export type { LeaseholdEvent, OnEvent } from "./shared/events.ts";
export type { WaitUntil } from "./shared/wait-until.ts";
