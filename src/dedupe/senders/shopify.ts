import { word } from "../request-fields.ts";
import { type SignedSender, signedSender } from "../sender.ts";

/** The headers of webhooks, and those of Shopify Events. */
const HEADERS = [
  { prefix: "X-Shopify-", subscription: "Name" },
  { prefix: "Shopify-", subscription: "Handle" },
].map(({ prefix, subscription }) => ({
  shop: `${prefix}Shop-Domain`,
  topic: `${prefix}Topic`,
  subscription: prefix + subscription,
  delivery: `${prefix}Webhook-Id`,
  event: `${prefix}Event-Id`,
}));

/**
 * Identifies deliveries of Shopify by the header `X-Shopify-Webhook-Id`, or `X-Shopify-Event-Id` without it, together
 * with shop, topic and the name of the subscription: one event may be sent for several topics and subscriptions. The
 * headers of Shopify Events (`Shopify-Webhook-Id` and so on) are read alike. The signature covers none of them, so an ID
 * is bound to its body. Deliveries are remembered for 3 days by default; Shopify retries for 4 hours.
 *
 * @example
 * ```ts
 * import { createHmac, timingSafeEqual } from "node:crypto";
 * const key = shopify({
 *   verify: (body, { headers }) => {
 *     const expected = createHmac("sha256", "secret").update(body).digest();
 *     const signature = Buffer.from(headers.get("X-Shopify-Hmac-Sha256") ?? "", "base64");
 *     return signature.length === expected.length && timingSafeEqual(signature, expected);
 *   },
 * });
 * const POST = dedupe({ locks, key }, () => new Response("ok"));
 * console.log((await POST(new Request("https://example.com/shopify", { method: "POST", body: "{}" }))).status); // 401
 * ```
 *
 * @throws TypeError without `verify`.
 */
export const shopify: SignedSender = /* @__PURE__ */ signedSender({
  name: "shopify",
  idName: "X-Shopify-Webhook-Id",
  ttl: "3d",
  binds: "body",
  id(request) {
    const { headers } = request;
    const names = HEADERS.find(({ delivery, event }) => headers.has(delivery) || headers.has(event));
    if (!names) return undefined;
    const { shop, topic, subscription, delivery, event } = names;
    const id = word(request, headers.has(delivery) ? delivery : event);
    if (id === undefined) return undefined;
    const name = headers.get(subscription);
    return [headers.get(shop) ?? "", headers.get(topic) ?? "", ...(name ? [name] : []), id];
  },
});
