/**
 * Processes each GitHub webhook once, however often and wherever it is delivered. While one delivery is processed, its
 * duplicates are asked to retry; later ones get its status. A run that froze past its lease is taken over, and D1
 * refuses its writes when it continues.
 */
import { verify } from "@octokit/webhooks-methods";
import { Hono } from "hono";
import { type Duration, fromEnv } from "leasehold";
import { d1Fence } from "leasehold/fence";
import { type DedupeVariables, dedupe, github } from "leasehold/hono";

export interface Env {
  readonly DB: D1Database;
  readonly UPSTASH_REDIS_REST_URL: string;
  readonly UPSTASH_REDIS_REST_TOKEN: string;
  readonly GITHUB_WEBHOOK_SECRET: string;
  /** How long one attempt may go without a sign of life before a redelivery takes over. */
  readonly LEASE: Duration;
  /**
   * Only for the demo and the tests: lets the header `X-Demo-Freeze` stop a delivery's first attempt for so many ms.
   */
  readonly DEMO?: string;
}

const app: Hono<{ Bindings: Env; Variables: DedupeVariables & { workMs?: number } }> = new Hono();

// The cost of the deduplication itself, for the curious: the two requests to Redis as browsers and curl show them.
app.use(async (c, next) => {
  const began = performance.now();
  await next();
  c.header("Server-Timing", `dedupe;dur=${performance.now() - began - (c.var.workMs ?? 0)}`);
});

app.post(
  "/webhooks/github",
  dedupe<{ Bindings: Env }>({
    locks: (_, { env }) => fromEnv(env, { lease: env.LEASE }),
    key: github({
      verify: (body, { headers }, { env }) => signed(env, body, headers.get("X-Hub-Signature-256") ?? ""),
    }),
    maxAttempts: 10,
  }),
  async (c) => {
    const start = performance.now();
    // One event has one X-GitHub-Delivery for all hooks.
    const id = ["X-GitHub-Hook-ID", "X-GitHub-Delivery"].flatMap((name) => c.req.header(name) ?? []).join(" ");
    const event = c.req.header("X-GitHub-Event") ?? "unknown";
    const payload = await c.req.json<{ action?: string } | null>().catch(() => null);
    if (!payload) return c.text("a body that is no JSON\n", 400);

    const { lease, attempt } = c.var;
    const fence = d1Fence(c.env.DB);
    const row = { table: "deliveries", key: { id } };
    // A new holder's first act: once its token is there, no earlier holder writes any more.
    await fence.upsert(lease, { ...row, set: {} });
    const written = c.env.DB.prepare("SELECT processed_at FROM deliveries WHERE id = ?").bind(id);
    // An earlier attempt may have written, and only died before it could say so.
    if ((await written.first("processed_at")) === null) {
      const freezeMs = c.env.DEMO && attempt === 1 ? Number(c.req.header("X-Demo-Freeze") ?? 0) : 0;
      // A machine that stands still, timers and all.
      for (const until = Date.now() + freezeMs; Date.now() < until; );
      // Here goes the work. What it writes must carry the token, as this does; what cannot carry one must bear to be
      // done twice.
      const set = { attempt, event, action: payload.action ?? null, processed_at: new Date().toISOString() };
      await fence.update(lease, { ...row, set });
    }
    c.set("workMs", performance.now() - start);
    return c.text("processed\n");
  },
);

/** The shape first: `verify` throws for an empty body and for what is not hexadecimal. */
async function signed({ GITHUB_WEBHOOK_SECRET }: Env, body: string, signature: string): Promise<boolean> {
  return body !== "" && /^sha256=[\da-f]{64}$/.test(signature) && verify(GITHUB_WEBHOOK_SECRET, body, signature);
}

app.onError((error, c) => {
  console.error(error);
  return c.text("failed\n", 500);
});

export default app;
