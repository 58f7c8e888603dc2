/** A route that Vercel's Cron Jobs call. */
import { createLocks } from "leasehold";
import { cronRoute } from "leasehold/cron";

export const maxDuration = 60;

const locks = createLocks({
  url: process.env.UPSTASH_REDIS_REST_URL,
  token: process.env.UPSTASH_REDIS_REST_TOKEN,
});

export const GET = cronRoute(
  { locks, name: "nightly", schedule: "0 3 * * *", secret: process.env.CRON_SECRET, maxDuration },
  async ({ slot }) => {
    globalThis.slots = [...(globalThis.slots ?? []), slot];
  },
);
