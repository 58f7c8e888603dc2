import type { AddressInfo } from "node:net";
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context as LambdaContext } from "aws-lambda";
import express from "express";
import { fastify } from "fastify";
import { Hono } from "hono";
import { dedupe as dedupeHono, github as githubHono } from "../../src/hono/index.ts";
import { type DedupeOptions, type Delivery, dedupe, github, type Unprotected } from "../../src/http/index.ts";
import { toLambda } from "../../src/lambda/index.ts";
import { toExpress, toFastify } from "../../src/node/index.ts";

/** A handler as the stories write it, whatever it stands behind. */
export type Handler = (request: Request, delivery: Delivery | Unprotected) => Response | Promise<Response>;

/** The options that are the same everywhere: none of their functions looks at the request. */
export type Options = Pick<DedupeOptions, "lease" | "maxHold" | "maxAttempts" | "replay" | "onUnavailable"> & {
  readonly locks: Exclude<DedupeOptions["locks"], (...given: never[]) => unknown>;
};

export interface Mounted {
  deliver(request: Request): Promise<Response>;
  close(): Promise<unknown>;
}

/** One way to mount a handler behind `dedupe`, as the sender GitHub. */
export type Way = (options: Options, handler: Handler) => Promise<Mounted>;

/** The signature of the stories: `signed` anywhere in the header. */
const isSigned = (header: string | null | undefined): boolean => header === "signed";

const behindHono: Way = async (options, handler) => {
  const app = new Hono();
  app.onError((_, c) => c.text("", 500));
  const key = githubHono({ verify: (_body, { headers }) => isSigned(headers.get("X-Hub-Signature-256")) });
  app.post("/hook", dedupeHono({ ...options, key }), async (c) => handler(c.req.raw, { ...c.var } as never));
  return { deliver: async (request) => app.request(request), close: async () => {} };
};

const hookOf = (options: Options, handler: Handler): ((request: Request) => Promise<Response>) =>
  dedupe(
    { ...options, key: github({ verify: (_body, request) => isSigned(request.headers.get("X-Hub-Signature-256")) }) },
    handler,
  );

const plain: Way = async (options, handler) => {
  const hook = hookOf(options, handler);
  // A platform answers 500 to what a handler throws.
  return { deliver: (request) => hook(request).catch(() => new Response("", { status: 500 })), close: async () => {} };
};

/** Sends a request as it is to a server on this machine. */
const sendTo =
  (port: number) =>
  (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    const url = `http://127.0.0.1:${port}${pathname}${search}`;
    return fetch(new Request(url, request), { redirect: "manual" });
  };

const behindExpress: Way = async (options, handler) => {
  const app = express();
  app.post("/hook", toExpress(hookOf(options, handler)));
  // Express prints an error that it answers itself.
  app.use((_error: unknown, _req: express.Request, res: express.Response, _next: express.NextFunction) => {
    res.status(500).end();
  });
  const server = app.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    deliver: sendTo((server.address() as AddressInfo).port),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
};

const behindFastify: Way = async (options, handler) => {
  const app = fastify();
  app.post("/hook", toFastify(hookOf(options, handler)));
  await app.listen({ port: 0, host: "127.0.0.1" });
  return { deliver: sendTo((app.server.address() as AddressInfo).port), close: () => app.close() };
};

/** An event as API Gateway makes it (payload 2.0): bodies that are not text come in base64. */
async function eventOf(request: Request): Promise<APIGatewayProxyEventV2> {
  const { pathname, search, hostname } = new URL(request.url);
  const { method, headers } = request;
  const bytes = Buffer.from(await request.arrayBuffer());
  const isBase64Encoded = !/json|text/.test(headers.get("content-type") ?? "");
  return {
    version: "2.0",
    routeKey: "$default",
    rawPath: pathname,
    rawQueryString: search.slice(1),
    headers: Object.fromEntries(headers),
    requestContext: {
      accountId: "1",
      apiId: "a",
      domainName: hostname,
      domainPrefix: "a",
      requestId: "r",
      routeKey: "$default",
      stage: "$default",
      time: "",
      timeEpoch: 0,
      http: { method, path: pathname, protocol: "HTTP/1.1", sourceIp: "127.0.0.1", userAgent: "" },
    },
    ...(bytes.length > 0 && { body: bytes.toString(isBase64Encoded ? "base64" : "utf8") }),
    isBase64Encoded,
  };
}

const inLambda: Way = async (options, handler) => {
  const handle = toLambda<APIGatewayProxyEventV2, LambdaContext>(hookOf(options, handler));
  async function deliver(request: Request): Promise<Response> {
    let result: APIGatewayProxyStructuredResultV2;
    try {
      result = await handle(await eventOf(request), {} as LambdaContext);
    } catch {
      return new Response("", { status: 500 });
    }
    const { statusCode = 200, headers = {}, cookies = [], body = "", isBase64Encoded = false } = result;
    const answer = new Headers(Object.entries(headers).map(([name, value]): [string, string] => [name, `${value}`]));
    for (const cookie of cookies) answer.append("Set-Cookie", cookie);
    const bytes = Buffer.from(body, isBase64Encoded ? "base64" : "utf8");
    return new Response(bytes.length > 0 ? bytes : null, { status: statusCode, headers: answer });
  }
  return { deliver, close: async () => {} };
};

export const WAYS: readonly (readonly [name: string, way: Way])[] = [
  ["Hono", behindHono],
  ["a plain handler", plain],
  ["Express", behindExpress],
  ["Fastify", behindFastify],
  ["Lambda", inLambda],
];
