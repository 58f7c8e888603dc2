import { type Context, context, metrics, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-base";
import { afterAll, describe, expect, it } from "vitest";
import { runCron } from "../../src/cron/index.ts";
import { redisFence } from "../../src/fence/index.ts";
import { dedupe } from "../../src/http/index.ts";
import { constantBackoff, createLocks, type LeaseholdEvent, type Locks } from "../../src/index.ts";
import { type OtelOptions, otel, withoutIds } from "../../src/otel/index.ts";
import { VERSION } from "../../src/otel/version.ts";
import { textOf } from "../documents/markdown.ts";
import { freshName, pause, useStack } from "../support/use-stack.ts";
import { inSpan, type Point, startSdk } from "./scenario.ts";

const stack = useStack();
const sdk = startSdk(new AsyncLocalStorageContextManager());
afterAll(() => sdk.stop());

const make = (options?: OtelOptions, more: object = {}): Locks =>
  createLocks({ url: stack.url, token: stack.token, ...otel(options), ...more });

/** The names of these tests stay whole, so that each finds its own. */
const whole: OtelOptions = { nameOf: (name) => name };

const spansOf = (name: string): readonly ReadableSpan[] =>
  sdk.spans().filter(({ attributes }) => attributes["leasehold.name"] === name);
const pointsOf = async (name: string): Promise<readonly Point[]> =>
  (await sdk.points()).filter(({ attributes }) => attributes["leasehold.name"] === name);
/** Where a span began and how long it took, in ms. */
const begunAt = ({ startTime: [seconds, nanos] }: ReadableSpan): number => seconds * 1e3 + nanos / 1e6;
const tookMs = ({ duration: [seconds, nanos] }: ReadableSpan): number => seconds * 1e3 + nanos / 1e6;

it("spanNameOf names spans alone: metrics keep the names of nameOf (54.5)", async () => {
  const prefix = freshName("named-").replace(/\d/g, "x");
  const locks = make({ nameOf: () => prefix, spanNameOf: (name) => name });
  await locks.lock(`${prefix}:42`).run(async () => {});
  const named = spansOf(`${prefix}:42`).map((span) => span.name);
  expect(named).toEqual(expect.arrayContaining(["acquire lock", "hold lock", "release lock"]));
  expect(spansOf(prefix)).toEqual([]);
  expect((await pointsOf(prefix)).map(({ name }) => name)).toContain("leasehold.acquire.duration");
  expect(await pointsOf(`${prefix}:42`)).toEqual([]);
  expect(() => otel({ spanNameOf: "invoice" as never })).toThrow(TypeError);
});

describe("spans", () => {
  it("are made of acquire, hold, extend and release, as children of the caller's", async () => {
    const name = freshName();
    const at = Date.now();
    await inSpan("handler", async (active: Context) => {
      const lease = await make(whole).lock(name).acquire();
      await lease.extend();
      await pause(30);
      await lease.release();
      expect(context.active()).toBe(active);
    });
    const parent = sdk.spans().find((span) => span.name === "handler");
    const spans = spansOf(name);
    expect(spans.map((span) => span.name)).toEqual(["acquire lock", "extend lock", "release lock", "hold lock"]);
    for (const span of spans) {
      expect(span.parentSpanContext?.spanId).toBe(parent?.spanContext().spanId);
      expect(begunAt(span)).toBeGreaterThanOrEqual(at - 1);
      expect(span.status.code).toBe(0);
    }
    const [acquire, extend, , hold] = spans;
    expect(acquire?.attributes).toMatchObject({ "leasehold.kind": "lock", "leasehold.outcome": "granted" });
    expect(extend?.attributes).toMatchObject({
      "db.system.name": "redis",
      "db.operation.name": "EVALSHA",
      "leasehold.status": "extended",
    });
    expect(hold && tookMs(hold)).toBeGreaterThanOrEqual(30);
    expect(hold?.attributes["leasehold.outcome"]).toBe("released");
  });

  it("of operations at once have the contexts of their own callers, those that wait too", async () => {
    const name = freshName();
    const locks = make(whole);
    await Promise.all(
      ["first", "second", "third"].map((caller) =>
        inSpan(`${name} ${caller}`, () =>
          locks.lock(name).run({ wait: "20s", backoff: constantBackoff(20) }, () => pause(30)),
        ),
      ),
    );
    const acquired = spansOf(name).filter((span) => span.name === "acquire lock");
    const callers = acquired.map(({ parentSpanContext }) =>
      sdk.spans().find((span) => span.spanContext().spanId === parentSpanContext?.spanId),
    );
    expect(new Set(callers.map((span) => span?.name))).toEqual(
      new Set(["first", "second", "third"].map((caller) => `${name} ${caller}`)),
    );
    const waited = acquired.filter(({ attributes }) => attributes["leasehold.waited"]);
    expect(waited).toHaveLength(2);
    for (const span of waited) {
      expect(tookMs(span)).toBeGreaterThanOrEqual(25);
      expect(span.attributes["leasehold.polls"]).toBeGreaterThan(1);
    }
  });

  it("are failures only where something failed", async () => {
    const name = freshName();
    const locks = make(whole);
    const lease = await locks.lock(name).acquire();
    expect(await locks.lock(name).tryAcquire()).toBeNull();
    await locks.lock(name).forceRelease();
    await expect(lease.extend()).rejects.toThrow();
    const failures = spansOf(name).filter(({ status }) => status.code !== 0);
    expect(failures.map((span) => [span.name, span.status.message])).toEqual([["hold lock", "forced"]]);
    const strangers = make(whole, { token: "another-token" });
    await expect(strangers.lock(name).inspect()).rejects.toThrow();
    await expect(strangers.lock(name).acquire()).rejects.toThrow();
    expect(spansOf(name).slice(-2)).toMatchObject([
      { name: "inspect lock", status: { code: 2 }, attributes: { "error.type": "unauthorized" } },
      { name: "acquire lock", status: { code: 2, message: "unauthorized" } },
    ]);
  });

  it("of a lease that was handed over have a link to where its ticket was made", async () => {
    const name = freshName();
    const ticket = await inSpan(`${name} producer`, async () => (await make(whole).lock(name).acquire()).ticket());
    await inSpan(`${name} consumer`, async () => {
      const lease = await make(whole).resume(ticket);
      await lease.release();
    });
    const [producer, consumer] = ["producer", "consumer"].map((who) =>
      sdk.spans().find((span) => span.name === `${name} ${who}`),
    );
    const resumed = spansOf(name).find((span) => span.name === "resume lock");
    expect(resumed?.spanContext().traceId).toBe(consumer?.spanContext().traceId);
    expect(resumed?.links.map(({ context: { traceId, spanId } }) => [traceId, spanId])).toEqual([
      [producer?.spanContext().traceId, producer?.spanContext().spanId],
    ]);
  });

  it.each(["", "00-xyz", `00-${"0".repeat(32)}-${"0".repeat(16)}-01`, "💥"])(
    "a ticket with %j in the place of a trace makes a lease without a link",
    async (text) => {
      const name = freshName();
      const lease = await make(whole, { trace: () => text })
        .lock(name)
        .acquire();
      await (await make(whole).resume(lease.ticket())).release();
      expect(spansOf(name).find((span) => span.name === "resume lock")?.links).toEqual([]);
    },
  );

  it("are made of once, dedupe and cron", async () => {
    const locks = make(whole);
    const key = freshName();
    await locks.once(key).run(() => pause(20));
    await locks
      .once(`${key}!`)
      .run(() => Promise.reject(new Error("no")))
      .catch(() => {});
    const named = (name: string) => spansOf(name).filter((span) => span.name === "once");
    expect([...named(key), ...named(`${key}!`)].map(({ attributes }) => attributes["leasehold.outcome"])).toEqual([
      "completed",
      "failed",
    ]);
    expect(tookMs(named(key)[0] as ReadableSpan)).toBeGreaterThanOrEqual(19);

    const post = dedupe({ locks, key: () => key }, async () => new Response("paid"));
    await inSpan(`${key} http`, async () => {
      for (const _ of [1, 2]) await post(new Request("https://example.com/hook", { method: "POST" }));
      await runCron({ locks, name: key, slot: "slot" }, () => {});
    });
    const parent = sdk.spans().find((span) => span.name === `${key} http`);
    const children = sdk
      .spans()
      .filter(({ parentSpanContext }) => parentSpanContext?.spanId === parent?.spanContext().spanId);
    const outcomes = (name: string) =>
      children.filter((span) => span.name === name).map(({ attributes }) => attributes["leasehold.outcome"]);
    expect([outcomes("dedupe custom"), outcomes("cron")]).toEqual([["processed", "duplicate"], ["ran"]]);
  });
});

describe("metrics", () => {
  it("count and time everything", async () => {
    const name = freshName();
    const locks = make(whole);
    const lease = await locks.lock(name).acquire();
    expect(await locks.lock(name).tryAcquire()).toBeNull();
    const next = locks.lock(name).acquire({ wait: "20s", backoff: constantBackoff(20) });
    while (!(await pointsOf(name)).some((point) => point.name === "leasehold.waiting" && point.value === 1))
      await pause(5);
    await lease.release();
    const second = await next;
    await locks.lock(name).forceRelease();
    expect(await second.verify()).toBe(false);
    const fence = redisFence(locks);
    await fence.claim({ name, token: 7 });
    await fence.claim({ name, token: 6 }).catch(() => {});

    const points = await pointsOf(name);
    const value = (metric: string, attributes: object = {}): number =>
      points
        .filter((point) => point.name === metric)
        .filter((point) => Object.entries(attributes).every(([key, is]) => point.attributes[`leasehold.${key}`] === is))
        .reduce((sum, point) => sum + point.value, 0);
    expect(value("leasehold.acquire.duration", { outcome: "granted" })).toBe(2);
    expect(value("leasehold.acquire.duration", { outcome: "held" })).toBe(1);
    expect(value("leasehold.wait.duration")).toBe(1);
    expect(value("leasehold.waiting")).toBe(0);
    expect(value("leasehold.refused")).toBe(1);
    expect(value("leasehold.hold.duration", { outcome: "released" })).toBe(1);
    expect(value("leasehold.hold.duration", { outcome: "lost" })).toBe(1);
    expect(value("leasehold.lost", { reason: "forced", kind: "lock" })).toBe(1);
    expect(value("leasehold.stale", { kind: "fence" })).toBe(1);
    expect(value("leasehold.request.duration", { operation: "release", status: "closed" })).toBe(1);
    const waits = points.find((point) => point.name === "leasehold.wait.duration");
    expect(waits?.unit).toBe("s");
    expect(waits?.sum && waits.sum > 0 && waits.sum < 20).toBe(true);
  });

  it("tell what is unanswered, retried and unprotected, and the class of each failure", async () => {
    const name = freshName();
    const down: typeof fetch = async () => new Response("<html>down</html>", { status: 502 });
    const locks = make(whole, { fetch: down, requestTimeout: 300 });
    await locks.lock(name).run({ wait: 0, onUnavailable: "run" }, () => {});
    const found = await pointsOf(name);
    const metrics = new Set(found.map((point) => point.name));
    for (const metric of ["retried", "unanswered", "unprotected"]) expect(metrics).toContain(`leasehold.${metric}`);
    const types = found.flatMap(({ attributes }) => attributes["error.type"] ?? []);
    expect(new Set(types)).toEqual(new Set(["malformed_answer"]));
  });
});

describe("names", () => {
  it.each([
    ["invoice:42", "invoice:*"],
    ["nightly report", "nightly report"],
    ["tenant 6fa459ea-ee8a-3ca4-894e-db77e160355e/import", "tenant */import"],
    ["commit 09824ae1", "commit *"],
    ["order 01JDB3Z6Y8Q5T9W0X2V4N7M1KC", "order *"],
    ["nanoid V1StGXR8_Z5jdHi6B-myT", "nanoid *"],
    ["github:h3Hd0r_1bQ-4mZc9vK2xT7yWq8sLpN5uEoGfJiRaBkY", "github:*"],
    ["account 1, account 2", "account *, account *"],
    ["cron:42:nightly:2026-11-21T03:00:00.000Z", "cron:*:nightly:*-*-*T*:*:*.*Z"],
    ["deadbeef cafebabe", "deadbeef cafebabe"],
    ["x".repeat(500), "x".repeat(120)],
  ])("%s becomes %s", (name, called) => {
    expect(withoutIds(name)).toBe(called);
  });

  it("are mapped by default, by a function, or left out", async () => {
    const name = `shop ${freshName()} 42`;
    const events: LeaseholdEvent[] = [];
    const calls: string[] = [];
    const mine = (_: string, kind: string): string => {
      calls.push(kind);
      return "mine";
    };
    for (const nameOf of [undefined, mine, () => undefined]) {
      const locks = make({ nameOf, onEvent: (event) => events.push(event) });
      await (await locks.lock(name).acquire()).release();
    }
    const called = sdk
      .spans()
      .flatMap((span) => (span.name === "hold lock" ? [span.attributes["leasehold.name"]] : []));
    expect(called.slice(-3)).toEqual(["shop name-* *", "mine", undefined]);
    expect(calls).toEqual(["lock"]);
    expect(events.filter(({ type }) => type === "released").map((event) => event.name)).toEqual([name, name, name]);
  });
});

it("metrics tell as many names apart as they may, and one event reports the first beyond (R9)", async () => {
  const prefix = `capped ${freshName().replace(/\d/g, "x")}`;
  const events: LeaseholdEvent[] = [];
  const onEvent = (event: LeaseholdEvent): unknown => events.push(event);
  const settings = otel({ maxNames: 3, nameOf: (name) => `${prefix} ${name}`, onEvent });
  for (const name of ["a", "b", "c", "d", "e", "a"])
    settings.onEvent({ kind: "lock", name, type: "refused", polls: 1, remainingMs: 1 });
  const names = (await sdk.points()).flatMap(({ name, attributes }) =>
    name === "leasehold.refused" ? [attributes["leasehold.name"]] : [],
  );
  const ours = names.filter((name) => `${name}`.startsWith(prefix));
  expect(ours).toEqual(["a", "b", "c"].map((name) => `${prefix} ${name}`));
  expect(names).toContain("other");
  const capped = events.filter(({ type }) => type === "capped");
  expect(capped).toEqual([{ kind: "lock", name: "d", type: "capped", limit: 3 }]);
});

it("requests name their server, and the scope its version", async () => {
  const name = freshName();
  await (await make(whole).lock(name).acquire()).release();
  const { hostname, port } = new URL(stack.url);
  const released = spansOf(name).find((span) => span.name === "release lock");
  const server = { "server.address": hostname, "server.port": Number(port) };
  expect(released?.attributes).toMatchObject(server);
  const timed = (await pointsOf(name)).find((point) => point.name === "leasehold.request.duration");
  expect(timed?.attributes).toMatchObject(server);
  expect(released?.instrumentationScope).toMatchObject({ name: "leasehold", version: VERSION });
  const { version } = JSON.parse(textOf("package.json")) as { readonly version: string };
  expect(VERSION).toBe(version);
});

it("refuses options that cannot be", () => {
  for (const options of [{ tracers: 1 }, { tracer: {} }, { meter: {} }, { nameOf: "x" }, { onEvent: 1 }])
    expect(() => otel(options as never)).toThrow(TypeError);
});

it("goes to a tracer and a meter that are given, and to a provider that is registered late", async () => {
  const name = freshName();
  const tracer = trace.getTracer("mine");
  const meter = metrics.getMeter("mine");
  metrics.disable();
  const [given, found] = [make({ ...whole, tracer, meter }), make(whole)];
  for (const locks of [given, found]) await (await locks.lock(name).acquire()).release();
  const holds = (points: readonly Point[]): readonly number[] =>
    points.flatMap((point) => (point.name === "leasehold.hold.duration" ? [point.value] : []));
  expect(holds(await pointsOf(name))).toEqual([1]);
  expect(spansOf(name).map(({ instrumentationScope }) => instrumentationScope.name)).toContain("mine");
  trace.disable();
  const late = startSdk(new AsyncLocalStorageContextManager());
  await (await found.lock(name).acquire()).release();
  expect(holds(await late.points())).toEqual([1]);
  await late.stop();
});
