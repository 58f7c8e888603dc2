import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { toWork } from "../shared/checks.ts";
import { decoded } from "../shared/handler-response.ts";
import { toRequest } from "../shared/host-request.ts";
import { badRequest } from "../shared/request-url.ts";
import { findBody, headOf, type NodeMessage, urlOf } from "./request.ts";

/** The part of Express's request that is used. */
export interface ExpressRequest extends Readable, NodeMessage {
  readonly originalUrl?: string | undefined;
  readonly protocol?: string | undefined;
  readonly app?: { get(setting: string): unknown } | undefined;
  readonly socket?: { readonly remoteAddress?: string | undefined } | undefined;
  /** The result of a body parser. */
  readonly body?: unknown;
  /** The bytes of the body, if earlier middleware has kept them. */
  readonly rawBody?: unknown;
}

const REMEDY = 'mount this route before express.json(), or after express.raw({ type: "*/*" })';

/** Whether a server of Node itself received the request over TLS. */
const isEncrypted = (socket: object | undefined): boolean =>
  (socket as { readonly encrypted?: unknown } | undefined)?.encrypted === true;

/**
 * Finds the host that a proxy names, if Express trusts the proxy (`trust proxy`). Express 5 has it as `req.host`, and
 * Express 4 only without its port, but both have this function in their settings.
 */
function forwardedHost({ app, socket, headers }: ExpressRequest): string | undefined {
  const named = headers["x-forwarded-host"];
  const trusts = app?.get("trust proxy fn");
  if (named === undefined || typeof trusts !== "function" || !trusts(socket?.remoteAddress, 0)) return undefined;
  return `${named}`.split(",", 1)[0]?.trim();
}

/** Sends a web-standard response. A disconnected client is no error. */
async function send(original: Response, res: ServerResponse): Promise<void> {
  const response = decoded(original);
  res.statusCode = response.status;
  if (response.statusText) res.statusMessage = response.statusText;
  for (const [name, value] of response.headers) if (name !== "set-cookie") res.setHeader(name, value);
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) res.setHeader("set-cookie", cookies);
  if (!response.body) {
    res.end();
    return;
  }
  const body = Readable.fromWeb(response.body as unknown as Parameters<typeof Readable.fromWeb>[0]);
  await pipeline(body, res).catch((error: unknown) => {
    if (!res.destroyed) throw error;
  });
}

/**
 * Makes a route of Express (5 or 4) from a function from request to response, such as `dedupe` of `leasehold/http` and
 * `cronRoute` return. The function is called with the request, then Express's own `req` and `res`; `req` has the values
 * that earlier middleware set, such as a user. Signatures need the original bytes: mount the route before
 * `express.json()`, or put `express.raw({ type: "*\/*" })` before it, which also limits the length of a body.
 *
 * Path and query of the request are those of the request line. Protocol and host are those of Express: with `trust
 * proxy`, `X-Forwarded-Proto` and `X-Forwarded-Host` count. A request with a `Host` that is not a host, with several
 * hosts, or with a target that is not a path gets 400, and the function is not called.
 *
 * The route passes to `next` what the function throws, and a TypeError for a body that is not whole: one that was
 * already parsed, or that differs in length from its `Content-Length`.
 *
 * @example
 * ```ts
 * import express from "express";
 * import { dedupe, idempotencyKey } from "leasehold/http";
 * const app = express();
 * const scope = ({ headers }: Request) => headers.get("X-Client") ?? ""; // "" is refused
 * const pay = dedupe({ locks, key: idempotencyKey(), scope }, async (request, { lease }) => {
 *   await record(lease.token);
 *   return Response.json(await request.json(), { status: 201 });
 * });
 * app.post("/payments", express.raw({ type: "*\/*" }), toExpress(pay));
 * ```
 *
 * @throws TypeError if the handler is not a function.
 */
export function toExpress<Req extends ExpressRequest, Res extends ServerResponse>(
  handler: (request: Request, req: Req, res: Res) => Response | Promise<Response>,
): (req: Req, res: Res, next: (error?: unknown) => void) => Promise<void> {
  toWork(handler, "toExpress", "toExpress(handler)", undefined, "handler");
  return async function route(req, res, next) {
    try {
      const { originalUrl, protocol = isEncrypted(req.socket) ? "https" : "http", url, headers, rawHeaders } = req;
      const line = { url: originalUrl ?? url, headers, rawHeaders };
      const found = urlOf(line, protocol, forwardedHost(req));
      if ("refused" in found) return await send(badRequest(found.refused), res);
      const body = findBody(req, [req.rawBody, req.body], REMEDY);
      const request = toRequest({ ...headOf(req), url: found.url, body });
      await send(await handler(request, req, res), res);
    } catch (error) {
      next(error);
    }
  };
}
