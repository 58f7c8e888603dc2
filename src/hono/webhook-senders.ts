import type { Context } from "hono";
import { factory, type SignedSender, signedSender } from "./sender.ts";

/** A field of a JSON object, if it is text. */
function field(text: string, name: string): string | undefined {
  try {
    const value = (JSON.parse(text) as Record<string, unknown> | null)?.[name];
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A header that is one word: of two copies of a header the platform makes one with a comma. */
function word(c: Context, name: string): string | undefined {
  const value = c.req.header(name);
  return value !== undefined && /^[!-+\--~]{1,256}$/.test(value) ? value : undefined;
}

/**
 * Stripe: `event.id`, which the signature covers. Remembered for 7 days by default, since Stripe retries for 3 and
 * lets people resend by hand. The body is no fingerprint: `pending_webhooks` changes between deliveries.
 *
 * @throws TypeError without `verify`.
 */
export const stripe: SignedSender = /* @__PURE__ */ factory((options) =>
  signedSender({ name: "stripe", idName: "event.id", ttl: "7d", binds: "nothing" }, options, (_, text) =>
    field(text, "id"),
  ),
);

/**
 * GitHub: the header `X-GitHub-Delivery`, which the signature does not cover, so that an id is bound to its body.
 * Remembered for 7 days by default: GitHub does not retry, but lets people redeliver by hand for 3.
 *
 * @throws TypeError without `verify`.
 */
export const github: SignedSender = /* @__PURE__ */ factory((options) =>
  signedSender({ name: "github", idName: "X-GitHub-Delivery", ttl: "7d", binds: "body" }, options, (c) =>
    word(c, "X-GitHub-Delivery"),
  ),
);

/**
 * Shopify: the header `X-Shopify-Event-Id` together with topic and shop, since one event may be sent for several
 * topics. The signature covers none of them, so that an id is bound to its body. Remembered for 3 days by default;
 * Shopify retries for 4 hours.
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
 * Standard Webhooks, as Svix and others send them: the header `webhook-id` or `svix-id`, which the signature covers.
 * With two that differ only one was signed, and a request with both is refused. Remembered for 3 days by default;
 * retries take about 28 hours.
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

/** What Slack's Events API sends besides events: there is nothing to deduplicate. */
const NO_EVENT = /^(url_verification|app_rate_limited)$/;

/**
 * Slack's Events API: `event_id`, which the signature covers. A `url_verification` and an `app_rate_limited` have
 * none, and go to the handler. Remembered for 2 days by default: Slack retries within the hour, and with delayed
 * events for a day.
 *
 * @throws TypeError without `verify`.
 */
export const slack: SignedSender = /* @__PURE__ */ factory((options) =>
  signedSender({ name: "slack", idName: "event_id", ttl: "2d", binds: "nothing" }, options, (_, text) =>
    NO_EVENT.test(field(text, "type") ?? "") ? null : field(text, "event_id"),
  ),
);
