import { findKey, type Key, presented } from "./auth.ts";
import { Unauthorized } from "./errors.ts";
import type { Handler } from "./handler.ts";
import { fail, respond } from "./respond.ts";

/** What those who look after the gateway ask. */
export interface Health {
  /** The answer to `GET /health`, `/ready` or `/metrics`; `undefined` for any other request. It never throws. */
  answer(request: Request): Promise<Response> | undefined;
  /** From now on it says that it is not ready. */
  drain(): void;
}

const PATH = /^[^/]*:\/\/[^/?]*(\/[a-z]+)(?:\?|$)/;

/**
 * `/health`: this process answers. `/ready`: every Redis answers, too. `/metrics`: what is counted.
 *
 * @param keys the tokens of which a request needs one; none are needed when there are none
 */
export function createHealth(handler: Handler, keys: readonly Key<"health">[]): Health {
  let draining = false;

  async function ready(): Promise<Response> {
    if (draining) return respond(503, '{"status":"closing"}');
    return (await handler.isReady())
      ? respond(200, '{"status":"ready"}')
      : respond(503, '{"status":"Redis does not answer"}');
  }

  const pages: ReadonlyMap<string, () => Promise<Response>> = new Map([
    ["/health", async () => respond(200, '{"status":"ok"}')],
    ["/ready", ready],
    [
      "/metrics",
      async () =>
        new Response(await handler.metrics.text(), { headers: { "content-type": handler.metrics.contentType } }),
    ],
  ]);

  async function guarded(request: Request, page: () => Promise<Response>): Promise<Response> {
    const digest = presented(request);
    if (keys.length > 0 && (digest === undefined || findKey(keys, digest) === undefined))
      return fail(new Unauthorized());
    return page().catch(fail);
  }

  return {
    answer(request) {
      if (request.method !== "GET" && request.method !== "HEAD") return undefined;
      const page = pages.get(PATH.exec(request.url)?.[1] ?? "");
      return page === undefined ? undefined : guarded(request, page);
    },
    drain() {
      draining = true;
    },
  };
}
