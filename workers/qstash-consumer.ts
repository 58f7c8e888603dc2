/**
 * Processes each message of Upstash QStash once (`app/api/thumbnails/route.ts`, or any route handler). QStash retries a
 * message if an answer is lost or late. While it is processed, a duplicate is asked to retry at QStash's own pace. After
 * five failed attempts the message goes to the dead letter queue. QSTASH_URL is the address that messages are published
 * to.
 */
import { Receiver } from "@upstash/qstash";
import { fromEnv } from "leasehold";
import { redisFence } from "leasehold/fence";
import { dedupe, qstash } from "leasehold/http";

/** In seconds. What is still running then, the platform ends. */
export const maxDuration = 300;

// Reads the environment with the first request: while Next.js builds there is none.
const locks = fromEnv();
const thumbnails = redisFence(locks);

/** Throws when the signature is wrong or too old. */
const verify = (body: string, { headers }: Request): Promise<boolean> =>
  new Receiver({
    currentSigningKey: process.env.QSTASH_CURRENT_SIGNING_KEY ?? "",
    nextSigningKey: process.env.QSTASH_NEXT_SIGNING_KEY ?? "",
  }).verify({ body, signature: headers.get("Upstash-Signature") ?? "", url: process.env.QSTASH_URL ?? "" });

export const POST: (request: Request) => Promise<Response> = dedupe(
  { locks, key: qstash({ verify }), lease: "30s", maxHold: "290s", maxAttempts: 5 },
  async (request, { lease, attempt }) => {
    const { image } = (await request.json()) as { image: string };
    // First, so that an earlier attempt that still continues can no longer write.
    await thumbnails.claim(lease);
    const made = await fetch(`${process.env.IMAGES_URL}/thumbnail/${image}`, { method: "POST", signal: lease.signal });
    // QStash sends the message again after any answer that is not 2xx.
    if (!made.ok) return Response.json({ image, attempt }, { status: 502 });
    await thumbnails.write(lease, JSON.stringify({ image, ...((await made.json()) as object) }));
    return Response.json({ image, attempt });
  },
);
