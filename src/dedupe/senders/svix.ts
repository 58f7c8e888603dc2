import { word } from "../request-fields.ts";
import { type SignedSender, signedSender } from "../sender.ts";

/** Stops the retries of a message. */
const ABORT = { headers: { "webhook-delivery": "abort-message" } };

/**
 * Identifies deliveries of Svix by the header `svix-id`, which the signature covers. They are remembered for 3 days by
 * default; retries take about 28 hours. If Svix must not retry, the answer has the header `webhook-delivery:
 * abort-message`.
 *
 * @example
 * ```ts no-run
 * import type { Verify } from "leasehold/http";
 * import { Webhook } from "standardwebhooks";
 * const webhook = new Webhook("whsec_…");
 * const verify: Verify = (body, { headers }) => {
 *   const names = ["id", "timestamp", "signature"];
 *   return !!webhook.verify(
 *     body,
 *     Object.fromEntries(names.map((name) => [`webhook-${name}`, headers.get(`svix-${name}`) ?? ""])),
 *   );
 * };
 * const POST = dedupe({ locks, key: svix({ verify }) }, () => new Response("ok"));
 * ```
 *
 * @throws TypeError without `verify`.
 */
export const svix: SignedSender = /* @__PURE__ */ signedSender({
  name: "svix",
  idName: "svix-id",
  ttl: "3d",
  binds: "nothing",
  signsId: true,
  answers: { exhausted: ABORT, mismatch: ABORT },
  id: (request) => word(request, "svix-id"),
});
