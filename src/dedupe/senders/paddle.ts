import { textField } from "../request-fields.ts";
import { type SignedSender, signedSender } from "../sender.ts";

/**
 * Identifies deliveries of Paddle Billing by `event_id`, which the signature covers. They are remembered for 7 days by
 * default, since Paddle retries for 3 days and people can replay by hand. The body is not a fingerprint: each
 * destination and each replay has its own `notification_id`.
 *
 * @example
 * ```ts
 * import { createHmac, timingSafeEqual } from "node:crypto";
 * import type { Verify } from "leasehold/http";
 * const verify: Verify = (body, { headers }) => {
 *   const [, time, signature = ""] = /^ts=(\d+);h1=([\da-f]{64})$/.exec(headers.get("Paddle-Signature") ?? "") ?? [];
 *   const expected = createHmac("sha256", "secret").update(`${time}:${body}`).digest();
 *   return signature !== "" && timingSafeEqual(Buffer.from(signature, "hex"), expected);
 * };
 * const POST = dedupe({ locks, key: paddle({ verify }) }, () => new Response("ok"));
 * console.log((await POST(new Request("https://example.com/paddle", { method: "POST", body: "{}" }))).status); // 401
 * ```
 *
 * @throws TypeError without `verify`.
 */
export const paddle: SignedSender = /* @__PURE__ */ signedSender({
  name: "paddle",
  idName: "event_id",
  ttl: "7d",
  binds: "nothing",
  signsId: true,
  id: (_request, body) => textField(body, "event_id"),
});
