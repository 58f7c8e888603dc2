// Puts the scripts in front of a bundle, as in ../index.ts.
import "../redis/scripts.gen.ts";

export { type DedupeKeyParts, dedupeKey } from "../dedupe/dedupe-key.ts";
export type { Delivery, Unprotected } from "../dedupe/deduplicate.ts";
export { type IdempotencyKeyOptions, idempotencyKey } from "../dedupe/idempotency-key.ts";
export { qstash, sns, telegram, twilio } from "../dedupe/message-senders.ts";
export type { Answering, DedupeKey, DedupeOptions } from "../dedupe/options.ts";
export type { ReplayOptions } from "../dedupe/replay-options.ts";
export type { DedupeStatus } from "../dedupe/response.ts";
export type { Sender, SignedOptions, Verify } from "../dedupe/sender.ts";
export { github, linear, paddle, shopify, slack, standardWebhooks, stripe, svix } from "../dedupe/webhook-senders.ts";
export { dedupe } from "./dedupe.ts";
