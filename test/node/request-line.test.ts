import { createServer } from "node:http";
import http2 from "node:http2";
import { type AddressInfo, connect as connectTo } from "node:net";
import express from "express";
import { fastify } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dedupe, github } from "../../src/http/index.ts";
import { type Connection, connect } from "../../src/index.ts";
import { toExpress, toFastify } from "../../src/node/index.ts";
import { freshName, useStack } from "../support/use-stack.ts";

const stack = useStack();
let locks: Connection;
const ports = { express: 0, fastify: 0 };
const stops: (() => Promise<unknown>)[] = [];

/** What the handler of `/echo` and below sees. */
const echo = (request: Request): Response => {
  const { pathname, search, host } = new URL(request.url);
  return Response.json({ path: pathname, query: search, host });
};

beforeAll(async () => {
  locks = connect({ url: stack.url, token: stack.token });
  const once = () => dedupe({ locks, key: github({ verify: () => true }) }, echo);

  const app = express();
  app.set("trust proxy", true);
  app.post("/stripe", toExpress(once()));
  app.use("/mounted", express.Router().use(toExpress(echo)));
  app.use(toExpress(echo));
  const server = app.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  ports.express = (server.address() as AddressInfo).port;
  stops.push(() => new Promise((resolve) => server.close(resolve)));

  const other = fastify({ trustProxy: true });
  other.post("/stripe", toFastify(once()));
  other.all("/*", toFastify(echo));
  await other.listen({ port: 0, host: "127.0.0.1" });
  ports.fastify = (other.server.address() as AddressInfo).port;
  stops.push(() => other.close());
});
afterAll(() => Promise.all(stops.map((stop) => stop())));

interface Answer {
  readonly status: number;
  readonly said: string;
}

/** Sends a request byte by byte as it is written here. */
function send(port: number, target: string, headers: readonly string[], method = "GET"): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const lines = [`${method} ${target} HTTP/1.1`, ...headers, "Connection: close", "Content-Length: 0", "", ""];
    const socket = connectTo(port, "127.0.0.1", () => socket.write(Buffer.from(lines.join("\r\n"), "latin1")));
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", reject);
    socket.on("close", () => {
      const text = Buffer.concat(chunks).toString();
      const at = text.indexOf("\r\n\r\n");
      const said = /transfer-encoding: chunked/i.test(text)
        ? text.slice(at + 4).replace(/^[\da-f]+\r\n|\r\n(?:[\da-f]+\r\n)?/gim, "")
        : text.slice(at + 4);
      resolve({ status: Number(text.slice(9, 12)), said });
    });
  });
}

const BAD_HOSTS = [
  ...["", "a.example/admin?", "a.example?", "a.example#", "a.example\\b", "user@a.example", "user:pw@a.example"],
  ...[
    "a b",
    "a\tb",
    "a, b",
    "h\u00e9",
    "a%2fb",
    "[::1",
    "::1",
    "[::1]x",
    "a:b",
    "a:99999",
    ":80",
    "a:80:81",
    "http://a",
  ],
];
const GOOD_HOSTS = [
  "a.example",
  "a.example:8080",
  "[::1]:80",
  "[::1]",
  "127.0.0.1:1",
  "A_b.example",
  "a.example.",
  "xn--bcher-kva.example",
];

