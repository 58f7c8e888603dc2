import type { Readable } from "node:stream";
import { toWork } from "../shared/checks.ts";
import { decoded } from "../shared/handler-response.ts";
import { type FoundBody, isBodiless, toRequest } from "../shared/host-request.ts";
import { badRequest, type RequestUrl } from "../shared/request-url.ts";
import { copyAlong, progressOf, putBack } from "./put-back.ts";
import { findBody, headOf, type NodeMessage, urlOf } from "./request.ts";

/** The part of Fastify's request that is used. */
export interface FastifyRequestLike {
  readonly raw: Readable & NodeMessage;
  readonly originalUrl: string;
  readonly protocol: string;
  /** The host, or the one that a trusted proxy names. */
  readonly host?: string | undefined;
  readonly body: unknown;
  /** The bytes of the body, if a plugin has kept them. */
  readonly rawBody?: unknown;
  readonly routeOptions?: { readonly bodyLimit?: number | undefined } | undefined;
}

/** The part of Fastify's reply that is used. */
export interface FastifyReplyLike {
  header(name: string, value: string): unknown;
  send(response: Response): unknown;
}

/** A route of Fastify: the argument of `app.post` after the path. */
export interface FastifyRoute<Req extends FastifyRequestLike, Reply> {
  /** Refuses a request without a URL, and reads the body on its way to the parser. */
  readonly preParsing: (
    request: FastifyRequestLike,
    reply: FastifyReplyLike,
    payload: Readable,
    done: (error: Error | null, payload?: Readable) => void,
  ) => void;
  readonly handler: (request: Req, reply: Reply) => Promise<Response>;
}

const REMEDY = "pass the whole route to Fastify, and let no other preParsing hook read the body before it";

/** Fastify's own default limit of a body. */
const BODY_LIMIT = 1_048_576;

const limitOf = ({ routeOptions }: FastifyRequestLike): number => routeOptions?.bodyLimit ?? BODY_LIMIT;

/** An error as Fastify makes it, which it answers with 413. */
const tooLarge = (): Error =>
  Object.assign(new Error("Request body is too large"), { code: "FST_ERR_CTP_BODY_TOO_LARGE", statusCode: 413 });

/** Finds the original URL of a request, before `rewriteUrl`. */
function urlOfRequest({ raw, originalUrl: url, protocol, host }: FastifyRequestLike): RequestUrl {
  const { headers, rawHeaders } = raw;
  const own = headers.host ?? headers[":authority"];
  return urlOf({ url, headers, rawHeaders }, protocol, host && host !== own ? host : undefined);
}

/**
 * Makes a route of Fastify 5 from a function from request to response, such as `dedupe` of `leasehold/http` and
 * `cronRoute` return. The function is called with the request, then Fastify's own `request` and `reply`. Hooks run as
 * for every route. The body is read as a whole, up to the route's `bodyLimit` (else 413), and put back for parsers and
 * plugins. For types that Fastify does not parse, such as forms, add a parser, or it answers 415.
 *
 * Path and query of the request are those of the request line. Protocol and host are those of Fastify: with
 * `trustProxy`, `X-Forwarded-Proto` and `X-Forwarded-Host` count. A request with a `Host` that is not a host, with
 * several hosts, or with a target that is not a path gets 400 before its body is parsed, and the function is not called.
 *
 * @example
 * ```ts
 * import { fastify } from "fastify";
 * import { dedupe, idempotencyKey } from "leasehold/http";
 * const app = fastify();
 * const scope = ({ headers }: Request) => headers.get("X-Client") ?? ""; // "" is refused
 * const pay = dedupe({ locks, key: idempotencyKey(), scope }, async (request, { lease }) => {
 *   await record(lease.token);
 *   return Response.json(await request.json(), { status: 201 });
 * });
 * app.post("/payments", toFastify(pay));
 * ```
 *
 * @throws TypeError if the handler is not a function. The route throws one for a body that is not whole: if its
 * `preParsing` was left out, or another hook read the body before, and neither `req.rawBody` nor `req.body` has the
 * bytes.
 */
export function toFastify<Req extends FastifyRequestLike, Reply>(
  handler: (request: Request, req: Req, reply: Reply) => Response | Promise<Response>,
): FastifyRoute<Req, Reply> {
  toWork(handler, "toFastify", "toFastify(handler)", undefined, "handler");
  const bodies = new WeakMap<object, Uint8Array>();

  function bodyOf({ raw, rawBody, body }: Req): FoundBody {
    const read = bodies.get(raw);
    return read ? { kind: "own", body: read } : findBody(raw, [rawBody, body], REMEDY);
  }

  /** @throws an error that Fastify answers with 413. */
  async function read(req: FastifyRequestLike, payload: Readable): Promise<Readable> {
    const { raw } = req;
    const limit = limitOf(req);
    const announced = Number(raw.headers["content-length"] ?? 0);
    const body = announced > limit ? undefined : await putBack(payload, limit);
    if (!body) throw tooLarge();
    bodies.set(raw, body.bytes);
    return body.stream;
  }

  return {
    preParsing(req, reply, payload, done) {
      const found = urlOfRequest(req);
      if ("refused" in found) return void reply.send(badRequest(found.refused));
      const progress = isBodiless(req.raw.method) ? "read" : progressOf(payload);
      if (progress !== "unread") {
        // At once, since code that reads the body already does not wait for the parser.
        if (progress === "begun") copyAlong(payload, limitOf(req), (bytes) => bodies.set(req.raw, bytes));
        return done(null, payload);
      }
      read(req, payload).then(
        (stream) => done(null, stream),
        (error) => {
          // As Fastify's own parsers do, since the client may still send.
          reply.header("connection", "close");
          done(error as Error);
        },
      );
    },
    async handler(req, reply) {
      const found = urlOfRequest(req);
      if ("refused" in found) return badRequest(found.refused);
      return decoded(await handler(toRequest({ ...headOf(req.raw), url: found.url, body: bodyOf(req) }), req, reply));
    },
  };
}
