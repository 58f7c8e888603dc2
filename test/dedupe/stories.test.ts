import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Connection, connect } from "../../src/index.ts";
import { answerOf, gate } from "../hono/apps.ts";
import { freshName, pause, useStack } from "../support/use-stack.ts";
import { type Handler, type Mounted, type Options, WAYS, type Way } from "./ways.ts";

const stack = useStack();
let connection: Connection;
beforeAll(() => {
  connection = connect({ url: stack.url, token: stack.token });
});

interface Sent {
  readonly id: string;
  readonly body?: BodyInit;
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string;
}

const requestOf = ({ id, body = '{"a":1}', headers, path = "/hook" }: Sent): Request =>
  new Request(`http://localhost${path}`, {
    method: "POST",
    body,
    headers: {
      "Content-Type": "application/json",
      "X-GitHub-Delivery": id,
      "X-Hub-Signature-256": "signed",
      ...headers,
    },
  });

describe.concurrent.each(WAYS)("dedupe behind %s", (_name, way: Way) => {
  const mounted: Mounted[] = [];
  afterAll(() => Promise.all(mounted.map((each) => each.close())));

  async function mount(handler: Handler, options: Partial<Options> = {}): Promise<(sent: Sent) => Promise<Response>> {
    const one = await way({ locks: connection, ...options }, handler);
    mounted.push(one);
    return (sent) => one.deliver(requestOf(sent));
  }

  it("runs a delivery once, and gives duplicates its status, and with replay its body", async () => {
    let runs = 0;
    for (const replay of [false, true]) {
      const deliver = await mount(() => new Response(`run ${++runs}`, { status: 201, headers: { ETag: '"1"' } }), {
        replay,
      });
      const id = freshName();
      const [first, second] = [await deliver({ id }), await deliver({ id })];
      expect([answerOf(first), await first.text(), first.headers.get("ETag")]).toEqual([
        "201 processed",
        `run ${runs}`,
        '"1"',
      ]);
      expect([answerOf(second), await second.text(), second.headers.get("ETag")]).toEqual(
        replay ? ["201 duplicate", `run ${runs}`, '"1"'] : ["201 duplicate", "", null],
      );
      expect(second.headers.get("Idempotent-Replayed")).toBe("true");
    }
    expect(runs).toBe(2);
  });

  it("tells the handler its lease and the number of its attempt", async () => {
    const told: unknown[] = [];
    const deliver = await mount((_, { lease, attempt, protected: isProtected }) => {
      told.push([attempt, isProtected, (lease?.token ?? 0) > 0, (lease?.remaining ?? 0) > 0]);
      return new Response(null, { status: told.length === 1 ? 500 : 204 });
    });
    const id = freshName();
    expect(answerOf(await deliver({ id }))).toBe("500 failed");
    expect(answerOf(await deliver({ id }))).toBe("204 processed");
    expect(told).toEqual([
      [1, true, true, true],
      [2, true, true, true],
    ]);
  });

  it("runs once for ten duplicates at once; the others get a Retry-After", async () => {
    let runs = 0;
    const { opened, open } = gate();
    const deliver = await mount(
      async () => {
        runs++;
        await opened;
        return new Response("done");
      },
      { lease: "20s" },
    );
    const id = freshName();
    const answers: Response[] = [];
    const copies = Array.from({ length: 10 }, () => deliver({ id }).then((answer) => answers.push(answer)));
    while (answers.length < 9) await pause(5);
    for (const answer of answers) {
      expect(answerOf(answer)).toBe("409 running");
      expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThanOrEqual(1);
      expect(await answer.json()).toMatchObject({ status: 409 });
    }
    open();
    await Promise.all(copies);
    expect([answers.map(answerOf).at(-1), runs]).toEqual(["200 processed", 1]);
  });

  it("forgets a handler that throws, so that an immediate redelivery runs", async () => {
    let runs = 0;
    const deliver = await mount(() => {
      if (++runs === 1) throw new Error("broken");
      return new Response("ok");
    });
    const id = freshName();
    expect((await deliver({ id })).status).toBe(500);
    expect(answerOf(await deliver({ id }))).toBe("200 processed");
    expect(answerOf(await deliver({ id }))).toBe("200 duplicate");
  });

  it("refuses the answer of a run that froze past its lease, and was taken over", async () => {
    const { opened, open } = gate();
    const started = gate();
    let runs = 0;
    const deliver = await mount(
      async () => {
        if (++runs > 1) return new Response("second");
        started.open();
        await opened;
        return new Response("first", { headers: { "X-Answer": "first" } });
      },
      { lease: "2s", maxHold: "1ms", replay: true },
    );
    const id = freshName();
    const first = deliver({ id });
    await started.opened;
    await pause(2100);
    expect(answerOf(await deliver({ id }))).toBe("200 processed");
    open();
    const answer = await first;
    expect([answerOf(answer), answer.headers.has("X-Answer")]).toEqual(["409 stale", false]);
    expect(await (await deliver({ id })).text()).toBe("second");
  });

  it("answers a run that found itself overtaken by a throw as any that was", async () => {
    const { opened, open } = gate();
    const started = gate();
    let runs = 0;
    const deliver = await mount(
      async (_, { lease }) => {
        if (++runs > 1) return new Response("second");
        started.open();
        await opened;
        await lease?.extend();
        return new Response("first");
      },
      { lease: "2s", maxHold: "1ms" },
    );
    const id = freshName();
    const first = deliver({ id });
    await started.opened;
    await pause(2100);
    expect(answerOf(await deliver({ id }))).toBe("200 processed");
    open();
    expect(answerOf(await first)).toBe("409 stale");
  });

  it("refuses what is not signed, what has no id, and another body under an id", async () => {
    let runs = 0;
    const deliver = await mount(() => new Response(`${++runs}`));
    const id = freshName();
    expect(answerOf(await deliver({ id, headers: { "X-Hub-Signature-256": "forged" } }))).toBe("401 unverified");
    expect(answerOf(await deliver({ id: "" }))).toBe("400 malformed");
    expect(runs).toBe(0);
    expect(answerOf(await deliver({ id }))).toBe("200 processed");
    expect(answerOf(await deliver({ id, body: '{"a":2}' }))).toBe("422 mismatch");
    expect(runs).toBe(1);
  });

  it("runs one id once for each path and query, and gives up after maxAttempts", async () => {
    let runs = 0;
    const deliver = await mount(() => new Response("", { status: ++runs > 2 ? 500 : 200 }), { maxAttempts: 1 });
    const id = freshName();
    for (const path of ["/hook?tenant=a", "/hook?tenant=b"])
      expect(answerOf(await deliver({ id, path }))).toBe("200 processed");
    expect(answerOf(await deliver({ id }))).toBe("500 failed");
    expect(answerOf(await deliver({ id }))).toBe("422 exhausted");
  });

  it("gives the handler the body to the last byte", async () => {
    const body = `﻿{ "text": "${"ü😀".repeat(20_000)}" }`;
    let found: string | undefined;
    const deliver = await mount(async (request) => {
      found = Buffer.from(await request.arrayBuffer()).toString("hex");
      return new Response(null, { status: 204 });
    });
    expect(answerOf(await deliver({ id: freshName(), body }))).toBe("204 processed");
    expect(found).toBe(Buffer.from(body).toString("hex"));
  });

  it("passes on redirects, cookies and bytes, and never repeats a cookie", async () => {
    const bytes = new Uint8Array([0, 255, 254, 10]);
    const headers: [string, string][] = [
      ["Content-Type", "application/octet-stream"],
      ["Location", "/receipt"],
      ["Set-Cookie", "a=1"],
      ["Set-Cookie", "b=2; HttpOnly"],
    ];
    const deliver = await mount(() => new Response(bytes, { status: 303, headers }), { replay: true });
    const id = freshName();
    for (const [said, cookies] of [
      ["303 processed", ["a=1", "b=2; HttpOnly"]],
      ["303 duplicate", []],
    ] as const) {
      const answer = await deliver({ id });
      expect([answerOf(answer), answer.headers.get("Location")]).toEqual([said, "/receipt"]);
      expect(answer.headers.getSetCookie()).toEqual(cookies);
      expect([...new Uint8Array(await answer.arrayBuffer())]).toEqual([...bytes]);
    }
  });

  it("answers 503 without Redis, and with onUnavailable: run it runs the handler and says so", async () => {
    const away = connect({ url: "http://127.0.0.1:1", token: "x", requestTimeout: "1s" });
    let told: unknown;
    const handler: Handler = (_, delivery) => {
      const { lease, attempt, protected: isProtected } = delivery;
      told = [isProtected, lease, attempt];
      return new Response("done", { status: 201 });
    };
    const id = freshName();
    const refused = await (await mount(handler, { locks: away }))({ id });
    expect([answerOf(refused), refused.headers.has("Retry-After"), told]).toEqual(["503 unavailable", true, undefined]);
    const ran = await (await mount(handler, { locks: away, onUnavailable: "run" }))({ id });
    expect([answerOf(ran), await ran.text(), told]).toEqual(["201 unprotected", "done", [false, undefined, undefined]]);
  });
});
