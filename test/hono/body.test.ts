import type { Context } from "hono";
import { beforeAll, describe, expect, it } from "vitest";
import { type DedupeOptions, dedupe, github } from "../../src/hono/index.ts";
import { type Connection, connect } from "../../src/index.ts";
import { freshName, useStack } from "../support/use-stack.ts";
import { honos } from "./apps.ts";

const stack = useStack();
let connection: Connection;
beforeAll(async () => {
  connection = connect({ url: stack.url, token: stack.token });
});

const JSON_BODY = '{"text":"Grüße","n":1}';
const form = (): FormData => {
  const data = new FormData();
  data.set("field", "value");
  data.set("file", new Blob([new Uint8Array([0, 255, 254])]), "f.bin");
  return data;
};
const BYTES = new Uint8Array([0, 255, 254, 10]);

const readings: [how: string, body: () => BodyInit, read: (c: Context) => Promise<unknown>, expected: unknown][] = [
  ["c.req.text", () => JSON_BODY, (c) => c.req.text(), JSON_BODY],
  ["c.req.json", () => JSON_BODY, (c) => c.req.json(), JSON.parse(JSON_BODY)],
  ["c.req.arrayBuffer", () => BYTES, async (c) => [...new Uint8Array(await c.req.arrayBuffer())], [...BYTES]],
  ["c.req.blob", () => BYTES, async (c) => [...new Uint8Array(await (await c.req.blob()).arrayBuffer())], [...BYTES]],
  ["c.req.formData", form, async (c) => (await c.req.formData()).get("field"), "value"],
  [
    "c.req.parseBody",
    form,
    async (c) => [...new Uint8Array(await ((await c.req.parseBody())["file"] as File).arrayBuffer())],
    [0, 255, 254],
  ],
  ["c.req.parseBody of a url-encoded one", () => new URLSearchParams({ a: "1" }), (c) => c.req.parseBody(), { a: "1" }],
  ["c.req.raw.text", () => JSON_BODY, (c) => c.req.raw.text(), JSON_BODY],
  ["c.req.raw.json", () => JSON_BODY, (c) => c.req.raw.json(), JSON.parse(JSON_BODY)],
  ["c.req.raw.formData", form, async (c) => (await c.req.raw.formData()).get("field"), "value"],
  [
    "c.req.raw.clone, and itself",
    () => JSON_BODY,
    async (c) => [await c.req.raw.clone().text(), await c.req.raw.text()],
    [JSON_BODY, JSON_BODY],
  ],
  [
    "c.req.raw.body",
    () => BYTES,
    async (c) => [...new Uint8Array(await new Response(c.req.raw.body).arrayBuffer())],
    [...BYTES],
  ],
  ["c.req.text of nothing", () => "", (c) => c.req.text(), ""],
];

const keys: [who: string, key: () => DedupeOptions["key"]][] = [
  ["verify", () => github({ verify: () => true })],
  ["a verify that reads it too", () => github({ verify: async (_, request) => (await request.text()).length >= 0 })],
  [
    "a verify that reads it from Hono's context",
    () => github({ verify: async (_body, _request, c: Context) => (await c.req.text()).length >= 0 }),
  ],
  [
    "a key that reads it as JSON",
    () => async (request) => `${request.headers.get("X-GitHub-Delivery")}${await request.json().catch(() => "")}`,
  ],
  [
    "a key that reads it from c.req.raw",
    () => async (request, c) => `${request.headers.get("X-GitHub-Delivery")}${await c.req.raw.text()}`,
  ],
];

