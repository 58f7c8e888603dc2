import type {
  ALBHandler,
  APIGatewayProxyEventV2,
  APIGatewayProxyHandler,
  APIGatewayProxyHandlerV2,
  Context,
  LambdaFunctionURLEvent,
  LambdaFunctionURLHandler,
} from "aws-lambda";
import { beforeAll, describe, expect, it } from "vitest";
import { dedupe, github, idempotencyKey } from "../../src/http/index.ts";
import { type Connection, connect } from "../../src/index.ts";
import { toLambda } from "../../src/lambda/index.ts";
import { freshName, useStack } from "../support/use-stack.ts";

const stack = useStack();
let locks: Connection;
beforeAll(() => {
  locks = connect({ url: stack.url, token: stack.token });
});

/** As AWS documents the event of a function URL, by its official type. */
const eventOf = (changes: Partial<LambdaFunctionURLEvent> = {}): LambdaFunctionURLEvent => ({
  version: "2.0",
  routeKey: "$default",
  rawPath: "/hooks/github",
  rawQueryString: "tenant=a&x=%2F",
  cookies: ["a=1", "b=2"],
  headers: { "content-type": "application/json", "x-github-delivery": freshName(), "x-two": "1,2" },
  queryStringParameters: { tenant: "a", x: "/" },
  requestContext: {
    accountId: "anonymous",
    apiId: "abc",
    domainName: "abc.lambda-url.eu-west-1.on.aws",
    domainPrefix: "abc",
    http: {
      method: "POST",
      path: "/hooks/github",
      protocol: "HTTP/1.1",
      sourceIp: "203.0.113.1",
      userAgent: "agent",
    },
    requestId: "id",
    routeKey: "$default",
    stage: "$default",
    time: "12/Mar/2026:19:03:58 +0000",
    timeEpoch: 1_583_348_638_390,
  },
  body: '{"a":1}',
  isBase64Encoded: false,
  ...changes,
});
const context = { awsRequestId: "r1" } as Context;

