/** A Worker with a webhook that runs once for each delivery. */
import { Hono } from "hono";
import { fromEnv } from "leasehold";
import { type DedupeVariables, dedupe, idempotencyKey } from "leasehold/hono";

interface Env {
  readonly UPSTASH_REDIS_REST_URL: string;
  readonly UPSTASH_REDIS_REST_TOKEN: string;
}

const app: Hono<{ Bindings: Env; Variables: DedupeVariables }> = new Hono();
app.post(
  "/",
  dedupe<{ Bindings: Env }>({ locks: (_, { env }) => fromEnv(env), key: idempotencyKey(), scope: () => "all" }),
  (c) => c.text(String(c.var.lease.token)),
);

export default app;
