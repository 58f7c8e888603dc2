// Puts the scripts in front of a bundle, as in ../index.ts.
import "../redis/scripts.gen.ts";

export { type DedupeEnv, type DedupeVariables, dedupe } from "./dedupe.ts";
export { type DedupeKeyParts, dedupeKey } from "./dedupe-key.ts";
export type { Answering, DedupeKey, DedupeOptions } from "./dedupe-options.ts";
export { type IdempotencyKeyOptions, idempotencyKey } from "./idempotency-key.ts";
export type { ReplayOptions } from "./replay-options.ts";
export type { DedupeStatus } from "./response.ts";
export type { AnyEnv, Sender, SignedOptions, Verify } from "./sender.ts";
export { github, shopify, slack, standardWebhooks, stripe } from "./webhook-senders.ts";
