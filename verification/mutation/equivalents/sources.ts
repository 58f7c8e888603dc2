import { type Equivalent, ofFile } from "./equivalent.ts";

/** Equivalents in TypeScript. */
export const SOURCES: readonly Equivalent[] = [
  ...ofFile("durable-object/src/waiting.ts", "A waiter that is woken too early is refused again, and waits on.", [
    "if (able.length === 0) …",
    "{}",
  ]),
  ...ofFile("durable-object/src/waiting.ts", "A room that is woken for a key without waiters does nothing.", [
    "if (room.isWatched(key)) …",
    "{}",
  ]),
  ...ofFile("src/redis/retry-policy.ts", "Without a Retry-After, the sum below is 0 as well.", [
    "if (retryAfterMs === 0) …",
    "{}",
  ]),
];
