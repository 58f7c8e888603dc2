import { Cron } from "croner";
import { build } from "esbuild";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cronExpression, cronRoute, type Schedule, slotOf } from "../../src/cron/index.ts";
import { occurrences } from "../../src/cron/slot.ts";
import { connect } from "../../src/index.ts";

/** `slotOf` with the expression as text, parsed on the way. */
function due(given: Schedule | Schedule<string>, now?: Date): Date {
  const { schedule } = given ?? {};
  return slotOf(
    (typeof schedule === "string" ? { ...given, schedule: cronExpression(schedule) } : given) as Schedule,
    now,
  );
}

const at = (text: string): Date => new Date(text);
const exact = { clockTolerance: 0 } as const;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const within = (min: number, max: number): fc.Arbitrary<number> => fc.integer({ min: min, max: max });
/** One field of an expression, and what it matches. */
interface Field {
  readonly text: string;
  readonly has: (value: number) => boolean;
}
const field = (min: number, max: number): fc.Arbitrary<Field> => {
  const value = within(min, max);
  return fc.oneof(
    fc.constant<Field>({ text: "*", has: () => true }),
    value.map<Field>((only) => ({ text: `${only}`, has: (given) => given === only })),
    within(2, max - min).map<Field>((step) => ({ text: `*/${step}`, has: (given) => (given - min) % step === 0 })),
    fc.tuple(value, value).map<Field>(([a, b]) => {
      const [low, high] = [Math.min(a, b), Math.max(a, b)];
      return { text: `${low}-${high}`, has: (given) => given >= low && given <= high };
    }),
    fc.uniqueArray(value, { minLength: 2, maxLength: 4 }).map<Field>((list) => ({
      text: list.join(","),
      has: (given) => list.includes(given),
    })),
  );
};

/** Minute by minute backwards, over a year at most. */
function bruteForce(fields: readonly Field[], now: number): number | undefined {
  const [minute, hour, day, month, weekday] = fields as [Field, Field, Field, Field, Field];
  const date = (time: number): Date => new Date(time);
  const dayFits = (time: number): boolean => {
    const [inMonth, inWeek] = [day.has(date(time).getUTCDate()), weekday.has(date(time).getUTCDay())];
    // As in every cron: with both given either will do.
    const both = day.text !== "*" && weekday.text !== "*";
    return month.has(date(time).getUTCMonth() + 1) && (both ? inMonth || inWeek : inMonth && inWeek);
  };
  for (let time = Math.floor(now / MINUTE_MS) * MINUTE_MS; time > now - 366 * 24 * HOUR_MS; ) {
    if (!dayFits(time)) time = Math.floor(time / (24 * HOUR_MS)) * 24 * HOUR_MS - MINUTE_MS;
    else if (!hour.has(date(time).getUTCHours())) time = Math.floor(time / HOUR_MS) * HOUR_MS - MINUTE_MS;
    else if (!minute.has(date(time).getUTCMinutes())) time -= MINUTE_MS;
    else return time;
  }
  return undefined;
}

const instant = within(Date.UTC(2020, 0), Date.UTC(2040, 0));

