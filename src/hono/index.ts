/**
 * Webhook deduplication as a middleware for Hono. Start with {@link dedupe}.
 *
 * @module leasehold/hono
 */

export { type DedupeKeyParts, dedupeKey } from "../dedupe/dedupe-key.ts";
export type { Answering, DedupeKey } from "../dedupe/options.ts";
export type { ReplayOptions } from "../dedupe/replay-options.ts";
export type { DedupeStatus } from "../dedupe/response.ts";
export type { Sender, SignedOptions, Verify } from "../dedupe/sender.ts";
export * from "../dedupe/senders/index.ts";
export { dedupe } from "./dedupe.ts";
export type { AnyEnv, DedupeEnv, DedupeOptions, DedupeVariables, FailOpenVariables } from "./types.ts";
