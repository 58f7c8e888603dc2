/**
 * A module of NestJS: locks by injection, and decorators for methods.
 *
 * @module leasehold-nest
 */

export { type Attempt, currentAttempt, currentLease, currentRun } from "./current.ts";
export { type LeaseholdAsyncOptions, LeaseholdModule } from "./leasehold-module.ts";
export { Locks } from "./locks.ts";
export { RunCron, type RunCronOptions } from "./run-cron.ts";
export { RunOnce, type RunOnceOptions } from "./run-once.ts";
export type { LeaseholdOptions, ShutdownOptions } from "./runtime.ts";
export { type AsyncMethodDecorator, WithLock, type WithLockOptions } from "./with-lock.ts";
