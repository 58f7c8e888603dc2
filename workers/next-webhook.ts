/**
 * Processes each Stripe event once, in a Route Handler of Next.js (`app/webhooks/stripe/route.ts`), in the Node runtime
 * or on the edge. Stripe stops waiting after some seconds and retries. The run continues after the response, and a
 * duplicate gets its status. An event that failed five times is kept for a person to look at.
 */
import { fromEnv } from "leasehold";
import { redisFence } from "leasehold/fence";
import { dedupe, stripe } from "leasehold/http";
import { after } from "next/server";
import Stripe from "stripe";

/** In seconds. What is still running then, the platform ends. */
export const maxDuration = 60;

// Reads the environment with the first request: while Next.js builds there is none.
const locks = fromEnv();
const paid = redisFence(locks);

async function verify(body: string, { headers }: Request): Promise<boolean> {
  const { webhooks } = new Stripe(process.env.STRIPE_KEY ?? "");
  const signature = headers.get("Stripe-Signature") ?? "";
  // Throws when the signature is wrong or too old.
  await webhooks.constructEventAsync(body, signature, process.env.STRIPE_SECRET ?? "");
  return true;
}

export const POST: (request: Request) => Promise<Response> = dedupe(
  {
    locks,
    key: stripe({ verify }),
    waitUntil: after,
    maxHold: "50s", // less than maxDuration
    maxAttempts: 5,
    async onExhausted(request, { attempts }) {
      console.error(`put aside after ${attempts} attempts: ${await request.text()}`);
      return new Response(null, { status: 202 });
    },
  },
  async (request, { lease }) => {
    const event = (await request.json()) as Stripe.Event;
    if (event.type !== "checkout.session.completed") return new Response(null, { status: 204 });
    // First, so that an earlier attempt that still continues can no longer write.
    await paid.claim(lease);
    const { id, amount_total } = event.data.object;
    const shipped = await fetch(`${process.env.SHOP_URL}/ship/${id}`, { method: "POST", signal: lease.signal });
    if (!shipped.ok) return new Response(null, { status: 502 });
    await paid.write(lease, JSON.stringify({ id, amount: amount_total }));
    return new Response(null, { status: 204 });
  },
);
