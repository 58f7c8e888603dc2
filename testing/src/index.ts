export { createMemoryRedis, type MemoryRedis, type MemoryRedisOptions, type RedisReply } from "./memory-redis.ts";
export type { Dialect } from "./redis/scripts.ts";
