import { beforeAll, describe, expect, it } from "vitest";
import { lastRun, type Report, type Run, type ScheduledRun, vercelSchedule } from "../../src/cron/index.ts";
import { createLocks, type Locks, LockTimeoutError } from "../../src/index.ts";
import { freshName, useStack } from "../support/use-stack.ts";
import { held } from "./held.ts";

const stack = useStack();
let locks: Locks;
beforeAll(async () => {
  locks = createLocks({ url: stack.url, token: stack.token });
});

/** The call that `handleSchedule` is documented to pass on. */
const metadataOf = (name: string, scheduledAt: Date | string = "2026-11-21T03:00:00.000Z") => ({
  name,
  scheduledAt,
  namespace: "default",
  executionId: crypto.randomUUID(),
  scheduleId: "sch_1",
  source: "static",
});

describe("a function target", () => {
  it("runs once for each scheduled time, whatever is delivered, and whoever makes a Date of it", async () => {
    const name = freshName("function");
    const seen: [Run, ScheduledRun][] = [];
    const reports: Report[] = [];
    const onReport = (report: Report): unknown => reports.push(report);
    const scheduled = vercelSchedule({ locks, maxDuration: 60, onReport }, (...given) => void seen.push(given));
    const metadata = metadataOf(name);
    await scheduled(metadata);
    await scheduled(metadataOf(name));
    await scheduled(metadataOf(name, new Date("2026-11-21T03:00:00Z")));
    await scheduled(metadataOf(name, "2026-11-21T04:00:00+01:00"));
    expect(reports.map(({ status }) => status)).toEqual(["ran", ...Array(3).fill("skipped: already ran")]);
    expect(seen).toHaveLength(1);
    const [[run, given] = []] = seen;
    expect(run).toMatchObject({ name, slot: "2026-11-21T03:00:00.000Z", attempt: 1, protected: true });
    expect(given).toBe(metadata);
    await scheduled(metadataOf(name, "2026-11-21T04:00:00.000Z"));
    expect(seen).toHaveLength(2);
    expect(await lastRun(locks, name)).toMatchObject({ slot: "2026-11-21T04:00:00.000Z", outcome: "ran" });
  });

  it("is skipped while the occurrence before it runs", async () => {
    const name = freshName("overlap");
    const { begun, end, work } = held();
    const scheduled = vercelSchedule({ locks: () => locks }, work);
    const first = scheduled(metadataOf(name));
    await begun;
    await scheduled(metadataOf(name));
    await scheduled(metadataOf(name, "2026-11-21T03:05:00.000Z"));
    end();
    await first;
    expect(await lastRun(locks, name)).toMatchObject({ slot: "2026-11-21T03:00:00.000Z" });
  });

  it("is a job of its own in each namespace, and under a name of one's own wherever that is given", async () => {
    const name = freshName("names");
    const names: string[] = [];
    const note = (run: Run): unknown => names.push(run.name);
    const scheduled = vercelSchedule({ locks }, note);
    await scheduled(metadataOf(name));
    await scheduled({ ...metadataOf(name), namespace: "tenant-1" });
    await scheduled({ name, scheduledAt: "2026-11-21T03:05:00.000Z" });
    await vercelSchedule({ locks, name: `${name}.one` }, note)(metadataOf(name));
    await vercelSchedule({ locks, name: ({ name }) => `${name}.two` }, note)(metadataOf(name));
    expect(names).toEqual([name, `tenant-1/${name}`, name, `${name}.one`, `${name}.two`]);
  });

  it("throws what the work throws, and the next delivery is attempt 2", async () => {
    const name = freshName("failing");
    const attempts: number[] = [];
    const scheduled = vercelSchedule({ locks }, ({ attempt }) => {
      attempts.push(attempt);
      if (attempt === 1) throw new Error("down");
    });
    await expect(scheduled(metadataOf(name))).rejects.toThrow("down");
    await scheduled(metadataOf(name));
    expect(attempts).toEqual([1, 2]);
  });

  it("takes another slot where the scheduled time is not what tells occurrences apart", async () => {
    const name = freshName("execution");
    let runs = 0;
    type Metadata = ReturnType<typeof metadataOf>;
    const scheduled = vercelSchedule({ locks, slot: ({ executionId }: Metadata) => executionId }, () => void runs++);
    const metadata = metadataOf(name);
    await scheduled(metadata);
    await scheduled(metadata);
    await scheduled(metadataOf(name));
    expect(runs).toBe(2);
  });
});

describe("a queue target", () => {
  it("throws during a run, so that the message is redelivered, and not after it has ended", async () => {
    const name = freshName("queue");
    const { begun, end, work } = held();
    interface Delivery {
      readonly deliveryCount: number;
    }
    const deliveries: number[] = [];
    // The message as it is documented, and what `handleCallback` passes besides.
    const scheduled = vercelSchedule(
      { locks, whileRunning: "throw", lease: "30s" },
      async (
        run,
        _message: ScheduledRun & { readonly payload: { readonly days: number } },
        { deliveryCount }: Delivery,
      ) => {
        deliveries.push(deliveryCount);
        await work(run);
      },
    );
    const message = { ...metadataOf(name), source: "dynamic", payload: { days: 30 } };
    const first = scheduled(message, { deliveryCount: 1 });
    await begun;
    for (const copy of [message, { ...message, scheduledAt: "2026-11-21T03:05:00.000Z" }]) {
      const error = await scheduled(copy, { deliveryCount: 2 }).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(LockTimeoutError);
      const { remainingMs = 0 } = error as LockTimeoutError;
      expect(remainingMs).toBeGreaterThan(0);
      expect(remainingMs).toBeLessThan(40_000);
    }
    end();
    await first;
    await scheduled(message, { deliveryCount: 3 });
    expect(deliveries).toEqual([1]);
    // The occurrence that met the previous one was not lost.
    await scheduled({ ...message, scheduledAt: "2026-11-21T03:05:00.000Z" }, { deliveryCount: 3 });
    expect(deliveries).toEqual([1, 3]);
  });
});

describe("misuse", () => {
  it.each([
    [{ locks: undefined }],
    [{ name: "" }],
    [{ name: "x".repeat(301) }],
    [{ slot: "now" }],
    [{ whileRunning: "wait" }],
    [{ schedule: "0 3 * * *" }],
    [{ maxDuration: 300_000 }],
  ])("is said when the function is made: %j", (options) => {
    expect(() => vercelSchedule({ locks, ...options } as never, () => {})).toThrow(/^(?!Cannot)/);
  });

  it.each([[undefined], [null], ["soon"], [1_795_230_000_000], [new Date(Number.NaN)]])(
    "a scheduled time that is %j is thrown, and nothing runs",
    async (scheduledAt) => {
      const scheduled = vercelSchedule({ locks }, () => expect.unreachable("the handler must not run"));
      await expect(scheduled({ ...metadataOf(freshName("time")), scheduledAt } as never)).rejects.toThrow(
        "scheduledAt must be",
      );
    },
  );
});