/** A small generator of random numbers, so that a failure can be repeated. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe.each(["express", "fastify"] as const)("a request line and a Host, in %s", (name) => {
  it("of which the Host chooses the path of no signed delivery (E7)", async () => {
    const id = freshName();
    const said: number[] = [];
    for (const host of [
      "a.example",
      "b.example:80",
      "a.example/admin?",
      "a.example/x#",
      "a.example\\",
      "c@a.example",
    ]) {
      const headers = [`Host: ${host}`, `X-GitHub-Delivery: ${id}`];
      const { status, said: body } = await send(ports[name], "/stripe", headers, "POST");
      if (status === 200 && body) expect(JSON.parse(body)).toMatchObject({ path: "/stripe", query: "" });
      said.push(status);
    }
    expect(said).toEqual([200, 200, 400, 400, 400, 400]);
  });

  it.each(BAD_HOSTS)("are refused with 400 when the Host is %j (E7)", async (host) => {
    expect((await send(ports[name], "/echo?x=1", [`Host: ${host}`])).status).toBe(400);
  });

  it.each(GOOD_HOSTS)("give the path, and the host %s (E7)", async (host) => {
    const { said } = await send(ports[name], "/echo?x=1", [`Host: ${host}`]);
    const own = new URL(`http://${host}`).host;
    expect(JSON.parse(said)).toEqual({ path: "/echo", query: "?x=1", host: own });
  });

  it("are refused with several hosts, also where the second is the same (E7)", async () => {
    const twice = ["Host: a.example", "Host: b.example"];
    expect((await send(ports[name], "/echo", twice)).status).toBe(400);
    expect((await send(ports[name], "/echo", [...twice].reverse())).status).toBe(400);
    expect((await send(ports[name], "/echo", ["Host: a.example", "host: a.example"])).status).toBe(400);
  });

  it.each([
    ["http://other.example/echo?x", { path: "/echo", query: "?x", host: "other.example" }],
    ["HTTP://other.example:81/echo", { path: "/echo", query: "", host: "other.example:81" }],
    ["//evil.example/echo", { path: "//evil.example/echo", query: "", host: "a.example" }],
    ["/echo?to=http://b/?c=%23", { path: "/echo", query: "?to=http://b/?c=%23", host: "a.example" }],
    ["/echo%2Fa%3Fb", { path: "/echo%2Fa%3Fb", query: "", host: "a.example" }],
    ['/echo/a"|{}', { path: "/echo/a%22|%7B%7D", query: "", host: "a.example" }],
    ["/echo?a\\b", { path: "/echo", query: "?a\\b", host: "a.example" }],
  ])("of the target %s give what it says (E7)", async (target, seen) => {
    const { said } = await send(ports[name], target, ["Host: a.example"]);
    expect(JSON.parse(said)).toEqual(seen);
  });

  it.each([
    ...["http://user:pw@b.example/echo", "http://b.example?x=/echo", "http:///echo", "http://b.example\\echo"],
    ...["/echo#b", "/echo\\b", "/echo/../b", "/echo/%2e%2E/b", "/echo/.", "/.%2e"],
  ])("are refused with 400 when the target is %s (E7)", async (target) => {
    const { status } = await send(ports[name], target, ["Host: a.example"]);
    // Fastify has no such route for some of them, and answers that.
    expect([400, 404]).toContain(status);
    if (name === "express") expect(status).toBe(400);
  });

  it("are not touched by what a proxy says of the protocol (E7)", async () => {
    const headers = (protocol: string): string[] => ["Host: a.example", `X-Forwarded-Proto: ${protocol}`];
    const good = await send(ports[name], "/echo", headers("https"));
    expect([good.status, JSON.parse(good.said).path]).toEqual([200, "/echo"]);
    for (const protocol of ["https://b.example/admin?", "javascript", "file", "http://"])
      expect((await send(ports[name], "/echo", headers(protocol))).status).toBe(400);
  });

  it("have the host that a trusted proxy names, if it is one (B19)", async () => {
    const answer = (host: string, target = "/echo") =>
      send(ports[name], target, ["Host: inside:3000", `X-Forwarded-Host: ${host}`]);
    for (const target of ["/echo", "http://inside:3000/echo"]) {
      const { status, said } = await answer("b.example:8443", target);
      expect([status, JSON.parse(said)]).toEqual([200, { path: "/echo", query: "", host: "b.example:8443" }]);
    }
    for (const host of ["b.example/admin?", "b.example?", "user@b.example", "a b"])
      expect((await answer(host)).status, host).toBe(400);
  });

  it("give the path and query of the line whatever the Host is, for 200 random ones (E7)", async () => {
    const pieces = [
      "/",
      "a",
      "%41",
      "%2F",
      "%3f",
      "?",
      "&",
      "=",
      "x",
      ";",
      "@",
      ":",
      "..",
      ".",
      "\\",
      "#",
      "//",
      "|",
      "~",
    ];
    const inHosts = ["a", ".b", ":80", "/", "?", "#", "\\", "@", "[::1]", " ", "%2f", ",", "http://"];
    const pick = random(20_261_123);
    const text = (from: readonly string[], max: number): string =>
      Array.from({ length: pick(max) }, () => from[pick(from.length)]).join("");
    let passed = 0;
    for (let round = 0; round < 200; round++) {
      const target = `/echo${text(pieces, 8)}`;
      const host = pick(2) === 0 ? `a${text(inHosts, 4)}` : "a.example:80";
      const { status, said } = await send(ports[name], target, [`Host: ${host}`]);
      if (status !== 200) continue;
      passed++;
      const seen = JSON.parse(said) as { path: string; query: string };
      // A percent-encoded character is the same character, and a lone question mark is no query.
      const plain = target.replace(/\?$/, "").replaceAll("|", "%7C");
      expect((seen.path + seen.query).replaceAll("|", "%7C"), `${target} for ${host}`).toBe(plain);
    }
    expect(passed).toBeGreaterThan(20);
  });
});

it.each(["express", "fastify"])("a host that a proxy names does not count in %s without trust (B19)", async (name) => {
  const app = name === "express" ? express().use(toExpress(echo)) : undefined;
  const other = fastify();
  other.all("/*", toFastify(echo));
  await other.ready();
  const server = (app ? createServer(app) : other.server).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  try {
    const headers = ["Host: a.example", "X-Forwarded-Host: b.example", "X-Forwarded-Proto: https"];
    const { said } = await send((server.address() as AddressInfo).port, "/echo", headers);
    expect(JSON.parse(said)).toEqual({ path: "/echo", query: "", host: "a.example" });
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});

it("a request under a mounted router keeps its whole path (E7)", async () => {
  const { said } = await send(ports.express, "/mounted/b?c", ["Host: a.example"]);
  expect(JSON.parse(said)).toEqual({ path: "/mounted/b", query: "?c", host: "a.example" });
});

it.each([
  [{ ":authority": "a.example" }, 200],
  // Node's own HTTP/2 refuses a slash, a question mark and an at sign there.
  [{ ":authority": "a.example,b.example" }, 400],
  [{ ":authority": "a.example", host: "a.example" }, 200],
  [{ ":authority": "a.example", host: "b.example" }, 400],
])("over HTTP/2 with %j the answer is %d, and the path is its own (E7)", async (headers, expected) => {
  const app = fastify({ http2: true });
  app.all("/*", toFastify(echo) as never);
  await app.listen({ port: 0, host: "127.0.0.1" });
  const client = http2.connect(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`);
  try {
    const stream = client.request({ ":path": "/echo?x", ...headers });
    const status = new Promise((resolve) => stream.on("response", (given) => resolve(given[":status"])));
    let body = "";
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      body += chunk;
    });
    await new Promise((resolve) => stream.on("end", resolve));
    expect(await status).toBe(expected);
    if (expected === 200) expect(JSON.parse(body)).toEqual({ path: "/echo", query: "?x", host: "a.example" });
  } finally {
    client.close();
    await app.close();
  }
});
