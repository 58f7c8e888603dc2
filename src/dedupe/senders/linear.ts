import { word } from "../request-fields.ts";
import { type SignedSender, signedSender } from "../sender.ts";

/**
 * Identifies deliveries of Linear by the header `Linear-Delivery`. They are remembered for 2 days by default; Linear
 * retries after a minute, an hour and six hours. A retry may have the `webhookTimestamp` of the first delivery, so a
 * `verify` that checks its age must allow seven hours.
 *
 * @example
 * ```ts
 * import { createHmac, timingSafeEqual } from "node:crypto";
 * import type { Verify } from "leasehold/http";
 * const verify: Verify = (body, { headers }) => {
 *   const expected = createHmac("sha256", "secret").update(body).digest();
 *   const signature = Buffer.from(headers.get("Linear-Signature") ?? "", "hex");
 *   return signature.length === expected.length && timingSafeEqual(signature, expected);
 * };
 * const POST = dedupe({ locks, key: linear({ verify }) }, () => new Response("ok"));
 * console.log((await POST(new Request("https://example.com/linear", { method: "POST", body: "{}" }))).status); // 401
 * ```
 *
 * @throws TypeError without `verify`.
 */
export const linear: SignedSender = /* @__PURE__ */ signedSender({
  name: "linear",
  idName: "Linear-Delivery",
  ttl: "2d",
  binds: "nothing",
  id: (request) => word(request, "Linear-Delivery"),
});
