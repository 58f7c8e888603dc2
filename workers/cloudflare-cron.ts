/**
 * A Cron Trigger that runs once for each time that is due, and never twice at once. Cloudflare may deliver a time
 * again, and a run may last longer than the time between two. A run that died is not made up for: the next one does
 * what was left. One that froze past its lease is refused by D1 when it wakes up.
 */
import { fromEnv } from "leasehold";
import { cloudflareCron, type Report } from "leasehold/cron";
import { d1Fence } from "leasehold/fence";

export interface Env {
  readonly DB: D1Database;
  readonly UPSTASH_REDIS_REST_URL: string;
  readonly UPSTASH_REDIS_REST_TOKEN: string;
}

const scheduled = cloudflareCron<Env>(
  {
    locks: (env) => fromEnv(env),
    name: "sessions",
    // A run that dies keeps the next one away for so long.
    lease: "30s",
    onReport: ({ name, slot, status }: Report) => console.log(`${name}, due at ${slot}: ${status}`),
  },
  async ({ name, slot, attempt, lease, token }, _controller, env) => {
    const fence = d1Fence(env.DB);
    // First, so that an earlier run that still continues can no longer write.
    await fence.claim(lease);
    const removed = await fence.write(lease, "DELETE FROM sessions WHERE expires_at <= ?", [slot]);
    // One row for each run. The same run may send this twice, when an answer is lost.
    const row = [token, name, slot, attempt, removed, new Date().toISOString()];
    await fence.write(lease, "INSERT OR IGNORE INTO runs VALUES (?, ?, ?, ?, ?, ?)", row);
  },
);

export default { scheduled } satisfies ExportedHandler<Env>;
