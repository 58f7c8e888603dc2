export type { DedupeStatus } from "./answer.ts";
export { type DedupeEnv, type DedupeVariables, dedupe } from "./dedupe.ts";
export { type IdempotencyKeyOptions, idempotencyKey } from "./idempotency-key.ts";
export { type DedupeKeyParts, dedupeKey } from "./key.ts";
export type { Answering, DedupeKey, DedupeOptions } from "./options.ts";
export type { ReplayOptions } from "./replay.ts";
export type { AnyEnv, Sender, SignedOptions, Verify } from "./sender.ts";
export { github, shopify, slack, standardWebhooks, stripe } from "./senders.ts";
