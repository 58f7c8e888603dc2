import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LastRun, lastRun, type Report, type Run, runCron } from "../../src/cron/index.ts";
import { createLocks, type LeaseholdEvent, type Locks } from "../../src/index.ts";
import { type Stack, startStack } from "../support/stack.ts";
import { freshName, pause, useStack } from "../support/use-stack.ts";
import { held } from "./held.ts";

const stack = useStack();
let locks: Locks;
beforeAll(async () => {
  locks = createLocks({ url: stack.url, token: stack.token });
});

const SLOT = new Date("2026-11-21T03:00:00Z");
const NEXT = new Date("2026-11-22T03:00:00Z");

const statuses = (reports: readonly Report[]): string[] => reports.map(({ status }) => status).sort();

describe.concurrent("a slot", () => {
  it("runs once of 40 invocations at once, and is known to have run", async () => {
    const name = freshName("crowd");
    let runs = 0;
    const reports = await Promise.all(
      Array.from({ length: 40 }, () =>
        // A client each, as 40 functions have.
        runCron({ locks: createLocks({ url: stack.url, token: stack.token }), name, slot: SLOT }, async () => {
          runs++;
          await pause(50);
        }),
      ),
    );
    expect(runs).toBe(1);
    expect(statuses(reports).filter((status) => status === "ran")).toHaveLength(1);
    for (const report of reports) expect(report.status).toMatch(/^(ran|skipped: (still running|already ran))$/);
    const ran = reports.find(({ status }) => status === "ran");
    const later = await runCron({ locks, name, slot: SLOT }, () => void runs++);
    expect(later).toEqual({ ...ran, status: "skipped: already ran", attempt: undefined });
    expect(runs).toBe(1);
  });

  it("is passed to the work, with a token that rises from slot to slot", async () => {
    const name = freshName("token");
    const seen: Run[] = [];
    const work = (run: Run): void => void seen.push(run);
    const first = await runCron({ locks, name, slot: SLOT }, work);
    const second = await runCron({ locks, name, slot: NEXT }, work);
    expect(seen[0]).toMatchObject({ name, slot: "2026-11-21T03:00:00.000Z", attempt: 1 });
    expect(seen[0]?.lease.name).toBe(`cron:${name}`);
    expect(seen.map(({ token }) => token)).toEqual([first, second].map((report) => "token" in report && report.token));
    expect(seen[1]?.token).toBeGreaterThan(seen[0]?.token ?? 0);
  });

  it("is the same as a date, as text in UTC and as text elsewhere; other texts are what they are", async () => {
    const name = freshName("texts");
    const run = async (slot: Date | string): Promise<string> => (await runCron({ locks, name, slot }, () => {})).status;
    expect(await run(SLOT)).toBe("ran");
    expect(await run("2026-11-21T03:00:00Z")).toBe("skipped: already ran");
    expect(await run("2026-11-21T04:00:00.000+01:00")).toBe("skipped: already ran");
    expect(await run("2026-11-21")).toBe("ran");
    expect(await run("deploy-17")).toBe("ran");
    expect(await run("deploy-17")).toBe("skipped: already ran");
  });

  it("of one name is not that of another, however they are put together", async () => {
    const name = freshName("parts");
    expect((await runCron({ locks, name: `${name}:1`, slot: "2" }, () => {})).status).toBe("ran");
    expect((await runCron({ locks, name, slot: "1:2" }, () => {})).status).toBe("ran");
    expect((await runCron({ locks, name: `${name}:1:2`, slot: "2" }, () => {})).status).toBe("ran");
  });

  it("is forgotten after its ttl", async () => {
    const name = freshName("ttl");
    const options = { locks, ttl: 300 };
    expect((await runCron({ ...options, name, slot: SLOT }, () => {})).status).toBe("ran");
    await pause(400);
    expect((await runCron({ ...options, name, slot: SLOT }, () => {})).status).toBe("ran");
  });
});

