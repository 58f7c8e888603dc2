import { Hono } from "hono";
import { cors } from "hono/cors";

const MAX_AGE_S = 600;
/** Those that scripts of other origins may read. */
const EXPOSED = ["upstash-sync-token", "x-request-id", "retry-after"];

/**
 * A handler that answers what browsers ask of other origins, in front of one that knows nothing of it.
 *
 * @param origins those that are allowed, as browsers write them (`https://app.example`), or `*` for all
 */
export function withCors<E>(
  origins: readonly string[],
  answer: (request: Request, extra: E) => Promise<Response>,
): (request: Request, extra: E) => Promise<Response> {
  const app = new Hono<{ Bindings: { readonly extra: E } }>();
  const allowMethods = ["GET", "HEAD", "POST", "PUT"];
  const origin = origins.includes("*") ? "*" : [...origins];
  app.use(cors({ origin, allowMethods, exposeHeaders: EXPOSED, maxAge: MAX_AGE_S }));
  app.all("*", (context) => answer(context.req.raw, context.env.extra));
  return async (request, extra) => app.fetch(request, { extra });
}

const ORIGIN = /^(\*|[a-z][a-z\d+.-]*:\/\/[^/\s]+)$/i;

/** @throws {TypeError} for an origin that no browser would send */
export function originsOf(value: string | readonly string[] | undefined): readonly string[] {
  const origins = value === undefined ? [] : typeof value === "string" ? [value] : value;
  for (const origin of origins) {
    if (typeof origin !== "string" || !ORIGIN.test(origin))
      throw new TypeError("corsOrigin must be an origin like https://app.example, without a path, or *");
  }
  return origins;
}
