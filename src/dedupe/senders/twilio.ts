import { word } from "../request-fields.ts";
import { type SignedSender, signedSender } from "../sender.ts";

/**
 * Identifies requests of Twilio's voice and messaging webhooks by the header `I-Twilio-Idempotency-Token`. The
 * signature does not cover it, so a token is bound to method, path, query and body. Requests are remembered for a day
 * by default; Twilio retries within 15 seconds. Twilio executes the body of the answer (TwiML), so combine this sender
 * with `replay`.
 *
 * @example
 * ```ts
 * import { createHmac, timingSafeEqual } from "node:crypto";
 * import type { Verify } from "leasehold/http";
 * const verify: Verify = (body, { headers, url }) => {
 *   const fields = [...new URLSearchParams(body)].sort(([a], [b]) => (a < b ? -1 : 1));
 *   const expected = createHmac("sha1", "auth token").update(url + fields.flat().join("")).digest();
 *   const signature = Buffer.from(headers.get("X-Twilio-Signature") ?? "", "base64");
 *   return signature.length === expected.length && timingSafeEqual(signature, expected);
 * };
 * const POST = dedupe({ locks, key: twilio({ verify }), replay: true }, () => new Response("<Response/>"));
 * console.log((await POST(new Request("https://example.com/sms", { method: "POST", body: "Body=hi" }))).status); // 401
 * ```
 *
 * @throws TypeError without `verify`.
 */
export const twilio: SignedSender = /* @__PURE__ */ signedSender({
  name: "twilio",
  idName: "I-Twilio-Idempotency-Token",
  ttl: "1d",
  binds: "request",
  id: (request) => word(request, "I-Twilio-Idempotency-Token"),
});
