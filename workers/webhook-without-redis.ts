/**
 * GitHub's webhooks into D1, each once, without a Redis: the locks are Durable Objects of this Worker. A run that froze
 * past its lease is taken over, and D1 refuses what it writes when it wakes up.
 */
import { createLocks, type Duration } from "leasehold";
import { d1Fence } from "leasehold/fence";
import { dedupe, github } from "leasehold/http";
import { durableObject, type LeaseholdNamespace } from "leasehold-durable-object";

export { LeaseholdObject } from "leasehold-durable-object";

export interface Env {
  readonly DB: D1Database;
  readonly LEASEHOLD: LeaseholdNamespace;
  readonly GITHUB_WEBHOOK_SECRET: string;
  /** How long one attempt may take before a redelivery takes over. */
  readonly LEASE: Duration;
}

async function isSigned(secret: string, body: string, signature: string): Promise<boolean> {
  if (!/^sha256=[\da-f]{64}$/.test(signature)) return false;
  const encode = (text: string) => new TextEncoder().encode(text);
  const digits = signature.slice("sha256=".length).match(/../g) ?? [];
  const bytes = Uint8Array.from(digits, (pair) => Number.parseInt(pair, 16));
  const key = await crypto.subtle.importKey("raw", encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [
    "verify",
  ]);
  return crypto.subtle.verify("HMAC", key, bytes, encode(body));
}

const hook = dedupe<[Env, ExecutionContext]>(
  {
    locks: (_, env) => createLocks({ redis: durableObject(env.LEASEHOLD), lease: env.LEASE }),
    key: github({
      verify: (body, { headers }, env) =>
        isSigned(env.GITHUB_WEBHOOK_SECRET, body, headers.get("X-Hub-Signature-256") ?? ""),
    }),
  },
  async ({ headers }, { lease, attempt }, env) => {
    const fence = d1Fence(env.DB);
    // One event has one X-GitHub-Delivery for all hooks.
    const id = ["X-GitHub-Hook-ID", "X-GitHub-Delivery"].flatMap((name) => headers.get(name) ?? []).join(" ");
    const row = { table: "deliveries", key: { id } };
    // The first act of a new attempt: once its token is stored, no earlier attempt can write.
    await fence.upsert(lease, { ...row, set: {} });
    const event = headers.get("X-GitHub-Event") ?? "unknown";
    await fence.update(lease, { ...row, set: { attempt, event, processed_at: new Date().toISOString() } });
    return new Response("processed\n");
  },
);

export default { fetch: hook } satisfies ExportedHandler<Env>;
