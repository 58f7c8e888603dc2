/** A route of Next.js: one report at a time, and the lock is released after the response. */
import { waitUntil } from "@vercel/functions";
import { createLocks, LockTimeoutError } from "leasehold";

const locks = createLocks({
  url: process.env.UPSTASH_REDIS_REST_URL,
  token: process.env.UPSTASH_REDIS_REST_TOKEN,
});

export async function GET(request) {
  const { searchParams } = new URL(request.url);
  try {
    const made = await locks.lock(searchParams.get("name")).run({ wait: "1s", waitUntil }, async ({ token }) => {
      await new Promise((resolve) => setTimeout(resolve, Number(searchParams.get("ms"))));
      return { token };
    });
    return Response.json(made);
  } catch (error) {
    if (error instanceof LockTimeoutError) return new Response("busy", { status: 409 });
    throw error;
  }
}
