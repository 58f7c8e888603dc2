import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connect } from "../../src/index.ts";
import { type Fault, type FaultProxy, startProxy } from "../support/proxy.ts";
import { freshName, pause, useStack } from "../support/use-stack.ts";
import { answerOf, type Deliver, gate, type Handler, mount } from "./apps.ts";

const stack = useStack();
let proxy: FaultProxy;
beforeEach(async () => {
  proxy = await startProxy(stack.url);
});
afterEach(async () => {
  await proxy.close();
});

const REQUEST_TIMEOUT_MS = 2000;
const mounted = (handler: Handler, options: Parameters<typeof mount>[2] = {}): Deliver =>
  mount(connect({ url: proxy.url, token: stack.token, requestTimeout: REQUEST_TIMEOUT_MS }), handler, options);

const faults: [what: string, fault: Fault][] = [
  [
    "its answer is lost",
    async ({ forward, cut }) => {
      await forward();
      cut();
    },
  ],
  ["it is lost", ({ cut }) => cut()],
  [
    "it is answered 503 after it ran",
    async ({ forward, answer }) => {
      await forward();
      answer({ status: 503, headers: {}, body: "" });
    },
  ],
  [
    "it is answered with HTML after it ran",
    async ({ forward, answer }) => {
      await forward();
      answer({ status: 200, headers: { "content-type": "text/html" }, body: "<html>" });
    },
  ],
  ["it is answered with half of the answer", async ({ forward, answerHalf }) => answerHalf(await forward())],
  [
    "it comes twice",
    async ({ forward, answer }) => {
      await forward();
      answer(await forward());
    },
  ],
  [
    "its answer comes too late",
    async ({ forward, answer }) => {
      const late = await forward();
      await pause(REQUEST_TIMEOUT_MS + 50);
      answer(late);
    },
  ],
];

describe.each(["once-begin", "once-complete"])("of a delivery's %s", (script) => {
  it.each(faults)("%s: it runs once and is remembered", async (_what, fault) => {
    let runs = 0;
    const deliver = mounted((c) => c.text(`run ${++runs}`), { lease: "5s", replay: true });
    const id = freshName();
    await deliver({ id: freshName() });
    proxy.next(script, fault);
    expect(answerOf(await deliver({ id }))).toBe("200 processed");
    const again = await deliver({ id });
    expect([answerOf(again), await again.text()]).toEqual(["200 duplicate", "run 2"]);
    expect([runs, proxy.unmet()]).toEqual([2, 0]);
  });
});

const answering =
  (status: number, headers = {}): Fault =>
  ({ answer }) =>
    answer({ status, headers, body: "{}" });

describe("while Redis cannot be reached", () => {
  it("a delivery is answered 503 with Retry-After, and does not run", async () => {
    let runs = 0;
    const deliver = mounted((c) => c.text(`run ${++runs}`), { lease: 600 });
    const id = freshName();
    for (const fault of [(({ cut }) => cut()) as Fault, answering(503)]) {
      const end = proxy.always(() => true, fault);
      const answer = await deliver({ id });
      expect(answerOf(answer)).toBe("503 unavailable");
      expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThanOrEqual(1);
      end();
    }
    expect(runs).toBe(0);
    expect(answerOf(await deliver({ id }))).toBe("200 processed");
  });

  it("says when to come back as the server did that asked to slow down", async () => {
    proxy.always(() => true, answering(429, { "retry-after": "17" }));
    const answer = await mounted((c) => c.text("never"))({ id: freshName() });
    expect([answerOf(answer), answer.headers.get("Retry-After")]).toEqual(["503 unavailable", "17"]);
  });

  it.each([
    ["LOADING Redis is loading the dataset in memory", "503 unavailable", "1"],
    ["READONLY You can't write against a read only replica.", "503 unavailable", "1"],
    ["CLUSTERDOWN The cluster is down", "503 unavailable", "1"],
    // It needs somebody to look after it.
    ["OOM command not allowed when used memory > 'maxmemory'.", "500 -", null],
  ])("answers to %s with %s", async (error, expected, retryAfter) => {
    let runs = 0;
    const deliver = mounted((c) => c.text(`${++runs}`), { lease: 600 });
    const body = JSON.stringify({ error });
    const end = proxy.always(
      () => true,
      ({ answer }) => answer({ status: 400, headers: { "content-type": "application/json" }, body }),
    );
    const id = freshName();
    const answer = await deliver({ id });
    expect([answerOf(answer), answer.headers.get("Retry-After"), runs]).toEqual([expected, retryAfter, 0]);
    end();
    expect(answerOf(await deliver({ id }))).toBe("200 processed");
  });

  it("a permanent error is rethrown", async () => {
    proxy.always(() => true, answering(401));
    expect(answerOf(await mounted((c) => c.text("never"))({ id: freshName() }))).toBe("500 -");
  });
});

