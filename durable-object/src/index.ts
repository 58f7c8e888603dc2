/** `leasehold-durable-object`: locks in Durable Objects, without a Redis. */
export { createObjectHandler, type ObjectHandler, type RunOptions } from "./handler.ts";
export { LeaseholdObject } from "./object.ts";
export { type DurableObjectOptions, type DurableObjectRedis, durableObject, type LeaseholdNamespace } from "./port.ts";
export type { ObjectServerOptions } from "./server.ts";
export type { ObjectStorage, SqlValue } from "./storage.ts";
