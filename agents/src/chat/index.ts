/**
 * The state of bots built with the package `chat`: locks, subscriptions, values, lists and queues.
 *
 * @module leasehold-agents/chat
 */

export { type ChatState, type ChatStateOptions, chatState } from "./chat-state.ts";
export { fencingTokenOf, type ThreadLock, type ThreadLocks } from "./thread-locks.ts";
export type { Threads } from "./threads.ts";
export type { Values } from "./values.ts";
