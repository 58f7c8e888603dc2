import "reflect-metadata";
import { Cron, CronExpression } from "@nestjs/schedule";
import { CronTime } from "cron";
import { expect, it } from "vitest";
import { occurrencesOf } from "../src/occurrences.ts";

/** The occurrences of a method with `@Cron`. */
function of(expression: string | Date, timeZone = "UTC") {
  const method = async (): Promise<void> => {};
  Cron(expression, { timeZone })({}, "method", { value: method } as never);
  return occurrencesOf(method);
}

// The package that fires is the oracle.
it.each(Object.entries(CronExpression))("%s is the occurrence at which the timer fires", (_, expression) => {
  const occurrences = of(expression);
  let from = new Date("2026-11-21T10:20:30.500Z");
  for (let round = 0; round < 3; round += 1) {
    const fires = new CronTime(expression, "UTC").getNextDateFrom(from, "UTC").toJSDate();
    for (const lateMs of [-1, 0, 300, 900]) expect(occurrences(fires.getTime() + lateMs)).toEqual(fires);
    from = new Date(fires.getTime() + 1);
  }
});

it("follows the zone of the decorator", () => {
  const at = (time: string) => of("30 0 3 * * *", "Europe/Berlin")(Date.parse(time))?.toISOString();
  expect(at("2026-07-01T01:00:30.020Z")).toBe("2026-07-01T01:00:30.000Z");
  expect(at("2026-12-01T02:00:30.020Z")).toBe("2026-12-01T02:00:30.000Z");
  expect(at("2026-12-01T02:00:29.000Z")).toBe("2026-11-30T02:00:30.000Z");
});

it("takes a date as its only occurrence", () => {
  const date = new Date("2027-01-01T00:00:00Z");
  expect(of(date)(date.getTime() + 20)).toEqual(date);
});