describe("in Lambda", () => {
  it("an event becomes the request that was sent, and the handler knows event and context", async () => {
    const seen: unknown[] = [];
    const handler = toLambda(async (request, event: APIGatewayProxyEventV2, { awsRequestId }: Context) => {
      seen.push(request.method, request.url, request.headers.get("cookie"), request.headers.get("x-two"));
      seen.push(await request.text(), event.routeKey, awsRequestId);
      return new Response("ok");
    });
    await handler(eventOf(), context);
    expect(seen).toEqual([
      "POST",
      "https://abc.lambda-url.eu-west-1.on.aws/hooks/github?tenant=a&x=%2F",
      "a=1; b=2",
      "1,2",
      '{"a":1}',
      "$default",
      "r1",
    ]);
  });

  it("is a handler by the official types, of API Gateway and of function URLs", async () => {
    const hook = dedupe({ locks, key: github({ verify: () => true }) }, (_, { attempt }) => Response.json({ attempt }));
    const api: APIGatewayProxyHandlerV2 = toLambda(hook);
    const url: LambdaFunctionURLHandler = toLambda(hook);
    const event = eventOf();
    expect(await api(event, context, () => {})).toEqual({
      statusCode: 200,
      headers: { "content-type": "application/json", "leasehold-status": "processed" },
      cookies: [],
      body: '{"attempt":1}',
      isBase64Encoded: false,
    });
    expect(await url(event, context, () => {})).toMatchObject({ headers: { "leasehold-status": "duplicate" } });
  });

  it("bytes travel in base64, both ways", async () => {
    const bytes = Uint8Array.from({ length: 100_000 }, (_, at) => at % 256);
    const handler = toLambda(async (request) => new Response(await request.arrayBuffer()));
    const body = Buffer.from(bytes).toString("base64");
    const answer = await handler(eventOf({ body, isBase64Encoded: true }), context);
    expect([answer.isBase64Encoded, answer.body === body]).toEqual([true, true]);
  });

  it("a GET has no body, and an answer may have none", async () => {
    const handler = toLambda(
      async (request) => new Response(null, { status: (await request.text()) === "" ? 204 : 500 }),
    );
    const { body: _, ...event } = eventOf();
    const { http, ...rest } = event.requestContext;
    const get = { ...event, rawQueryString: "", requestContext: { ...rest, http: { ...http, method: "GET" } } };
    expect(await handler(get, context)).toMatchObject({ statusCode: 204, body: "", isBase64Encoded: false });
  });

  it("an event of another format is a TypeError, and an error of the handler is rethrown", async () => {
    const handler = toLambda(() => {
      throw new Error("broken");
    });
    const others = [{ Records: [] }, { headers: {}, requestContext: {} }, { rawPath: "/", headers: {} }];
    for (const other of others)
      await expect(handler(other as never, context)).rejects.toThrow(/^toLambda: the event is not of API Gateway/);
    await expect(handler(eventOf(), context)).rejects.toThrow("broken");
    expect(() => toLambda(undefined as never)).toThrow("handler is missing");
  });

  it.each([
    ["/a?b", "c=1", ["/a%3Fb", "?c=1"]],
    ["/a#b", "", ["/a%23b", ""]],
    ["/a\\b", "", ["/a%5Cb", ""]],
    ["/gr\u00fcn rot", "x=\u00fc#y", ["/gr%C3%BCn%20rot", "?x=%C3%BC%23y"]],
    ["//evil.example/a", "", ["//evil.example/a", ""]],
    ["/a%2Fb", "x=%2F", ["/a%2Fb", "?x=%2F"]],
    ["", "", ["/", ""]],
  ])("the path %s stays a path, also where the gateway has decoded it (E7)", async (rawPath, rawQueryString, seen) => {
    const handler = toLambda(({ url }: Request) => Response.json([new URL(url).pathname, new URL(url).search]));
    const { body } = await handler(eventOf({ rawPath, rawQueryString }), context);
    expect(JSON.parse(body)).toEqual(seen);
  });

  it.each(["/a/../b", "/./b", "/%2E%2e/b", "b", "@evil.example/", "/\ud800"])(
    "the path %j is answered with 400, and the function is not called (E7)",
    async (rawPath) => {
      const handler = toLambda(() => new Response("called"));
      expect(await handler(eventOf({ rawPath }), context)).toMatchObject({ statusCode: 400 });
    },
  );

  it.each([
    ["a REST API", { domainName: "a/b?" }],
    ["a load balancer", { elb: {} }],
  ])("a host of %s that is none is answered with 400, and the function is not called (E7)", async (_from, from) => {
    const handler = toLambda(() => new Response("called"));
    const headers = { host: "a/b?", "x-forwarded-proto": "https" };
    const event = { httpMethod: "POST", path: "/a", headers, body: "", isBase64Encoded: false, requestContext: from };
    const answer = await handler(event as never, context);
    expect([answer.statusCode, JSON.parse(answer.body).title]).toEqual([400, "The Host header is not a host"]);
  });

  it.each([
    ["an HTTP API", eventOf()],
    ["a load balancer", { httpMethod: "POST", path: "/a", body: "", requestContext: { elb: {} } }],
  ])("an event of %s without headers is a TypeError that says so (B17)", async (_from, event) => {
    const { headers: _, ...without } = event as LambdaFunctionURLEvent;
    let ran = false;
    const handler = toLambda(() => {
      ran = true;
      return new Response();
    });
    await expect(handler(without as never, context)).rejects.toThrow(
      "toLambda: the event has no headers: pass the event on as Lambda made it",
    );
    expect(ran).toBe(false);
  });

  it("a REST API has null for no headers, no query and no body (B17)", async () => {
    const handler = toLambda(async (request: Request) => Response.json([[...request.headers], await request.text()]));
    const event = {
      ...{ resource: "/", path: "/a", httpMethod: "POST", headers: null, multiValueHeaders: null, body: null },
      ...{ queryStringParameters: null, multiValueQueryStringParameters: null, isBase64Encoded: false },
      requestContext: { domainName: "abc.example", path: "/prod/a" },
    };
    expect(JSON.parse((await handler(event as never, context)).body)).toEqual([[], ""]);
  });

  it("is a handler by the official types of REST APIs and load balancers", () => {
    const hook = dedupe({ locks, key: github({ verify: () => true }) }, () => new Response());
    const rest: APIGatewayProxyHandler = toLambda(hook);
    const balancer: ALBHandler = toLambda(hook);
    expect([rest, balancer]).toEqual([expect.any(Function), expect.any(Function)]);
  });

  it.each([
    ["an object", { amount: 10 }],
    ["a list", [10]],
    ["a number", 10],
  ])("a body that became %s runs nothing, also where its text would be the same (B13)", async (kind, body) => {
    let ran = 0;
    const pay = dedupe({ locks, key: idempotencyKey(), scope: "one client", replay: true }, () => {
      ran++;
      return new Response();
    });
    const headers = { "content-type": "application/json", "idempotency-key": freshName() };
    const event = { ...eventOf({ headers }), body } as unknown as LambdaFunctionURLEvent;
    await expect(toLambda(pay)(event, context)).rejects.toThrow(`toLambda: event.body is ${kind}, not a string`);
    const kept = { ...event, rawBody: '{"amount":10}' };
    expect((await toLambda(pay)(kept, context)).statusCode).toBe(200);
    const other = { ...event, rawBody: Buffer.from('{"amount":11}') };
    expect((await toLambda(pay)(other, context)).statusCode).toBe(422);
    expect(ran).toBe(1);
  });

  it("a body of another length than was sent is a TypeError, as where JSON was a string (B13)", async () => {
    const handler = toLambda(() => new Response("called"));
    const headers = { "content-type": "application/json", "content-length": "5" };
    await expect(handler(eventOf({ headers, body: "abc" }), context)).rejects.toThrow(
      "the body has 3 bytes, and Content-Length is 5",
    );
    expect((await handler(eventOf({ headers, body: '"abc"' }), context)).body).toBe("called");
  });

  it("a header with bytes that are no UTF-8 arrives with what the gateway made of them (B15)", async () => {
    const handler = toLambda(
      ({ headers }: Request) => new Response(null, { headers: { "x-out": `${headers.get("x-in")}` } }),
    );
    const answer = await handler(eventOf({ headers: { "x-in": "a\ufffdb \u{1f5fc}" } }), context);
    expect(answer.headers).toEqual({ "x-out": "a\ufffdb \u{1f5fc}" });
  });
});
