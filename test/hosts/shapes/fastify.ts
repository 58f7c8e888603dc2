import compress from "@fastify/compress";
import formbody from "@fastify/formbody";
import multipart from "@fastify/multipart";
import { type FastifyInstance, type FastifyRequest, fastify } from "fastify";
import rawBody from "fastify-raw-body";
import { toFastify } from "../../../src/node/index.ts";
import type { Outcome, SentBody, Shape } from "../shape.ts";
import { runningOn } from "./listen.ts";

/** What is between Fastify and the route. */
type Setup = (app: FastifyInstance) => unknown;

const PARSED = /TypeError: the body was parsed already, and its bytes are lost: pass the whole route to Fastify/;

/** Fastify itself parses JSON, which must not be empty nor compressed, and text. */
function own({ type, bytes, decoded }: SentBody, chunked: boolean): Outcome {
  if (type === "application/json") return bytes.length > 0 && !decoded ? "whole" : 400;
  return type === "text/plain" || (type === "" && !chunked) ? "whole" : 415;
}

/** The same bodies, lost to the parser that reads them. */
const ownLost = (body: SentBody, chunked: boolean): Outcome =>
  own(body, chunked) === "whole" && body.bytes.length > 0 ? PARSED : own(body, chunked);

/** As `own`, and further types. */
const and =
  (types: RegExp): NonNullable<Shape["outcomeOf"]> =>
  (body, chunked) =>
    types.test(body.type) ? "whole" : own(body, chunked);

function catchAll(app: FastifyInstance): FastifyInstance {
  app.removeAllContentTypeParsers();
  return app;
}

interface Row {
  readonly what: string;
  readonly setup: Setup;
  readonly outcomeOf?: NonNullable<Shape["outcomeOf"]>;
  /** Whether a user mounts only the route's handler, as in a controller. */
  readonly handlerOnly?: boolean;
}

const ROWS: readonly Row[] = [
  { what: "nothing", setup: () => {}, outcomeOf: own },
  { what: "@fastify/formbody", setup: (app) => app.register(formbody), outcomeOf: and(/urlencoded/) },
  { what: "@fastify/multipart", setup: (app) => app.register(multipart), outcomeOf: and(/multipart/) },
  {
    what: "@fastify/multipart that attaches the fields",
    setup: (app) => app.register(multipart, { attachFieldsToBody: true }),
    outcomeOf: and(/multipart/),
  },
  {
    what: "@fastify/compress",
    setup: (app) =>
      catchAll(app)
        .register(compress)
        .after(() => parseNothing(app)),
    outcomeOf: ({ decoded }) => (decoded ? "decoded" : "whole"),
  },
  { what: "fastify-raw-body", setup: (app) => app.register(rawBody), outcomeOf: own },
  {
    what: "fastify-raw-body that runs first, with text",
    setup: (app) => app.register(rawBody, { runFirst: true }),
    outcomeOf: own,
  },
  {
    what: "fastify-raw-body that runs first, with bytes",
    setup: (app) => app.register(rawBody, { runFirst: true, encoding: false }),
    outcomeOf: own,
  },
  {
    what: "a parser of buffers",
    setup: (app) =>
      catchAll(app).addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body)),
  },
  { what: "a parser that leaves the stream", setup: (app) => parseNothing(catchAll(app)) },
  {
    what: "a parser that reads the stream by its events",
    setup: (app) =>
      catchAll(app).addContentTypeParser("*", (_request, payload, done) => {
        let text = "";
        payload.on("data", (chunk: Buffer) => {
          text += chunk.toString();
        });
        payload.on("end", () => done(null, text));
      }),
  },
  {
    what: "a parser of streams, with the handler alone",
    setup: (app) => parseNothing(catchAll(app)),
    handlerOnly: true,
  },
  {
    what: "its own parsers, with the handler alone",
    setup: () => {},
    handlerOnly: true,
    outcomeOf: ownLost,
  },
];

function parseNothing(app: FastifyInstance): void {
  app.addContentTypeParser("*", (_request: FastifyRequest, _payload, done) => done(null));
}

const LIMIT = 5_000_000;

export const shapes: readonly Shape[] = ROWS.map(({ what, setup, outcomeOf, handlerOnly }) => ({
  name: `Fastify after ${what}`,
  ...(outcomeOf && { outcomeOf }),
  async start(application) {
    const app = fastify({ trustProxy: true, bodyLimit: LIMIT });
    app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) =>
      reply.code(error.statusCode ?? 500).send(`${error}`),
    );
    await setup(app);
    const route = toFastify<FastifyRequest, unknown>(application);
    app.all("/*", handlerOnly ? { handler: route.handler } : route);
    await app.listen({ port: 0, host: "127.0.0.1" });
    return { ...runningOn(app.server), close: () => app.close() };
  },
}));
