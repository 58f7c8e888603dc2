import express from "express";
import express4 from "express-4";
import { toExpress } from "../../../src/node/index.ts";
import type { Application } from "../application.ts";
import type { Outcome, SentBody, Shape } from "../shape.ts";
import { listen } from "./listen.ts";

/** The part of both versions that is used. */
type Express = typeof express;

type Middleware = (express: Express) => express.RequestHandler[];

export const PARSED = /TypeError: the body was parsed already, and its bytes are lost: mount this route before/;

/** An application of Express. */
export function expressApp(from: Express, application: Application, middleware: Middleware): express.Express {
  const app = from();
  app.set("trust proxy", true);
  app.use(...middleware(from), toExpress(application) as express.RequestHandler);
  app.use((error: unknown, _req: express.Request, res: express.Response, _next: express.NextFunction) => {
    res.status((error as { status?: number }).status ?? 500).send(`${error}`);
  });
  return app;
}

const limit = "5mb";
const isJson = ({ type }: SentBody): boolean => type === "application/json";
const inflated = (body: SentBody): Outcome => (body.decoded ? "decoded" : "whole");

const MIDDLEWARE: readonly (readonly [what: string, middleware: Middleware, outcomeOf?: Shape["outcomeOf"]])[] = [
  ["nothing", () => [(_req, _res, next) => next()]],
  ["express.raw", ({ raw }) => [raw({ type: "*/*", limit })], inflated],
  [
    "a parser that keeps rawBody",
    ({ json }) => [
      json({ limit, type: "*/*", strict: false, verify: (req, _res, bytes) => Object.assign(req, { rawBody: bytes }) }),
      // Most bodies of the table are no JSON.
      ((_error, _req, _res, next) => next()) as express.ErrorRequestHandler as never,
    ],
    inflated,
  ],
  [
    "express.json",
    ({ json }) => [json({ limit })],
    (body) => (isJson(body) && body.bytes.length > 0 ? PARSED : "whole"),
  ],
  ["express.text", ({ text }) => [text({ type: "*/*", limit })], ({ bytes }) => (bytes.length > 0 ? PARSED : "whole")],
  [
    "a middleware that changes the body",
    ({ raw }) => [
      raw({ type: "*/*", limit }),
      (req, _res, next) => {
        if (req.body instanceof Uint8Array && !req.headers["content-encoding"]) req.body = req.body.subarray(1);
        next();
      },
    ],
    (body) =>
      body.decoded
        ? "decoded"
        : body.bytes.length > 0
          ? /TypeError: the body has \d+ bytes, and Content-Length/
          : "whole",
  ],
];

const VERSIONS: readonly (readonly [version: string, from: Express])[] = [
  ["Express 5", express],
  ["Express 4", express4],
];

export const shapes: readonly Shape[] = [
  ...VERSIONS.flatMap(([version, from]) =>
    MIDDLEWARE.map(
      ([what, middleware, outcomeOf]): Shape => ({
        name: `${version} after ${what}`,
        start: (application) => listen(expressApp(from, application, middleware)),
        ...(outcomeOf && { outcomeOf }),
        // Its Content-Length is not there to show the change.
        ...(what.startsWith("a middleware") && { leavesOut: ["chunked"] }),
      }),
    ),
  ),
  {
    name: "node:http",
    origin: "own",
    start: (application) => {
      const route = toExpress(application);
      return listen((req, res) => void route(req, res, (error) => res.writeHead(500).end(`${error}`)));
    },
  },
];