describe.concurrent("a slot of an earlier release", () => {
  it("that it ran is not run again, and one that it only locked is", async () => {
    const name = freshName("before");
    const lease = await locks.lock(`cron:${name}`).acquire();
    const slot = SLOT.toISOString();
    await locks.once(`cron-slot:${name.length}:${name}:${slot}`).run(() => ({ durationMs: 7 }));
    await lease.release();
    expect(await runCron({ locks, name, slot }, () => expect.unreachable())).toMatchObject({
      status: "skipped: already ran",
      durationMs: 7,
    });
    expect(await runCron({ locks, name, slot: NEXT }, () => {})).toMatchObject({ status: "ran", attempt: 1 });
  });
});

describe.concurrent("a run whose lease is lost without its notice", () => {
  it("throws at its end, tells it once, and counts as lost", async () => {
    const name = freshName("unnoticed");
    const events: LeaseholdEvent[] = [];
    const onEvent = (event: LeaseholdEvent): void => void (/^(lost|released)$/.test(event.type) && events.push(event));
    const telling = createLocks({ url: stack.url, token: stack.token, onEvent });
    let token = 0;
    const run = runCron({ locks: telling, name, slot: SLOT }, async (own) => {
      token = own.token;
      const slotted = `cron-slot:${name.length}:${name}:${SLOT.toISOString()}`;
      await locks.group(`cron:${name}`).once(slotted).forceRelease();
    });
    await expect(run).rejects.toMatchObject({ code: "lease_lost", reason: "forced" });
    expect(events).toMatchObject([{ type: "lost", token, reason: "forced" }]);
    expect(await lastRun(locks, name)).toMatchObject({ outcome: "lost" });
  });
});

describe.concurrent("overlap", () => {
  it("never: the next slot is skipped while the previous runs, and the one after runs", async () => {
    const name = freshName("overlap");
    const { begun, end, work } = held();
    const first = runCron({ locks, name, slot: SLOT }, work);
    await begun;
    const same = await runCron({ locks, name, slot: SLOT }, () => expect.unreachable());
    expect(same).toMatchObject({ status: "skipped: still running", name, slot: SLOT.toISOString() });
    const next = await runCron({ locks, name, slot: NEXT }, () => expect.unreachable());
    expect(next).toMatchObject({ status: "skipped: still running", slot: NEXT.toISOString() });
    if (next.status === "skipped: still running") {
      expect(next.retryAfterMs).toBeGreaterThan(0);
      expect(next.retryAfterMs).toBeLessThanOrEqual(60_000);
    }
    end();
    expect((await first).status).toBe("ran");
    // Skipped is not done, and the lock is free as soon as the run has been answered.
    expect(await runCron({ locks, name, slot: NEXT }, () => {})).toMatchObject({ status: "ran", attempt: 1 });
    expect((await runCron({ locks, name, slot: SLOT }, () => expect.unreachable())).status).toBe(
      "skipped: already ran",
    );
  });

  it("not with a holder of the lock by its name either", async () => {
    const name = freshName("manual");
    const lease = await locks.lock(`cron:${name}`).acquire({ lease: "20s" });
    expect((await runCron({ locks, name, slot: SLOT }, () => expect.unreachable())).status).toBe(
      "skipped: still running",
    );
    await lease.release();
    expect((await runCron({ locks, name, slot: SLOT }, () => {})).status).toBe("ran");
  });

  it("the leases, of the lock and of the slot, are extended for as long as the work takes", async () => {
    const name = freshName("long");
    const { begun, end, work } = held();
    const first = runCron({ locks, name, slot: SLOT, lease: 1000 }, work);
    const { lease, signal } = await begun;
    await pause(3300);
    expect(lease.remaining).toBeGreaterThan(0);
    expect(signal.aborted).toBe(false);
    for (const slot of [SLOT, NEXT]) {
      const other = await runCron({ locks, name, slot }, () => expect.unreachable());
      expect(other.status).toBe("skipped: still running");
    }
    end();
    expect(await first).toMatchObject({ status: "ran" });
  });

  it("up to maxHold: then the signal says so, and what ends later does not count", async () => {
    const name = freshName("hold");
    const aborted: string[] = [];
    const work = async ({ signal }: Run): Promise<void> => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      aborted.push(signal.reason.code);
    };
    const run = runCron({ locks, name, slot: SLOT, lease: 800, maxHold: 1000 }, work);
    await expect(run).rejects.toMatchObject({ code: "lease_lost", reason: "expired" });
    expect(aborted).toEqual(["lease_lost"]);
    expect(await lastRun(locks, name)).toMatchObject({ outcome: "lost" });
    expect(await runCron({ locks, name, slot: SLOT }, () => {})).toMatchObject({ status: "ran", attempt: 2 });
  });

  it("takes the lease from maxDuration, a little longer, and does not extend it", async () => {
    for (const [maxDuration, min] of [
      [60, 60_000],
      ["60s", 60_000],
      [1.5, 1500],
    ] as const) {
      const name = freshName("max");
      const seen: number[] = [];
      await runCron({ locks, name, slot: SLOT, maxDuration }, ({ lease }) => void seen.push(lease.remaining));
      const [remaining = 0] = seen;
      expect(remaining).toBeGreaterThan(min);
      expect(remaining).toBeLessThan(min * 1.05 + 1500);
    }
    const name = freshName("max");
    const ends: number[] = [];
    await runCron({ locks, name, slot: SLOT, maxDuration: "1s" }, async ({ lease }) => {
      ends.push(lease.expiresAt);
      await pause(1000);
      ends.push(lease.expiresAt);
    });
    expect(ends[1]).toBe(ends[0]);
  });
});

