/**
 * A Durable Object as the protected resource. The object has one instance only, but its callers can freeze: this Worker
 * asks a bank for a balance under a lock and passes it on by RPC, with the token. The object refuses what an overtaken
 * caller says, also after it was evicted or has moved: the highest token is in its storage.
 */
import { DurableObject } from "cloudflare:workers";
import { createLocks, type Duration, fromEnv, LockTimeoutError } from "leasehold";
import { type Fenced, guard } from "leasehold/fence";

export interface Env {
  readonly ACCOUNTS: DurableObjectNamespace<Account>;
  readonly UPSTASH_REDIS_REST_URL: string;
  readonly UPSTASH_REDIS_REST_TOKEN: string;
  /** Gives the balance of an account as JSON: `{ "balance": 100 }`. */
  readonly BANK_URL: string;
  /** After how long somebody else may ask the bank although we have not ended. */
  readonly LEASE: Duration;
}

export class Account extends DurableObject<Env> {
  /** A new holder's first act, before it asks the bank: from here on no earlier one is listened to. */
  async claim(lease: Fenced): Promise<void> {
    await guard(this.ctx.storage).claim(lease);
  }

  async setBalance(lease: Fenced, balance: number): Promise<void> {
    // The check and the work are one transaction, so that others wait for it: it should do nothing but storage.
    await guard(this.ctx.storage).write(lease, (txn) => txn.put("balance", balance));
  }

  async balance(): Promise<number | null> {
    return (await this.ctx.storage.get<number>("balance")) ?? null;
  }
}

async function refresh(env: Env, id: string): Promise<void> {
  const locks = createLocks(fromEnv(env));
  await using lease = await locks.lock(`account:${id}`).acquire({ lease: env.LEASE, wait: "3s" });
  const account = env.ACCOUNTS.getByName(id);
  // Plain data travels; the lease itself stays here.
  const { name, token } = lease;
  await account.claim({ name, token });
  const answer = await fetch(`${env.BANK_URL}/${id}`);
  if (!answer.ok) throw new Error(`the bank answered ${answer.status}`);
  const { balance } = await answer.json<{ balance: number }>();
  await account.setBalance({ name, token }, balance);
}

export default {
  async fetch(request, env) {
    const [, id] = /^\/accounts\/(\w+)$/.exec(new URL(request.url).pathname) ?? [];
    if (id === undefined) return new Response("not found\n", { status: 404 });
    try {
      if (request.method === "POST") await refresh(env, id);
      return Response.json({ balance: await env.ACCOUNTS.getByName(id).balance() });
    } catch (error) {
      // By its code, since RPC brings the error's fields and not its class; and them only from compatibility date
      // 2026-04-21 on.
      if ((error as { code?: unknown }).code === "stale_token") return new Response("overtaken\n", { status: 409 });
      if (!(error instanceof LockTimeoutError)) throw error;
      return new Response("is being refreshed\n", { status: 503, headers: { "Retry-After": "1" } });
    }
  },
} satisfies ExportedHandler<Env>;
