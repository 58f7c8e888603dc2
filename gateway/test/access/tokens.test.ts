import { describe, expect, it } from "vitest";
import { createGateway } from "../../src/index.ts";
import { call, exchange, stage, TOKEN } from "../support/harness.ts";

const it_ = stage();
const { run } = it_;
const UNAUTHORIZED = '{"error":"Unauthorized"}';

describe("a request without the token", () => {
  const headers: [string, Record<string, string>][] = [
    ["no header", {}],
    ["an empty header", { authorization: "" }],
    ["another token", { authorization: "Bearer another" }],
    ["a longer token", { authorization: `Bearer ${TOKEN}x` }],
    ["a shorter token", { authorization: `Bearer ${TOKEN.slice(0, -1)}` }],
    ["another scheme", { authorization: `Basic ${TOKEN}` }],
    ["no scheme", { authorization: TOKEN }],
    ["an empty token", { authorization: "Bearer " }],
  ];

  it.each(headers)("is answered 401, always the same: %s", async (_, given) => {
    const paths = ["/", "/pipeline", "/multi-exec", "/set/unauthorized/1", "/nosuch", "//", "/get/%zz?_token=%zz"];
    for (const path of paths) {
      for (const method of ["GET", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"]) {
        const body = method === "GET" ? {} : { body: '["SET","unauthorized","1"]' };
        const response = await fetch(it_.gateway.url + path, { method, headers: given, ...body });
        expect([response.status, await response.text()]).toEqual([401, UNAUTHORIZED]);
      }
    }
    expect((await run("EXISTS", "unauthorized")).body).toEqual({ result: 0 });
  });

  it("is answered 401 when it brings two, whichever comes first: a proxy before us might have looked at the other", async () => {
    const [right, wrong] = [`Authorization: Bearer ${TOKEN}`, "Authorization: Bearer another"];
    for (const lines of [
      [right, wrong],
      [wrong, right],
      [right, right],
    ]) {
      const head = ["GET /ping HTTP/1.1", "Host: h", ...lines, "Connection: close"].join("\r\n");
      expect(await exchange(it_.gateway.port, `${head}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 401 /);
    }
  });

  it("is answered before its body is looked at", async () => {
    const response = await fetch(it_.gateway.url, { method: "POST", body: "x".repeat(100) });
    expect(response.status).toBe(401);
  });
});

it("takes the token from ?_token= as well", async () => {
  const ask = (query: string, init?: RequestInit) => fetch(`${it_.gateway.url}/ping${query}`, init);
  expect((await ask(`?_token=${TOKEN}`)).status).toBe(200);
  expect((await ask(`?_token=${TOKEN}x`)).status).toBe(401);
  expect((await ask("?_token=")).status).toBe(401);
  expect((await ask("?_token")).status).toBe(401);
  expect((await ask(`?token=${TOKEN}`)).status).toBe(401);
  expect((await ask(`?_token=${TOKEN}`, { headers: { authorization: "Bearer wrong" } })).status).toBe(401);
  const post = await fetch(`${it_.gateway.url}/?_token=${TOKEN}`, { method: "POST", body: '["PING"]' });
  expect(await post.json()).toEqual({ result: "PONG" });
});

it.each(["hunter2é", "hunter2 words", "hunter2 ", "hunter2\t", "hunter2\0"])(
  "refuses a token that no header can carry: %j",
  (token) => {
    for (const given of [{ token }, { token: TOKEN, readOnlyToken: ["good", token] }]) {
      expect(() => createGateway({ redis: it_.redis.url, ...given })).toThrow(/oken must be ASCII characters/);
      expect(() => createGateway({ redis: it_.redis.url, ...given })).not.toThrow(/hunter2/);
    }
  },
);

it("takes the scheme in any case, and a token of any characters that a header can carry", async () => {
  expect(
    (await call(`${it_.gateway.url}/ping`, undefined, { headers: { authorization: `bearer ${TOKEN}` } })).status,
  ).toBe(200);
  const token = "a+b/c=~&?%";
  const gateway = createGateway({ redis: it_.redis.url, token });
  await gateway.opened;
  const answer = await gateway.fetch(new Request(`http://gateway/ping?_token=${encodeURIComponent(token)}`));
  gateway.close();
  expect(await answer.json()).toEqual({ result: "PONG" });
});

it.each(["DELETE", "PATCH", "OPTIONS"])("answers %s with 405 and runs nothing", async (method) => {
  for (const path of ["/", "/pipeline", "/multi-exec", "/set/by-method/1"]) {
    const answer = await call(it_.gateway.url + path, undefined, { method });
    expect(answer).toMatchObject({ status: 405, body: { error: "Method Not Allowed" } });
    expect(answer.headers.get("allow")).toBe("HEAD, GET, POST, PUT");
  }
  expect((await run("EXISTS", "by-method")).body).toEqual({ result: 0 });
});