describe.concurrent("work that fails", () => {
  it("is thrown as it is, recorded, and makes room for the next invocation of the slot", async () => {
    const name = freshName("fails");
    const error = new RangeError(`no such invoice ${"x".repeat(400)}`);
    await expect(runCron({ locks, name, slot: SLOT }, () => Promise.reject(error))).rejects.toBe(error);
    const record = (await lastRun(locks, name)) as LastRun;
    expect(record).toMatchObject({ name, outcome: "failed", attempt: 1, slot: SLOT.toISOString() });
    expect(record.error).toMatch(/^RangeError: no such invoice x+$/);
    expect(record.error).toHaveLength(300);
    expect(await runCron({ locks, name, slot: SLOT }, () => {})).toMatchObject({ status: "ran", attempt: 2 });
    const after = (await lastRun(locks, name)) as LastRun;
    expect(after).toMatchObject({ outcome: "ran", attempt: 2 });
    expect(after).not.toHaveProperty("error");
    expect(after.token).toBeGreaterThan(record.token);
  });

  const text = "what went wrong";
  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["null", null],
    ["text", "text"],
    ["a lone surrogate", "\ud800"],
    ["a symbol", Symbol("x")],
    ["what has no prototype", Object.create(null)],
    ["an error by the name of a symbol", Object.assign(new Error(text), { name: Symbol("x") })],
    ["an error whose message has no prototype", Object.assign(new Error(text), { message: Object.create(null) })],
    [
      "an error whose message throws",
      Object.defineProperty(new Error(text), "message", {
        get() {
          throw new Error("another");
        },
      }),
    ],
    [
      "what throws at every look",
      new Proxy(
        {},
        {
          getPrototypeOf() {
            throw new Error("another");
          },
        },
      ),
    ],
  ])("whatever it throws: %s", async (_, thrown) => {
    const name = freshName("throws");
    const work = (): never => {
      throw thrown;
    };
    const caught = await runCron({ locks, name, slot: SLOT }, work).catch((error: unknown) => [error]);
    // Not by `expect`, which would look into it.
    expect(Array.isArray(caught) && caught[0] === thrown).toBe(true);
    expect(await lastRun(locks, name)).toMatchObject({ outcome: "failed", error: expect.any(String) });
    expect(await runCron({ locks, name, slot: SLOT }, () => {})).toMatchObject({ status: "ran", attempt: 2 });
  });
});

