/** The timer of `@nestjs/schedule` is the oracle: what it fires where a clock is set forward or back, runs. */
import "reflect-metadata";
import { Cron } from "@nestjs/schedule";
import { CronJob } from "cron";
import { afterEach, describe, expect, it, vi } from "vitest";
import { occurrencesOf } from "../src/occurrences.ts";

const HOUR_MS = 3_600_000;
/** How late a timer may be, in ms. */
const LATE_MS = 900;
/** From some hours before a change of the clock until some hours after it. */
const HOURS = 8;

afterEach(() => void vi.useRealTimers());

/** The times at which the timer fires, in ms. It starts as a process would, and its clock is simulated. */
function fires(cronTime: string, timeZone: string, from: string, hours: number): number[] {
  const start = Date.parse(from);
  vi.useFakeTimers({ now: start, toFake: ["Date", "setTimeout", "clearTimeout"] });
  const times: number[] = [];
  const job = CronJob.from({ cronTime, timeZone, start: true, onTick: () => void times.push(Date.now()) });
  vi.advanceTimersByTime(hours * HOUR_MS);
  job.stop();
  vi.useRealTimers();
  return times;
}

/** Finds the slot of a call at a time, on a clock that shows it: the timer's code reads the clock as well. */
function slots(cronTime: string, timeZone: string): (at: number) => string | undefined {
  const method = async (): Promise<void> => {};
  Cron(cronTime, { timeZone })({}, "method", { value: method } as never);
  const find = occurrencesOf(method);
  return (at) => {
    vi.useFakeTimers({ now: at, toFake: ["Date"] });
    const slot = find(at);
    vi.useRealTimers();
    return slot?.toISOString();
  };
}

const EXPRESSIONS = [
  "0 0 */2 * * *",
  "0 0 * * * *",
  "0 30 * * * *",
  "*/30 59,0 * * * *",
  "0 */20 * * * *",
  "0 30 2 * * *",
  "0 0 2 * * *",
  "0 30 0 * * *",
  "0 0 0 * * *",
  "0 0 3 * * *",
  "0 15,45 0-4 * * *",
  "0 0 1-4 * * *",
  "0 0 1,3 * * *",
  "*/30 * * * *",
  "0 2 * * *",
  "0 */3 * * *",
  "30 1 * * 0",
];

/** Each zone, and a time about four hours before its clock is set forward or back. */
const JUMPS = [
  ["Europe/Berlin", "2026-03-28T21:00:00Z"],
  ["Europe/Berlin", "2026-10-24T21:00:00Z"],
  ["America/Havana", "2026-03-08T01:00:00Z"],
  ["America/Havana", "2026-11-01T01:00:00Z"],
  ["America/New_York", "2026-03-08T03:00:00Z"],
  ["America/New_York", "2026-11-01T02:00:00Z"],
  ["Australia/Sydney", "2026-04-04T12:00:00Z"],
  ["Australia/Sydney", "2026-10-03T12:00:00Z"],
  ["Australia/Lord_Howe", "2026-04-04T11:00:00Z"],
  ["Australia/Lord_Howe", "2026-10-03T11:00:00Z"],
  ["America/Santiago", "2026-04-04T23:00:00Z"],
  ["America/Santiago", "2026-09-06T00:00:00Z"],
  ["Africa/Cairo", "2026-04-23T18:00:00Z"],
  ["Africa/Cairo", "2026-10-29T17:00:00Z"],
  ["Asia/Beirut", "2026-03-28T18:00:00Z"],
  ["Asia/Beirut", "2026-10-24T17:00:00Z"],
  ["America/Nuuk", "2026-03-28T21:00:00Z"],
  ["Asia/Kolkata", "2026-03-28T21:00:00Z"],
] as const;

describe.each(JUMPS)("%s after %s", (zone, from) => {
  it.each(EXPRESSIONS)("%s runs each time that the timer fires, and once (B22)", (expression) => {
    const times = fires(expression, zone, from, HOURS);
    const slotOf = slots(expression, zone);
    const wanted = times.map((time) => new Date(time).toISOString());
    expect(times.map(slotOf)).toEqual(wanted);
    const isAlone = (time: number, index: number): boolean =>
      time + LATE_MS < (times[index + 1] ?? Number.POSITIVE_INFINITY);
    expect(times.filter(isAlone).map((time) => slotOf(time + LATE_MS))).toEqual(
      wanted.filter((_, index) => isAlone(times[index] ?? 0, index)),
    );
    expect(new Set(wanted).size).toBe(times.length);
  });

  it("is the same occurrence for an instance that started later (B22)", () => {
    for (const expression of EXPRESSIONS.slice(0, 3)) {
      const slotOf = slots(expression, zone);
      const all = fires(expression, zone, from, HOURS).map(slotOf);
      const later = new Date(Date.parse(from) + 3.4 * HOUR_MS).toISOString();
      expect(all, expression).toEqual(expect.arrayContaining(fires(expression, zone, later, HOURS - 4).map(slotOf)));
    }
  });
});

it("fires at the jump, where the expression's own time is skipped (B22)", () => {
  const [jump] = fires("0 0 */2 * * *", "Europe/Berlin", "2026-03-29T00:30:00Z", 1);
  expect(new Date(jump ?? 0).toISOString()).toBe("2026-03-29T01:00:00.000Z");
});
