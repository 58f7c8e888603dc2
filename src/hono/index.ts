export { type DedupeKeyParts, dedupeKey } from "../dedupe/dedupe-key.ts";
export type { IdempotencyKeyOptions } from "../dedupe/idempotency-key.ts";
export type { ReplayOptions } from "../dedupe/replay-options.ts";
export type { DedupeStatus } from "../dedupe/response.ts";
export { dedupe } from "./dedupe.ts";
export { qstash, sns, telegram, twilio } from "./message-senders.ts";
export { github, idempotencyKey, linear, paddle, shopify, slack, standardWebhooks, stripe, svix } from "./senders.ts";
export type {
  Answering,
  AnyEnv,
  DedupeEnv,
  DedupeKey,
  DedupeOptions,
  DedupeVariables,
  FailOpenVariables,
  Sender,
  SignedOptions,
  Verify,
} from "./types.ts";
