import { type Readable, Transform } from "node:stream";
import { toWork } from "../shared/checks.ts";
import { badRequest, type RequestUrl } from "../shared/request-url.ts";
import { hasBody, type NodeMessage, toRequest, urlOf } from "./request.ts";

/** The part of Fastify's request that is used. */
export interface FastifyRequestLike {
  readonly raw: NodeMessage;
  readonly originalUrl: string;
  readonly protocol: string;
  readonly body: unknown;
}

/** The part of Fastify's reply that is used. */
export interface FastifyReplyLike {
  send(response: Response): unknown;
}

/** A route of Fastify: the argument of `app.post` after the path. */
export interface FastifyRoute<Req extends FastifyRequestLike, Reply> {
  /** Refuses a request without a URL, and keeps the bytes of the body on their way to the parser. */
  readonly preParsing: (request: FastifyRequestLike, reply: FastifyReplyLike, payload: Readable) => Promise<Readable>;
  readonly handler: (request: Req, reply: Reply) => Promise<Response>;
}

/** Finds the original URL of a request, before `rewriteUrl`. */
const urlOfRequest = ({ raw, originalUrl: url, protocol }: FastifyRequestLike): RequestUrl =>
  urlOf({ url, headers: raw.headers, rawHeaders: raw.rawHeaders }, protocol);

/**
 * Makes a route of Fastify 5 from a function from request to response, such as `dedupe` of `leasehold/http` and
 * `cronRoute` return. The function is called with the request, then Fastify's own `request` and `reply`. Hooks run as
 * for every route. The original bytes are kept; Fastify also parses them and limits their length (`bodyLimit`); for
 * types that Fastify does not parse, such as forms, add a parser, or it answers 415.
 *
 * Path and query of the request are those of the request line. A request with a `Host` that is not a host, with several
 * hosts, or with a target that is not a path gets 400 before its body is parsed, and the function is not called.
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
 * @throws TypeError if the handler is not a function. The route throws one if its `preParsing` was left out and the
 * body was parsed.
 */
export function toFastify<Req extends FastifyRequestLike, Reply>(
  handler: (request: Request, req: Req, reply: Reply) => Response | Promise<Response>,
): FastifyRoute<Req, Reply> {
  toWork(handler, "toFastify", "toFastify(handler)", undefined, "handler");
  const bodies = new WeakMap<object, Uint8Array[]>();

  /** @throws TypeError for a body that was parsed and not kept. */
  function bodyOf({ raw, body }: Req): Uint8Array | undefined {
    const chunks = bodies.get(raw);
    if (chunks) return Buffer.concat(chunks);
    if (body instanceof Uint8Array) return body;
    if (body === undefined || !hasBody(raw)) return undefined;
    throw new TypeError("the body was parsed already, and its bytes are lost: pass the whole route to Fastify");
  }

  return {
    async preParsing(req, reply, payload) {
      const { raw } = req;
      const found = urlOfRequest(req);
      if ("refused" in found) {
        await reply.send(badRequest(found.refused));
        return payload;
      }
      const chunks: Uint8Array[] = [];
      bodies.set(raw, chunks);
      const keeper = new Transform({
        transform(chunk: Uint8Array, _encoding, done) {
          chunks.push(chunk);
          done(null, chunk);
        },
      });
      payload.on("error", (error) => keeper.destroy(error));
      return payload.pipe(keeper);
    },
    async handler(req, reply) {
      const found = urlOfRequest(req);
      if ("refused" in found) return badRequest(found.refused);
      return handler(toRequest(req.raw, found.url, bodyOf(req)), req, reply);
    },
  };
}