describe.concurrent("the last run", () => {
  it("is null before there was one, says that it runs, and how it went", async () => {
    const name = freshName("last");
    expect(await lastRun(locks, name)).toBeNull();
    const { begun, end, work } = held();
    const before = Date.now();
    const ran = runCron({ locks, name, slot: SLOT }, work);
    const { token } = await begun;
    const running = (await lastRun(locks.connection, name)) as LastRun;
    expect(running).toEqual({
      name,
      slot: SLOT.toISOString(),
      startedAt: running.startedAt,
      durationMs: null,
      outcome: "running",
      token,
      attempt: 1,
    });
    expect(Date.parse(running.startedAt)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(running.startedAt)).toBeLessThanOrEqual(Date.now());
    await pause(60);
    end();
    const report = await ran;
    const last = (await lastRun(locks, name)) as LastRun;
    expect(last).toEqual({ ...running, outcome: "ran", durationMs: last.durationMs });
    expect(last.durationMs).toBeGreaterThanOrEqual(59);
    expect(report).toMatchObject({ token, startedAt: last.startedAt });
  });

  it("is not written over by a skip, and keeps out of what the work fences under the lease's name", async () => {
    const name = freshName("skip");
    await runCron({ locks, name, slot: SLOT }, () => {});
    const before = await lastRun(locks, name);
    await runCron({ locks, name, slot: SLOT }, () => {});
    expect(await lastRun(locks, name)).toEqual(before);
    const keys = (await stack.redis.command("KEYS", `*${name}*fence`)).trim();
    expect(keys).toContain(`}/cron-last:${name}%fence`);
    expect(keys).not.toContain(`cron:${name}}%fence`);
  });
});

describe.concurrent("onReport and waitUntil", () => {
  it("receive the whole run for every outcome but a throw", async () => {
    const name = freshName("report");
    const reports: string[] = [];
    const given: Promise<unknown>[] = [];
    const options = {
      locks,
      onReport: async ({ status }: Report) => {
        await pause(5);
        reports.push(status);
        throw new Error("a listener that fails");
      },
      waitUntil: (promise: Promise<unknown>) => void given.push(promise),
    };
    const { begun, end, work } = held();
    const ran = runCron({ ...options, name, slot: SLOT }, work);
    await begun;
    await runCron({ ...options, name, slot: SLOT }, () => {});
    let settled = false;
    Promise.all(given).then(() => {
      settled = true;
    });
    await pause(20);
    expect(settled).toBe(false);
    end();
    await ran;
    await Promise.all(given);
    await runCron({ ...options, name, slot: SLOT }, () => {});
    await expect(runCron({ ...options, name, slot: NEXT }, () => Promise.reject(new Error("x")))).rejects.toThrow("x");
    expect(reports).toEqual(["skipped: still running", "ran", "skipped: already ran"]);
  });
});

describe("misuse", () => {
  const work = (): void => {};
  it.each([
    [() => runCron({ locks, name: "", slot: SLOT }, work), RangeError],
    [() => runCron({ locks, name: "x".repeat(201), slot: SLOT }, work), RangeError],
    [() => runCron({ locks, name: "a\ud800", slot: SLOT }, work), TypeError],
    [() => runCron({ locks, name: "x", slot: new Date(Number.NaN) }, work), TypeError],
    [() => runCron({ locks, name: "x", slot: "" }, work), RangeError],
    [() => runCron({ locks, name: "x", slot: 7 as never }, work), TypeError],
    [() => runCron({ locks, name: "x", slot: SLOT }, undefined as never), TypeError],
    [() => runCron({ name: "x", slot: SLOT } as never, work), TypeError],
    [() => runCron(undefined as never, work), TypeError],
    [() => runCron({ locks, name: "x", slot: SLOT, maxDuration: 60_000 }, work), RangeError],
    [() => runCron({ locks, name: "x", slot: SLOT, maxDuration: 0 }, work), RangeError],
    [() => runCron({ locks, name: "x", slot: SLOT, maxDuration: "25h" }, work), RangeError],
    [() => runCron({ locks, name: "x", slot: SLOT, maxDuration: "60" as never }, work), TypeError],
    [() => runCron({ locks, name: "x", slot: SLOT, maxDuration: 60, lease: "60s" }, work), TypeError],
    [() => runCron({ locks, name: "x", slot: SLOT, maxDuration: 60, maxHold: "60s" }, work), TypeError],
    [() => runCron({ locks, name: "x", slot: SLOT, lease: "1 minute" as never }, work), TypeError],
    [
      () => runCron({ locks, name: "x", slot: SLOT, lease: "301d" }, work),
      /^runCron: lease "301d" is too long: at most 300 days$/,
    ],
    [() => runCron({ locks, name: "x", slot: SLOT, ttl: 0 }, work), RangeError],
    [() => runCron({ locks, name: "x", slot: SLOT, onReport: "log" as never }, work), TypeError],
    [() => lastRun(locks, ""), RangeError],
    [() => lastRun({} as never, "x"), TypeError],
  ])("is said before anything is sent: %#", async (call, kind) => {
    await stack.redis.command("CONFIG", "RESETSTAT");
    await expect(call()).rejects.toThrow(kind);
    expect(await stack.commandCalls()).not.toHaveProperty("evalsha");
  });
});

