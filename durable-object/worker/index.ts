/**
 * A Redis for locks that needs no Redis: the Upstash REST protocol over Durable Objects. `leasehold` and its tools take
 * the URL of this Worker and the secret `LEASEHOLD_TOKEN` as `url` and `token`.
 */
import { createRestHandler, readEnvironment, type WorkerEnvironment } from "leasehold-durable-object";

export { LeaseholdObject } from "leasehold-durable-object";

export type Env = WorkerEnvironment;

const page = (origin: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>leasehold</title>
<h1>leasehold</h1>
<p>This Worker holds distributed locks in Durable Objects. It speaks the Upstash REST protocol to clients that have its token:</p>
<pre>import { createLocks } from "leasehold";

const locks = createLocks({ url: "${origin}", token: LEASEHOLD_TOKEN });</pre>
`;

type Handler = (request: Request) => Promise<Response>;
/** Secrets do not change while an isolate lives, so the handler is made once. */
let handler: Handler | undefined;

/** The handler of requests; the reason where the configuration cannot be used. It repeats no secret. */
function open(env: Env): Handler | string {
  try {
    return createRestHandler(readEnvironment(env));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const { pathname, origin } = new URL(request.url);
    if (request.method === "GET" && pathname === "/")
      return new Response(page(origin), { headers: { "content-type": "text/html; charset=utf-8" } });
    const opened = handler ?? open(env);
    if (typeof opened === "string") return Response.json({ error: `ERR ${opened}` }, { status: 503 });
    handler = opened;
    return handler(request);
  },
};
