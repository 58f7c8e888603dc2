import { createHmac } from "node:crypto";
import { request } from "node:http";
import { createServer, get } from "node:https";
import type { AddressInfo } from "node:net";
import { verify } from "@octokit/webhooks-methods";
import express from "express";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { createAuthority } from "../../gateway/test/support/certificates.ts";
import { cronRoute } from "../../src/cron/index.ts";
import { dedupe, github, idempotencyKey } from "../../src/http/index.ts";
import { type Connection, connect } from "../../src/index.ts";
import { toExpress } from "../../src/node/index.ts";
import { answerOf } from "../hono/apps.ts";
import { freshName, useStack } from "../support/use-stack.ts";

const stack = useStack();
let locks: Connection;
beforeAll(() => {
  locks = connect({ url: stack.url, token: stack.token });
});

const SECRET = "a secret";
/** No JSON writes it like this, so that only the bytes themselves have the right signature. */
const BODY = '{ "a":1,  "b": "\\u00fc" }';
const signature = `sha256=${createHmac("sha256", SECRET).update(BODY).digest("hex")}`;

const stops: (() => Promise<unknown>)[] = [];
afterEach(() => Promise.all(stops.splice(0).map((stop) => stop())));

async function listen(app: express.Express, errors: unknown[] = []): Promise<string> {
  app.use((error: unknown, _req: express.Request, res: express.Response, _next: express.NextFunction) => {
    errors.push(error);
    res.status(500).end();
  });
  const server = app.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  stops.push(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const hook = () =>
  dedupe(
    {
      locks,
      key: github({
        verify: (body, { headers }) => verify(SECRET, body, headers.get("X-Hub-Signature-256") ?? ""),
      }),
    },
    async (request) => new Response(await request.text()),
  );

const deliver = (url: string, type = "application/json"): Promise<Response> =>
  fetch(url, {
    method: "POST",
    body: BODY,
    headers: { "Content-Type": type, "X-GitHub-Delivery": freshName(), "X-Hub-Signature-256": signature },
  });

describe("the body in Express", () => {
  it.each([
    ["nothing", []],
    ["express.raw", [express.raw({ type: "*/*" })]],
    [
      "a parser that keeps rawBody",
      [express.json({ verify: (req, _, bytes) => Object.assign(req, { rawBody: bytes }) })],
    ],
    ["a parser of other types", [express.urlencoded({ extended: true }), express.json({ type: "application/other" })]],
  ])("has the signature of its bytes after %s", async (_what, before) => {
    const app = express();
    app.post("/hook", ...before, toExpress(hook()));
    const answer = await deliver(`${await listen(app)}/hook`);
    expect([answerOf(answer), await answer.text()]).toEqual(["200 processed", BODY]);
  });

  it.each([
    ["express.json", express.json()],
    ["express.text", express.text({ type: "*/*" })],
  ])("that %s has parsed is an error that says where to mount the route", async (_what, parser) => {
    const app = express();
    const errors: unknown[] = [];
    app.use(parser);
    app.post("/hook", toExpress(hook()));
    expect((await deliver(`${await listen(app, errors)}/hook`)).status).toBe(500);
    expect(errors).toEqual([expect.any(TypeError)]);
    expect(`${errors[0]}`).toMatch(/mount this route before express\.json\(\), or after express\.raw\(/);
  });

  it("that is missing is none, whatever would have parsed it", async () => {
    const app = express();
    app.use(express.json());
    app.all(
      "/hook",
      toExpress(async (request) => new Response(`${request.method} [${await request.text()}]`)),
    );
    const url = `${await listen(app)}/hook`;
    for (const method of ["GET", "POST", "DELETE"])
      expect(await (await fetch(url, { method })).text()).toBe(`${method} []`);
  });
});

describe("the headers in Express", () => {
  it("are those that earlier middleware left, and every line of one that was sent twice (B14)", async () => {
    const app = express();
    app.use((req, _res, next) => {
      delete req.headers["x-internal"];
      req.headers["x-user"] = "ann";
      next();
    });
    app.use(toExpress(({ headers }) => Response.json(Object.fromEntries(headers))));
    const { hostname, port } = new URL(await listen(app));
    const headers = ["Host", "a", "X-Internal", "forged", "X-User", "eve", "Authorization", "a", "Authorization", "b"];
    const answer = await new Promise<string>((resolve, reject) => {
      request({ hostname, port, headers }, async (response) => {
        let text = "";
        for await (const chunk of response) text += chunk;
        resolve(text);
      })
        .on("error", reject)
        .end();
    });
    const seen = JSON.parse(answer) as Record<string, string>;
    expect([seen["x-internal"], seen["x-user"], seen["authorization"]]).toEqual([undefined, "ann", "a, b"]);
  });

  it("of a server with TLS of its own make an https URL (B19)", async () => {
    const authority = createAuthority();
    const { key, cert } = authority;
    const route = toExpress(({ url }) => new Response(url));
    const server = createServer(
      { key, cert },
      (req, res) => void route(req, res, (error) => res.destroy(error as Error)),
    );
    await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
    const { port } = server.address() as AddressInfo;
    const url = await new Promise((resolve, reject) => {
      get({ hostname: "127.0.0.1", port, path: "/a", rejectUnauthorized: false }, async (response) => {
        let text = "";
        for await (const chunk of response) text += chunk;
        resolve(text);
      }).on("error", reject);
    });
    await new Promise((resolve) => server.close(resolve));
    authority.remove();
    expect(url).toBe(`https://127.0.0.1:${port}/a`);
  });
});

describe("in Express", () => {
  it("the handler and the options know what other middleware found, and the path is whole", async () => {
    const app = express();
    const api = express.Router();
    app.use((req, _res, next) => {
      Object.assign(req, { user: req.headers["x-user"] });
      next();
    });
    type Known = express.Request & { user?: string };
    const pay = dedupe<[req: Known, res: express.Response]>(
      { locks, key: idempotencyKey(), scope: (_, { user }) => user ?? "nobody", replay: true },
      async (request, { attempt }, req, res) => {
        res.setHeader("X-By", "the handler");
        return Response.json({ user: req.user, url: request.url, attempt });
      },
    );
    api.post("/payments", toExpress(pay));
    app.use("/api", api);
    const url = await listen(app);
    const id = freshName();
    for (const [user, said] of [
      ["ann", "200 processed"],
      ["bob", "200 processed"],
      ["ann", "200 duplicate"],
    ]) {
      const headers = { "X-User": `${user}`, "Idempotency-Key": id };
      const answer = await fetch(`${url}/api/payments?a=%2F`, { method: "POST", headers });
      expect(answerOf(answer)).toBe(said);
      expect(await answer.json()).toEqual({ user, url: `${url}/api/payments?a=%2F`, attempt: 1 });
    }
  });

  it("a route of crons is a route too", async () => {
    const app = express();
    const route = cronRoute({ locks, name: freshName(), every: "1h", secret: "s" }, () => {});
    app.get("/cron", toExpress(route));
    const url = `${await listen(app)}/cron`;
    const answer = await fetch(url, { headers: { Authorization: "Bearer s" } });
    expect(await answer.json()).toMatchObject({ status: "ran" });
    expect((await fetch(url)).status).toBe(401);
  });

  it("a stream goes out as it comes, and a client that hangs up is no error", async () => {
    const app = express();
    const errors: unknown[] = [];
    let cancelled: (reason: unknown) => void;
    const gone = new Promise((resolve) => {
      cancelled = resolve;
    });
    app.get(
      "/stream",
      toExpress(() => {
        const body = new ReadableStream({
          start: (controller) => controller.enqueue(new TextEncoder().encode("one")),
          cancel: (reason) => cancelled(reason),
        });
        return new Response(body, { statusText: "Fine" });
      }),
    );
    const hangUp = new AbortController();
    const answer = await fetch(`${await listen(app, errors)}/stream`, { signal: hangUp.signal });
    const reader = answer.body?.getReader();
    expect([answer.statusText, new TextDecoder().decode((await reader?.read())?.value)]).toEqual(["Fine", "one"]);
    hangUp.abort();
    await gone;
    expect(errors).toEqual([]);
  });

  it("what the handler throws goes to the error middleware", async () => {
    const app = express();
    const errors: unknown[] = [];
    const broken = new Error("broken");
    app.post(
      "/hook",
      toExpress(() => {
        throw broken;
      }),
    );
    expect((await deliver(`${await listen(app, errors)}/hook`)).status).toBe(500);
    expect(errors).toEqual([broken]);
  });

  it("needs a function", () => {
    expect(() => toExpress(undefined as never)).toThrow("handler is missing");
  });
});
