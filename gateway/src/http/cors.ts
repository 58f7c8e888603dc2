import { Hono } from "hono";
import { cors } from "hono/cors";
import { mapped } from "../shared/receiver.ts";
import type { HttpRequest, HttpResponse, Stage } from "./message.ts";

const MAX_AGE_S = 600;
/** The headers that scripts of other origins may read. */
const EXPOSED = ["upstash-sync-token", "x-request-id", "retry-after"];
/** The headers by which browsers describe the page that asks. */
const ASKED = ["origin", "access-control-request-method", "access-control-request-headers"];

type Headers = Readonly<Record<string, string>>;

const withHeaders = (response: HttpResponse, headers: Headers): HttpResponse => ({
  ...response,
  headers: { ...response.headers, ...headers },
});

const isPreflight = ({ method }: HttpRequest): boolean => method === "OPTIONS";

/**
 * Adds CORS to a handler: answers preflight requests, and adds headers to the other answers. Hono's middleware decides
 * both, from a request with nothing else in it.
 *
 * @param origins the allowed ones, as browsers write them (`https://app.example`), or `*` for all
 * @param preflight is called with the answer to a preflight request, and gives it
 */
export function withCors<E>(
  origins: readonly string[],
  answer: Stage<E>,
  preflight: (extra: E, response: HttpResponse) => HttpResponse,
): Stage<E> {
  const app = new Hono();
  const allowMethods = ["GET", "HEAD", "POST", "PUT"];
  const origin = origins.includes("*") ? "*" : [...origins];
  app.use(cors({ origin, allowMethods, exposeHeaders: EXPOSED, maxAge: MAX_AGE_S }));
  app.all("*", (context) => context.body(null));
  async function headersFor(request: HttpRequest): Promise<{ status: number; headers: Headers }> {
    const headers = ASKED.flatMap((name): [string, string][] => {
      const value = request.header(name);
      return value === undefined ? [] : [[name, value]];
    });
    const method = isPreflight(request) ? "OPTIONS" : "GET";
    const said = await app.request("/", { method, headers });
    return { status: said.status, headers: Object.fromEntries(said.headers) };
  }
  return (request, extra, to) => {
    headersFor(request)
      .then(({ status, headers }) => {
        if (isPreflight(request)) to.receive(preflight(extra, { status, headers, body: null }));
        else
          answer(
            request,
            extra,
            mapped(to, (response) => withHeaders(response, headers)),
          );
      })
      .catch((error: unknown) => to.fail(error));
  };
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
