/**
 * Fences: a resource refuses a write with a lower token than the highest it has seen.
 *
 * @module leasehold/fence
 */

export { type D1Like, type D1Statement, d1Fence } from "./d1.ts";
export { type D1OnceTransaction, d1Once } from "./d1-once.ts";
export { type Guard, type GuardStorage, type GuardTransaction, guard } from "./durable-object.ts";
export { durableObjectOnce, type OnceStorage } from "./durable-object-once.ts";
export {
  type DynamodbFence,
  type DynamodbItem,
  type DynamodbOnceTransaction,
  type DynamodbOptions,
  dynamodbFence,
  dynamodbOnce,
} from "./dynamodb.ts";
export type { DynamodbClient } from "./dynamodb-table.ts";
export type { RedisFenceOptions } from "./fenced-values.ts";
export { type ForgetTokensOptions, forgetTokens } from "./forget-tokens.ts";
export {
  assertFresh,
  type GuardedRow,
  guardedUpdate,
  guardedUpsert,
} from "./guarded-rows.ts";
export {
  type LibsqlClient,
  type LibsqlTransaction,
  libsqlFence,
  libsqlOnce,
} from "./libsql.ts";
export {
  type MysqlConnection,
  type MysqlOnceOptions,
  type MysqlPool,
  mysqlFence,
  mysqlOnce,
} from "./mysql.ts";
export { MYSQL_FENCE_TABLE } from "./mysql-table.ts";
export { type FencedObject, OBJECT_HEAD_BYTES, type ObjectFence } from "./objects.ts";
export type { ForgetOptions, ManagedOnceDatabase } from "./once-database.ts";
export { type PostgresLike, postgresFence } from "./postgres.ts";
export {
  type ClientOf,
  type PostgresClient,
  type PostgresOnceOptions,
  type PostgresPool,
  postgresOnce,
} from "./postgres-once.ts";
export { POSTGRES_FENCE_TABLE } from "./postgres-table.ts";
export { type R2Like, r2Fence } from "./r2.ts";
export { type RedisFence, type RedisReply, redisFence } from "./redis.ts";
export { reportStale } from "./report-stale.ts";
export { type Fenced, StaleTokenError } from "./rule.ts";
export { type S3FenceOptions, type SigningFetch, s3Fence } from "./s3.ts";
export type { SqlDialect, Statement, TableDialect } from "./sql-dialect.ts";
export type { Row, SqlBatchFence, SqlFence, TableBatchFence, TableFence } from "./sql-fence.ts";
export { type SqlTransactions, sqlOnce } from "./sql-once.ts";
export { type SqliteDatabase, sqliteFence } from "./sqlite.ts";
export { type SqliteOnceDatabase, sqliteOnce } from "./sqlite-once.ts";
export { SQLITE_FENCE_TABLE } from "./sqlite-table.ts";
