/**
 * AWS's fronts of a Lambda function, each as a server that makes its event of a request, and a response of the
 * function's answer. The forms follow AWS's documents and official types.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { configure } from "@codegenie/serverless-express";
import middy from "@middy/core";
import jsonBodyParser from "@middy/http-json-body-parser";
import express from "express";
import { handle } from "hono/aws-lambda";
import serverless from "serverless-http";
import { type LambdaEvent, type LambdaResult, toLambda } from "../../../src/lambda/index.ts";
import type { Application } from "../application.ts";
import type { SentBody, Shape } from "../shape.ts";
import { expressApp, PARSED } from "./express.ts";
import { honoApp } from "./hono-app.ts";
import { listen } from "./listen.ts";

/** A function as AWS calls it. */
type Lambda = (event: never, context: never, callback: never) => unknown;

const API = "abc123.execute-api.eu-west-1.amazonaws.com";

/** AWS decodes what it passes on in JSON as UTF-8, and encodes it again. */
const decode = (bytes: string): string => Buffer.from(bytes, "latin1").toString("utf8");
const encode = (text: string): string => Buffer.from(text, "utf8").toString("latin1");

interface Received {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly lines: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

async function receive(req: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const lines: [string, string][] = [];
  for (let at = 0; at < req.rawHeaders.length; at += 2)
    lines.push([`${req.rawHeaders[at]}`, decode(`${req.rawHeaders[at + 1]}`)]);
  // A gateway has received the whole body before it calls the function.
  const chunked = lines.findIndex(([name]) => name.toLowerCase() === "transfer-encoding");
  if (chunked >= 0) lines.splice(chunked, 1, ["Content-Length", `${body.length}`]);
  const [path = "/", query = ""] = (req.url ?? "/").split("?");
  return { method: req.method ?? "GET", path, query, lines, body };
}

/** Text comes as it is, and everything else in base64. */
function bodyIn({ lines, body }: Received, none: undefined | null | ""): object {
  if (body.length === 0) return { ...(none !== undefined && { body: none }), isBase64Encoded: false };
  const [, type = ""] = lines.find(([name]) => name.toLowerCase() === "content-type") ?? [];
  const isEncoded = lines.some(([name]) => name.toLowerCase() === "content-encoding");
  const isText = /^(text\/|application\/json)/.test(type) && !isEncoded;
  return { body: body.toString(isText ? "utf8" : "base64"), isBase64Encoded: !isText };
}

const lastOf = (lines: Received["lines"]): Record<string, string> => Object.fromEntries(lines);
function allOf(lines: Received["lines"]): Record<string, string[]> {
  const all: Record<string, string[]> = {};
  for (const [name, value] of lines) all[name] = [...(all[name] ?? []), value];
  return all;
}
const lower = (lines: Received["lines"]): [string, string][] =>
  lines.map(([name, value]) => [name.toLowerCase(), value]);

/** The parameters of a query, decoded as REST APIs do it, or as they are. */
const parametersOf = (query: string, read: (text: string) => string): [string, string][] =>
  query ? query.split("&").map((pair) => pair.split("=").map(read) as [string, string]) : [];

interface Front {
  readonly name: string;
  readonly event: (received: Received) => object;
  readonly shape: Partial<Shape>;
}

const payload2 = (domainName: string) => (received: Received) => {
  const { method, path, query, lines } = received;
  const headers: Record<string, string> = {};
  const cookies: string[] = [];
  for (const [name, value] of lower(lines)) {
    if (name === "cookie") cookies.push(...value.split("; "));
    else headers[name] = name in headers ? `${headers[name]},${value}` : value;
  }
  return {
    version: "2.0",
    routeKey: "$default",
    rawPath: path,
    rawQueryString: query,
    ...(cookies.length > 0 && { cookies }),
    headers,
    requestContext: { domainName, http: { method, path, sourceIp: "203.0.113.1" }, requestId: "id", stage: "$default" },
    ...bodyIn(received, undefined),
  };
};

const payload1 = (received: Received) => {
  const { method, path, query, lines } = received;
  const parameters = parametersOf(query, decodeURIComponent);
  return {
    resource: "/{proxy+}",
    path,
    httpMethod: method,
    headers: lastOf(lines),
    multiValueHeaders: allOf(lines),
    queryStringParameters: query ? Object.fromEntries(parameters) : null,
    multiValueQueryStringParameters: query ? allOf(parameters) : null,
    pathParameters: { proxy: path.slice(1) },
    requestContext: {
      domainName: API,
      httpMethod: method,
      path: `/prod${path}`,
      stage: "prod",
      identity: { sourceIp: "203.0.113.1" },
    },
    ...bodyIn(received, null),
  };
};

const loadBalancer = (multiple: boolean) => (received: Received) => {
  const { method, path, query, lines } = received;
  const kept = lower(lines).filter(([name]) => !/^x-forwarded-(proto|port)$/.test(name));
  kept.push(["x-forwarded-proto", "https"], ["x-forwarded-port", "443"]);
  const parameters = parametersOf(query, String);
  return {
    requestContext: { elb: { targetGroupArn: "arn:aws:elasticloadbalancing:eu-west-1:1:targetgroup/a/b" } },
    httpMethod: method,
    path,
    ...(multiple
      ? { multiValueHeaders: allOf(kept), multiValueQueryStringParameters: allOf(parameters) }
      : { headers: lastOf(kept), queryStringParameters: Object.fromEntries(parameters) }),
    ...bodyIn(received, ""),
  };
};

const HTTP_API: Front = { name: "an HTTP API, payload 2.0", event: payload2(API), shape: { origin: `https://${API}` } };
const REST_API: Front = {
  name: "a REST API",
  event: payload1,
  shape: { origin: `https://${API}`, stage: "/prod" },
};
const ALB: Front = {
  name: "a load balancer",
  event: loadBalancer(false),
  shape: { origin: "https own", repeated: "last", secondCookie: /turn on multi-value headers/ },
};
const ALB_MULTIPLE: Front = {
  name: "a load balancer with multi-value headers",
  event: loadBalancer(true),
  shape: { origin: "https own" },
};
const FRONTS: readonly Front[] = [
  HTTP_API,
  {
    name: "a function URL",
    event: payload2("abc.lambda-url.eu-west-1.on.aws"),
    shape: { origin: "https://abc.lambda-url.eu-west-1.on.aws" },
  },
  REST_API,
  {
    name: "an HTTP API, payload 1.0",
    event: (received) => ({ version: "1.0", ...payload1(received) }),
    shape: { origin: `https://${API}`, stage: "/prod" },
  },
  ALB,
  ALB_MULTIPLE,
];

/** Writes a function's answer as AWS does. */
function write(result: Partial<LambdaResult>, res: ServerResponse): void {
  const { statusCode = 200, headers = {}, multiValueHeaders = {}, cookies = [], body = "", isBase64Encoded } = result;
  for (const [name, value] of Object.entries({ ...headers, ...multiValueHeaders }))
    res.setHeader(
      name,
      [value].flat().map((each) => encode(`${each}`)),
    );
  if (cookies.length > 0) res.setHeader("set-cookie", cookies);
  res.removeHeader("transfer-encoding");
  res.writeHead(statusCode).end(Buffer.from(body, isBase64Encoded ? "base64" : "utf8"));
}

/** Serves a function behind a front. What it throws is AWS's 502; here it is a 500 with the error. */
const serve = (front: Front, lambda: Lambda) =>
  listen(async (req, res) => {
    try {
      // In JSON, as AWS passes it on.
      const event: unknown = JSON.parse(JSON.stringify(front.event(await receive(req))));
      write(
        (await lambda(event as never, { awsRequestId: "id" } as never, undefined as never)) as Partial<LambdaResult>,
        res,
      );
    } catch (error) {
      res.writeHead(500).end(`${error}`);
    }
  });

const row = (
  what: string,
  front: Front,
  lambda: (application: Application) => Lambda,
  more: Partial<Shape> = {},
): Shape => ({
  name: `${what} behind ${front.name}`,
  start: (application) => serve(front, lambda(application)),
  ...front.shape,
  ...more,
});

/** Libraries that call an application of Express take the path without the stage, and pass on the client's host. */
const EXPRESS: Partial<Shape> = {
  origin: "https://public.example:8443",
  stage: "",
  // They pass the answer's headers on to AWS, which encodes them once more.
  leavesOut: ["city of the answer"],
};
const inExpress = (application: Application, middleware: readonly express.RequestHandler[] = []) =>
  expressApp(express, application, () => [(_req, _res, next) => next(), ...middleware]);

/** A middleware as users write it, which keeps the body beside what was parsed of it. */
const keepRawBody = {
  before: ({ event }: { event: LambdaEvent }) => void Object.assign(event, { rawBody: event.body }),
};
/** middy's parser refuses these itself. */
const isUnparsable = ({ type, bytes, decoded }: SentBody): boolean =>
  type === "application/json" && (bytes.length === 0 || decoded !== undefined);
const UNPARSABLE = /Invalid or malformed JSON was provided/;
const REPLACED = /TypeError: toLambda: event\.body is an object, not a string: a parser replaced it/;
const parser = jsonBodyParser({ disableContentTypeError: true });

/** The function with middleware, whose types describe other events. */
const inMiddy = (application: Application, ...middleware: readonly object[]): Lambda =>
  (middy() as never as { use(all: never): { handler(handler: never): unknown } })
    .use([...middleware] as never)
    .handler(toLambda(application) as never) as Lambda;

export const shapes: readonly Shape[] = [
  ...FRONTS.map((front) => row("toLambda", front, (application) => toLambda(application))),
  row("toLambda with middy", REST_API, (application) => inMiddy(application)),
  row("toLambda with middy's JSON parser", HTTP_API, (application) => inMiddy(application, parser), {
    outcomeOf: (body) => (isUnparsable(body) ? UNPARSABLE : body.type === "application/json" ? REPLACED : "whole"),
  }),
  row(
    "toLambda with middy's JSON parser and a rawBody",
    HTTP_API,
    (application) => inMiddy(application, keepRawBody, parser),
    { outcomeOf: (body) => (isUnparsable(body) ? UNPARSABLE : "whole") },
  ),
  ...[HTTP_API, REST_API].map((front) =>
    row("serverless-http", front, (application) => serverless(inExpress(application), { binary: true }) as Lambda, {
      ...EXPRESS,
      // It decodes header values as AWS does.
      ...(front === REST_API && { repeated: "last" }),
    }),
  ),
  row(
    "serverless-http after express.json",
    HTTP_API,
    (application) => serverless(inExpress(application, [express.json({ limit: "5mb" })]), { binary: true }) as Lambda,
    {
      ...EXPRESS,
      outcomeOf: ({ type, bytes }) => (type === "application/json" && bytes.length > 0 ? PARSED : "whole"),
    },
  ),
  ...[HTTP_API, REST_API, ALB_MULTIPLE].map((front) =>
    row(
      "@codegenie/serverless-express",
      front,
      (application) =>
        configure({
          app: inExpress(application),
          binarySettings: { isBinary: true },
          respondWithErrors: true,
        }) as Lambda,
      EXPRESS,
    ),
  ),
  ...[HTTP_API, REST_API].map((front) =>
    row("Hono", front, (application) => handle(honoApp(application)) as Lambda, {
      stage: "",
      city: "percent",
      leavesOut: ["passed", "city of the answer"],
    }),
  ),
];
