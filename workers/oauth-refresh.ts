/**
 * A Worker that calls an API for many users, with OAuth. A refresh token works once, so of all requests that find the
 * access token expired, one refreshes it and the others wait. If that one fails, a waiter tries. If it freezes, its late
 * write finds another version of the grant and changes nothing. The tokens stay in D1: Redis stores only that a version
 * was replaced.
 */
import { createLocks, retryAfter } from "leasehold";

export interface Env {
  readonly DB: D1Database;
  readonly UPSTASH_REDIS_REST_URL: string;
  readonly UPSTASH_REDIS_REST_TOKEN: string;
  /** The provider: `POST /token` refreshes, `GET /profile` wants an access token. */
  readonly PROVIDER_URL: string;
  readonly CLIENT_ID: string;
  readonly CLIENT_SECRET: string;
}
/** What a user has granted. `version` rises with each refresh. */
interface Grant {
  readonly version: number;
  readonly access_token: string;
  readonly refresh_token: string;
  /** In ms since 1970. */
  readonly expires_at: number;
}

const grantOf = (env: Env, user: string): Promise<Grant | null> =>
  env.DB.prepare("SELECT * FROM grants WHERE user = ?").bind(user).first<Grant>();

async function refresh(env: Env, user: string, grant: Grant): Promise<void> {
  const { CLIENT_ID: client_id, CLIENT_SECRET: client_secret, PROVIDER_URL } = env;
  const { version, refresh_token } = grant;
  const body = new URLSearchParams({ grant_type: "refresh_token", refresh_token, client_id, client_secret });
  const answer = await fetch(`${PROVIDER_URL}/token`, { method: "POST", body, signal: AbortSignal.timeout(15_000) });
  if (!answer.ok) throw new Error(`the provider answered ${answer.status}`);
  // A provider that does not replace the refresh token leaves it out.
  const next = await answer.json<{ access_token: string; refresh_token?: string; expires_in: number }>();
  await env.DB.prepare(
    `UPDATE grants SET version = version + 1, access_token = ?, refresh_token = ?, expires_at = ?
      WHERE user = ? AND version = ?`,
  )
    .bind(next.access_token, next.refresh_token ?? refresh_token, Date.now() + next.expires_in * 1000, user, version)
    .run();
}

/** Returns an access token that is valid for a minute or more; undefined for a user who has granted nothing. */
async function accessToken(env: Env, user: string): Promise<string | undefined> {
  const grant = await grantOf(env, user);
  if (!grant || grant.expires_at > Date.now() + 60_000) return grant?.access_token;
  const locks = createLocks({ url: env.UPSTASH_REDIS_REST_URL, token: env.UPSTASH_REDIS_REST_TOKEN });
  // All requests that have read this version use the same key, so its refresh token is used once. The ttl is longer
  // than a request that has read the old version can be late.
  const once = locks.once(`oauth:${user}:${grant.version}`, { lease: "20s", ttl: "5m" });
  await once.run({ wait: "10s" }, () => refresh(env, user, grant));
  return (await grantOf(env, user))?.access_token;
}

export default {
  async fetch(request, env) {
    const [, user] = /^\/users\/(\w+)\/profile$/.exec(new URL(request.url).pathname) ?? [];
    if (user === undefined) return new Response("not found\n", { status: 404 });
    try {
      const token = await accessToken(env, user);
      if (token === undefined) return new Response("log in first\n", { status: 401 });
      return await fetch(`${env.PROVIDER_URL}/profile`, { headers: { Authorization: `Bearer ${token}` } });
    } catch (error) {
      const seconds = retryAfter(error);
      const headers = seconds === undefined ? {} : { "Retry-After": `${seconds}` };
      return new Response("the access token could not be refreshed\n", { status: 503, headers });
    }
  },
} satisfies ExportedHandler<Env>;
