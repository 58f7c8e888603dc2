/**
 * Hands a lease over to the consumer of a queue. Start with {@link takeOver}.
 *
 * @module leasehold/queue
 */

export { type HeldByOthers, type TakeOverOptions, takeOver } from "./take-over.ts";
