/**
 * Hands a lease over to the consumer of a queue. Start with {@link takeOver}.
 *
 * @module leasehold/queue
 */

export type { HeldByOthers, MessageAttempt, MessageWork } from "./handed-lock.ts";
export { type TakeOverOptions, takeOver } from "./take-over.ts";
