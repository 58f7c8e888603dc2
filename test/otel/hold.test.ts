import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { AlwaysOffSampler, BasicTracerProvider, type ReadableSpan } from "@opentelemetry/sdk-trace-base";
import { afterAll, describe, expect, it } from "vitest";
import { runCron } from "../../src/cron/index.ts";
import { dedupe } from "../../src/http/index.ts";
import { createLocks, type Locks } from "../../src/index.ts";
import { type OtelOptions, otel } from "../../src/otel/index.ts";
import { freshName, pause, useStack } from "../support/use-stack.ts";
import { inSpan, startSdk } from "./scenario.ts";

const stack = useStack();
const sdk = startSdk(new AsyncLocalStorageContextManager());
afterAll(() => sdk.stop());

const make = (options?: OtelOptions): Locks =>
  createLocks({ url: stack.url, token: stack.token, ...otel({ nameOf: (name) => name, ...options }) });

const spansOf = (name: string): readonly ReadableSpan[] =>
  sdk.spans().filter(({ attributes }) => attributes["leasehold.name"] === name);
const holdsOf = (name: string): readonly ReadableSpan[] =>
  spansOf(name).filter((span) => span.name.startsWith("hold ") || span.name === "once");
const called = (name: string): ReadableSpan | undefined => sdk.spans().find((span) => span.name === name);
const idOf = (span: ReadableSpan | undefined): string | undefined => span?.spanContext().spanId;
const parentOf = (span: ReadableSpan | undefined): string | undefined => span?.parentSpanContext?.spanId;

/** Work of an application that has a span of its own. */
async function work(name: string): Promise<void> {
  const span = trace.getTracer("application").startSpan(name);
  await pause(10);
  span.end();
}

