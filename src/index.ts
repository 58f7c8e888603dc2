export type { Acquirable, AcquireOptions, TryOptions } from "./acquire.ts";
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
export type { KeepAliveLimits } from "./keep-alive.ts";
export type { Lease, Work } from "./lease.ts";
export { type Lock, type LockOptions, type LockState, lock } from "./lock.ts";
export { createLocks, type Locks } from "./locks.ts";
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
export type { Clock } from "./redis/clock.ts";
export {
  type Connection,
  type ConnectionSettings,
  type ConnectOptions,
  connect,
  type Dialect,
} from "./redis/connect.ts";
export type { UpstashRedis } from "./redis/upstash.ts";
export { resume } from "./resume.ts";
export { type Backoff, defaultBackoff, type PollInfo, type WaitUntil } from "./wait.ts";
