/**
 * A Vercel Cron Job, as a route handler of Next.js (`app/api/report/route.ts`) or a plain function. Vercel may call it
 * twice for one night, late, or while last night's run still continues. It runs once for each night, and never twice at
 * once. If it throws, Vercel sees the error, and the next call for that night runs it again. For `vercel.json` and
 * CRON_SECRET, see docs/cron.md.
 */
import { fromEnv } from "leasehold";
import { cronRoute } from "leasehold/cron";
import { redisFence } from "leasehold/fence";

/** In seconds. What is still running then, Vercel ends; the lease lasts that long. */
export const maxDuration = 60;

// Reads the environment with the first request: while Next.js builds there is none.
const locks = fromEnv();

export const GET: (request: Request) => Promise<Response> = cronRoute(
  { locks, name: "report", schedule: "0 3 * * *", maxDuration },
  async ({ slot, lease, signal }) => {
    const reports = redisFence(locks);
    // First, so that an earlier run that still continues can no longer write.
    await reports.claim(lease);
    const orders = await fetch(`${process.env.SHOP_URL}/orders?until=${slot}`, { signal });
    if (!orders.ok) throw new Error(`the shop answered ${orders.status}`);
    const { total } = (await orders.json()) as { total: number };
    await reports.write(lease, JSON.stringify({ slot, total }));
  },
);
