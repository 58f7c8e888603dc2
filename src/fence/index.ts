/**
 * Fences: a resource refuses a write with a lower token than the highest it has seen.
 *
 * @module leasehold/fence
 */

export { type D1Like, type D1Statement, d1Fence } from "./d1.ts";
export { type Guard, type GuardStorage, type GuardTransaction, guard } from "./durable-object.ts";
export type { RedisFenceOptions } from "./fenced-values.ts";
export { type ForgetTokensOptions, forgetTokens } from "./forget-tokens.ts";
export {
  assertFresh,
  type GuardedRow,
  guardedUpdate,
  guardedUpsert,
} from "./guarded-rows.ts";
export { type FencedObject, OBJECT_HEAD_BYTES, type ObjectFence } from "./objects.ts";
export { type PostgresLike, postgresFence } from "./postgres.ts";
export { POSTGRES_FENCE_TABLE } from "./postgres-table.ts";
export { type R2Like, r2Fence } from "./r2.ts";
export { type RedisFence, type RedisReply, redisFence } from "./redis.ts";
export { reportStale } from "./report-stale.ts";
export { type Fenced, StaleTokenError } from "./rule.ts";
export { type S3FenceOptions, type SigningFetch, s3Fence } from "./s3.ts";
export type { SqlDialect, Statement } from "./sql-dialect.ts";
export type { Row, SqlBatchFence, SqlFence } from "./sql-fence.ts";
export { type SqliteDatabase, sqliteFence } from "./sqlite.ts";
export { SQLITE_FENCE_TABLE } from "./sqlite-table.ts";
