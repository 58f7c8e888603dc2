import { createRequire } from "node:module";

/** Finds when the timer of `@Cron` fires next after an instant, both in ms since 1970. */
export type NextFire = (afterMs: number) => number;

/** The used part of the package `cron`. */
interface CronPackage {
  readonly CronTime?: new (
    expression: string,
    timeZone: string,
  ) => {
    getNextDateFrom?(start: Date, timeZone: string): { toMillis(): number };
  };
}

/** Loads the package `cron` that `@nestjs/schedule` uses, as the application would; undefined in a bundle without it. */
function cronPackage(): CronPackage | undefined {
  for (const file of [process.argv[1], `${process.cwd()}/package.json`]) {
    try {
      if (file !== undefined) return createRequire(createRequire(file).resolve("@nestjs/schedule"))("cron");
    } catch {
      // Not in this folder's modules.
    }
  }
  return undefined;
}

/**
 * Finds the timer of an expression: the code that computes when it fires, which differs from the expression where a
 * clock is set forward or back. Returns undefined if that code cannot be loaded.
 */
export function timerOf(expression: string, timezone: string): NextFire | undefined {
  const CronTime = cronPackage()?.CronTime;
  const time = CronTime && new CronTime(expression, timezone);
  if (typeof time?.getNextDateFrom !== "function") return undefined;
  const { getNextDateFrom } = time;
  return (afterMs) => getNextDateFrom.call(time, new Date(afterMs), timezone).toMillis();
}
