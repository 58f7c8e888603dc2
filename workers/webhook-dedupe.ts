/** GitHub's webhooks, each processed once, however often and wherever it is delivered. */
import { verify } from "@octokit/webhooks-methods";
import { type Context, Hono } from "hono";
import { connect, type Duration, LeaseholdError, LeaseLostError, once } from "leasehold";
import { claim, record, StaleWriteError } from "./deliveries.ts";

export interface Env {
  readonly DB: D1Database;
  readonly UPSTASH_REDIS_REST_URL: string;
  readonly UPSTASH_REDIS_REST_TOKEN: string;
  readonly GITHUB_WEBHOOK_SECRET: string;
  /** How long one attempt may take before a redelivery takes over. */
  readonly LEASE: Duration;
  /** Only for the demo and the tests: lets the header `X-Demo-Freeze` stop a delivery's first attempt for so many ms. */
  readonly DEMO?: string;
}

const app: Hono<{ Bindings: Env }> = new Hono();

app.post("/webhooks/github", async (c) => {
  const { env } = c;
  const body = await c.req.text();
  const signature = c.req.header("X-Hub-Signature-256") ?? "";
  // The shape first: `verify` throws for an empty body and for what is not hexadecimal.
  const signed = body !== "" && /^sha256=[\da-f]{64}$/.test(signature);
  if (!signed || !(await verify(env.GITHUB_WEBHOOK_SECRET, body, signature))) return c.text("bad signature\n", 401);

  const id = c.req.header("X-GitHub-Delivery") ?? "";
  const payload = await c.req.json<{ action?: string } | null>().catch(() => null);
  if (!/^[\w-]{1,64}$/.test(id) || !payload) return c.text("no delivery id, or a body that is no JSON\n", 400);
  const event = c.req.header("X-GitHub-Event") ?? "unknown";

  const redis = connect({ url: env.UPSTASH_REDIS_REST_URL, token: env.UPSTASH_REDIS_REST_TOKEN });
  const delivery = once(redis, `github:${id}`, { lease: env.LEASE, ttl: "24h", maxAttempts: 10, fingerprint: body });
  const began = performance.now();
  let workMs = 0;
  const outcome = await delivery.run(async ({ lease, attempt }) => {
    const start = performance.now();
    if (await claim(env.DB, id, lease.token)) {
      const freezeMs = env.DEMO && attempt === 1 ? Number(c.req.header("X-Demo-Freeze") ?? 0) : 0;
      if (freezeMs > 0) await new Promise((resolve) => setTimeout(resolve, freezeMs));
      // Here goes the work. What it writes must carry the token, as this does; what cannot carry one must bear to be done twice.
      await record(env.DB, { id, token: lease.token, attempt, event, action: payload.action });
    }
    workMs = performance.now() - start;
    return { event, attempt };
  }, c.executionCtx);
  c.header("Server-Timing", `dedupe;dur=${performance.now() - began - workMs}`);

  switch (outcome.status) {
    case "done":
      return answer(c, outcome.fresh ? "processed" : "duplicate", 200);
    case "running":
      // Not 2xx: if the attempt that runs dies, this sender must come again.
      return answer(c, "running", 409, outcome.retryAfterMs);
    default:
      // A body that differs from the one before, or ten attempts that died or failed. 2xx would hide the loss and 5xx ask for more
      // of the same; 4xx shows it as failed at the sender.
      return answer(c, outcome.status, 422);
  }
});

app.onError((error, c) => {
  // Somebody else has the delivery now, and may fail yet: the sender must come again.
  if (error instanceof StaleWriteError) return answer(c, "stale", 409, 1000);
  if (error instanceof LeaseLostError) return answer(c, "lost", 409, 1000);
  console.error(error);
  return error instanceof LeaseholdError ? answer(c, "unavailable", 503, 1000) : answer(c, "failed", 500);
});

function answer(c: Context, status: string, code: 200 | 409 | 422 | 500 | 503, retryAfterMs?: number): Response {
  c.header("Leasehold-Status", status);
  if (retryAfterMs !== undefined) c.header("Retry-After", String(Math.ceil(retryAfterMs / 1000)));
  return c.text(`${status}\n`, code);
}

export default app;
