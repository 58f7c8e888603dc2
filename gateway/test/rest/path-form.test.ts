import { expect, it } from "vitest";
import { base64, call, exchange, stage, TOKEN } from "../support/harness.ts";

const it_ = stage();
const { run } = it_;
const get = (path: string, init: RequestInit = {}) => call(it_.gateway.url + path, undefined, init);
const post = (path: string, body: string | Uint8Array) => call(it_.gateway.url + path, body);

it("takes command and arguments from the path", async () => {
  expect(await get("/set/foo/bar")).toMatchObject({ status: 200, text: '{"result":"OK"}' });
  expect((await get("/get/foo")).text).toBe('{"result":"bar"}');
  expect((await get("/ping")).text).toBe('{"result":"PONG"}');
  expect(await get("/nosuch")).toMatchObject({ status: 400, text: expect.stringContaining("ERR unknown command") });
});

it.each(["GET", "POST", "PUT"])("answers %s", async (method) => {
  expect((await get(`/set/by-${method}/1`, { method })).text).toBe('{"result":"OK"}');
  expect((await run("GET", `by-${method}`)).body).toEqual({ result: "1" });
});

it("runs the command of a HEAD request and leaves the body out", async () => {
  expect(await get("/set/by-head/1", { method: "HEAD" })).toMatchObject({ status: 200, text: "" });
  expect((await run("GET", "by-head")).body).toEqual({ result: "1" });
});

it("appends the body as the last argument, as it is", async () => {
  await post("/set/body", '{"json": "not parsed"}');
  expect((await run("GET", "body")).body).toEqual({ result: '{"json": "not parsed"}' });
  await call(`${it_.gateway.url}/set/put-body`, "put", { method: "PUT" });
  expect((await run("GET", "put-body")).body).toEqual({ result: "put" });
});

it("appends query parameters after the body, in their order", async () => {
  await post("/set/with-query?EX=100", "value");
  expect((await run("GET", "with-query")).body).toEqual({ result: "value" });
  expect((await run("TTL", "with-query")).body).toEqual({ result: 100 });
  expect((await get("/set/with-query/other?NX")).text).toBe('{"result":null}');
  await get("/set/with-query/other?XX&EX=200");
  expect((await run("TTL", "with-query")).body).toEqual({ result: 200 });
  expect((await get("/eval/return%20ARGV/0?a=1+2&b=%3D%26=x")).body).toEqual({ result: ["a", "1 2", "b", "=&=x"] });
});

it("does not take _token for an argument", async () => {
  const url = `${it_.gateway.url}/set/with-token/value?_token=${TOKEN}&EX=50`;
  expect((await fetch(url)).status).toBe(200);
  expect((await run("TTL", "with-token")).body).toEqual({ result: 50 });
  expect((await fetch(`${it_.gateway.url}/echo/text?_token=${TOKEN}`).then((r) => r.text())).toString()).toBe(
    '{"result":"text"}',
  );
});

it("decodes percent-encoding, also of slashes, and keeps empty segments as empty arguments", async () => {
  await get("/set/a%2Fb%20%C3%A9%3F/x%25y");
  expect((await run("GET", "a/b é?")).body).toEqual({ result: "x%y" });
  await get("/set/empty/");
  expect((await run("GET", "empty")).body).toEqual({ result: "" });
  expect((await get("/echo/100%")).body).toEqual({ result: "100%" });
  expect((await get("/echo/a+b")).body).toEqual({ result: "a+b" });
});

it("is binary-safe in path and body", async () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
  const headers = { "upstash-encoding": "base64" };
  await post("/set/bytes-body", bytes);
  await get(`/set/bytes-path/${Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("")}`);
  expect((await get("/get/bytes-body", { headers })).body).toEqual({ result: base64(bytes) });
  expect((await get("/get/bytes-path", { headers })).body).toEqual({ result: base64(bytes) });
  // Client libraries rewrite the buffers of these, since they know that it is them.
  await post("/hset/bytes-hash", "field").then(({ status }) => expect(status).toBe(400));
  await post("/mset/bytes-mset", bytes);
  expect((await get("/get/bytes-mset", { headers })).body).toEqual({ result: base64(bytes) });
});

it.each([
  "/set/dots/../../flushall",
  "/set/../flushall",
  "/get/%2E%2e/flushall",
  "/get/./flushall",
  "/get/.%2e",
  "/get/.?x",
])("runs no other command than the one that was sent: %s", async (path) => {
  await run("SET", "dots", "kept");
  for (const target of [path, `http://h${path}`]) {
    const head = `GET ${target} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${TOKEN}\r\nConnection: close\r\n\r\n`;
    const text = await exchange(it_.gateway.port, head);
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text).toContain("a path with . or .. as a segment");
  }
  expect((await run("GET", "dots")).body).toEqual({ result: "kept" });
});

it("takes dots that are not a whole segment", async () => {
  for (const text of ["...", ".a", "a..", "%2e%2e%2e"]) {
    const head = `GET /echo/${text}?_token=${TOKEN} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`;
    expect(await exchange(it_.gateway.port, head)).toContain(`{"result":"${decodeURIComponent(text)}"}`);
  }
});

it.each([
  ["a request line without a path", "* HTTP/1.1\r\nHost: h", 400, '{"error":"ERR failed to parse command'],
  ["a backslash, which is no slash", "/echo/a\\b HTTP/1.1\r\nHost: h", 200, '{"result":"a\\\\b"}'],
  ["a fragment, which no client sends", "/echo/a#b HTTP/1.1\r\nHost: h", 200, '{"result":"a#b"}'],
  ["a Host that is none", "/echo/a HTTP/1.1\r\nHost: [", 200, '{"result":"a"}'],
  ["the URL as proxies get it", "http://other:1/echo/a HTTP/1.1\r\nHost: h", 200, '{"result":"a"}'],
  [
    "a URL with nothing after the host",
    "http://other:1 HTTP/1.1\r\nHost: h",
    400,
    '{"error":"ERR failed to parse command',
  ],
])("takes what was sent as it was sent: %s", async (_, head, status, answer) => {
  const lines = `GET ${head}\r\nAuthorization: Bearer ${TOKEN}\r\nConnection: close\r\n\r\n`;
  const text = await exchange(it_.gateway.port, lines);
  expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(text).toContain(answer);
});

it("refuses an empty command", async () => {
  expect(await get("//x")).toMatchObject({ status: 400, body: { error: "ERR empty command" } });
});

it("refuses what the shared connection must not run", async () => {
  expect(await get("/select/1")).toMatchObject({ status: 400, text: expect.stringContaining("ERR SELECT") });
  expect(await get("/ssubscribe/news")).toMatchObject({ status: 400, text: expect.stringContaining("ERR SSUBSCRIBE") });
});
