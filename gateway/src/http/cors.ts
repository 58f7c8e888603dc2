import { mapped } from "../shared/receiver.ts";
import type { HttpRequest, HttpResponse, Stage } from "./message.ts";

/** The headers that scripts of other origins may read. */
const EXPOSED = "upstash-sync-token,x-request-id,retry-after,preference-applied,server-timing";
const METHODS = "GET,HEAD,POST,PUT";
/** How long a browser may remember the answer to a preflight request, in seconds. */
const MAX_AGE_S = "600";

/** The header in which a browser lists the headers that a page wants to send. */
const ASKED = "Access-Control-Request-Headers";

type Headers = Readonly<Record<string, string> & { vary?: string }>;

const isPreflight = ({ method }: HttpRequest): boolean => method === "OPTIONS";

/** The headers of every answer: whether the requesting page may read it. */
function headersFor(origins: readonly string[], request: HttpRequest): Headers {
  const common = { "access-control-expose-headers": EXPOSED };
  if (origins.includes("*")) return { ...common, "access-control-allow-origin": "*" };
  const origin = request.header("origin");
  // Answers differ by origin, so caches must distinguish them.
  const varying = { ...common, vary: "Origin" };
  return origin !== undefined && origins.includes(origin)
    ? { ...varying, "access-control-allow-origin": origin }
    : varying;
}

/** The answer to a preflight request. Any header may be sent, since a token decides what a request may do. */
function preflightAnswer(request: HttpRequest, common: Headers): HttpResponse {
  const headers = { ...common, "access-control-allow-methods": METHODS, "access-control-max-age": MAX_AGE_S };
  const requested = request.header("access-control-request-headers");
  if (requested === undefined) return { status: 204, headers, body: null };
  const { vary } = common;
  const varying = vary === undefined ? ASKED : `${vary}, ${ASKED}`;
  return { status: 204, headers: { ...headers, vary: varying, "access-control-allow-headers": requested }, body: null };
}

/**
 * Adds CORS to a handler: answers preflight requests, and adds headers to the other answers.
 *
 * @param origins the allowed ones, as browsers write them (`https://app.example`), or `*` for all
 * @param preflight receives the answer to a preflight request, and returns the one to send
 */
export function withCors<E>(
  origins: readonly string[],
  answer: Stage<E>,
  preflight: (extra: E, response: HttpResponse) => HttpResponse,
): Stage<E> {
  return (request, extra, to) => {
    const headers = headersFor(origins, request);
    if (isPreflight(request)) {
      to.receive(preflight(extra, preflightAnswer(request, headers)));
      return;
    }
    const withHeaders = mapped(to, (response: HttpResponse) => ({
      ...response,
      headers: { ...response.headers, ...headers },
    }));
    answer(request, extra, withHeaders);
  };
}

const ORIGIN = /^(\*|[a-z][a-z\d+.-]*:\/\/[^/\s]+)$/i;

/** @throws {TypeError} for an origin that browsers never send */
export function originsOf(value: string | readonly string[] | undefined): readonly string[] {
  const origins = value === undefined ? [] : typeof value === "string" ? [value] : value;
  for (const origin of origins) {
    if (typeof origin !== "string" || !ORIGIN.test(origin))
      throw new TypeError("corsOrigin must be an origin like https://app.example, without a path, or *");
  }
  return origins;
}