describe("the span of a hold", () => {
  it("is active while the work runs, and is beside its acquisition", async () => {
    const name = freshName();
    let token = 0;
    await inSpan(`${name} handler`, () =>
      make()
        .lock(name)
        .run(async (lease) => {
          token = lease.token;
          await work(`${name} work`);
        }),
    );
    const holds = holdsOf(name);
    expect(holds.map((span) => span.name)).toEqual(["hold lock"]);
    const [hold] = holds;
    expect(parentOf(called(`${name} work`))).toBe(idOf(hold));
    expect(parentOf(hold)).toBe(idOf(called(`${name} handler`)));
    const [acquire, release] = ["acquire lock", "release lock"].map((which) =>
      spansOf(name).find((span) => span.name === which),
    );
    expect(parentOf(acquire)).toBe(idOf(called(`${name} handler`)));
    expect(parentOf(release)).toBe(idOf(hold));
    expect(hold?.attributes).toMatchObject({
      "leasehold.kind": "lock",
      "leasehold.token": token,
      "leasehold.outcome": "released",
    });
    expect(hold?.status.code).toBe(0);
  });

  it("is one for a lease whose work runs in a keepAlive, and lasts from the grant", async () => {
    const name = freshName();
    const locks = make();
    await locks.lock(name).run({ keepAlive: true }, (lease) => lease.keepAlive(() => work(`${name} inner`)));
    expect(parentOf(called(`${name} inner`))).toBe(idOf(holdsOf(name)[0]));
    expect(holdsOf(name)).toHaveLength(1);
    const lease = await locks.lock(name).acquire();
    await pause(30);
    await lease.keepAlive(() => work(`${name} kept`));
    const [, kept] = holdsOf(name);
    expect(parentOf(called(`${name} kept`))).toBe(idOf(kept));
    const [seconds = 0, nanos = 0] = kept?.duration ?? [];
    expect(seconds * 1e3 + nanos / 1e6).toBeGreaterThanOrEqual(35);
    expect(holdsOf(name)).toHaveLength(2);
  });

  it("is a failure where the lease is lost, and none where the work throws", async () => {
    const [lost, thrown] = [freshName(), freshName()];
    const locks = make();
    const run = locks.lock(lost).run(async (lease) => {
      await locks.lock(lost).forceRelease();
      await lease.verify();
      await work(`${lost} after`);
    });
    await expect(run).rejects.toThrow("forced");
    expect(holdsOf(lost)).toMatchObject([
      { attributes: { "leasehold.outcome": "lost" }, status: { code: 2, message: "forced" } },
    ]);
    expect(parentOf(called(`${lost} after`))).toBe(idOf(holdsOf(lost)[0]));
    const failing = locks.lock(thrown).run(() => Promise.reject(new Error("no")));
    await expect(failing).rejects.toThrow("no");
    expect(holdsOf(thrown)).toMatchObject([{ attributes: { "leasehold.outcome": "released" }, status: { code: 0 } }]);
  });

  it("of a release in the background ends with the release", async () => {
    const name = freshName();
    const background: Promise<unknown>[] = [];
    const waitUntil = (promise: Promise<unknown>): unknown => background.push(promise);
    await make()
      .lock(name)
      .run({ waitUntil }, () => work(`${name} work`));
    await Promise.all(background);
    await pause(0);
    expect(holdsOf(name)).toMatchObject([{ attributes: { "leasehold.outcome": "released" } }]);
    expect(parentOf(called(`${name} work`))).toBe(idOf(holdsOf(name)[0]));
  });

  it("is there for once, dedupe and crons, too", async () => {
    const locks = make();
    const [key, failed, hook, job] = [freshName(), freshName(), freshName(), freshName()];
    await locks.once(key).run(() => work(`${key} work`));
    const failing = async (): Promise<void> => {
      await work(`${failed} work`);
      throw new Error("no");
    };
    await expect(locks.once(failed).run({ keepAlive: true }, failing)).rejects.toThrow("no");
    for (const [name, outcome] of [
      [key, "completed"],
      [failed, "failed"],
    ] as const) {
      expect(holdsOf(name)).toMatchObject([{ name: "once", attributes: { "leasehold.outcome": outcome } }]);
      expect(parentOf(called(`${name} work`))).toBe(idOf(holdsOf(name)[0]));
    }
    const post = dedupe({ locks, key: () => hook }, async () => {
      await work(`${hook} work`);
      return new Response("paid");
    });
    await post(new Request("https://example.com/hook", { method: "POST" }));
    await runCron({ locks, name: job, slot: "slot" }, () => work(`${job} work`));
    for (const name of [hook, job]) {
      const parent = sdk.spans().find((span) => idOf(span) === parentOf(called(`${name} work`)));
      expect(parent?.name).toMatch(/^(once|hold lock)$/);
      const same = sdk
        .spans()
        .filter((span) => span.attributes["leasehold.token"] === parent?.attributes["leasehold.token"]);
      expect(same.filter((span) => span.name === parent?.name)).toHaveLength(1);
    }
  });

  it("keeps holds at once apart, those with one token too", async () => {
    const name = freshName();
    const { read } = make().readWriteLock(name);
    const readers = ["first", "second", "third"].map((who) => `${name} ${who}`);
    await Promise.all(readers.map((reader) => inSpan(reader, () => read.run(() => work(`${reader} work`)))));
    const holds = holdsOf(name);
    expect(holds).toHaveLength(3);
    for (const reader of readers) {
      const hold = holds.find((span) => parentOf(span) === idOf(called(reader)));
      expect(parentOf(called(`${reader} work`))).toBe(idOf(hold));
      expect(hold?.attributes["leasehold.outcome"]).toBe("released");
    }
  });

  it("of several locks is one, on one slot and on several", async () => {
    for (const isApart of [true, false]) {
      const names = [freshName(), freshName()];
      const within = () => work(`${names[0]} work`);
      await (isApart ? make().multiLock(names).run(within) : make().group(freshName()).multiLock(names).run(within));
      const holds = sdk
        .spans()
        .filter(
          ({ name, attributes }) =>
            name.startsWith("hold ") && `${attributes["leasehold.name"]}`.includes(`${names[0]}`),
        );
      expect(holds).toMatchObject([{ attributes: { "leasehold.outcome": "released" } }]);
      expect(parentOf(called(`${names[0]} work`))).toBe(idOf(holds[0]));
    }
  });

  it("ends without an outcome where the release has no answer", async () => {
    const name = freshName();
    const cut: typeof fetch = (input, init) =>
      cutOff ? Promise.reject(new TypeError("connection reset")) : fetch(input, init);
    let cutOff = false;
    const settings = { url: stack.url, token: stack.token, fetch: cut, requestTimeout: 1_000 };
    await createLocks({ ...settings, ...otel({ nameOf: (given) => given }) })
      .lock(name)
      .run(() => {
        cutOff = true;
      });
    await pause(5);
    expect(holdsOf(name)).toHaveLength(1);
    expect(holdsOf(name)[0]?.attributes).not.toHaveProperty("leasehold.outcome");
  });

  it("is a plain one, made as the hold ends, where no context manager is registered", async () => {
    const name = freshName();
    context.disable();
    await make()
      .lock(name)
      .run(() => work(`${name} work`));
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    expect(holdsOf(name)).toMatchObject([{ attributes: { "leasehold.outcome": "released" } }]);
    expect(parentOf(called(`${name} work`))).toBeUndefined();
  });

  it("leaves the work alone where nothing is sampled, or where the tracer throws", async () => {
    const name = freshName();
    const unsampled = new BasicTracerProvider({ sampler: new AlwaysOffSampler() }).getTracer("off");
    const broken = { ...unsampled, startSpan: () => expect.fail("broken") };
    for (const tracer of [unsampled, broken] as OtelOptions["tracer"][]) {
      const ran = await make({ tracer })
        .lock(name)
        .run(() => "result");
      expect(ran).toBe("result");
    }
    expect(holdsOf(name)).toEqual([]);
    expect(await make().lock(name).inspect()).toMatchObject({ state: "free" });
  });
});
