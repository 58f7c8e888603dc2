import { AsyncLocalStorage } from "node:async_hooks";
import { waitUntil } from "@vercel/functions";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type CronRouteOptions, cronRoute, lastRun, type Report, type Run, slotOf } from "../../src/cron/index.ts";
import { createLocks, type Locks } from "../../src/index.ts";
import { heldBack } from "../faults/faults.ts";
import { startProxy } from "../support/proxy.ts";
import { freshName, pause, useStack } from "../support/use-stack.ts";
import { held } from "./held.ts";

const SECRET = "0123456789abcdef0123456789abcdef";
const stack = useStack();
let locks: Locks;
beforeAll(async () => {
  locks = createLocks({ url: stack.url, token: stack.token });
});
beforeEach(() => vi.stubEnv("CRON_SECRET", SECRET));
afterEach(() => vi.unstubAllEnvs());

const call = (authorization?: string): Request =>
  new Request("https://app.example/api/cron", authorization === undefined ? {} : { headers: { authorization } });
const invoke = (): Request => call(`Bearer ${SECRET}`);
const bodyOf = async (response: Response): Promise<Record<string, unknown>> =>
  (await response.json()) as Record<string, unknown>;
const unreachable = (): never => expect.unreachable("the handler must not run");

it("a Next.js route: runs an occurrence once, and reports the outcome of each request", async () => {
  const name = freshName("route");
  const seen: [Run, Request][] = [];
  // The exports of a route's module.
  const maxDuration = 60;
  const GET = cronRoute({ locks, name, schedule: "0 3 * * *", maxDuration }, async (run, request) => {
    seen.push([run, request]);
    return Response.json({ ignored: true });
  });
  const request = invoke();
  const first = await GET(request);
  expect(first.status).toBe(200);
  expect(first.headers.get("cache-control")).toBe("no-store");
  expect(first.headers.get("content-type")).toBe("application/json");
  const [[run, given] = []] = seen;
  expect(given).toBe(request);
  const report = await bodyOf(first);
  expect(report).toEqual({
    status: "ran",
    name,
    slot: run?.slot,
    token: run?.token,
    attempt: 1,
    startedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    durationMs: expect.any(Number),
  });
  expect(report["slot"]).toMatch(/T03:00:00\.000Z$/);
  expect(Math.abs(Date.parse(`${report["slot"]}`) - Date.now())).toBeLessThanOrEqual(86_400_000);
  const second = await GET(invoke());
  expect(second.status).toBe(200);
  expect(await bodyOf(second)).toMatchObject({ status: "skipped: already ran", token: run?.token });
  expect(seen).toHaveLength(1);
  const next = new Date(Date.parse(`${report["slot"]}`) + 86_400_000).toISOString();
  expect(await lastRun(locks, name)).toMatchObject({ outcome: "ran", token: run?.token, next });
});

it("of 40 requests at once one runs; while it does the next occurrence is skipped", async () => {
  const name = freshName("crowd");
  let slot = "one";
  const { begun, end, work } = held();
  let runs = 0;
  const route = cronRoute({ locks: () => locks, name, slot: () => slot }, (run) => {
    runs++;
    return work(run);
  });
  const answers = Array.from({ length: 40 }, () => route(invoke()));
  await begun;
  slot = "two";
  const next = await route(invoke());
  expect(next.status).toBe(200);
  expect(await bodyOf(next)).toMatchObject({ status: "skipped: still running", slot: "two" });
  end();
  const all = await Promise.all(answers);
  expect(all.map(({ status }) => status)).toEqual(all.map(() => 200));
  const statuses = (await Promise.all(all.map(bodyOf))).map(({ status }) => status);
  expect(statuses.filter((status) => status === "ran")).toHaveLength(1);
  expect(runs).toBe(1);
  expect(await bodyOf(await route(invoke()))).toMatchObject({ status: "ran", slot: "two" });
});

