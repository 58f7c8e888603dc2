/**
 * Runs each occurrence of a schedule once, and no two occurrences of a job at the same time.
 *
 * @module leasehold/cron
 */

export { type CloudflareCronOptions, cloudflareCron, type ScheduledControllerLike } from "./cloudflare-cron.ts";
export { type CronExpression, type CronExpressionOptions, cronExpression } from "./cron-expression.ts";
export { type CronRouteOptions, cronRoute } from "./cron-route.ts";
export { type LastRun, lastRun, type Outcome } from "./last-run.ts";
export type { CronOptions } from "./options.ts";
export type { AlreadyRan, Ran, RanUnprotected, Report, StillRunning } from "./report.ts";
export { type RunCronOptions, runCron } from "./run-cron.ts";
export type { Run, UnprotectedRun } from "./run-occurrence.ts";
export { type Schedule, slotOf } from "./slot.ts";
export { type ScheduledRun, type VercelScheduleOptions, vercelSchedule } from "./vercel-schedule.ts";
