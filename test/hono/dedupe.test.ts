import { HTTPException } from "hono/http-exception";
import { beforeAll, describe, expect, it } from "vitest";
import { type DedupeVariables, dedupe, dedupeKey } from "../../src/hono/index.ts";
import { type Connection, connect, createLocks, type Lease } from "../../src/index.ts";
import { freshName, pause, useStack } from "../support/use-stack.ts";
import { answerOf, byHeader, deliverTo, gate, honos, mount } from "./apps.ts";

const stack = useStack();
let connection: Connection;
beforeAll(async () => {
  connection = connect({ url: stack.url, token: stack.token });
});

describe.concurrent.each(honos)("dedupe, hono %s", (_version, makeApp) => {
  const mounted = (...[handler, options]: [Parameters<typeof mount>[1], Parameters<typeof mount>[2]?]) =>
    mount(connection, handler, options, makeApp());

  it("runs the handler for the first delivery, and gives its status to duplicates", async () => {
    let runs = 0;
    const deliver = mounted((c) => c.text(`run ${++runs}`, 201));
    const id = freshName();
    const first = await deliver({ id });
    expect(answerOf(first)).toBe("201 processed");
    expect(await first.text()).toBe("run 1");
    expect(first.headers.has("Idempotent-Replayed")).toBe(false);
    const second = await deliver({ id });
    expect(answerOf(second)).toBe("201 duplicate");
    expect(second.headers.get("Idempotent-Replayed")).toBe("true");
    expect(await second.text()).toBe("");
    expect(answerOf(await deliver({ id: freshName() }))).toBe("201 processed");
    expect(runs).toBe(2);
  });

  it("gives the handler the lease with its token, and the attempt", async () => {
    const seen: { lease: Lease; attempt: number }[] = [];
    const deliver = mounted((c) => {
      const { lease, attempt } = c.var as unknown as DedupeVariables;
      seen.push({ lease, attempt });
      return c.text("", seen.length === 1 ? 500 : 200);
    });
    const id = freshName();
    await deliver({ id });
    await deliver({ id });
    expect(seen.map(({ attempt }) => attempt)).toEqual([1, 2]);
    const [first, second] = seen.map(({ lease }) => lease.token);
    expect(second).toBeGreaterThan(first ?? Number.POSITIVE_INFINITY);
  });

  it("runs once for ten copies at once; the others get 409 with Retry-After and a problem document", async () => {
    let runs = 0;
    const { opened, open } = gate();
    const deliver = mounted(
      async (c) => {
        runs++;
        await opened;
        return c.text("done");
      },
      { lease: "20s" },
    );
    const id = freshName();
    const answers: Response[] = [];
    const copies = Array.from({ length: 10 }, () => deliver({ id }).then((answer) => answers.push(answer)));
    while (answers.length < 9) await pause(5);
    for (const answer of answers) {
      expect(answerOf(answer)).toBe("409 running");
      const seconds = Number(answer.headers.get("Retry-After"));
      expect(Number.isInteger(seconds) && seconds >= 1 && seconds <= 20).toBe(true);
      expect(answer.headers.get("Content-Type")).toBe("application/problem+json");
      expect(await answer.json()).toMatchObject({ status: 409, title: "A request is outstanding for this key" });
    }
    open();
    await Promise.all(copies);
    expect(answers.map(answerOf).at(-1)).toBe("200 processed");
    expect(runs).toBe(1);
  });

  it.each([
    ["throws", () => Promise.reject(new Error("broken"))],
    ["throws what hono answers with 400", () => Promise.reject(new HTTPException(400))],
    ["answers 500", () => new Response("no", { status: 500 })],
    ["answers 408", () => new Response("", { status: 408 })],
    ["answers 425", () => new Response("", { status: 425 })],
    ["answers 429", () => new Response("slow", { status: 429 })],
    ["answers 409 with Retry-After", () => new Response("", { status: 409, headers: { "Retry-After": "1" } })],
    ["answers nothing", () => undefined as unknown as Response],
  ])("forgets a handler that %s, so that an immediate redelivery runs", async (_what, fail) => {
    let runs = 0;
    const app = makeApp();
    app.onError((error, c) => (error instanceof HTTPException ? error.getResponse() : c.text("sorry", 500)));
    const deliver = mount(connection, (c) => (++runs === 1 ? fail() : c.text("ok")), { lease: "20s" }, app);
    const id = freshName();
    const first = await deliver({ id });
    expect(first.status).toBeGreaterThanOrEqual(400);
    expect(["failed", null]).toContain(first.headers.get("Leasehold-Status"));
    expect(answerOf(await deliver({ id }))).toBe("200 processed");
    expect(answerOf(await deliver({ id }))).toBe("200 duplicate");
    expect(runs).toBe(2);
  });

  it("forgets a handler that threw a value that is not an error, which is rethrown", async () => {
    let runs = 0;
    const deliver = mounted((c) => (++runs === 1 ? Promise.reject("text") : c.text("ok")), { lease: "20s" });
    const id = freshName();
    await expect(deliver({ id })).rejects.toBe("text");
    expect(answerOf(await deliver({ id }))).toBe("200 processed");
  });

  it("remembers a 4xx", async () => {
    let runs = 0;
    const deliver = mounted((c) => c.text("never", runs++ === 0 ? 410 : 200));
    const id = freshName();
    expect(answerOf(await deliver({ id }))).toBe("410 processed");
    expect(answerOf(await deliver({ id }))).toBe("410 duplicate");
  });

  it("answers 422 when maxAttempts are used up, or as onExhausted says", async () => {
    const deliver = mounted((c) => c.text("", 500), { maxAttempts: 2 });
    const id = freshName();
    expect(answerOf(await deliver({ id }))).toBe("500 failed");
    expect(answerOf(await deliver({ id }))).toBe("500 failed");
    expect(answerOf(await deliver({ id }))).toBe("422 exhausted");
    const parked = mounted((c) => c.text("never"), {
      maxAttempts: 2,
      onExhausted: (_, { attempts }, c) => c.text(`parked after ${attempts}`, 202),
    });
    const answer = await parked({ id });
    expect([answer.status, await answer.text()]).toEqual([202, "parked after 2"]);
    const left = mounted((c) => c.text("never"), { maxAttempts: 2, onExhausted: () => undefined });
    expect(answerOf(await left({ id }))).toBe("422 exhausted");
  });

  it("says in whole seconds when a running one can be over: never 0, never too early", async () => {
    for (const lease of [500, 1600]) {
      const { opened, open } = gate();
      const started = gate();
      let told = 0;
      const deliver = mounted(
        async (c) => {
          started.open();
          await opened;
          return c.text("done");
        },
        {
          lease,
          onRunning(_, { retryAfterMs }) {
            told = retryAfterMs;
            return undefined;
          },
        },
      );
      const id = freshName();
      const first = deliver({ id });
      await started.opened;
      const answer = await deliver({ id });
      open();
      await first;
      const ms = Number(answer.headers.get("Retry-After")) * 1000;
      expect([answerOf(answer), told > 0, ms >= told, ms - told < 1000]).toEqual(["409 running", true, true, true]);
    }
  });

  it("answers a duplicate of a running one as onRunning says", async () => {
    const { opened, open } = gate();
    const started = gate();
    const deliver = mounted(
      async (c) => {
        started.open();
        await opened;
        return c.text("done");
      },
      { lease: "20s", onRunning: (_, { retryAfterMs }, c) => c.text(`${retryAfterMs > 15_000}`, 425) },
    );
    const id = freshName();
    const first = deliver({ id });
    await started.opened;
    const answer = await deliver({ id });
    expect([answer.status, await answer.text()]).toEqual([425, "true"]);
    open();
    expect(answerOf(await first)).toBe("200 processed");
  });

  it("answers 422 when the fingerprint differs, or as onMismatch says", async () => {
    const fingerprint = async (request: Request) => `${((await request.json()) as { amount: number }).amount}`;
    const deliver = mounted(async (c) => c.text(await c.req.raw.text()), { fingerprint });
    const id = freshName();
    expect(await (await deliver({ id, body: '{"amount":1,"n":1}' })).text()).toBe('{"amount":1,"n":1}');
    expect(answerOf(await deliver({ id, body: '{"amount":1,"n":2}' }))).toBe("200 duplicate");
    expect(answerOf(await deliver({ id, body: '{"amount":2}' }))).toBe("422 mismatch");
    const lenient = mounted((c) => c.text("never"), { fingerprint, onMismatch: (_, c) => c.text("other", 400) });
    expect(await (await lenient({ id, body: '{"amount":2}' })).text()).toBe("other");
    expect(answerOf(await mounted((c) => c.text("never"), { fingerprint: false })({ id }))).toBe("200 duplicate");
  });

  it("keeps the lease alive for as long as the handler runs", async () => {
    const started = gate();
    let runs = 0;
    const deliver = mounted(
      async (c) => {
        runs++;
        started.open();
        await pause(3000);
        return c.text("done");
      },
      { lease: 2000 },
    );
    const id = freshName();
    const first = deliver({ id });
    await started.opened;
    await pause(2300);
    expect(answerOf(await deliver({ id }))).toBe("409 running");
    expect(answerOf(await first)).toBe("200 processed");
    expect(answerOf(await deliver({ id }))).toBe("200 duplicate");
    expect(runs).toBe(1);
  });

  it("works by app.use, in a mounted app, and with middleware that sets headers before and after", async () => {
    const inner = makeApp();
    inner.use("/hooks/*", dedupe({ locks: () => createLocks({ url: stack.url, token: stack.token }), key: byHeader }));
    inner.post("/hooks/a", (c) => c.text("a", 201));
    const app = makeApp();
    app.use(async (c, next) => {
      c.header("X-Before", "1");
      await next();
      c.header("X-After", "1");
    });
    app.route("/api", inner);
    const deliver = deliverTo(app);
    const id = freshName();
    for (const status of ["201 processed", "201 duplicate"]) {
      const answer = await deliver({ id, path: "/api/hooks/a" });
      expect(answerOf(answer)).toBe(status);
      expect([answer.headers.get("X-Before"), answer.headers.get("X-After")]).toEqual(["1", "1"]);
    }
  });

  it("lets a request pass for which key gives null, and answers with the response that it gives", async () => {
    let runs = 0;
    const key = ({ headers }: Request) => (headers.has("X-Refuse") ? new Response("refused", { status: 403 }) : null);
    const deliver = mounted((c) => c.text(`run ${++runs}`), { key });
    const id = freshName();
    await deliver({ id });
    const second = await deliver({ id });
    expect([answerOf(second), await second.text()]).toEqual(["200 -", "run 2"]);
    expect((await deliver({ id, headers: { "X-Refuse": "1" } })).status).toBe(403);
    expect(runs).toBe(2);
  });

  it("answers 400 to an id that is empty or ambiguous, and does not run", async () => {
    const deliver = mounted((c) => c.text("never"), { key: async (request) => (await request.json()).id });
    for (const id of ["", "\ud800"]) {
      expect(answerOf(await deliver({ id: "x", body: JSON.stringify({ id }) }))).toBe("400 malformed");
    }
    expect((await deliver({ id: "x", body: "{}" })).status).toBe(500);
  });
});

