// Puts the scripts in front of a bundle, as in ../index.ts.
import "../redis/scripts.gen.ts";

export { type CronExpression, type CronExpressionOptions, cronExpression } from "./cron-expression.ts";
export { type CronGuardOptions, cronGuard } from "./cron-guard.ts";
export { type LastRun, lastRun, type Outcome } from "./last-run.ts";
export type { AlreadyRan, Ran, RanUnprotected, Report, StillRunning } from "./report.ts";
export type { Run, UnprotectedRun } from "./run-occurrence.ts";
export { type RunOnceOptions, runOnce } from "./run-once.ts";
export { type ScheduledRun, type ScheduleGuardOptions, scheduleGuard } from "./schedule-guard.ts";
export { type Scheduled, type ScheduledGuardOptions, scheduledGuard } from "./scheduled-guard.ts";
export type { CronSettings } from "./settings.ts";
export { type Schedule, slotOf } from "./slot.ts";
