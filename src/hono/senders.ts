import type { Env } from "hono";
import { idempotencyKey as byHeader, type IdempotencyKeyOptions } from "../dedupe/idempotency-key.ts";
import {
  github as forGithub,
  linear as forLinear,
  paddle as forPaddle,
  shopify as forShopify,
  slack as forSlack,
  standardWebhooks as forStandardWebhooks,
  stripe as forStripe,
  svix as forSvix,
} from "../dedupe/webhook-senders.ts";
import type { AnyEnv, Sender, SignedSender } from "./types.ts";

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
export const stripe: SignedSender = forStripe as never;

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
export const github: SignedSender = forGithub as never;

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
export const shopify: SignedSender = forShopify as never;

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
export const standardWebhooks: SignedSender = forStandardWebhooks as never;

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
export const slack: SignedSender = forSlack as never;

/**
 * Identifies deliveries of Svix by the header `svix-id`, which the signature covers. They are remembered for 3 days by
 * default; retries take about 28 hours. The answers after which Svix must not come again say so to it
 * (`webhook-delivery: abort-message`).
 *
 * @example
 * ```ts no-run
 * import { Hono } from "hono";
 * import type { Verify } from "leasehold/hono";
 * import { Webhook } from "standardwebhooks";
 * const webhook = new Webhook("whsec_…");
 * const verify: Verify = (body, c) => {
 *   const names = ["id", "timestamp", "signature"];
 *   return !!webhook.verify(
 *     body,
 *     Object.fromEntries(names.map((name) => [`webhook-${name}`, c.req.header(`svix-${name}`) ?? ""])),
 *   );
 * };
 * new Hono().post("/svix", dedupe({ locks, key: svix({ verify }) }), (c) => c.text("ok"));
 * ```
 *
 * @throws TypeError without `verify`.
 */
export const svix: SignedSender = forSvix as never;

/**
 * Identifies deliveries of Linear by the header `Linear-Delivery`. They are remembered for 2 days by default; Linear
 * retries after a minute, an hour and six hours. Such a retry may carry the `webhookTimestamp` of the first delivery: a
 * `verify` that refuses old ones must allow for seven hours.
 *
 * @example
 * ```ts
 * import { createHmac, timingSafeEqual } from "node:crypto";
 * import { Hono } from "hono";
 * import type { Verify } from "leasehold/hono";
 * const verify: Verify = (body, c) => {
 *   const expected = createHmac("sha256", "secret").update(body).digest();
 *   const signature = Buffer.from(c.req.header("Linear-Signature") ?? "", "hex");
 *   return signature.length === expected.length && timingSafeEqual(signature, expected);
 * };
 * new Hono().post("/linear", dedupe({ locks, key: linear({ verify }) }), (c) => c.text("ok"));
 * ```
 *
 * @throws TypeError without `verify`.
 */
export const linear: SignedSender = forLinear as never;

/**
 * Identifies deliveries of Paddle Billing by `event_id`, which the signature covers. They are remembered for 7 days by
 * default, since Paddle retries for 3 days and people can replay by hand. The body is not a fingerprint: each
 * destination and each replay has a `notification_id` of its own.
 *
 * @example
 * ```ts
 * import { createHmac, timingSafeEqual } from "node:crypto";
 * import { Hono } from "hono";
 * import type { Verify } from "leasehold/hono";
 * const verify: Verify = (body, c) => {
 *   const [, time, signature = ""] = /^ts=(\d+);h1=([\da-f]{64})$/.exec(c.req.header("Paddle-Signature") ?? "") ?? [];
 *   const expected = createHmac("sha256", "secret").update(`${time}:${body}`).digest();
 *   return signature !== "" && timingSafeEqual(Buffer.from(signature, "hex"), expected);
 * };
 * new Hono().post("/paddle", dedupe({ locks, key: paddle({ verify }) }), (c) => c.text("ok"));
 * ```
 *
 * @throws TypeError without `verify`.
 */
export const paddle: SignedSender = forPaddle as never;

/**
 * Identifies requests by the header `Idempotency-Key`, by the IETF's draft (draft-ietf-httpapi-idempotency-key-header):
 *
 * - 400 when the header is missing or malformed;
 * - 409 while the first request with the key runs;
 * - 422 when the key comes again with another method, path, query or body.
 *
 * POST and PATCH need the header (see `required`), other methods are deduplicated when they have it, and GET, HEAD and
 * OPTIONS never are. Answers are remembered for 24 hours by default.
 *
 * Clients choose these keys, so `dedupe` requires a `scope` with it: else one client could get another's answer.
 *
 * @example
 * ```ts
 * import { Hono } from "hono";
 * const app = new Hono();
 * const once = dedupe({ locks, key: idempotencyKey(), scope: (c) => c.req.header("Authorization") ?? "nobody" });
 * app.post("/payments", once, (c) => c.json({ paid: true }, 201));
 * console.log((await app.request("/payments", { method: "POST" })).status); // 400: the header is missing
 * ```
 *
 * @throws TypeError when `required` is not a boolean.
 */
export const idempotencyKey: <E extends Env = AnyEnv>(options?: IdempotencyKeyOptions) => Sender<E> = byHeader as never;
