import { type Key, keyOf } from "../access/tokens.ts";
import { type HttpRequest, type HttpResponse, isBodiless, pathOf } from "../http/message.ts";
import { fail, respond } from "../rest/response.ts";
import { Unauthorized } from "../shared/error-answers.ts";
import type { Handler } from "./handler.ts";

/** The pages for operators of the gateway. */
export interface Health {
  /** The answer to `GET /health`, `/ready` or `/metrics`; `undefined` for any other request. It never throws. */
  answer(request: HttpRequest): Promise<HttpResponse> | undefined;
  /** Makes `/ready` answer 503 from now on. */
  drain(): void;
}

/**
 * `/health` says that this process answers, `/ready` whether every Redis does, or else which databases' do not, and
 * `/metrics` has the metrics.
 *
 * @param keys the tokens of which a request needs one; without any, no token is needed
 */
export function createHealth(handler: Handler, keys: readonly Key<"health">[]): Health {
  let draining = false;

  async function ready(): Promise<HttpResponse> {
    if (draining) return respond(503, '{"status":"closing"}');
    const databases = await handler.missing();
    return databases.length === 0
      ? respond(200, '{"status":"ready"}')
      : respond(503, JSON.stringify({ status: "Redis does not answer", databases }));
  }

  const pages: ReadonlyMap<string, () => Promise<HttpResponse>> = new Map([
    ["/health", async () => respond(200, '{"status":"ok"}')],
    ["/ready", ready],
    [
      "/metrics",
      async () => ({
        status: 200,
        headers: { "content-type": handler.metrics.contentType },
        body: await handler.metrics.text(),
      }),
    ],
  ]);

  async function guarded(request: HttpRequest, page: () => Promise<HttpResponse>): Promise<HttpResponse> {
    if (keys.length > 0 && keyOf(keys, request) === undefined) return fail(new Unauthorized());
    return page().catch(fail);
  }

  return {
    answer(request) {
      const page = isBodiless(request.method) ? pages.get(pathOf(request.target)) : undefined;
      return page === undefined ? undefined : guarded(request, page);
    },
    drain() {
      draining = true;
    },
  };
}
