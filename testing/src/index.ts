export type { Dialect } from "leasehold-engine";
export type { FaultKind, FaultOptions } from "./faults.ts";
export type { Held, Loss } from "./locks/holds.ts";
export type { Operation } from "./locks/operation.ts";
export type { HoldKind } from "./locks/record.ts";
export { createMemoryRedis, type MemoryRedis, type MemoryRedisOptions, type RedisReply } from "./memory-redis.ts";
export {
  type ClientOptions,
  createTestRedis,
  type HoldOptions,
  type SentRequest,
  type SomebodysHold,
  type TestRedis,
  type TestRedisOptions,
} from "./test-redis.ts";
export type { ClientClock } from "./time/client-clock.ts";
export type { Duration } from "./time/duration.ts";
