import { Redis } from "ioredis";
import { Redis as Redis5 } from "ioredis-5";
import { createClient } from "redis";
import { createClient as createClient5 } from "redis-5";
import type { RedisOverTcp } from "../../src/index.ts";
import { type IoredisClient, ioredis } from "../../src/tcp/ioredis.ts";
import { type NodeRedisClient, nodeRedis } from "../../src/tcp/node-redis.ts";

/** A client over TCP in its port. */
export interface TcpClient {
  readonly redis: RedisOverTcp;
  close(): void;
}

/** A connection that says nothing for so long, though it was asked, is given up. Both libraries wait for ever. */
const SILENCE_MS = 800;
const RECONNECT_MS = 50;

/** Commands that it is given while it is not connected wait for ever, as queues of jobs have it. */
const IOREDIS = { maxRetriesPerRequest: null, socketTimeout: SILENCE_MS, retryStrategy: (): number => RECONNECT_MS };
const NODE_REDIS = {
  pingInterval: SILENCE_MS / 4,
  socket: { socketTimeout: SILENCE_MS, reconnectStrategy: (): number => RECONNECT_MS },
};

function ofIoredis(client: IoredisClient & { disconnect(): void }): TcpClient {
  client.on("error", () => {});
  return { redis: ioredis(client), close: () => client.disconnect() };
}

function ofNodeRedis(client: NodeRedisClient & { connect(): Promise<unknown>; destroy(): void }): TcpClient {
  client.on("error", () => {});
  client.connect().catch(() => {});
  return { redis: nodeRedis(client), close: () => client.destroy() };
}

/** Clients as docs/tcp.md tells to set them, only more impatient. They begin to connect at once. */
export const TCP_CLIENTS = {
  ioredis: (url: string): TcpClient => ofIoredis(new Redis(url, IOREDIS)),
  "node-redis": (url: string): TcpClient => ofNodeRedis(createClient({ url, ...NODE_REDIS })),
} as const;

/** The versions before those, over which less is run. */
export const EARLIER_CLIENTS = {
  "ioredis 5": (url: string): TcpClient => ofIoredis(new Redis5(url, IOREDIS)),
  "node-redis 5": (url: string): TcpClient => ofNodeRedis(createClient5({ url, ...NODE_REDIS })),
} as const;

export type TcpWay = keyof typeof TCP_CLIENTS;
export type EarlierWay = keyof typeof EARLIER_CLIENTS;