describe("costs", () => {
  // A Redis of its own: what the tests before have left to the background must not count.
  let alone: Stack;
  let locks: Locks;
  beforeAll(async () => {
    alone = await startStack();
    locks = createLocks({ url: alone.url, token: alone.token });
  });
  afterAll(() => alone.stop());

  /** Requests that an operation makes, by script; the cache is warm. */
  async function requestsOf(operation: () => Promise<unknown>): Promise<number> {
    await alone.redis.command("CONFIG", "RESETSTAT");
    await operation();
    const { evalsha = 0, eval: evaluated = 0 } = await alone.commandCalls();
    return evalsha + evaluated;
  }

  it("a run makes 2 requests and 12 commands, as one that fails; a duplicate, an overlap and lastRun make 1 (50.1)", async () => {
    const name = freshName("cost");
    const warm = freshName("warm");
    await runCron({ locks, name: warm, slot: SLOT }, () => Promise.reject(new Error("x"))).catch(() => {});
    await runCron({ locks, name: warm, slot: SLOT }, () => {});
    await lastRun(locks, warm);
    expect(await requestsOf(() => runCron({ locks, name, slot: SLOT }, () => {}))).toBe(2);
    expect(await requestsOf(() => runCron({ locks, name, slot: SLOT }, () => {}))).toBe(1);
    const commands = await alone.commandsOf(() => runCron({ locks, name, slot: NEXT }, () => {}));
    expect(commands).toBe(12);
    expect(await alone.commandsOf(() => runCron({ locks, name, slot: NEXT }, () => {}))).toBe(3);
    const failing = (): Promise<unknown> =>
      runCron({ locks, name, slot: "fails" }, () => Promise.reject(new Error("x"))).catch(() => {});
    await failing();
    expect(await requestsOf(failing)).toBe(2);
    expect(await alone.commandsOf(failing)).toBe(12);
    const lease = await locks.lock(`cron:${name}`).acquire();
    expect(await requestsOf(() => runCron({ locks, name, slot: "overlaps" }, () => {}))).toBe(1);
    await lease.release();
    expect(await requestsOf(() => lastRun(locks, name))).toBe(1);
  });

  it("the keys of a job share a hash tag: the lock's name (50.1)", async () => {
    const name = freshName("tag");
    await runCron({ locks, name, slot: "one" }, () => {});
    const keys = (await alone.redis.command("KEYS", `*${name}*`)).split("\r\n").filter((line) => line.includes("{"));
    const slot = `cron-slot:${name.length}:${name}:one`;
    const tag = `leasehold:{cron:${name}}`;
    expect(keys.sort()).toEqual([tag, `${tag}/cron-last:${name}%fence`, `${tag}/${slot}`]);
  });

  it("leaves no key without an end", async () => {
    const keys = (await stack.redis.command("KEYS", "*")).split("\r\n").filter((line) => line.includes("{cron"));
    expect(keys.length).toBeGreaterThan(20);
    const raw = await stack.redis.commands(...keys.map((key) => ["PTTL", key]));
    const left = [...raw.matchAll(/:(-?\d+)/g)].map(([, ms]) => Number(ms));
    expect(left).toHaveLength(keys.length);
    expect(Math.min(...left)).toBeGreaterThan(0);
  });
});