describe("the secret", () => {
  const route = () => cronRoute({ locks, name: freshName("secret"), every: "1m" }, unreachable);

  it.each([
    [undefined],
    [""],
    ["Bearer"],
    ["Bearer "],
    ["Bearer undefined"],
    ["Bearer null"],
    [SECRET],
    [`Basic ${SECRET}`],
    [`Bearer ${SECRET.slice(0, -1)}`],
    [`Bearer ${SECRET}0`],
    [`Bearer x${SECRET}`],
    [`Bearer ${SECRET.toUpperCase()}`],
    [`Bearer ${SECRET}, Bearer ${SECRET}`],
    [`Bearer ${"0".repeat(5000)}`],
  ])("refuses %j", async (authorization) => {
    const response = await route()(call(authorization));
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
    const text = await response.text();
    expect(JSON.parse(text)).toEqual({ status: "unauthorized" });
    expect(text).not.toContain(SECRET);
  });

  it.each([["Bearer"], ["bearer"], ["BEARER"]])("takes it after %s", async (scheme) => {
    const open = cronRoute({ locks, name: freshName("secret"), every: "1m" }, () => {});
    expect((await open(call(`${scheme} ${SECRET}`))).status).toBe(200);
  });

  it.each([
    [undefined, undefined],
    ["", undefined],
    [SECRET, ""],
  ])("runs nothing while it is not set: %j, %j", async (environment, secret) => {
    vi.stubEnv("CRON_SECRET", environment);
    const unset = cronRoute({ locks, name: freshName("secret"), every: "1m", secret }, unreachable);
    for (const authorization of ["Bearer undefined", "Bearer ", `Bearer ${SECRET}`, undefined]) {
      const response = await unset(call(authorization));
      expect(response.status).toBe(500);
      expect(await bodyOf(response)).toEqual({ status: "misconfigured", error: "CRON_SECRET is not set" });
    }
  });

  it("may be given, and then the environment's does not count", async () => {
    const own = cronRoute({ locks, name: freshName("secret"), every: "1m", secret: "another" }, () => {});
    expect((await own(invoke())).status).toBe(401);
    expect((await own(call("Bearer another"))).status).toBe(200);
  });

  it("is read with every request, and comes before anything is asked of Redis", async () => {
    vi.stubEnv("CRON_SECRET", undefined);
    const late = cronRoute(
      {
        name: freshName("secret"),
        every: "1m",
        locks: () => expect.unreachable("not needed yet"),
      },
      unreachable,
    );
    expect((await late(invoke())).status).toBe(500);
    vi.stubEnv("CRON_SECRET", "now");
    expect((await late(invoke())).status).toBe(401);
  });
});

describe("what the handler throws", () => {
  it("reaches the platform, is recorded, and makes room for the next request of the slot", async () => {
    const name = freshName("throws");
    const error = new TypeError("no connection to the shop");
    let fails = true;
    const route = cronRoute({ locks, name, slot: () => "today" }, () => {
      if (fails) throw error;
    });
    await expect(route(invoke())).rejects.toBe(error);
    expect(await lastRun(locks, name)).toMatchObject({
      outcome: "failed",
      error: "TypeError: no connection to the shop",
    });
    fails = false;
    expect(await bodyOf(await route(invoke()))).toMatchObject({ status: "ran", attempt: 2 });
  });

  it("a response of 400 or above counts as thrown, others as done", async () => {
    const name = freshName("response");
    let status = 503;
    const route = cronRoute({ locks, name, slot: () => "today" }, () => new Response(null, { status }));
    await expect(route(invoke())).rejects.toThrow("the handler answered 503");
    expect(await lastRun(locks, name)).toMatchObject({ outcome: "failed" });
    status = 204;
    expect(await bodyOf(await route(invoke()))).toMatchObject({ status: "ran", attempt: 2 });
  });

  it("an error that looks like leasehold's is still the handler's", async () => {
    const elsewhere = createLocks({ url: "http://127.0.0.1:9", token: "x", requestTimeout: 50 });
    const route = cronRoute({ locks, name: freshName("inner"), every: "1m" }, () =>
      elsewhere.lock("x").acquire({ wait: 0 }),
    );
    await expect(route(invoke())).rejects.toMatchObject({ name: expect.stringMatching(/Error$/) });
  });
});

describe("without Redis", () => {
  it("answers 503 with Retry-After, and nothing runs", async () => {
    await using proxy = await startProxy(stack.url);
    const gone = createLocks({ url: proxy.url, token: stack.token, requestTimeout: 100 });
    const name = freshName("gone");
    const route = cronRoute({ locks: gone, name, slot: () => "today" }, unreachable);
    const over = proxy.always("cron-begin", heldBack);
    const response = await route(invoke());
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("10");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await bodyOf(response)).toEqual({
      status: "unavailable",
      code: expect.stringMatching(/^(lock_timeout|outcome_unknown)$/),
    });
    over();
    const healthy = cronRoute({ locks, name, slot: () => "today" }, () => {});
    expect(await bodyOf(await healthy(invoke()))).toMatchObject({ status: "ran" });
  });

  it("answers the same when Redis does not answer, without waiting for the end of the lease", async () => {
    await using proxy = await startProxy(stack.url);
    const gone = createLocks({ url: proxy.url, token: stack.token, requestTimeout: 400 });
    const route = cronRoute({ locks: gone, name: freshName("gone"), every: "1m", lease: "10m" }, unreachable);
    proxy.always(() => true, heldBack);
    expect((await route(invoke())).status).toBe(503);
    expect(proxy.count("cron-begin")).toBeGreaterThan(0);
    // Each waits for its time-out: it has not waited for more than two of them.
    expect(proxy.count("held-end")).toBeGreaterThan(0);
    expect(proxy.count("held-end")).toBeLessThan(5);
  });

  it("what only the operator can mend is thrown", async () => {
    const wrong = createLocks({ url: stack.url, token: "another-token-0123456789" });
    const route = cronRoute({ locks: wrong, name: freshName("wrong"), every: "1m" }, unreachable);
    await expect(route(invoke())).rejects.toMatchObject({ code: "unauthorized" });
  });
});

