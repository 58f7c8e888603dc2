/**
 * Durable Objects in several regions, one of which follows a price feed; containers may campaign beside them. An object
 * is evicted about a minute after its last event, whatever its timers do. So an alarm comes more often than that: it
 * keeps the campaign in memory, and begins it anew after an eviction or a new version. Cloudflare bills for that time.
 */
import { DurableObject } from "cloudflare:workers";
import { createLocks, type Duration, fromEnv, type Lease } from "leasehold";
import { elect } from "leasehold/elect";
import { d1Fence } from "leasehold/fence";

export interface Env {
  readonly FOLLOWERS: DurableObjectNamespace<Follower>;
  readonly DB: D1Database;
  readonly UPSTASH_REDIS_REST_URL: string;
  readonly UPSTASH_REDIS_REST_TOKEN: string;
  /** Answers with the next price as soon as there is one. */
  readonly FEED_URL: string;
  /** For how long a leader that dies keeps the others out. */
  readonly LEASE: Duration;
  /** In ms, at most half a minute. */
  readonly ALARM: string;
}

export class Follower extends DurableObject<Env> {
  #stop = new AbortController();
  #campaign: Promise<void> | undefined;

  async start(): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(Date.now());
  }

  override async alarm(): Promise<void> {
    // Set first, so that it runs again whatever happens here.
    await this.ctx.storage.setAlarm(Date.now() + Number(this.env.ALARM));
    this.#campaign ??= this.#run()
      .catch((error) => console.error("campaigns again at the next alarm:", error))
      .finally(() => {
        this.#campaign = undefined;
      });
  }

  async stop(): Promise<void> {
    await this.ctx.storage.deleteAlarm();
    this.#stop.abort();
    await this.#campaign;
    this.#stop = new AbortController();
  }

  #run(): Promise<void> {
    const { signal } = this.#stop;
    return elect(createLocks(fromEnv(this.env)), "price feed", {
      lease: this.env.LEASE,
      label: `${this.ctx.id}`,
      signal,
      onGained: (lease) => this.#follow(lease),
    });
  }

  async #follow(lease: Lease): Promise<void> {
    // Aborts when the campaign ends, too.
    const { signal } = lease;
    while (!signal.aborted) {
      try {
        const price = await (await fetch(this.env.FEED_URL, { signal })).text();
        // Refused once another has led and written.
        await d1Fence(this.env.DB).upsert(lease, { table: "prices", key: { feed: 1 }, set: { price } });
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    }
  }
}

export default {
  /** A Cron Trigger starts them, and starts them again should an alarm be lost. */
  async scheduled(_, env) {
    for (const region of ["weur", "enam"] as const)
      await env.FOLLOWERS.getByName(region, { locationHint: region }).start();
  },
} satisfies ExportedHandler<Env>;
