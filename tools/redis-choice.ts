/** The Redis of the demo and of `npm run dev`: yours, a private server where one is installed, or one in memory. */
import { installedRedis, startRedis } from "./redis.ts";

/** The flags that choose, for `parseArgs`. */
export const REDIS_FLAGS = { redis: { type: "string" }, memory: { type: "boolean" } } as const;

export interface RedisWish {
  /** The URL of a server that is there. */
  readonly redis?: string | undefined;
  /** Whether to take one in memory although a server is installed. */
  readonly memory?: boolean | undefined;
}

export interface ChosenRedis {
  /** The options of the gateway that say where Redis is. */
  readonly database: { readonly redis: string } | { readonly memory: true };
  /** Says in one line what was chosen. */
  readonly line: string;
  stop(): Promise<void>;
}

/** Starts a server only where one is installed, and installs none. */
export async function chooseRedis({ redis, memory = false }: RedisWish = {}): Promise<ChosenRedis> {
  const stop = async (): Promise<void> => {};
  if (redis !== undefined && memory) throw new Error("--redis and --memory exclude each other");
  // Its URL may have a password.
  if (redis !== undefined) return { database: { redis }, line: "Redis: the one that --redis names", stop };
  const binary = installedRedis();
  if (memory || binary === undefined) {
    const why = memory ? "" : ", since there is no redis-server or valkey-server on the PATH";
    return { database: { memory: true }, line: `Redis: in memory${why}`, stop };
  }
  const server = await startRedis();
  return { database: { redis: server.url }, line: `Redis: a private ${binary}`, stop: server.stop };
}
