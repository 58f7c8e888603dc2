/**
 * An export that takes longer than a request may. `fetch` acquires the lock, so that the next request is refused at
 * once, and sends the lease's ticket in a queue message. The consumer continues under the same lease and releases it. A
 * duplicate of the message changes nothing. If the message is lost or the consumer dies, the lease expires; the queue's
 * next delivery begins again, unless another request has.
 */
import { createLocks, type Duration, fromEnv, type Lease, type Locks, retryAfter } from "leasehold";
import { r2Fence } from "leasehold/fence";
import { takeOver } from "leasehold/queue";

interface Job {
  readonly tenant: string;
  /** A secret: anyone who has it can extend the lease and release it. */
  readonly ticket: string;
}
export interface Env {
  readonly BUCKET: R2Bucket;
  readonly JOBS: Queue<Job>;
  readonly UPSTASH_REDIS_REST_URL: string;
  readonly UPSTASH_REDIS_REST_TOKEN: string;
  /** Returns the data of a tenant, as CSV. */
  readonly SOURCE_URL: string;
  /** Longer than a message usually waits in the queue. */
  readonly LEASE: Duration;
}

const locksOf = (env: Env): Locks => createLocks(fromEnv(env, { lease: env.LEASE }));

async function exportAll({ BUCKET, SOURCE_URL }: Env, tenant: string, lease: Lease): Promise<void> {
  const fence = r2Fence(BUCKET);
  await fence.claim(lease, `${tenant}.csv`);
  const source = await fetch(`${SOURCE_URL}/${tenant}`, { signal: lease.signal });
  if (!source.ok) throw new Error(`the source answered ${source.status}`);
  await fence.put(lease, `${tenant}.csv`, await source.arrayBuffer());
}

/** Returns the seconds until the message should be redelivered; undefined when there is nothing left to do. */
async function consume(env: Env, { tenant, ticket }: Job): Promise<number | undefined> {
  const lock = locksOf(env).lock(`export:${tenant}`);
  const job = await takeOver(lock, ticket, (lease) => exportAll(env, tenant, lease));
  // The message came late, and another export has begun, which is newer than this one.
  if (job.status === "held") return undefined;
  return retryAfter(job);
}

export default {
  async fetch(request, env) {
    const [, tenant] = /^\/exports\/(\w+)$/.exec(new URL(request.url).pathname) ?? [];
    if (tenant === undefined || request.method !== "POST") return new Response("not found\n", { status: 404 });
    const lease = await locksOf(env).lock(`export:${tenant}`).tryAcquire();
    if (!lease) return new Response("an export is running\n", { status: 409 });
    try {
      await env.JOBS.send({ tenant, ticket: lease.ticket() });
    } catch (error) {
      await lease.release();
      throw error;
    }
    return Response.json({ tenant, token: lease.token }, { status: 202 });
  },

  async queue({ messages }, env) {
    for (const message of messages) {
      const again = await consume(env, message.body);
      if (again === undefined) message.ack();
      else message.retry({ delaySeconds: again });
    }
  },
} satisfies ExportedHandler<Env, Job>;