describe("Vercel's waitUntil", () => {
  /** As Vercel's runtime has it: another context for every request, found through what follows the request. */
  const contexts = new AsyncLocalStorage<{ given: Promise<unknown>[]; waitUntil(promise: Promise<unknown>): void }>();
  const CONTEXT = Symbol.for("@vercel/request-context");
  const global = globalThis as { [CONTEXT]?: unknown };
  const context = () => ({
    given: [] as Promise<unknown>[],
    waitUntil(promise: Promise<unknown>) {
      // A method: detached it would not know its request.
      this.given.push(promise);
    },
  });
  afterEach(() => {
    delete global[CONTEXT];
  });

  it("is found where @vercel/functions finds it, for each request its own", async () => {
    global[CONTEXT] = { get: () => contexts.getStore() };
    const { begun, end, work } = held();
    const name = freshName("vercel");
    const route = cronRoute({ locks, name, slot: () => "today" }, work);
    const mine = context();
    const other = context();
    const answered = contexts.run(mine, () => {
      // The package itself agrees on where it is.
      waitUntil(Promise.resolve("by the package"));
      return route(invoke());
    });
    expect(await mine.given[0]).toBe("by the package");
    await begun;
    expect(mine.given).toHaveLength(2);
    await contexts.run(other, () => route(invoke()));
    expect(other.given).toHaveLength(1);
    let settled = false;
    Promise.all(mine.given).then(() => {
      settled = true;
    });
    await pause(20);
    expect(settled).toBe(false);
    end();
    await Promise.all(mine.given);
    expect(await lastRun(locks, name)).toMatchObject({ outcome: "ran" });
    await answered;
  });

  it.each([
    ["no context", undefined],
    ["a context without a request", { get: () => undefined }],
    ["one without waitUntil", { get: () => ({}) }],
    ["something else", {}],
  ])("is done without: %s", async (_, value) => {
    global[CONTEXT] = value;
    const route = cronRoute({ locks, name: freshName("none"), every: "1m" }, () => {});
    expect((await route(invoke())).status).toBe(200);
  });

  it("one that is given goes first, and one that throws does no harm", async () => {
    const theirs = context();
    global[CONTEXT] = { get: () => theirs };
    const given: Promise<unknown>[] = [];
    const options = { locks, every: "1m", waitUntil: (promise: Promise<unknown>) => void given.push(promise) } as const;
    await cronRoute({ ...options, name: freshName("given") }, () => {})(invoke());
    expect([given.length, theirs.given.length]).toEqual([1, 0]);
    const broken = { ...options, waitUntil: () => expect.unreachable("too late") };
    const response = await cronRoute({ ...broken, name: freshName("broken") }, () => {})(invoke());
    expect(response.status).toBe(200);
  });

  it("a failure is no unhandled rejection there", async () => {
    const theirs = context();
    global[CONTEXT] = { get: () => theirs };
    const route = cronRoute({ locks, name: freshName("fails"), every: "1m" }, () => Promise.reject(new Error("x")));
    await expect(route(invoke())).rejects.toThrow("x");
    await expect(Promise.all(theirs.given)).resolves.toHaveLength(1);
  });
});

it("reports go to the listener too", async () => {
  const reports: Report[] = [];
  const onReport = (report: Report): void => void reports.push(report);
  const route = cronRoute({ locks, name: freshName("report"), slot: () => "today", onReport }, () => {});
  const bodies = [await bodyOf(await route(invoke())), await bodyOf(await route(invoke()))];
  expect(reports).toEqual(bodies);
});

