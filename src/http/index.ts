/**
 * Webhook deduplication for any handler from `Request` to `Response`. Start with {@link dedupe}.
 *
 * @module leasehold/http
 */

export { type DedupeKeyParts, dedupeKey } from "../dedupe/dedupe-key.ts";
export type { Delivery, Unprotected } from "../dedupe/deduplicate.ts";
export type { Answering, DedupeKey, DedupeOptions } from "../dedupe/options.ts";
export type { ReplayOptions } from "../dedupe/replay-options.ts";
export type { DedupeStatus } from "../dedupe/response.ts";
export type { Sender, SignedOptions, Verify } from "../dedupe/sender.ts";
export * from "../dedupe/senders/index.ts";
export { dedupe } from "./dedupe.ts";
