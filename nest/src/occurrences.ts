import { misuse, shown } from "leasehold/internal";
import { parseExpression } from "leasehold/internal/cron";
import type { Method } from "./decorated-method.ts";
import { type NextFire, timerOf } from "./timer.ts";

/** The metadata of a method with `@Cron` of `@nestjs/schedule`. */
interface CronMetadata {
  readonly cronTime?: unknown;
  readonly timeZone?: string | undefined;
  readonly utcOffset?: unknown;
}

/** The keys under which `@nestjs/schedule` keeps the arguments of its decorators. */
const CRON = "SCHEDULE_CRON_OPTIONS";
const OTHERS = ["SCHEDULE_INTERVAL_OPTIONS", "SCHEDULE_TIMEOUT_OPTIONS"];

/** How early a timer may fire, in ms. */
const EARLY_MS = 50;

/** Finds the occurrence of a call at a time; undefined if none was due yet. */
export type Occurrences = (nowMs: number) => Date | undefined;

/** Returns the latest due second at or before an instant, for an expression with a field for seconds. */
function withSeconds(expression: string, timezone: string): Occurrences {
  const [second = "", ...minutes] = expression.trim().split(/\s+/);
  const { latest } = parseExpression(minutes.join(" "), { timezone });
  // A field of seconds is read like one of minutes.
  const { latest: latestOf } = parseExpression(`${second} * * * *`, {});
  const seconds = Array.from({ length: 60 }, (_, at) => at * 1000).filter(
    (ms) => latestOf(ms * 60)?.getTime() === ms * 60,
  );
  return (nowMs) => {
    const minute = latest(nowMs);
    if (!minute) return undefined;
    const past = seconds.filter((ms) => minute.getTime() + ms <= nowMs);
    if (past.length > 0) return new Date(minute.getTime() + Math.max(...past));
    const before = latest(minute.getTime() - 1);
    return before && new Date(before.getTime() + Math.max(...seconds));
  };
}

/**
 * Returns the latest fire of the timer at or before an instant. The timer is asked from the occurrence before the last
 * one on, so that every instance finds the same fires: around a change of the clock, it fires at other times than those
 * of the expression.
 */
function lastFire(latest: Occurrences, next: NextFire, untilMs: number): Date | undefined {
  const last = latest(untilMs);
  const before = last && latest(last.getTime() - 1);
  if (!before) return last;
  let fired = before.getTime();
  for (;;) {
    const following = next(fired);
    if (following > untilMs) return new Date(fired);
    // The timer's code may go back in a repeated hour.
    if (following <= fired) return last;
    fired = following;
  }
}

/**
 * Finds the occurrences of a method's `@Cron`. Every instance fires by its own clock at the expression's times, so the
 * latest due time by that clock is the same occurrence everywhere.
 *
 * @throws TypeError for a method without `@Cron`, or with a time that is not an expression; the message does not name
 * the method.
 */
export function occurrencesOf(method: Method): Occurrences {
  const metadata: CronMetadata | undefined = Reflect.getMetadata(CRON, method);
  if (!metadata) {
    const isOther = OTHERS.some((key) => Reflect.hasMetadata(key, method));
    const problem = isOther
      ? "the times of @Interval and @Timeout differ from instance to instance: use @Cron"
      : "@Cron of @nestjs/schedule is missing on the method";
    throw misuse(TypeError, problem);
  }
  const { cronTime, timeZone, utcOffset } = metadata;
  if (utcOffset !== undefined && utcOffset !== null) throw misuse(TypeError, "@Cron has a utcOffset: use timeZone");
  if (cronTime instanceof Date) return () => cronTime;
  if (typeof cronTime !== "string")
    throw misuse(TypeError, `@Cron has ${shown(cronTime)} as its time: use an expression or a Date`);
  // Without a zone, `@Cron` uses the zone of the process.
  const timezone = timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const hasSeconds = cronTime.trim().split(/\s+/).length === 6;
  const latest = hasSeconds
    ? withSeconds(cronTime, timezone)
    : (ms: number) => parseExpression(cronTime, { timezone }).latest(ms);
  latest(Date.now());
  const next = timerOf(cronTime, timezone);
  return (nowMs) => (next ? lastFire(latest, next, nowMs + EARLY_MS) : latest(nowMs + EARLY_MS));
}
