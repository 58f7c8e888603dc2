/**
 * An export that takes longer than a request may. `fetch` takes the lock, so that the next one is told no at once, and
 * sends its ticket by a queue; the consumer goes on with the same lease and releases it. A message that comes twice
 * changes nothing. One that never comes, or a consumer that dies, leaves the lock to the end of its lease; the queue's
 * next try begins anew when nobody else has.
 */
import { createLocks, type Duration, fromEnv, type Lease, type Locks } from "leasehold";
import { r2Fence } from "leasehold/fence";

interface Job {
  readonly tenant: string;
  /** A secret: who has it can extend the lease and release it. */
  readonly ticket: string;
}
export interface Env {
  readonly BUCKET: R2Bucket;
  readonly JOBS: Queue<Job>;
  readonly UPSTASH_REDIS_REST_URL: string;
  readonly UPSTASH_REDIS_REST_TOKEN: string;
  /** Gives all that a tenant has, as CSV. */
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

/** Gives the seconds after which to come again, or undefined when there is nothing left to do. */
async function consume(env: Env, { tenant, ticket }: Job): Promise<number | undefined> {
  const locks = locksOf(env);
  const handed = await locks.resume(ticket);
  // Two copies of a message have the same lease, so what keeps them apart is the job, remembered for longer than a
  // queue keeps them.
  const job = locks.once(`export:${tenant}:${handed.token}`, { ttl: "15d" });
  const work = async (): Promise<string> => {
    // Over when the message came late, or when the last try has released it: then as anybody, if it is free.
    const lease = (await handed.verify()) ? handed : await locks.lock(`export:${tenant}`).tryAcquire();
    if (!lease) return "somebody else has begun";
    await lease.keepAlive({}, (held) => exportAll(env, tenant, held));
    return "exported";
  };
  // Both leases last as long as the work: the attempt's, and the lock's, which its keepAlive also releases.
  const turn = await job.run(work, { keepAlive: true });
  return turn.status === "running" ? Math.ceil(turn.retryAfterMs / 1000) : undefined;
}

export default {
  async fetch(request, env) {
    const [, tenant] = /^\/exports\/(\w+)$/.exec(new URL(request.url).pathname) ?? [];
    if (tenant === undefined || request.method !== "POST") return new Response("not found\n", { status: 404 });
    const lease = await locksOf(env).lock(`export:${tenant}`).tryAcquire();
    if (!lease) return new Response("an export is under way\n", { status: 409 });
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
