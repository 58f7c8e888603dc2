import { textField, word } from "./request-fields.ts";
import { factory, type SignedSender, signedSender } from "./sender.ts";

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
export const stripe: SignedSender = /* @__PURE__ */ factory((options) =>
  signedSender({ name: "stripe", idName: "event.id", ttl: "7d", binds: "nothing", signsId: true }, options, (_, text) =>
    textField(text, "id"),
  ),
);

/**
 * Identifies deliveries of GitHub by the header `X-GitHub-Delivery`. The signature does not cover it, so an id is bound
 * to its body. Deliveries are remembered for 7 days by default: GitHub does not retry, but people can redeliver by hand
 * for 3 days.
 *
 * @example
 * ```ts no-run
 * import { verify } from "@octokit/webhooks-methods";
 * const key = github({
 *   verify: (body, { headers }) => verify("secret", body, headers.get("X-Hub-Signature-256") ?? ""),
 * });
 * const POST = dedupe({ locks, key }, () => new Response("ok"));
 * ```
 *
 * @throws TypeError without `verify`.
 */
export const github: SignedSender = /* @__PURE__ */ factory((options) =>
  signedSender({ name: "github", idName: "X-GitHub-Delivery", ttl: "7d", binds: "body" }, options, (x) =>
    word(x, "X-GitHub-Delivery"),
  ),
);

/**
 * Identifies deliveries of Shopify by the header `X-Shopify-Event-Id` together with topic and shop, since one event may
 * be sent for several topics. The signature covers none of them, so an id is bound to its body. Deliveries are
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
export const shopify: SignedSender = /* @__PURE__ */ factory((options) =>
  signedSender({ name: "shopify", idName: "X-Shopify-Event-Id", ttl: "3d", binds: "body" }, options, (x) => {
    const id = word(x, "X-Shopify-Event-Id");
    return id && [x.c.req.header("X-Shopify-Shop-Domain") ?? "", x.c.req.header("X-Shopify-Topic") ?? "", id];
  }),
);

/**
 * Identifies Standard Webhooks, which Svix and others send, by the header `webhook-id` or `svix-id`. The signature
 * covers one of them, so a request with two that differ is refused. Deliveries are remembered for 3 days by default;
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
export const standardWebhooks: SignedSender = /* @__PURE__ */ factory((options) =>
  signedSender(
    { name: "standard-webhooks", idName: "webhook-id", ttl: "3d", binds: "nothing", signsId: true },
    options,
    (x) => {
      const ids = ["webhook-id", "svix-id"]
        .filter((name) => x.c.req.header(name) !== undefined)
        .map((name) => word(x, name));
      return ids.every((id) => id === ids[0]) ? ids[0] : undefined;
    },
  ),
);

/** Types of requests of Slack's Events API that are no deliveries of an event. */
const NO_EVENT = /^(url_verification|app_rate_limited)$/;

/**
 * Identifies deliveries of Slack's Events API by `event_id`, which the signature covers. A `url_verification` and an
 * `app_rate_limited` have no id and go to the handler. Deliveries are remembered for 2 days by default: Slack retries
 * within the hour, and with delayed events for a day.
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
export const slack: SignedSender = /* @__PURE__ */ factory((options) =>
  signedSender({ name: "slack", idName: "event_id", ttl: "2d", binds: "nothing", signsId: true }, options, (_, text) =>
    NO_EVENT.test(textField(text, "type") ?? "") ? null : textField(text, "event_id"),
  ),
);

/** Ends the retries of a message. */
const ABORT = { headers: { "webhook-delivery": "abort-message" } };

/**
 * Identifies deliveries of Svix by the header `svix-id`, which the signature covers. They are remembered for 3 days by
 * default; retries take about 28 hours. The answers after which Svix must not come again say so to it
 * (`webhook-delivery: abort-message`).
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
export const svix: SignedSender = /* @__PURE__ */ factory((options) =>
  signedSender(
    {
      name: "svix",
      idName: "svix-id",
      ttl: "3d",
      binds: "nothing",
      signsId: true,
      answers: { exhausted: ABORT, mismatch: ABORT },
    },
    options,
    (x) => word(x, "svix-id"),
  ),
);

/**
 * Identifies deliveries of Linear by the header `Linear-Delivery`. They are remembered for 2 days by default; Linear
 * retries after a minute, an hour and six hours. Such a retry may carry the `webhookTimestamp` of the first delivery: a
 * `verify` that refuses old ones must allow for seven hours.
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
export const linear: SignedSender = /* @__PURE__ */ factory((options) =>
  signedSender({ name: "linear", idName: "Linear-Delivery", ttl: "2d", binds: "nothing" }, options, (x) =>
    word(x, "Linear-Delivery"),
  ),
);

/**
 * Identifies deliveries of Paddle Billing by `event_id`, which the signature covers. They are remembered for 7 days by
 * default, since Paddle retries for 3 days and people can replay by hand. The body is not a fingerprint: each
 * destination and each replay has a `notification_id` of its own.
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
export const paddle: SignedSender = /* @__PURE__ */ factory((options) =>
  signedSender({ name: "paddle", idName: "event_id", ttl: "7d", binds: "nothing", signsId: true }, options, (_, text) =>
    textField(text, "event_id"),
  ),
);