describe.concurrent.each(honos)("the body, hono %s", (version, makeApp) => {
  describe.each(keys)("after %s", (_who, key) => {
    it.each(readings)("is there for %s", async (_how, body, read, expected) => {
      const app = makeApp();
      let found: unknown;
      const scope = async (_: Request, c: Context) => `a scope of ${(await c.req.arrayBuffer()).byteLength} bytes`;
      app.post("/", dedupe({ locks: connection, key: key(), scope }), async (c) => {
        found = await read(c);
        return c.text("ok");
      });
      const headers = { "X-GitHub-Delivery": freshName() };
      const answer = await app.request("/", { method: "POST", body: body(), headers });
      expect([answer.status, found]).toEqual([200, expected]);
    });
  });

  it("is taken from Hono when other middleware has read it", async () => {
    const app = makeApp();
    let verified = "";
    app.use(async (c, next) => {
      await c.req.text();
      await next();
    });
    const verify = (body: string): boolean => {
      verified = body;
      return true;
    };
    app.post("/", dedupe({ locks: connection, key: github({ verify }) }), async (c) => c.text(await c.req.text()));
    const headers = { "X-GitHub-Delivery": freshName() };
    const answer = await app.request("/", { method: "POST", body: JSON_BODY, headers });
    expect([await answer.text(), verified]).toEqual([JSON_BODY, JSON_BODY]);
  });

  it.each([
    ["text", '{ "a": 1 }'],
    ["json", '{ "a": 1 }'],
    ["arrayBuffer", '{ "a": 1 }'],
    ["blob", '{ "a": 1 }'],
    ["formData", "a=%31"],
    ["parseBody", "a=%31"],
  ] as const)("comes as it was sent or not at all when other middleware took it by c.req.%s", async (how, body) => {
    const app = makeApp();
    app.use(async (c, next) => {
      const read: () => Promise<unknown> = c.req[how];
      await read.call(c.req);
      await next();
    });
    let outcome: unknown = "nothing";
    app.onError((error, c) => {
      outcome = error instanceof TypeError && error.message;
      return c.text("", 500);
    });
    const verify = (text: string) => {
      outcome = text;
      return true;
    };
    app.post("/", dedupe({ locks: connection, key: github({ verify }) }), (c) => c.text("ok"));
    const type = body.startsWith("a=") ? "application/x-www-form-urlencoded" : "application/json";
    const headers = { "X-GitHub-Delivery": freshName(), "Content-Type": type };
    const { status } = await app.request("/", { method: "POST", body, headers });
    // Hono keeps the parsed form of these, not the bytes.
    const gone = how === "formData" || (version === "4.6" && (how === "json" || how === "parseBody"));
    expect([status, outcome]).toEqual(gone ? [500, expect.stringContaining("mount dedupe before")] : [200, body]);
  });

  it("is an error when somebody took it from c.req.raw", async () => {
    const app = makeApp();
    app.use(async (c, next) => {
      await c.req.raw.text();
      await next();
    });
    let said = "";
    app.onError((error, c) => {
      said = error.message;
      return c.text("", 500);
    });
    app.post("/", dedupe({ locks: connection, key: github({ verify: () => true }) }), (c) => c.text("never"));
    expect((await app.request("/", { method: "POST", body: "{}" })).status).toBe(500);
    expect(said).toMatch("mount dedupe before");
  });

  it("stays that of the framework's own request for every function, however it is read (E18)", async () => {
    class FrameworkRequest extends Request {
      readonly #url = new URL(this.url);
      get nextUrl(): URL {
        return this.#url;
      }
    }
    const ways = readings.filter(([how]) => how.startsWith("c.req.raw."));
    expect(ways.length).toBeGreaterThan(1);
    for (const [, body, read, expected] of ways) {
      const seen: unknown[] = [];
      const reading = async (request: Request, c: Context): Promise<string> => {
        expect(request).toBe(c.req.raw);
        seen.push((c.req.raw as FrameworkRequest).nextUrl.pathname);
        expect(await read(c)).toEqual(expected);
        return "all";
      };
      const app = makeApp();
      const key = github({ verify: async (_, request, c: Context) => !!(await reading(request, c)) });
      app.post("/hook", dedupe({ locks: connection, key, scope: reading, fingerprint: reading }), async (c) => {
        return c.text(await reading(c.req.raw, c));
      });
      const headers = { "X-GitHub-Delivery": freshName() };
      const request = new FrameworkRequest("https://example.com/hook", { method: "POST", body: body(), headers });
      const answer = await app.fetch(request);
      expect([answer.status, seen]).toEqual([200, ["/hook", "/hook", "/hook", "/hook"]]);
    }
  });
});
