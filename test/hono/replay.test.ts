import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import type { Context } from "hono";
import { stream, streamSSE } from "hono/streaming";
import { beforeAll, describe, expect, it } from "vitest";
import { dedupe } from "../../src/hono/index.ts";
import { type Connection, connect } from "../../src/index.ts";
import { freshName, pause, useStack } from "../support/use-stack.ts";
import { answerOf, byHeader, type Handler, honos, mount } from "./apps.ts";

const stack = useStack();
let connection: Connection;
beforeAll(async () => {
  connection = connect({ url: stack.url, token: stack.token });
});

const bytesOf = async (response: Response): Promise<number[]> => [...new Uint8Array(await response.arrayBuffer())];
const markOf = (response: Response): string | null => response.headers.get("Leasehold-Replay");

/** Chunks with pauses between them, as many as are asked for. */
function slowly(chunks: readonly string[], pauseMs: number, seen: string[] = []): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        const chunk = chunks[at++];
        if (chunk === undefined) return controller.close();
        if (at > 1) await pause(pauseMs);
        seen.push(chunk);
        controller.enqueue(new TextEncoder().encode(chunk));
      },
    },
    { highWaterMark: 0 },
  );
}

describe.concurrent.each(honos)("replay, hono %s", (_version, makeApp) => {
  /** The first answer and a duplicate's, unread. */
  async function twice(handler: Handler, replay: Parameters<typeof mount>[2] = { replay: true }) {
    const deliver = mount(connection, handler, replay, makeApp());
    const id = freshName();
    const first = await deliver({ id });
    return { first, again: () => deliver({ id }) };
  }

  it("gives body and headers again, but no cookie, and none that was not chosen", async () => {
    const { first, again } = await twice((c) => {
      c.header("Set-Cookie", "session=1");
      c.header("ETag", '"1"');
      c.header("X-Secret", "secret");
      return c.json({ grüße: 1 }, 201);
    });
    expect(answerOf(first)).toBe("201 processed");
    expect(await first.json()).toEqual({ grüße: 1 });
    expect(first.headers.get("Set-Cookie")).toBe("session=1");
    const duplicate = await again();
    expect(answerOf(duplicate)).toBe("201 duplicate");
    expect(await duplicate.json()).toEqual({ grüße: 1 });
    const { headers } = duplicate;
    expect([headers.get("Content-Type"), headers.get("ETag")]).toEqual([first.headers.get("Content-Type"), '"1"']);
    expect([headers.get("Set-Cookie"), headers.get("X-Secret"), markOf(duplicate)]).toEqual([null, null, null]);
  });

  it("gives the headers that were chosen, and always the type of the body", async () => {
    const handler = (c: Context) => c.json([], 200, { "X-Request-Cost": "3", ETag: '"1"' });
    const { again } = await twice(handler, { replay: { headers: ["x-request-cost"] } });
    const { headers } = await again();
    expect([headers.get("X-Request-Cost"), headers.get("ETag")]).toEqual(["3", null]);
    expect(headers.get("Content-Type")).toMatch("application/json");
  });

  it.each([{}, { replay: true }])("a compressed answer of fetch can be passed on with %j (B35)", async (options) => {
    const text = JSON.stringify({ said: "by another server" });
    const other = createServer((_req, res) => {
      const body = gzipSync(text);
      res.writeHead(200, { "Content-Encoding": "gzip", "Content-Length": body.length }).end(body);
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => other.once("listening", resolve));
    try {
      const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
      const { first, again } = await twice(() => fetch(url), options);
      expect([first.headers.get("Content-Encoding"), first.headers.get("Content-Length")]).toEqual([null, null]);
      expect(await first.text()).toBe(text);
      expect(await (await again()).text()).toBe("replay" in options ? text : "");
    } finally {
      await new Promise((resolve) => other.close(resolve));
    }
  });

  it("leaves the status that other middleware has set", async () => {
    const app = makeApp();
    app.use(async (c, next) => {
      c.status(202);
      await next();
    });
    const deliver = mount(connection, (c) => c.text("accepted"), { replay: true }, app);
    const id = freshName();
    for (const said of ["202 processed", "202 duplicate"]) {
      const answer = await deliver({ id });
      expect([answerOf(answer), await answer.text()]).toEqual([said, "accepted"]);
      expect(answer.headers.get("Content-Type")).toMatch(/^text\/plain/i);
    }
  });

  it("gives bytes again as they were", async () => {
    const bytes = Uint8Array.from({ length: 20_000 }, (_, at) => (at * 7) % 256);
    const { first, again } = await twice(() => new Response(bytes));
    expect(await bytesOf(first)).toEqual([...bytes]);
    const duplicate = await again();
    expect(await bytesOf(duplicate)).toEqual([...bytes]);
    expect(duplicate.headers.get("Content-Type")).toBe(first.headers.get("Content-Type"));
  });

  it.each([204, 205, 304])("gives a %d again, which has no body", async (status) => {
    const { first, again } = await twice(() => new Response(null, { status }));
    expect(answerOf(first)).toBe(`${status} processed`);
    expect(answerOf(await again())).toBe(`${status} duplicate`);
  });

  it.each([301, 302, 303, 307, 308] as const)("gives a %d again with where it goes to", async (status) => {
    const told: unknown[] = [];
    for (const replay of [false, true, { headers: [] }]) {
      const { again } = await twice((c) => c.redirect("/there", status), { replay });
      const duplicate = await again();
      told.push(duplicate.status, duplicate.headers.get("Location"));
    }
    // Without its body, which is too large as JSON.
    const { again } = await twice((c) => c.text("\u0001".repeat(60_000), status, { Location: "/there", ETag: "1" }));
    const duplicate = await again();
    told.push(duplicate.status, duplicate.headers.get("Location"));
    expect(told).toEqual(Array(4).fill([status, "/there"]).flat());
    expect([markOf(duplicate), duplicate.headers.get("ETag")]).toEqual(["none (too large)", null]);
  });

  it("passes a stream through unchanged, and marks it as not repeatable for duplicates", async () => {
    const chunks = ["one ", "two ", "three"];
    const { first, again } = await twice((c) =>
      c.body(slowly(chunks, 700), 200, { "Content-Type": "text/plain", ETag: "1" }),
    );
    expect(answerOf(first)).toBe("200 processed");
    expect(await first.text()).toBe(chunks.join(""));
    const duplicate = await again();
    expect([answerOf(duplicate), markOf(duplicate)]).toEqual(["200 duplicate", "none (streamed)"]);
    expect([await duplicate.text(), duplicate.headers.get("Content-Type")]).toEqual(["", null]);
  });

  it("does not wait for server-sent events, nor for what says that it comes in chunks", async () => {
    for (const handler of [
      (c: Context) =>
        streamSSE(c, async (out) => {
          await pause(300);
          await out.writeSSE({ data: "late" });
        }),
      (c: Context) => c.body(slowly(["a", "b"], 300), 200, { "Transfer-Encoding": "chunked" }),
    ]) {
      const { first, again } = await twice(handler);
      expect([answerOf(first), markOf(await again())]).toEqual(["200 processed", "none (streamed)"]);
      expect((await first.text()).length).toBeGreaterThan(1);
    }
  });

  it("remembers a stream that is soon complete, in however many chunks", async () => {
    const { again } = await twice((c) =>
      stream(c, async (out) => {
        for (let nth = 0; nth < 50; nth++) await out.write(`${nth},`);
      }),
    );
    const duplicate = await again();
    expect([markOf(duplicate), await duplicate.text()]).toEqual([null, `${[...Array(50).keys()].join()},`]);
  });

  it("gives the client a body that is too large as it comes, without keeping it", async () => {
    const seen: string[] = [];
    const chunks = Array.from({ length: 64 }, () => "x".repeat(1000));
    const { first, again } = await twice((c) => c.body(slowly(chunks, 0, seen)), { replay: { maxBytes: 3000 } });
    // Not read ahead of the client by more than the limit and what the platform's queues hold.
    expect(seen.length).toBeLessThan(20);
    expect((await first.text()).length).toBe(64_000);
    const duplicate = await again();
    expect([markOf(duplicate), await duplicate.text()]).toEqual(["none (too large)", ""]);
  });

  it("remembers as many bytes as maxBytes says, and not one more", async () => {
    const at = await twice((c) => c.text("x".repeat(100)), { replay: { maxBytes: 100 } });
    expect(await (await at.again()).text()).toBe("x".repeat(100));
    const above = await twice((c) => c.text("x".repeat(101)), { replay: { maxBytes: 100 } });
    expect(await above.first.text()).toBe("x".repeat(101));
    expect(markOf(await above.again())).toBe("none (too large)");
  });

  it("does without what is too large as JSON, and is still done", async () => {
    const { first, again } = await twice((c) => c.text("\u0001".repeat(60_000)));
    expect([answerOf(first), (await first.text()).length]).toEqual(["200 processed", 60_000]);
    expect([answerOf(await again()), markOf(await again())]).toEqual(["200 duplicate", "none (too large)"]);
  });

  it("leaves a compressed body alone", async () => {
    const body = new Response("text").body?.pipeThrough(new CompressionStream("gzip"));
    const { first, again } = await twice(() => new Response(body, { headers: { "Content-Encoding": "gzip" } }));
    const text = new Response(first.body?.pipeThrough(new DecompressionStream("gzip"))).text();
    expect(await text).toBe("text");
    expect(markOf(await again())).toBe("none (encoded)");
  });

  it.each([
    ["text", "hello 123"],
    ["an ArrayBuffer", new TextEncoder().encode("hello 123").buffer],
  ])("keeps nothing of a body whose chunks are %s, and passes it on", async (_what, chunk) => {
    const body = () =>
      new ReadableStream({
        start(controller) {
          controller.enqueue(chunk);
          controller.close();
        },
      });
    // The platform's form of it: bytes, or an error where it wants bytes.
    const plainly = await new Response(body()).text().catch(() => "refused");
    const { first, again } = await twice(() => new Response(body()));
    expect(answerOf(first)).toBe("200 processed");
    expect(await first.text().catch(() => "refused")).toBe(plainly);
    const duplicate = await again();
    expect([answerOf(duplicate), markOf(duplicate)]).toEqual(["200 duplicate", "none (streamed)"]);
    expect(await duplicate.text()).toBe("");
  });

  it("forgets a run whose body breaks", async () => {
    let runs = 0;
    const app = makeApp();
    app.onError((_, c) => c.text("broken", 500));
    const broken = () =>
      new ReadableStream({
        pull: (controller) => controller.error(new Error("broken")),
      });
    const deliver = mount(connection, (c) => (++runs === 1 ? c.body(broken()) : c.text("ok")), { replay: true }, app);
    const id = freshName();
    expect((await deliver({ id })).status).toBe(500);
    expect(answerOf(await deliver({ id }))).toBe("200 processed");
  });

  it("passes on an answer that came from another server, and remembers it", async () => {
    const server = createServer((_, response) =>
      response.writeHead(202, { "X-Origin": "1", "Content-Length": 9 }).end("from afar"),
    );
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const pass = () => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    // Its headers cannot be changed.
    const bare = await twice(pass, { replay: false });
    expect([answerOf(bare.first), await bare.first.text()]).toEqual(["202 processed", "from afar"]);
    const { first, again } = await twice(pass);
    expect([answerOf(first), first.headers.get("X-Origin"), await first.text()]).toEqual([
      "202 processed",
      "1",
      "from afar",
    ]);
    expect(await (await again()).text()).toBe("from afar");
    server.close();
    server.closeAllConnections();
  });

  it("answers a HEAD without a body", async () => {
    const app = makeApp();
    app.get("/", dedupe({ locks: connection, key: byHeader, replay: true }), (c) => c.text("body"));
    const headers = { "X-Id": freshName() };
    for (const expected of ["200 processed", "200 duplicate"]) {
      const answer = await app.request("/", { method: "HEAD", headers });
      expect([answerOf(answer), await answer.text()]).toEqual([expected, ""]);
    }
    expect(await (await app.request("/", { headers })).text()).toBe("body");
  });
});
