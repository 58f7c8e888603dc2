/**
 * A Worker that renders an invoice and writes it to R2 and D1 under a lock. The renderer may take longer than the
 * lease, and the Worker may stop at any line: by then somebody else may hold the lock and have rendered a newer
 * version. R2 and D1 compare tokens and refuse the older one, whatever it believes to hold.
 */
import { createLocks, type Duration, fromEnv, LockTimeoutError, retryAfter } from "leasehold";
import { d1Fence, r2Fence, StaleTokenError } from "leasehold/fence";

export interface Env {
  readonly BUCKET: R2Bucket;
  readonly DB: D1Database;
  readonly UPSTASH_REDIS_REST_URL: string;
  readonly UPSTASH_REDIS_REST_TOKEN: string;
  /** Gives the PDF of an invoice as it is now. */
  readonly RENDERER_URL: string;
  /** After how long somebody else may render it although we have not ended. */
  readonly LEASE: Duration;
}

const UPSERT = `INSERT INTO invoices (id, bytes, rendered_at) VALUES (?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET bytes = excluded.bytes, rendered_at = excluded.rendered_at`;

async function render(env: Env, id: string): Promise<Response> {
  const locks = createLocks(fromEnv(env));
  await using lease = await locks.lock(`invoice:${id}`).acquire({ lease: env.LEASE, wait: "3s" });
  const objects = r2Fence(env.BUCKET);
  const rows = d1Fence(env.DB);
  // Claim first, before reading what will be written: from here on no earlier holder changes it any more. Each resource
  // for itself.
  await Promise.all([objects.claim(lease, `${id}.pdf`), rows.claim(lease)]);

  const rendered = await fetch(`${env.RENDERER_URL}/${id}`);
  if (!rendered.ok) return new Response("the renderer failed\n", { status: 502 });
  const pdf = await rendered.arrayBuffer();

  // Late is not wrong, unless somebody else was here meanwhile; and that is for them to say, not for our clock.
  await objects.put(lease, `${id}.pdf`, pdf);
  await rows.write(lease, UPSERT, [id, pdf.byteLength, new Date().toISOString()]);
  return Response.json({ id, bytes: pdf.byteLength, token: lease.token });
}

/** Reads through the fence, which keeps the token in front of the content. */
async function download(env: Env, id: string): Promise<Response> {
  const found = await r2Fence(env.BUCKET).get(`${id}.pdf`);
  if (!found?.body) return new Response("not rendered yet\n", { status: 404 });
  return new Response(found.body, { headers: { "Content-Type": "application/pdf", ETag: `"${found.etag}"` } });
}

export default {
  async fetch(request, env) {
    const [, id] = /^\/invoices\/(\w+)$/.exec(new URL(request.url).pathname) ?? [];
    if (id === undefined) return new Response("not found\n", { status: 404 });
    try {
      return await (request.method === "POST" ? render(env, id) : download(env, id));
    } catch (error) {
      if (error instanceof StaleTokenError) return new Response("a later holder was here\n", { status: 409 });
      if (!(error instanceof LockTimeoutError)) throw error;
      const headers = { "Retry-After": `${retryAfter(error)}` };
      return new Response("is being rendered\n", { status: 503, headers });
    }
  },
} satisfies ExportedHandler<Env>;
