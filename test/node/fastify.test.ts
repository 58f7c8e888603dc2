import { createHmac } from "node:crypto";
import { verify } from "@octokit/webhooks-methods";
import { type FastifyReply, type FastifyRequest, fastify } from "fastify";
import { beforeAll, describe, expect, it } from "vitest";
import { dedupe, github, idempotencyKey } from "../../src/http/index.ts";
import { type Connection, connect } from "../../src/index.ts";
import { toFastify } from "../../src/node/index.ts";
import { freshName, useStack } from "../support/use-stack.ts";

const stack = useStack();
let locks: Connection;
beforeAll(() => {
  locks = connect({ url: stack.url, token: stack.token });
});

const SECRET = "a secret";
/** No JSON writes it like this, so that only the bytes themselves have the right signature. */
const BODY = '{ "a":1,  "b": "\\u00fc" }';

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

const delivery = (body = BODY, type = "application/json") =>
  ({
    method: "POST",
    url: "/hook",
    body,
    headers: {
      "content-type": type,
      "x-github-delivery": freshName(),
      "x-hub-signature-256": `sha256=${createHmac("sha256", SECRET).update(body).digest("hex")}`,
    },
  }) as const;

describe("in Fastify", () => {
  it("a body that is parsed too has the signature of its bytes", async () => {
    const app = fastify();
    let parsed: unknown;
    app.addHook("preHandler", async (request) => {
      parsed = request.body;
    });
    app.post("/hook", toFastify(hook()));
    const answer = await app.inject(delivery());
    expect([answer.statusCode, answer.headers["leasehold-status"], answer.body]).toEqual([200, "processed", BODY]);
    expect(parsed).toEqual({ a: 1, b: "ü" });
    await app.close();
  });

  it("a form needs a parser, and has the signature of its bytes then", async () => {
    const form = delivery("a=%31&b=2", "application/x-www-form-urlencoded");
    const app = fastify();
    app.post("/hook", toFastify(hook()));
    expect((await app.inject(form)).statusCode).toBe(415);
    await app.close();
    const other = fastify();
    other.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "buffer" }, (_, body, done) =>
      done(null, body),
    );
    other.post("/hook", toFastify(hook()));
    const answer = await other.inject(form);
    expect([answer.statusCode, answer.body]).toEqual([200, "a=%31&b=2"]);
    await other.close();
  });

  it("a body that is too long is refused before anything is asked", async () => {
    const app = fastify({ bodyLimit: 10 });
    app.post("/hook", toFastify(hook()));
    expect((await app.inject(delivery())).statusCode).toBe(413);
    await app.close();
  });

  it("a route without its preParsing says so; bytes of a parser will do", async () => {
    const app = fastify();
    app.setErrorHandler((error, _, reply) => reply.code(500).send(`${error}`));
    app.post("/hook", toFastify(hook()).handler);
    const answer = await app.inject(delivery());
    expect([answer.statusCode, answer.body]).toEqual([500, expect.stringContaining("pass the whole route to Fastify")]);
    await app.close();
    const raw = fastify();
    raw.removeAllContentTypeParsers();
    raw.addContentTypeParser("*", { parseAs: "buffer" }, (_, body, done) => done(null, body));
    raw.post("/hook", toFastify(hook()).handler);
    expect((await raw.inject(delivery())).body).toBe(BODY);
    await raw.close();
  });

  it("the handler and the options know what hooks found; a hook that refuses keeps the handler from running", async () => {
    const app = fastify();
    app.decorateRequest("user", "");
    app.addHook("preHandler", async (request, reply) => {
      if (!request.headers["x-user"]) return reply.code(403).send("who?");
      Object.assign(request, { user: request.headers["x-user"] });
      return undefined;
    });
    type Known = FastifyRequest & { user?: string };
    const pay = dedupe<[request: Known, reply: FastifyReply]>(
      { locks, key: idempotencyKey(), scope: (_, { user }) => user ?? "nobody", replay: true },
      async (request, { attempt }, { user }, reply) => {
        reply.header("x-by", "the handler");
        return Response.json({ user, path: new URL(request.url).pathname, attempt }, { status: 201 });
      },
    );
    app.register(async (api) => void api.post("/payments", toFastify(pay)), { prefix: "/api" });
    const id = freshName();
    const post = (headers: Record<string, string>) =>
      app.inject({ method: "POST", url: "/api/payments?a=1", headers: { "idempotency-key": id, ...headers } });
    expect((await post({})).statusCode).toBe(403);
    for (const expected of ["processed", "duplicate"]) {
      const answer = await post({ "x-user": "ann" });
      expect([answer.statusCode, answer.headers["leasehold-status"]]).toEqual([201, expected]);
      expect(answer.json()).toEqual({ user: "ann", path: "/api/payments", attempt: 1 });
    }
    await app.close();
  });

  it("GET has no body, and two slashes are no host", async () => {
    const app = fastify();
    app.get(
      "/*",
      toFastify(async (request) => new Response(`${request.url} [${await request.text()}]`)),
    );
    const answer = await app.inject({ url: "//evil.example/a?b=1", headers: { host: "example.com" } });
    expect(answer.body).toBe("http://example.com//evil.example/a?b=1 []");
    await app.close();
  });

  it("a request with a Host that is none is answered before its body is parsed and before other hooks (E7)", async () => {
    const app = fastify();
    const ran: string[] = [];
    app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => {
      ran.push("parser");
      done(null, body);
    });
    app.addHook("preHandler", async () => {
      ran.push("preHandler");
    });
    const route = toFastify(() => {
      ran.push("handler");
      return new Response();
    });
    app.post("/hook", route);
    app.post("/halved", route.handler);
    const bad = { ...delivery(BODY, "text/x"), headers: { "content-type": "text/x", host: "a.example/admin?" } };
    const answer = await app.inject(bad);
    expect([answer.statusCode, answer.headers["content-type"], ran]).toEqual([400, "application/problem+json", []]);
    expect(answer.json()).toMatchObject({ title: "The Host header is not a host", status: 400 });
    expect((await app.inject({ ...bad, url: "/halved" })).statusCode).toBe(400);
    expect(ran).not.toContain("handler");
    await app.close();
  });

  it("needs a function", () => {
    expect(() => toFastify(undefined as never)).toThrow("handler is missing");
  });
});
