/**
 * A Redis for locks that needs no Redis: the Upstash REST protocol over Durable Objects. `leasehold` and its tools take
 * the URL of this Worker and the secret `LEASEHOLD_TOKEN` as `url` and `token`.
 */
import { createRestHandler, type LeaseholdNamespace, type RestToken } from "leasehold-durable-object";

export { LeaseholdObject } from "leasehold-durable-object";

export interface Env {
  readonly LEASEHOLD: LeaseholdNamespace;
  /** The token of clients that may lock. At least 16 characters. */
  readonly LEASEHOLD_TOKEN?: string;
  /** A token that may only read. */
  readonly LEASEHOLD_READ_TOKEN?: string;
  /** Tokens of tenants as JSON: `[{ "token": "…", "tenant": "acme", "readOnly": false }, …]`. */
  readonly LEASEHOLD_TENANTS?: string;
}

function tokensOf(env: Env): RestToken[] {
  const tokens: RestToken[] = JSON.parse(env.LEASEHOLD_TENANTS ?? "[]");
  if (env.LEASEHOLD_TOKEN !== undefined) tokens.push({ token: env.LEASEHOLD_TOKEN });
  if (env.LEASEHOLD_READ_TOKEN !== undefined) tokens.push({ token: env.LEASEHOLD_READ_TOKEN, readOnly: true });
  return tokens;
}

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

/** The handler of requests; the reason where the secrets cannot be used. */
function open(env: Env): Handler | string {
  try {
    const tokens = tokensOf(env);
    if (tokens.length === 0) return "no token is set: npx wrangler secret put LEASEHOLD_TOKEN";
    return createRestHandler({ namespace: env.LEASEHOLD, tokens });
  } catch (error) {
    // What JSON.parse quotes may be a token.
    return error instanceof SyntaxError ? "LEASEHOLD_TENANTS is not JSON" : String(error);
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
