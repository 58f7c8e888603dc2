export { type CronExpression, cronExpression } from "./expression.ts";
export { type CronGuardOptions, cronGuard } from "./guard.ts";
export { type LastRun, lastRun, type Outcome } from "./last-run.ts";
export type { Run } from "./occur.ts";
export type { AlreadyRan, Ran, Report, StillRunning } from "./report.ts";
export { type RunOnceOptions, runOnce } from "./run-once.ts";
export { type Scheduled, type ScheduledGuardOptions, scheduledGuard } from "./scheduled.ts";
export type { CronSettings } from "./settings.ts";
export { type Schedule, slotOf } from "./slot.ts";