describe("the slot of a schedule", () => {
  it("is the one that a search minute by minute finds", () => {
    const fields = fc.tuple(field(0, 59), field(0, 23), field(1, 28), field(1, 12), field(0, 6));
    fc.assert(
      fc.property(fields, instant, (given, now) => {
        const schedule = given.map(({ text }) => text).join(" ");
        expect(due({ schedule, ...exact }, new Date(now)).getTime()).toBe(bruteForce(given, now));
      }),
      { numRuns: 300 },
    );
  });

  it("is the last before which a walk forward finds another after now", () => {
    const usual = ["*/7 * * * *", "0 3 * * *", "59 23 * * 0", "0 0 29 2 *", "30 2 1,15 * 1", "0 9-17/2 * * 1-5"];
    const lastAndNearest = ["0 0 L * *", "0 0 LW * *", "5 4 1W,15W,31W * *", "0 0 * * 1#1,5#3,0#5", "0 0 15W 6 5L"];
    const schedules = [...usual, ...lastAndNearest, "0 0 1-7 * +1", "0 0 29 FEB +MON", "0 0 L * SUN"];
    fc.assert(
      fc.property(fc.constantFrom(...schedules), instant, (schedule, now) => {
        const slot = due({ schedule, ...exact }, new Date(now));
        const forward = new Cron(schedule, { mode: "5-part", utcOffset: 0 });
        expect(slot.getTime()).toBeLessThanOrEqual(now);
        expect(forward.match(slot)).toBe(true);
        expect(forward.nextRun(slot)?.getTime()).toBeGreaterThan(now);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ["0 3 * * *", "2026-11-21T03:00:00.000Z", "2026-11-21T03:00:00.000Z"],
    ["0 3 * * *", "2026-11-21T02:59:59.999Z", "2026-11-20T03:00:00.000Z"],
    // Somewhere within the hour, as on the Hobby plan.
    ["0 3 * * *", "2026-11-21T03:59:59.999Z", "2026-11-21T03:00:00.000Z"],
    ["*/7 * * * *", "2026-11-21T03:00:30.000Z", "2026-11-21T03:00:00.000Z"],
    ["*/7 * * * *", "2026-11-21T02:59:30.000Z", "2026-11-21T02:56:00.000Z"],
    ["0 0 29 2 *", "2027-06-01T00:00:00.000Z", "2024-02-29T00:00:00.000Z"],
    ["0 0 29 2 *", "2028-02-29T00:00:00.000Z", "2028-02-29T00:00:00.000Z"],
    // The hours that a clock in Berlin or New York skips, or has twice.
    ["30 1 * * *", "2026-03-29T12:00:00.000Z", "2026-03-29T01:30:00.000Z"],
    ["30 2 * * *", "2026-03-08T12:00:00.000Z", "2026-03-08T02:30:00.000Z"],
    ["30 0 * * *", "2026-10-25T01:00:00.000Z", "2026-10-25T00:30:00.000Z"],
    ["@hourly", "2026-11-21T03:10:00.000Z", "2026-11-21T03:00:00.000Z"],
  ])("%s at %s is %s", (schedule, now, slot) => {
    expect(due({ schedule, ...exact }, at(now))).toEqual(at(slot));
  });

  it("is the one ahead for who comes a little early, and only a little", () => {
    const daily = { schedule: "0 3 * * *" };
    expect(due(daily, at("2026-11-21T02:59:55.000Z"))).toEqual(at("2026-11-21T03:00:00Z"));
    expect(due(daily, at("2026-11-21T02:59:54.999Z"))).toEqual(at("2026-11-20T03:00:00Z"));
    const wide = { ...daily, clockTolerance: "30s" } as const;
    expect(due(wide, at("2026-11-21T02:59:30.000Z"))).toEqual(at("2026-11-21T03:00:00Z"));
    expect(slotOf({ every: "10s" }, at("2026-11-21T02:59:59.000Z"))).toEqual(at("2026-11-21T03:00:00Z"));
    expect(slotOf({ every: "10s" }, at("2026-11-21T02:59:58.999Z"))).toEqual(at("2026-11-21T02:59:50Z"));
  });

  it("of every minute is that minute's own, for who comes as late as can be: nobody is early there", () => {
    fc.assert(
      fc.property(instant, within(0, MINUTE_MS - 1), (near, late) => {
        const minute = Math.floor(near / MINUTE_MS) * MINUTE_MS;
        for (const schedule of [{ schedule: "* * * * *" }, { every: "1m" }, { every: "60s" }] as const)
          expect(due(schedule, new Date(minute + late)).getTime()).toBe(minute);
      }),
    );
  });

  it.each([
    // One minute after another, but not before the first of them.
    [{ schedule: "0-9 3 * * *" }, "03:05:57", "03:05:00"],
    [{ schedule: "0-9 3 * * *" }, "02:59:57", "03:00:00"],
    [{ schedule: "0-9 3 * * *" }, "03:09:57", "03:09:00"],
    [{ schedule: "*/2 * * * *" }, "03:01:57", "03:02:00"],
    [{ every: "2m" }, "03:01:57", "03:02:00"],
    [{ every: "59s" }, "03:00:47", "03:00:52"],
    // A tolerance that was given counts.
    [{ schedule: "* * * * *", clockTolerance: "5s" }, "03:00:55", "03:01:00"],
    [{ schedule: "* * * * *", clockTolerance: "5s" }, "03:00:54", "03:00:00"],
    [{ every: "1m", clockTolerance: "5s" }, "03:00:55", "03:01:00"],
  ] as const)("of %j at %s is that of %s", (schedule, now, slot) => {
    expect(due(schedule, at(`2026-11-21T${now}Z`))).toEqual(at(`2026-11-21T${slot}Z`));
  });

  it("of an interval is counted from 1970", () => {
    fc.assert(
      fc.property(within(1, 86_400), instant, (seconds, now) => {
        const slot = slotOf({ every: `${seconds}s`, ...exact }, new Date(now)).getTime();
        expect(slot % (seconds * 1000)).toBe(0);
        expect(now - slot).toBeGreaterThanOrEqual(0);
        expect(now - slot).toBeLessThan(seconds * 1000);
      }),
    );
  });

  it("is of the present where no time is given", () => {
    const before = Date.now();
    const slot = slotOf({ every: "1s", ...exact }).getTime();
    expect(slot).toBeGreaterThan(before - 1000);
    expect(slot).toBeLessThanOrEqual(Date.now());
  });

  it.each([
    [{ schedule: "every day" }, TypeError],
    [{ schedule: "60 * * * *" }, TypeError],
    [{ schedule: "* * * * * *" }, TypeError],
    [{ schedule: "" }, TypeError],
    [{ schedule: "2026-11-21T03:00:00" }, TypeError],
    [{ schedule: "0 0 30 2 *" }, RangeError],
    [{ schedule: 5 }, TypeError],
    [{ every: "0s" }, RangeError],
    [{ every: "5 minutes" }, TypeError],
    [{ every: "5m", schedule: "*/5 * * * *" }, TypeError],
    [{}, TypeError],
    [undefined, TypeError],
    [{ schedule: "* * * * *", clockTolerance: "60s" }, RangeError],
    [{ every: "5s", clockTolerance: "5s" }, RangeError],
    [{ every: "5s", clockTolerance: "soon" }, TypeError],
  ])("refuses %j", (schedule, kind) => {
    expect(() => due(schedule as never)).toThrow(kind);
  });

  it("refuses an expression that is not parsed, and says how to parse it", () => {
    expect(() => slotOf({ schedule: "0 3 * * *" } as never)).toThrow('cronExpression("0 3 * * *")');
  });

  it.each([
    // In Berlin the clock jumps from 2:00 to 3:00 on 29 March 2026, at 1:00 UTC, and from 3:00 to 2:00 on 25 October.
    ["30 2 * * *", "Europe/Berlin", "2026-03-28T12:00", "2026-03-28T01:30"],
    ["30 2 * * *", "Europe/Berlin", "2026-03-29T00:59", "2026-03-28T01:30"],
    ["30 2 * * *", "Europe/Berlin", "2026-03-29T12:00", "2026-03-29T01:00"],
    ["30 2 * * *", "Europe/Berlin", "2026-03-30T12:00", "2026-03-30T00:30"],
    ["30 2,14 * * *", "Europe/Berlin", "2026-03-29T12:00", "2026-03-29T01:00"],
    ["*/30 * * * *", "Europe/Berlin", "2026-03-29T01:10", "2026-03-29T01:00"],
    // An hour that comes twice: a time of the day is due the first time, every half hour each time.
    ["30 2 * * *", "Europe/Berlin", "2026-10-25T00:29", "2026-10-24T00:30"],
    ["30 2 * * *", "Europe/Berlin", "2026-10-25T00:40", "2026-10-25T00:30"],
    ["30 2 * * *", "Europe/Berlin", "2026-10-25T01:40", "2026-10-25T00:30"],
    ["30 2 * * *", "Europe/Berlin", "2026-10-26T12:00", "2026-10-26T01:30"],
    ["*/30 * * * *", "Europe/Berlin", "2026-10-25T00:40", "2026-10-25T00:30"],
    ["*/30 * * * *", "Europe/Berlin", "2026-10-25T01:10", "2026-10-25T01:00"],
    ["*/30 * * * *", "Europe/Berlin", "2026-10-25T01:40", "2026-10-25T01:30"],
    ["0 9 * * 1-5", "America/New_York", "2026-11-02T15:00", "2026-11-02T14:00"],
    ["0 3 * * *", "Asia/Kolkata", "2026-11-21T12:00", "2026-11-20T21:30"],
    ["0 3 * * *", "UTC", "2026-11-21T12:00", "2026-11-21T03:00"],
  ])("of %s in %s at %s is %s", (text, timezone, now, slot) => {
    const schedule = cronExpression(text, { timezone });
    expect(slotOf({ schedule, ...exact }, at(`${now}:00Z`))).toEqual(at(`${slot}:00Z`));
  });

  it("in a time zone is the last of those that croner's own scheduler would run, forwards or backwards", () => {
    const schedules = ["*/30 * * * *", "0 * * * *", "30 2 * * *", "0 0 * * 0", "15 1,2,3 * * *", "0 0 L * 5#2"];
    const zones = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "Pacific/Apia"];
    // Most of them near the two days at which the clocks of Berlin change.
    const near = [Date.UTC(2026, 2, 29), Date.UTC(2026, 9, 25)].map((day) => within(day, day + 24 * HOUR_MS));
    const [schedule, zone] = [fc.constantFrom(...schedules), fc.constantFrom(...zones)];
    fc.assert(
      fc.property(schedule, zone, fc.oneof(instant, ...near), (text, timezone, now) => {
        const slot = slotOf({ schedule: cronExpression(text, { timezone }), ...exact }, new Date(now));
        expect(slot.getTime()).toBeLessThanOrEqual(now);
        const whole = new Cron(text, { mode: "5-part", timezone, fixedTimeRule: "no-wildcard" });
        expect(whole.nextRun(slot)?.getTime()).toBeGreaterThan(now);
        expect(slot).toEqual(whole.previousRuns(1, new Date(now + 1))[0]);
      }),
      { numRuns: 200 },
    );
  });

  it.each([undefined, "UTC", "Europe/Berlin"])("of a date that never comes is undefined: timezone %s", (timezone) => {
    expect(cronExpression("0 0 30 2 *", { timezone }).latest(Date.UTC(2026, 10, 21))).toBeUndefined();
  });

  it.each([
    [{ timezone: "Mars/Phobos" }, RangeError],
    [{ timezone: "" }, RangeError],
    [{ timezone: 5 }, TypeError],
    [{ tz: "UTC" }, TypeError],
  ])("is not told by %j", (options, kind) => {
    expect(() => cronExpression("0 3 * * *", options as never)).toThrow(kind);
  });

  it.each([
    ["msg_7YoJxFpwk", "msg_7YoJxFpwk"],
    [1658821493, "1658821493"],
    ["x".repeat(200), "x".repeat(200)],
  ])("of a call with the id %j is that", (id, slot) => {
    expect(slotOf({ id })).toBe(slot);
  });

  it.each([[undefined], [null], [""], [1.5], [Number.NaN], ["x".repeat(201)], ["\ud800"], [{}]])(
    "of a call with the id %j is refused",
    (id) => {
      expect(() => slotOf({ id: id as never })).toThrow(/^slotOf: id (must|is|has) /);
    },
  );

  it("cannot have both an ID and a schedule", () => {
    expect(() => slotOf({ id: "a", every: "5m" } as never)).toThrow(TypeError);
  });

  it("brings the parser of expressions into a bundle only with what parses them", async () => {
    const inputs = async (names: string): Promise<string> => {
      const stdin = {
        contents: `export { ${names} } from "./src/cron/index.ts"`,
        resolveDir: ".",
        loader: "ts",
      } as const;
      const { metafile } = await build({ stdin, bundle: true, write: false, metafile: true, format: "esm" });
      return Object.values(metafile.outputs)
        .flatMap((out) => Object.keys(out.inputs))
        .join(" ");
    };
    expect(await inputs("runCron, slotOf, cloudflareCron, lastRun")).not.toContain("cron/parse-pattern.ts");
    expect(await inputs("cronExpression")).toContain("cron/parse-pattern.ts");
  });

  it("says how much clockTolerance may be", () => {
    const tolerant = { clockTolerance: "2m" } as const;
    expect(() => due({ schedule: "0 3 * * *", ...tolerant })).toThrow(
      /clockTolerance .* must be shorter than a minute/,
    );
    expect(() => slotOf({ every: "2m", ...tolerant })).toThrow(/clockTolerance .* must be shorter than every/);
    expect(slotOf({ every: "3m", ...tolerant }, at("2026-11-21T03:01:00Z"))).toEqual(at("2026-11-21T03:03:00Z"));
  });

  it("refuses what is no time", () => {
    expect(() => slotOf({ every: "5m" }, new Date(Number.NaN))).toThrow(TypeError);
    expect(() => slotOf({ every: "5m" }, 5 as never)).toThrow(TypeError);
  });
});

describe("the occurrence after another one", () => {
  const following = (given: Schedule | Schedule<string>, slot: string): string | undefined =>
    occurrences(
      (typeof given.schedule === "string" ? { ...given, schedule: cronExpression(given.schedule) } : given) as Schedule,
    )
      .after(at(slot))
      ?.toISOString();

  it.each([
    ["* * * * *", "2026-11-21T03:00:00.000Z", "2026-11-21T03:01:00.000Z"],
    ["0 3 * * *", "2026-11-21T03:00:00.000Z", "2026-11-22T03:00:00.000Z"],
    ["*/5 9-17 * * 1-5", "2026-11-20T17:55:00.000Z", "2026-11-23T09:00:00.000Z"],
    ["* * 1 1 *", "2026-01-01T23:59:00.000Z", "2027-01-01T00:00:00.000Z"],
    ["0 0 29 2 *", "2096-02-29T00:00:00.000Z", "2104-02-29T00:00:00.000Z"],
  ])("of %s after %s is %s", (schedule, slot, next) => {
    expect(following({ schedule }, slot)).toBe(next);
  });

  it("of an interval is one interval later", () => {
    expect(following({ every: "5m" }, "2026-11-21T03:00:00.000Z")).toBe("2026-11-21T03:05:00.000Z");
  });

  it("follows the clock of a zone, over its steps too", () => {
    const schedule = cronExpression("30 2 * * *", { timezone: "Europe/Berlin" });
    const { after: later } = occurrences({ schedule });
    expect(later(at("2026-03-28T01:30:00Z"))?.toISOString()).toBe("2026-03-29T01:00:00.000Z");
    expect(later(at("2026-03-29T01:00:00Z"))?.toISOString()).toBe("2026-03-30T00:30:00.000Z");
  });

  it("does not exist if the schedule ends", () => {
    const only = at("2026-11-21T03:00:00.000Z");
    const schedule = {
      latest(ms: number): Date | undefined {
        if (ms > Date.UTC(2200, 0)) throw new Error("the search does not end");
        return ms < only.getTime() ? undefined : only;
      },
    };
    expect(occurrences({ schedule }).after(only)).toBeUndefined();
  });

  it("is the one whose latest occurrence is no other one between them", () => {
    fc.assert(
      fc.property(field(0, 59), field(0, 23), within(0, 500_000), (minute, hour, minutes) => {
        const schedule = cronExpression(`${minute.text} ${hour.text} * * *`);
        const slot = schedule.latest(Date.UTC(2026, 0) + minutes * MINUTE_MS) as Date;
        const next = occurrences({ schedule }).after(slot) as Date;
        expect(schedule.latest(next.getTime())).toEqual(next);
        expect(schedule.latest(next.getTime() - 1)).toEqual(slot);
      }),
      { numRuns: 100 },
    );
  });
});

describe("a weekday by its number", () => {
  it.each(["0 3 ? * 2-6", "0 3 ? * 1", "0 3 ? * SUN,4", "0 3 ? * 2#1"])(
    "is refused in %s, whose ? says that it counts from Sunday = 1 (B21)",
    (schedule) => {
      const problem = /^\w+: schedule .*weekday by its number.*EventBridge.*write names, such as MON-FRI$/;
      expect(() => cronExpression(schedule)).toThrow(problem);
      const options = { locks: connect({ url: "http://127.0.0.1:9", token: "x" }), name: "job", schedule };
      expect(() => cronRoute(options, () => {})).toThrow(problem);
    },
  );

  it("counts from Sunday = 0 elsewhere, and a name is the same everywhere (B21)", () => {
    const monday = Date.parse("2026-11-23T09:30:20Z");
    for (const schedule of ["0 9 * * 1", "0 9 * * MON", "0 9 ? * MON", "0 9 ? * *", "0 9 * * MON-FRI"])
      expect(cronExpression(schedule).latest(monday)?.toISOString(), schedule).toBe("2026-11-23T09:00:00.000Z");
    for (const schedule of ["0 9 * * 0", "0 9 * * 7", "0 9 * * SUN"])
      expect(cronExpression(schedule).latest(monday)?.toISOString(), schedule).toBe("2026-11-22T09:00:00.000Z");
  });
});