describe("when nobody can say whether the answer was stored", () => {
  it("the client gets it during the lease, since no other attempt can have begun", async () => {
    proxy.always("once-complete", ({ cut }) => cut());
    const deliver = mounted((c) => c.text("done", 201, { "X-Answer": "1" }), { lease: "20s" });
    const id = freshName();
    const answer = await deliver({ id });
    expect([answerOf(answer), await answer.text(), answer.headers.get("X-Answer")]).toEqual([
      "201 unconfirmed",
      "done",
      "1",
    ]);
    expect(answerOf(await deliver({ id }))).toBe("409 running");
  });

  it("after that it is 503, and the next delivery runs again", async () => {
    let runs = 0;
    const end = proxy.always("once-complete", ({ cut }) => cut());
    const stop = proxy.always("hold-extend", ({ cut }) => cut());
    // Little of the lease is left when the handler ends.
    const deliver = mounted(
      async (c) => {
        await pause(1300);
        return c.text("secret", 201, { "X-Answer": `${++runs}` });
      },
      { lease: 1500, maxHold: "1ms" },
    );
    const id = freshName();
    const answer = await deliver({ id });
    expect(answerOf(answer)).toBe("503 unavailable");
    expect(answer.headers.has("X-Answer") || (await answer.text()).includes("secret")).toBe(false);
    end();
    stop();
    expect(answerOf(await deliver({ id }))).toBe("201 processed");
    expect(runs).toBe(2);
  });
});

describe("when the handler failed", () => {
  it("its answer is sent although it cannot be stored, and without much delay", async () => {
    proxy.always("once-close", ({ cut }) => cut());
    const deliver = mounted((c) => c.text("", 500), { lease: "60s" });
    const fetched = deliver({ id: freshName() }).then(answerOf);
    // The lease would be the limit otherwise.
    expect(await Promise.race([fetched, pause(10_000).then(() => "too late")])).toBe("500 failed");
  });

  it("a lost answer to that leaves no attempt behind", async () => {
    let runs = 0;
    proxy.next("once-close", async ({ forward, cut }) => {
      await forward();
      cut();
    });
    const deliver = mounted((c) => c.text("", ++runs === 1 ? 500 : 200), { lease: "60s" });
    const id = freshName();
    await deliver({ id });
    expect(answerOf(await deliver({ id }))).toBe("200 processed");
  });
});

it("a late duplicate of the first run's begin or complete changes nothing", async () => {
  const { opened, open } = gate();
  const started = gate();
  let runs = 0;
  const deliver = mounted(
    async (c) => {
      if (++runs > 1) return c.text("second");
      started.open();
      await opened;
      return c.text("first");
    },
    { lease: 1500, maxHold: "1ms", replay: true },
  );
  const id = freshName();
  const first = deliver({ id });
  await started.opened;
  await pause(1600);
  expect(answerOf(await deliver({ id }))).toBe("200 processed");
  open();
  expect(answerOf(await first)).toBe("409 stale");
  await proxy.replay();
  await proxy.replay(undefined, "backward");
  const duplicate = await deliver({ id });
  expect([answerOf(duplicate), await duplicate.text()]).toEqual(["200 duplicate", "second"]);
  expect(runs).toBe(2);
});
