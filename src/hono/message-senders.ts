import {
  qstash as forQstash,
  sns as forSns,
  telegram as forTelegram,
  twilio as forTwilio,
} from "../dedupe/message-senders.ts";
import type { SignedSender } from "./types.ts";

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
 * import { Hono } from "hono";
 * import type { Verify } from "leasehold/hono";
 * const receiver = new Receiver({ currentSigningKey: "sig_…", nextSigningKey: "sig_…" });
 * const url = "https://example.com/api/queue";
 * const verify: Verify = (body, c) =>
 *   receiver.verify({ body, url, signature: c.req.header("Upstash-Signature") ?? "" });
 * new Hono().post("/api/queue", dedupe({ locks, key: qstash({ verify }) }), (c) => c.text("ok"));
 * ```
 *
 * @throws TypeError without `verify`.
 */
export const qstash: SignedSender = forQstash as never;

/**
 * Identifies messages of Amazon SNS by `MessageId`, which the signature covers and a retry keeps; confirmations of a
 * subscription have one too. They are remembered for a day by default; SNS retries for an hour at most.
 *
 * SNS comes again after 429 and 5xx only. So a copy that finds its message running gets 503 instead of 409, and a
 * handler that wants a message again must throw or answer 5xx. Messages with raw delivery are not signed.
 *
 * @example
 * ```ts no-run
 * import { Hono } from "hono";
 * declare function verifySns(message: unknown): Promise<boolean>; // for example by the package sns-validator
 * const key = sns({ verify: (body) => verifySns(JSON.parse(body)) });
 * new Hono().post("/sns", dedupe({ locks, key }), async (c) => {
 *   const { Type, SubscribeURL, Message } = await c.req.json();
 *   if (Type === "SubscriptionConfirmation") await fetch(SubscribeURL);
 *   else await record(Message);
 *   return c.text("ok");
 * });
 * ```
 *
 * @throws TypeError without `verify`.
 */
export const sns: SignedSender = forSns as never;

/**
 * Identifies updates of Telegram's Bot API by `update_id`. There is no signature: `verify` compares the header
 * `X-Telegram-Bot-Api-Secret-Token` with the `secret_token` of `setWebhook`. Updates are remembered for 2 days by
 * default; Telegram keeps them for a day. The ids of two bots may be the same: give each bot a path or a `scope` of its
 * own.
 *
 * @example
 * ```ts
 * import { timingSafeEqual } from "node:crypto";
 * import { Hono } from "hono";
 * import type { Verify } from "leasehold/hono";
 * const secret = Buffer.from("the secret_token of setWebhook");
 * const verify: Verify = (_, c) => {
 *   const given = Buffer.from(c.req.header("X-Telegram-Bot-Api-Secret-Token") ?? "");
 *   return given.length === secret.length && timingSafeEqual(given, secret);
 * };
 * new Hono().post("/bot", dedupe({ locks, key: telegram({ verify }) }), (c) => c.text("ok"));
 * ```
 *
 * @throws TypeError without `verify`.
 */
export const telegram: SignedSender = forTelegram as never;

/**
 * Identifies requests of Twilio's voice and messaging webhooks by the header `I-Twilio-Idempotency-Token`. The
 * signature does not cover it, so a token is bound to method, path, query and body. Requests are remembered for a day
 * by default; Twilio retries within 15 seconds. Twilio acts on the body of the answer (TwiML): combine this sender with
 * `replay`.
 *
 * @example
 * ```ts
 * import { createHmac, timingSafeEqual } from "node:crypto";
 * import { Hono } from "hono";
 * import type { Verify } from "leasehold/hono";
 * const verify: Verify = (body, c) => {
 *   const fields = [...new URLSearchParams(body)].sort(([a], [b]) => (a < b ? -1 : 1));
 *   const expected = createHmac("sha1", "auth token").update(c.req.url + fields.flat().join("")).digest();
 *   const signature = Buffer.from(c.req.header("X-Twilio-Signature") ?? "", "base64");
 *   return signature.length === expected.length && timingSafeEqual(signature, expected);
 * };
 * new Hono().post("/sms", dedupe({ locks, key: twilio({ verify }), replay: true }), (c) => c.text("<Response/>"));
 * ```
 *
 * @throws TypeError without `verify`.
 */
export const twilio: SignedSender = forTwilio as never;
