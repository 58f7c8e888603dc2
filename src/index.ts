export type { Acquirable, AcquireOptions, Joinable, TryOptions } from "./acquire.ts";
export {
  type ErrorDetails,
  LeaseholdError,
  type LeaseholdErrorCode,
  LeaseLostError,
  LockTimeoutError,
  type LossReason,
  OutcomeUnknownError,
} from "./errors.ts";
export type { LeaseholdEvent, OnEvent } from "./events.ts";
export { type FairLock, type FairLockOptions, type FairLockState, fairLock } from "./fair-lock.ts";
export type { KeepAliveLimits } from "./keep-alive.ts";
export { type Latch, type LatchOptions, type LatchState, type LatchWaitOptions, latch } from "./latch.ts";
export type { Lease, Work } from "./lease.ts";
export { type Lock, type LockOptions, type LockState, lock } from "./lock.ts";
export { createLocks, type Locks } from "./locks.ts";
export { type MultiLease, type MultiLock, multiLock } from "./multi-lock.ts";
export {
  type BeginOptions,
  type Done,
  type Exhausted,
  type Mismatch,
  type Once,
  type OnceOptions,
  type OnceState,
  once,
  type Running,
  type Started,
  type Turn,
} from "./once.ts";
export type { Duration } from "./options.ts";
export {
  type QuorumLock,
  type QuorumLockOptions,
  type QuorumServerState,
  type QuorumState,
  quorumLock,
} from "./quorum-lock.ts";
export { type ReadWriteLock, type ReadWriteSide, type ReadWriteState, readWriteLock } from "./read-write-lock.ts";
export type { Clock } from "./redis/clock.ts";
export {
  type Connection,
  type ConnectionSettings,
  type ConnectionSource,
  type ConnectOptions,
  connect,
  type Dialect,
} from "./redis/connect.ts";
export type { UpstashRedis } from "./redis/upstash.ts";
export { type LockSnapshot, query, type RequestInfo, type RequestOptions, request } from "./request.ts";
export { resume } from "./resume.ts";
export {
  type Counter,
  type CounterOptions,
  type CounterState,
  type PermitOptions,
  type Semaphore,
  type SemaphoreLease,
  type SemaphoreOptions,
  type SemaphoreState,
  semaphore,
} from "./semaphore.ts";
export {
  type Backoff,
  constantBackoff,
  defaultBackoff,
  type ExponentialBackoffOptions,
  exponentialBackoff,
  type PollInfo,
  type WaitUntil,
} from "./wait.ts";
