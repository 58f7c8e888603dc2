import { textField } from "../request-fields.ts";
import { type SignedSender, signedSender } from "../sender.ts";

/** Types of requests of the Events API that are not deliveries of an event. */
const NOT_EVENTS = ["url_verification", "app_rate_limited"];

/**
 * Identifies deliveries of Slack's Events API by `api_app_id` and `event_id`, which the signature covers: several apps
 * with one URL may receive the same event. A `url_verification` and an `app_rate_limited` have no ID and are passed to
 * the handler. Deliveries are remembered for 2 days by default: Slack retries within the hour, and with delayed events
 * for a day.
 *
 * @example
 * ```ts
 * import { createHmac, timingSafeEqual } from "node:crypto";
 * import type { Verify } from "leasehold/http";
 * const verify: Verify = (body, { headers }) => {
 *   const time = headers.get("X-Slack-Request-Timestamp") ?? "";
 *   const expected = `v0=${createHmac("sha256", "secret").update(`v0:${time}:${body}`).digest("hex")}`;
 *   const signature = Buffer.from((headers.get("X-Slack-Signature") ?? "").padEnd(expected.length).slice(0, 67));
 *   return timingSafeEqual(signature, Buffer.from(expected)) && Math.abs(Date.now() / 1000 - Number(time)) < 300;
 * };
 * const POST = dedupe({ locks, key: slack({ verify }) }, () => new Response("ok"));
 * console.log((await POST(new Request("https://example.com/slack", { method: "POST", body: "{}" }))).status); // 401
 * ```
 *
 * @throws TypeError without `verify`.
 */
export const slack: SignedSender = /* @__PURE__ */ signedSender({
  name: "slack",
  idName: "event_id",
  ttl: "2d",
  binds: "nothing",
  signsId: true,
  id(_request, body) {
    if (NOT_EVENTS.includes(textField(body, "type") ?? "")) return null;
    const event = textField(body, "event_id");
    const app = textField(body, "api_app_id");
    return event && app ? [app, event] : event;
  },
});
