import { word } from "../request-fields.ts";
import { type SignedSender, signedSender } from "../sender.ts";

/**
 * Identifies deliveries of Shopify by the header `X-Shopify-Event-Id` together with topic and shop, since one event may
 * be sent for several topics. The signature covers none of them, so an ID is bound to its body. Deliveries are
 * remembered for 3 days by default; Shopify retries for 4 hours.
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
  idName: "X-Shopify-Event-Id",
  ttl: "3d",
  binds: "body",
  id(request) {
    const id = word(request, "X-Shopify-Event-Id");
    if (id === undefined) return undefined;
    const { headers } = request;
    return [headers.get("X-Shopify-Shop-Domain") ?? "", headers.get("X-Shopify-Topic") ?? "", id];
  },
});
