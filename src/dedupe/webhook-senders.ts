import type { Context } from "hono";
import { factory, type SignedSender, signedSender } from "./sender.ts";

/** Returns a field of a JSON object, if it is text. */
function field(text: string, name: string): string | undefined {
  try {
    const value = (JSON.parse(text) as Record<string, unknown> | null)?.[name];
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a header that is one word. The platform joins two copies of a header by a comma, which is refused. */
function word(c: Context, name: string): string | undefined {
  const value = c.req.header(name);
  return value !== undefined && /^[!-+\--~]{1,256}$/.test(value) ? value : undefined;
}

/**
 * Identifies deliveries of Stripe by `event.id`, which the signature covers. They are remembered for 7 days by default,
 * since Stripe retries for 3 days and people can resend by hand. The body is not a fingerprint: `pending_webhooks`
 * changes between deliveries.
 *
 * @example
 * ```ts no-run
 * import { Hono } from "hono";
 * import type { Verify } from "leasehold/hono";
 * import Stripe from "stripe";
 * const client = new Stripe("sk_…");
 * const verify: Verify = async (body, c) =>
 *   !!(await client.webhooks.constructEventAsync(body, c.req.header("Stripe-Signature") ?? "", "whsec_…"));
 * new Hono().post("/stripe", dedupe({ locks, key: stripe({ verify }) }), (c) => c.text("ok"));
 * ```
 *
 * @throws TypeError without `verify`.
 */
export const stripe: SignedSender = /* @__PURE__ */ factory((options) =>
  signedSender({ name: "stripe", idName: "event.id", ttl: "7d", binds: "nothing" }, options, (_, text) =>
    field(text, "id"),
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
 * import { Hono } from "hono";
 * const key = github({ verify: (body, c) => verify("secret", body, c.req.header("X-Hub-Signature-256") ?? "") });
 * new Hono().post("/github", dedupe({ locks, key }), (c) => c.text("ok"));
 * ```
 *
 * @throws TypeError without `verify`.
 */
export const github: SignedSender = /* @__PURE__ */ factory((options) =>
  signedSender({ name: "github", idName: "X-GitHub-Delivery", ttl: "7d", binds: "body" }, options, (c) =>
    word(c, "X-GitHub-Delivery"),
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
 * import { Hono } from "hono";
 * const key = shopify({
 *   verify: (body, c) => {
 *     const expected = createHmac("sha256", "secret").update(body).digest();
 *     const signature = Buffer.from(c.req.header("X-Shopify-Hmac-Sha256") ?? "", "base64");
 *     return signature.length === expected.length && timingSafeEqual(signature, expected);
 *   },
 * });
 * new Hono().post("/shopify", dedupe({ locks, key }), (c) => c.text("ok"));
 * ```
 *
 * @throws TypeError without `verify`.
 */
export const shopify: SignedSender = /* @__PURE__ */ factory((options) =>
  signedSender({ name: "shopify", idName: "X-Shopify-Event-Id", ttl: "3d", binds: "body" }, options, (c) => {
    const id = word(c, "X-Shopify-Event-Id");
    return id && [c.req.header("X-Shopify-Shop-Domain") ?? "", c.req.header("X-Shopify-Topic") ?? "", id];
  }),
);

/**
 * Identifies Standard Webhooks, which Svix and others send, by the header `webhook-id` or `svix-id`. The signature
 * covers one of them, so a request with two that differ is refused. Deliveries are remembered for 3 days by default;
 * retries take about 28 hours.
 *
 * @example
 * ```ts no-run
 * import { Hono } from "hono";
 * import { Webhook } from "standardwebhooks";
 * const webhook = new Webhook("whsec_…");
 * const key = standardWebhooks({ verify: (body, c) => !!webhook.verify(body, c.req.header()) });
 * new Hono().post("/hooks", dedupe({ locks, key }), (c) => c.text("ok"));
 * ```
 *
 * @throws TypeError without `verify`.
 */
export const standardWebhooks: SignedSender = /* @__PURE__ */ factory((options) =>
  signedSender({ name: "standard-webhooks", idName: "webhook-id", ttl: "3d", binds: "nothing" }, options, (c) => {
    const ids = ["webhook-id", "svix-id"]
      .filter((name) => c.req.header(name) !== undefined)
      .map((name) => word(c, name));
    return ids.every((id) => id === ids[0]) ? ids[0] : undefined;
  }),
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
 * import { Hono } from "hono";
 * import type { Verify } from "leasehold/hono";
 * const verify: Verify = (body, c) => {
 *   const time = c.req.header("X-Slack-Request-Timestamp") ?? "";
 *   const expected = `v0=${createHmac("sha256", "secret").update(`v0:${time}:${body}`).digest("hex")}`;
 *   const signature = Buffer.from((c.req.header("X-Slack-Signature") ?? "").padEnd(expected.length).slice(0, 67));
 *   return timingSafeEqual(signature, Buffer.from(expected)) && Math.abs(Date.now() / 1000 - Number(time)) < 300;
 * };
 * new Hono().post("/slack", dedupe({ locks, key: slack({ verify }) }), (c) => c.text("ok"));
 * ```
 *
 * @throws TypeError without `verify`.
 */
export const slack: SignedSender = /* @__PURE__ */ factory((options) =>
  signedSender({ name: "slack", idName: "event_id", ttl: "2d", binds: "nothing" }, options, (_, text) =>
    NO_EVENT.test(field(text, "type") ?? "") ? null : field(text, "event_id"),
  ),
);
