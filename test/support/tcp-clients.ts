import { Redis } from "ioredis";
import { createClient } from "redis";
import type { RedisOverTcp } from "../../src/index.ts";
import { ioredis } from "../../src/tcp/ioredis.ts";
import { nodeRedis } from "../../src/tcp/node-redis.ts";

/** A client over TCP in its port. */
export interface TcpClient {
  readonly redis: RedisOverTcp;
  close(): void;
}

/** A connection that says nothing for so long, though it was asked, is given up. Both libraries wait for ever. */
const SILENCE_MS = 400;
const RECONNECT_MS = 50;

/** Clients as docs/tcp.md tells to set them, only more impatient. They begin to connect at once. */
export const TCP_CLIENTS = {
  ioredis(url: string): TcpClient {
    // As queues of jobs have it: commands that it is given while it is not connected wait for ever.
    const lasting = { maxRetriesPerRequest: null };
    const client = new Redis(url, { ...lasting, socketTimeout: SILENCE_MS, retryStrategy: () => RECONNECT_MS });
    client.on("error", () => {});
    return { redis: ioredis(client), close: () => client.disconnect() };
  },
  "node-redis"(url: string): TcpClient {
    const socket = { socketTimeout: SILENCE_MS, reconnectStrategy: () => RECONNECT_MS };
    const client = createClient({ url, socket, pingInterval: SILENCE_MS / 4 });
    client.on("error", () => {});
    client.connect().catch(() => {});
    return { redis: nodeRedis(client), close: () => client.destroy() };
  },
} as const;

export type TcpWay = keyof typeof TCP_CLIENTS;
