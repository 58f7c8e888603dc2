import type { Clock } from "leasehold";
import { fromJson, type StoredOf, toJson } from "./stored.ts";

/** Subscriptions and queues of threads. */
export interface Threads {
  /** Subscriptions stay until `unsubscribe`. */
  subscribe(threadId: string): Promise<void>;
  unsubscribe(threadId: string): Promise<void>;
  isSubscribed(threadId: string): Promise<boolean>;
  /** Appends to the queue of a thread, keeps its newest `maxSize` entries, and returns their number. */
  enqueue(threadId: string, entry: { readonly expiresAt: number }, maxSize: number): Promise<number>;
  /** Removes the oldest entry and returns it; null if there is none. */
  dequeue<Entry = never>(threadId: string): Promise<Entry | null>;
  queueDepth(threadId: string): Promise<number>;
}

/** The minimum time to live of a queue, in ms. */
const MIN_QUEUE_MS = 60_000;

/** Subscriptions and queues. */
export const threadsIn = (stored: StoredOf, clock: Pick<Clock, "now">): Threads => ({
  async subscribe(threadId) {
    await stored("subscription", threadId).change({ verb: "set", value: "1" });
  },
  async unsubscribe(threadId) {
    await stored("subscription", threadId).change({ verb: "delete" });
  },
  async isSubscribed(threadId) {
    return (await stored("subscription", threadId).read("GET")) !== null;
  },
  async enqueue(threadId, entry, maxSize) {
    const ttlMs = Math.max(entry.expiresAt - clock.now(), MIN_QUEUE_MS);
    const push = { verb: "push", value: toJson(entry), ttlMs, max: maxSize } as const;
    return (await stored("queue", threadId).change(push)).count;
  },
  async dequeue<Entry>(threadId: string) {
    const { item } = await stored("queue", threadId).change({ verb: "pop" });
    return item === undefined ? null : fromJson<Entry>(item);
  },
  async queueDepth(threadId) {
    return Number(await stored("queue", threadId).read("LLEN"));
  },
});
