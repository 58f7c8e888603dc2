import { word } from "../request-fields.ts";
import { type SignedSender, signedSender } from "../sender.ts";

/**
 * Identifies Standard Webhooks, which Svix and others send, by the header `webhook-id` or `svix-id`. The signature
 * covers one of them, so a request with two different ones is refused. Deliveries are remembered for 3 days by default;
 * retries take about 28 hours.
 *
 * @example
 * ```ts no-run
 * import { Webhook } from "standardwebhooks";
 * const webhook = new Webhook("whsec_…");
 * const key = standardWebhooks({
 *   verify: (body, { headers }) => !!webhook.verify(body, Object.fromEntries(headers)),
 * });
 * const POST = dedupe({ locks, key }, () => new Response("ok"));
 * ```
 *
 * @throws TypeError without `verify`.
 */
export const standardWebhooks: SignedSender = /* @__PURE__ */ signedSender({
  name: "standard-webhooks",
  idName: "webhook-id",
  ttl: "3d",
  binds: "nothing",
  signsId: true,
  id(request) {
    const ids = ["webhook-id", "svix-id"]
      .filter((name) => request.headers.has(name))
      .map((name) => word(request, name));
    return ids.every((id) => id === ids[0]) ? ids[0] : undefined;
  },
});
