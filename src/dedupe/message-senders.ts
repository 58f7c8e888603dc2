import { field, textField, word } from "./request-fields.ts";
import { factory, type SignedSender, signedSender } from "./sender.ts";

/** Leaves the time of the next retry to QStash. */
const PACED = { retryAfterMs: undefined };
/** Ends the retries of a message. */
const DEAD = { code: 489, headers: { "Upstash-NonRetryable-Error": "true" } };

/**
 * Identifies messages of QStash by the header `Upstash-Message-Id`. The signature does not cover it, so an id is bound
 * to its body. Messages are remembered for 7 days by default; five retries take some 30 hours.
 *
 * QStash retries after every answer that is not 2xx, a few times in all. While a message runs, a copy gets 409 without
 * `Retry-After`: QStash's own pace (12 s, 2 min, 30 min, 6 h, then daily) outlasts the run, while retries as the lease
 * ends would be used up within minutes, and the message would count as failed. The answers after which QStash must not
 * come again are 489 with `Upstash-NonRetryable-Error`, which puts the message into the dead letter queue.
 *
 * @example
 * ```ts
 * import { Receiver } from "@upstash/qstash";
 * import type { Verify } from "leasehold/http";
 * const receiver = new Receiver({ currentSigningKey: "sig_…", nextSigningKey: "sig_…" });
 * const url = "https://example.com/api/queue";
 * const verify: Verify = (body, { headers }) =>
 *   receiver.verify({ body, url, signature: headers.get("Upstash-Signature") ?? "" });
 * const POST = dedupe({ locks, key: qstash({ verify }) }, () => new Response("ok"));
 * console.log((await POST(new Request(url, { method: "POST", body: "{}" }))).status); // 401
 * ```
 *
 * @throws TypeError without `verify`.
 */
export const qstash: SignedSender = /* @__PURE__ */ factory((options) =>
  signedSender(
    {
      name: "qstash",
      idName: "Upstash-Message-Id",
      ttl: "7d",
      binds: "body",
      answers: { running: PACED, stale: PACED, unavailable: PACED, exhausted: DEAD, mismatch: DEAD },
    },
    options,
    (x) => word(x, "Upstash-Message-Id"),
  ),
);

/** A status after which SNS comes again. */
const RETRIED = { code: 503 };

/**
 * Identifies messages of Amazon SNS by `MessageId`, which the signature covers and a retry keeps; confirmations of a
 * subscription have one too. They are remembered for a day by default; SNS retries for an hour at most.
 *
 * SNS comes again after 429 and 5xx only. So a copy that finds its message running gets 503 instead of 409, and a
 * handler that wants a message again must throw or answer 5xx. Messages with raw delivery are not signed.
 *
 * @example
 * ```ts no-run
 * declare function verifySns(message: unknown): Promise<boolean>; // for example by the package sns-validator
 * const key = sns({ verify: (body) => verifySns(JSON.parse(body)) });
 * const POST = dedupe({ locks, key }, async (request) => {
 *   const { Type, SubscribeURL, Message } = await request.json();
 *   if (Type === "SubscriptionConfirmation") await fetch(SubscribeURL);
 *   else await record(Message);
 *   return new Response("ok");
 * });
 * ```
 *
 * @throws TypeError without `verify`.
 */
export const sns: SignedSender = /* @__PURE__ */ factory((options) =>
  signedSender(
    {
      name: "sns",
      idName: "MessageId",
      ttl: "1d",
      binds: "nothing",
      signsId: true,
      answers: { running: RETRIED, stale: RETRIED },
    },
    options,
    (_, text) => textField(text, "MessageId"),
  ),
);

/**
 * Identifies updates of Telegram's Bot API by `update_id`. There is no signature: `verify` compares the header
 * `X-Telegram-Bot-Api-Secret-Token` with the `secret_token` of `setWebhook`. Updates are remembered for 2 days by
 * default; Telegram keeps them for a day. The ids of two bots may be the same: give each bot a path or a `scope` of its
 * own.
 *
 * @example
 * ```ts
 * import { timingSafeEqual } from "node:crypto";
 * import type { Verify } from "leasehold/http";
 * const secret = Buffer.from("the secret_token of setWebhook");
 * const verify: Verify = (_, { headers }) => {
 *   const given = Buffer.from(headers.get("X-Telegram-Bot-Api-Secret-Token") ?? "");
 *   return given.length === secret.length && timingSafeEqual(given, secret);
 * };
 * const POST = dedupe({ locks, key: telegram({ verify }) }, () => new Response("ok"));
 * console.log((await POST(new Request("https://example.com/bot", { method: "POST", body: "{}" }))).status); // 401
 * ```
 *
 * @throws TypeError without `verify`.
 */
export const telegram: SignedSender = /* @__PURE__ */ factory((options) =>
  signedSender({ name: "telegram", idName: "update_id", ttl: "2d", binds: "nothing" }, options, (_, text) => {
    const id = field(text, "update_id");
    return Number.isSafeInteger(id) ? `${id}` : undefined;
  }),
);

/**
 * Identifies requests of Twilio's voice and messaging webhooks by the header `I-Twilio-Idempotency-Token`. The
 * signature does not cover it, so a token is bound to method, path, query and body. Requests are remembered for a day
 * by default; Twilio retries within 15 seconds. Twilio acts on the body of the answer (TwiML): combine this sender with
 * `replay`.
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
export const twilio: SignedSender = /* @__PURE__ */ factory((options) =>
  signedSender({ name: "twilio", idName: "I-Twilio-Idempotency-Token", ttl: "1d", binds: "request" }, options, (x) =>
    word(x, "I-Twilio-Idempotency-Token"),
  ),
);
