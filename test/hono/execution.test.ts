import { type Context, Hono } from "hono";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type DedupeVariables, dedupe, dedupeKey } from "../../src/hono/index.ts";
import { type Connection, connect, createLocks, type Duration } from "../../src/index.ts";
import { toMs } from "../../src/shared/checks.ts";
import { startProxy } from "../support/proxy.ts";
import { freshName, pause, useStack } from "../support/use-stack.ts";
import { answerOf, byHeader, gate, type Handler } from "./apps.ts";

const stack = useStack();
let connection: Connection;
beforeAll(async () => {
  connection = connect({ url: stack.url, token: stack.token });
});

const executionOf = (waitUntil: (promise: Promise<unknown>) => unknown) => ({
  waitUntil: (promise: Promise<unknown>) => void waitUntil(promise),
  passThroughOnException: () => {},
  props: {},
});

describe.concurrent("what is handed to waitUntil", () => {
  it("is the whole run, from the first request to the stored answer", async () => {
    const { opened, open } = gate();
    const handed: Promise<unknown>[] = [];
    // How many were handed over when an answer of Redis came.
    const before: number[] = [];
    const watched = connect({
      url: stack.url,
      token: stack.token,
      async fetch(...call) {
        const answer = await fetch(...call);
        before.push(handed.length);
        return answer;
      },
    });
    const app = new Hono();
    app.post("/hook", dedupe({ locks: watched, key: byHeader }), async (c) => {
      await opened;
      return c.text("ok");
    });
    const id = freshName();
    const request = { method: "POST", headers: { "X-Id": id } };
    const context = executionOf((promise) => handed.push(promise));
    // Nobody waits for this answer: the sender has hung up.
    void app.request("/hook", request, {}, context);
    const locks = createLocks({ url: stack.url, token: stack.token });
    const memory = locks.once(await dedupeKey({ sender: "custom", scope: "/hook", id }));
    while ((await memory.inspect()).state !== "running") await pause(5);
    expect(await Promise.race([...handed, pause(50).then(() => "under way")])).toBe("under way");
    expect(before[0]).toBeGreaterThan(0);
    open();
    await Promise.all(handed);
    expect(await memory.inspect()).toMatchObject({ state: "done" });
  });

  it("does not fail for a waitUntil that throws", async () => {
    const app = new Hono();
    app.post("/hook", dedupe({ locks: connection, key: byHeader }), (c) => c.text("ok"));
    const context = executionOf(() => {
      throw new TypeError("Illegal invocation");
    });
    const request = { method: "POST", headers: { "X-Id": freshName() } };
    expect(answerOf(await app.request("/hook", request, {}, context))).toBe("200 processed");
  });

  /** Answers a delivery while the answers to `once-close` wait; gives what was handed over by then. */
  async function closing(handler: Handler, beginFails: boolean) {
    await using proxy = await startProxy(stack.url);
    const locks = connect({ url: proxy.url, token: stack.token, requestTimeout: 2000 });
    const handed: Promise<unknown>[] = [];
    const context = executionOf((promise) => handed.push(promise));
    const { opened, open } = gate();
    proxy.always("once-close", async ({ forward, answer }) => {
      const closed = await forward();
      await opened;
      answer(closed);
    });
    const app = new Hono();
    app.onError((_, c) => c.text("", 500));
    app.post("/hook", dedupe({ locks, key: byHeader }), handler);
    const deliver = () => app.request("/hook", { method: "POST", headers: { "X-Id": freshName() } }, {}, context);
    if (beginFails) proxy.always("once-begin", ({ cut }) => cut());
    const answer = answerOf(await deliver());
    const all = Promise.all(handed).then(() => "settled");
    const before = await Promise.race([all, pause(20).then(() => "under way")]);
    open();
    expect(await all).toBe("settled");
    return { answer, before, closes: proxy.count("once-close") };
  }

  it("is the end of an attempt of which nobody knows whether it began", async () => {
    const { answer, before, closes } = await closing((c) => c.text("never"), true);
    expect([answer, before, closes > 0]).toEqual(["503 unavailable", "under way", true]);
  });

  it("is not the end of an attempt that failed: the answer waits for that, for requestTimeout at most", async () => {
    const { answer, before, closes } = await closing((c) => c.text("", 500), false);
    expect([answer, before, closes > 0]).toEqual(["500 failed", "settled", true]);
  });
});

describe.each([
  // Workers end it 30 s after the response.
  ["with an executionCtx", true, "24s", "26s"],
  ["without", false, "14m", "16m"],
] as const)("maxHold %s", (_what, workers, shorter, longer) => {
  afterEach(() => vi.restoreAllMocks());

  /**
   * How often the lease is extended for a handler that has extended it so far itself, when almost `shorter` has passed.
   */
  async function extensions(far: Duration, enough: number): Promise<number> {
    let extended = 0;
    const locks = connect({
      url: stack.url,
      token: stack.token,
      onEvent: ({ type }) => {
        if (type === "extended") extended++;
      },
    });
    const app = new Hono();
    app.post("/hook", dedupe({ locks, key: byHeader, lease: 1500 }), async (c: Context) => {
      await (c.var as unknown as DedupeVariables).lease.extend(far);
      // A lease is counted on for 99 % of its time.
      const passedMs = 0.99 * toMs(shorter, "time") - 800;
      for (const clock of [performance, Date]) {
        const now = clock.now.bind(clock);
        vi.spyOn(clock, "now").mockImplementation(() => now() + passedMs);
      }
      // It is looked at after a third of the lease that it began with.
      for (let waited = 0; waited < 900 && extended < enough; waited += 50) await pause(50);
      return c.text("ok");
    });
    const request = { method: "POST", headers: { "X-Id": freshName() } };
    const answer = await app.request("/hook", request, {}, workers ? executionOf(() => {}) : undefined);
    expect(answerOf(answer)).toBe("200 processed");
    return extended;
  }

  it(`is longer than ${shorter}`, async () => {
    expect(await extensions(shorter, 2)).toBe(2);
  });

  it(`is shorter than ${longer}`, async () => {
    expect(await extensions(longer, 2)).toBe(1);
  });
});
