/** `leasehold-durable-object`: locks in Durable Objects, without a Redis. */
export type { RestToken } from "./access.ts";
export { readEnvironment, type WorkerEnvironment } from "./environment.ts";
export { createObjectHandler, type ObjectHandler, type RunOptions, type RunResult } from "./handler.ts";
export type { LeaseholdNamespace, LeaseholdStub, Placement } from "./namespace.ts";
export { LeaseholdObject } from "./object.ts";
export type { ObjectStorage, SqlValue } from "./object-storage.ts";
export { type DurableObjectRedis, durableObject } from "./port.ts";
export { createRestHandler, type RestOptions } from "./rest.ts";
export type { ObjectServerOptions } from "./server.ts";
