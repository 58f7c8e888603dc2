import { type Key, keyOf } from "../access/tokens.ts";
import type { HttpRequest, HttpResponse } from "../http/message.ts";
import { fail, respond } from "../rest/response.ts";
import { Unauthorized } from "../shared/error-answers.ts";
import type { Handler } from "./handler.ts";
import type { Pages } from "./stages.ts";

/** The pages for operators of the gateway. */
export interface Health {
  /** `/health`, `/ready` and `/metrics`. None of them throws. */
  readonly pages: Pages;
  /** Makes `/ready` answer 503 from now on. */
  drain(): void;
}

/**
 * `/health` shows that this process answers, `/ready` whether every Redis does or which databases do not, and
 * `/metrics` has the metrics.
 *
 * @param keys the tokens, of which a request needs one; without any, no token is needed
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

  const metrics = async (): Promise<HttpResponse> => ({
    status: 200,
    headers: { "content-type": handler.metrics.contentType },
    body: await handler.metrics.text(),
  });

  const guarded =
    (page: () => Promise<HttpResponse>) =>
    async (request: HttpRequest): Promise<HttpResponse> => {
      if (keys.length > 0 && keyOf(keys, request) === undefined) return fail(new Unauthorized());
      return page().catch(fail);
    };

  return {
    pages: new Map([
      ["/health", guarded(async () => respond(200, '{"status":"ok"}'))],
      ["/ready", guarded(ready)],
      ["/metrics", guarded(metrics)],
    ]),
    drain() {
      draining = true;
    },
  };
}
