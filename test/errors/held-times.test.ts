/** Every option that is a time of holding refuses a small number without a unit, which was probably meant as seconds. */
import { describe, expect, it } from "vitest";
import { turn } from "../../agents/src/index.ts";
import { cloudflareCron, runCron } from "../../src/cron/index.ts";
import { dedupe } from "../../src/http/index.ts";
import { connect, createLocks, extendAll, type Lease, type LeaseholdEvent } from "../../src/index.ts";
import { takeOver } from "../../src/queue/index.ts";
import { createTestRedis } from "../../testing/src/index.ts";

const redis = createTestRedis();
const locks = createLocks(redis.options);
const connection = connect(redis.options);
const work = (): never => expect.unreachable("it was accepted");

const CALLS: Readonly<Record<string, (lease: Lease) => unknown>> = {
  "lease.extend: duration 20": (lease) => lease.extend(20),
  "extendAll: duration 20": (lease) => extendAll([lease], 20),
  "lease.keepAlive: maxHold 20": (lease) => lease.keepAlive(work, { maxHold: 20 }),
  'lock("a").run: maxHold 20': () => locks.lock("a").run({ keepAlive: { maxHold: 20 } }, work),
  'once("a").run: maxHold 20': () => locks.once("a").run({ keepAlive: { maxHold: 20 } }, work),
  "request: maxHold 20": () => locks.request("a", { maxHold: 20 }, work),
  "takeOver: maxHold 20": (lease) => takeOver(locks.lock("a"), lease.ticket(), { maxHold: 20 }, work),
  "turn: maxHold 20": () => turn(connection, "a", { onBusy: "queue", maxHold: 20 }, work),
  "dedupe: maxHold 20": () => dedupe({ locks, key: () => "a", maxHold: 20 }, work),
  "runCron: maxHold 20": () => runCron({ locks, name: "a", slot: "1", maxHold: 20 }, work),
  "cloudflareCron: maxHold 20": () => cloudflareCron({ locks, name: "a", maxHold: 20 } as never, work),
};

describe("a small number without a unit", () => {
  it.each(Object.entries(CALLS))("%s is asked for its unit, and nothing is sent (B36)", async (where, call) => {
    const lease = await locks.lock(`held ${where}`).acquire();
    const before = redis.requests.length;
    const error = await (async () => call(lease))().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RangeError);
    expect((error as Error).message).toBe(`${where} has no unit: "20ms" or "20s"?`);
    expect(redis.requests).toHaveLength(before);
  });

  it("is taken with its unit, and a larger one without (B36)", async () => {
    const lease = await locks.lock("short").acquire({ lease: "10ms" });
    for (const duration of ["20ms", 100, "20s"] as const) await lease.extend(duration);
    expect(lease.remaining).toBeGreaterThan(19_000);
    await lease.keepAlive(() => {}, { maxHold: "20ms" });
    expect(lease.signal.aborted).toBe(true);
  });

  it("is no matter for the extensions that keepAlive sends by itself (B36)", async () => {
    const extended: number[] = [];
    const onEvent = (event: LeaseholdEvent): unknown => event.type === "extended" && extended.push(event.remainingMs);
    const other = createLocks({ ...redis.options, onEvent });
    let end = (): void => {};
    const done = new Promise<void>((resolve) => {
      end = resolve;
    });
    const run = other.lock("kept").run({ lease: "120ms", keepAlive: { maxHold: "240ms" } }, () => done);
    for (let n = 0; n < 20; n++) await redis.advance("10ms");
    end();
    await run;
    // The last time up to the end of the hold.
    expect(extended).toHaveLength(3);
    expect(extended[2]).toBeLessThan(95);
  });
});
