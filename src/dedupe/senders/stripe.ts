import { textField } from "../request-fields.ts";
import { type SignedSender, signedSender } from "../sender.ts";

/**
 * Identifies deliveries of Stripe by `event.id`, which the signature covers. They are remembered for 7 days by default,
 * since Stripe retries for 3 days and people can resend by hand. The body is not a fingerprint: `pending_webhooks`
 * changes between deliveries.
 *
 * @example
 * ```ts no-run
 * import type { Verify } from "leasehold/http";
 * import Stripe from "stripe";
 * const client = new Stripe("sk_…");
 * const verify: Verify = async (body, { headers }) =>
 *   !!(await client.webhooks.constructEventAsync(body, headers.get("Stripe-Signature") ?? "", "whsec_…"));
 * const POST = dedupe({ locks, key: stripe({ verify }) }, () => new Response("ok"));
 * ```
 *
 * @throws TypeError without `verify`.
 */
export const stripe: SignedSender = /* @__PURE__ */ signedSender({
  name: "stripe",
  idName: "event.id",
  ttl: "7d",
  binds: "nothing",
  signsId: true,
  id: (_request, body) => textField(body, "id"),
});
