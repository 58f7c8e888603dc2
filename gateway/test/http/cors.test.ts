import { Hono } from "hono";
import { cors } from "hono/cors";
import { expect, it } from "vitest";
import { withCors } from "../../src/http/cors.ts";
import type { HttpResponse } from "../../src/http/message.ts";
import { createGateway } from "../../src/index.ts";
import { call, stage, TOKEN } from "../support/harness.ts";

const ORIGIN = "https://app.example";
const closed = stage();
const open = stage({ corsOrigin: [ORIGIN, "http://localhost:3000"] });
const wide = stage({ corsOrigin: "*" });

const preflight = (url: string, origin: string) =>
  fetch(`${url}/pipeline`, {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization,upstash-encoding",
    },
  });
const allowed = (headers: Headers) => headers.get("access-control-allow-origin");

it("is off unless it is asked for", async () => {
  const asked = await preflight(closed.gateway.url, ORIGIN);
  expect([asked.status, allowed(asked.headers)]).toEqual([401, null]);
  expect(allowed((await call(closed.gateway.url, ["PING"], { headers: { origin: ORIGIN } })).headers)).toBeNull();
});

it("lets pages of the named origins ask, with a token as anybody", async () => {
  const asked = await preflight(open.gateway.url, ORIGIN);
  expect(asked.status).toBe(204);
  expect(allowed(asked.headers)).toBe(ORIGIN);
  expect(asked.headers.get("access-control-allow-methods")).toBe("GET,HEAD,POST,PUT");
  expect(asked.headers.get("access-control-allow-headers")).toBe("authorization,upstash-encoding");
  expect(asked.headers.get("access-control-allow-credentials")).toBeNull();
  const answer = await call(open.gateway.url, ["PING"], { headers: { origin: ORIGIN } });
  expect([answer.status, allowed(answer.headers)]).toEqual([200, ORIGIN]);
  expect(answer.headers.get("vary")).toContain("Origin");
  expect(answer.headers.get("access-control-expose-headers")).toContain("upstash-sync-token");
  const refused = await fetch(open.gateway.url, { headers: { origin: ORIGIN } });
  expect([refused.status, allowed(refused.headers)]).toEqual([401, ORIGIN]);
});

it("answers a preflight through fetch as well, without a body and its length", async () => {
  const gateway = createGateway({ redis: open.redis.url, token: TOKEN, corsOrigin: ORIGIN });
  const headers = { origin: ORIGIN, "access-control-request-method": "POST" };
  const asked = await gateway.fetch(new Request("http://h/", { method: "OPTIONS", headers }));
  gateway.close();
  expect([asked.status, allowed(asked.headers)]).toEqual([204, ORIGIN]);
  expect((await preflight(open.gateway.url, ORIGIN)).headers.get("content-length")).toBeNull();
});

it("says nothing to pages of other origins", async () => {
  for (const origin of ["https://evil.example", `${ORIGIN}.evil`, "null", "http://app.example"]) {
    expect(allowed((await preflight(open.gateway.url, origin)).headers)).toBeNull();
    expect(allowed((await call(open.gateway.url, ["PING"], { headers: { origin } })).headers)).toBeNull();
  }
});

it("lets every page ask where the origin is *", async () => {
  expect(allowed((await preflight(wide.gateway.url, "https://any.example")).headers)).toBe("*");
  const headers = { authorization: `Bearer ${TOKEN}`, origin: "https://any.example" };
  const stream = await fetch(`${wide.gateway.url}/subscribe/c`, { headers });
  expect([stream.status, allowed(stream.headers)]).toEqual([200, "*"]);
  await stream.body?.cancel();
});

const ASKED = "access-control-request-headers";

it.each([["*"], [ORIGIN], [ORIGIN, "http://localhost:3000"]])(
  "decides as Hono's middleware does for the origins %j %s",
  async (...given) => {
    const origins = given.filter((origin) => origin !== undefined);
    const app = new Hono();
    app.use(
      cors({
        origin: origins.includes("*") ? "*" : origins,
        allowMethods: ["GET", "HEAD", "POST", "PUT"],
        exposeHeaders: ["upstash-sync-token", "x-request-id", "retry-after", "preference-applied", "server-timing"],
        maxAge: 600,
      }),
    );
    app.all("*", (context) => context.body(null));
    const ours = withCors<undefined>(
      origins,
      (_request, _extra, to) => to.receive({ status: 200, headers: {}, body: null }),
      (_extra, response) => response,
    );
    for (const method of ["OPTIONS", "GET", "POST"])
      for (const origin of [undefined, ORIGIN, "http://localhost:3000", `${ORIGIN}.evil`, "null", "*", ""])
        for (const asked of [undefined, "authorization", "authorization,upstash-encoding"]) {
          const headers: Record<string, string> = {};
          if (origin !== undefined) headers["origin"] = origin;
          if (asked !== undefined) headers[ASKED] = asked;
          const theirs = await app.request("/", { method, headers });
          const answer = await new Promise<HttpResponse>((receive, fail) => {
            const request = {
              method,
              target: "/",
              header: (name: string) => headers[name],
              body: async () => Buffer.alloc(0),
              whenUnwanted: () => () => {},
            };
            ours(request, undefined, { receive, fail });
          });
          const sorted = (list: object) => Object.entries(list).sort();
          expect([answer.status, sorted(answer.headers)]).toEqual([
            theirs.status,
            sorted(Object.fromEntries(theirs.headers)),
          ]);
        }
  },
);