describe.concurrent("dedupe", () => {
  it("remembers under the key that dedupeKey gives, where it can be inspected and forgotten", async () => {
    const locks = createLocks({ url: stack.url, token: stack.token });
    let runs = 0;
    const deliver = mount(connection, (c) => c.text(`${++runs}`), { scope: ["tenant", "1"], ttl: "2h" });
    const id = freshName();
    await deliver({ id });
    const memory = locks.once(await dedupeKey({ sender: "custom", scope: ["tenant", "1"], id }));
    const state = await memory.inspect();
    expect(state).toMatchObject({ state: "done", attempts: 1 });
    const remaining = state.state === "done" ? state.remaining : 0;
    expect(remaining > 7_000_000 && remaining <= 7_200_000).toBe(true);
    await memory.forceRelease();
    expect(answerOf(await deliver({ id }))).toBe("200 processed");
    expect(runs).toBe(2);
  });

  it("takes a result stored by another caller as done", async () => {
    const id = freshName();
    const turn = await createLocks({ url: stack.url, token: stack.token })
      .once(await dedupeKey({ sender: "custom", scope: "/hook", id }))
      .begin();
    if (turn.status === "started") await turn.complete("by hand");
    expect(answerOf(await mount(connection, (c) => c.text("never"))({ id }))).toBe("200 duplicate");
  });

  it("costs two requests for the first delivery and one for a duplicate", async () => {
    let requests = 0;
    const counting = connect({
      url: stack.url,
      token: stack.token,
      fetch: (...call) => {
        requests++;
        return fetch(...call);
      },
    });
    const deliver = mount(counting, (c) => c.text("ok"));
    await deliver({ id: freshName() });
    const id = freshName();
    requests = 0;
    await deliver({ id });
    expect(requests).toBe(2);
    await deliver({ id });
    expect(requests).toBe(3);
  });
});