describe("the expression in the header of Vercel", () => {
  const withExpression = (expression?: string): Request => {
    const request = invoke();
    if (expression !== undefined) request.headers.set("x-vercel-cron-schedule", expression);
    return request;
  };

  it("tells the slot where no option does", async () => {
    const slots: string[] = [];
    const route = cronRoute({ locks, name: freshName("header") }, ({ slot }) => void slots.push(slot));
    expect(await bodyOf(await route(withExpression("0 3 * * *")))).toMatchObject({ status: "ran" });
    expect(await bodyOf(await route(withExpression("0 3 * * *")))).toMatchObject({ status: "skipped: already ran" });
    expect(await bodyOf(await route(withExpression("0 4 1 * *")))).toMatchObject({ status: "ran" });
    expect(slots).toEqual([
      expect.stringMatching(/T03:00:00\.000Z$/),
      expect.stringMatching(/^\d{4}-\d\d-01T04:00:00\.000Z$/),
    ]);
  });

  it("is in the time zone of the option", async () => {
    const route = cronRoute({ locks, name: freshName("zone"), timezone: "Asia/Kolkata" }, () => {});
    expect((await bodyOf(await route(withExpression("0 3 * * *"))))["slot"]).toMatch(/T21:30:00\.000Z$/);
    const schedule = "0 3 * * *";
    const own = cronRoute({ locks, name: freshName("zone"), timezone: "Asia/Kolkata", schedule }, () => {});
    expect((await bodyOf(await own(invoke())))["slot"]).toMatch(/T21:30:00\.000Z$/);
  });

  it("does not count where an option tells the slot", async () => {
    const route = cronRoute({ locks, name: freshName("option"), schedule: "0 5 * * *" }, () => {});
    expect((await bodyOf(await route(withExpression("0 3 * * *"))))["slot"]).toMatch(/T05:00:00\.000Z$/);
  });

  it("is asked for by 400 where it is missing, and only from who knows the secret", async () => {
    const route = cronRoute({ locks, name: freshName("none") }, unreachable);
    const response = await route(withExpression());
    expect(response.status).toBe(400);
    expect(await bodyOf(response)).toEqual({
      status: "malformed",
      error: expect.stringMatching(/^x-vercel-cron-schedule is missing: .* set the option schedule/),
    });
    expect((await route(call("Bearer wrong"))).status).toBe(401);
  });

  it("is thrown where it is no expression, and nothing runs", async () => {
    const route = cronRoute({ locks, name: freshName("bad") }, unreachable);
    await expect(route(withExpression("every day"))).rejects.toThrow(TypeError);
  });
});

it("an id of the request names its occurrence, and a request without one is refused", async () => {
  const id = "Upstash-Message-Id";
  const runs: string[] = [];
  const route = cronRoute(
    { locks, name: freshName("id"), slot: ({ headers }) => slotOf({ id: headers.get(id) }) },
    ({ slot, attempt }) => {
      runs.push(`${slot} ${attempt}`);
      if (runs.length === 1) throw new Error("down");
    },
  );
  const deliver = (value: string): Promise<Response> => {
    const request = invoke();
    request.headers.set(id, value);
    return route(request);
  };
  await expect(deliver("msg_1")).rejects.toThrow("down");
  expect(await bodyOf(await deliver("msg_1"))).toMatchObject({ status: "ran", slot: "msg_1" });
  expect(await bodyOf(await deliver("msg_1"))).toMatchObject({ status: "skipped: already ran" });
  expect(await bodyOf(await deliver("msg_2"))).toMatchObject({ status: "ran" });
  expect(runs).toEqual(["msg_1 1", "msg_1 2", "msg_2 1"]);
  await expect(route(invoke())).rejects.toThrow("slotOf: id must be a string");
});

describe("misuse", () => {
  const good = { name: "job", every: "5m" } as const;
  it.each<[unknown, unknown?]>([
    [{ ...good, locks: {} }],
    [{ ...good, locks: undefined }],
    [{ ...good, name: "" }],
    [{ ...good, name: undefined }],
    [{ name: "job", clockTolerance: "60s" }],
    [{ name: "job", timezone: "Mars/Phobos" }],
    [{ ...good, timezone: "Europe/Berlin" }],
    [{ name: "job", slot: () => "x", timezone: "Europe/Berlin" }],
    [{ ...good, schedule: "*/5 * * * *" }],
    [{ ...good, slot: () => "x" }],
    [{ name: "job", slot: "x" }],
    [{ name: "job", schedule: "every day" }],
    [{ ...good, secret: 5 }],
    [{ ...good, maxDuration: 300_000 }],
    [good, "no function"],
  ])("is said when the route is made: %#", (options, handler = () => {}) => {
    const whole = { locks, ...(options as object) } as unknown as CronRouteOptions;
    expect(() => cronRoute(whole, handler as () => void)).toThrow(/^(?!Cannot)/);
  });

  it("a slot that cannot be is thrown, and nothing runs", async () => {
    const route = cronRoute({ locks, name: "job", slot: () => new Date(Number.NaN) }, unreachable);
    await expect(route(invoke())).rejects.toThrow(TypeError);
  });

  it("does not change what it is given", async () => {
    const options = Object.freeze({ locks, name: freshName("frozen"), every: "1m" } as const);
    expect((await cronRoute(options, () => {})(invoke())).status).toBe(200);
  });
});
