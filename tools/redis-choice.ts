/** The Redis of the demo and of `npm run dev`: yours, a private server if one is installed, or one in memory. */
import { installedRedis, startRedis } from "./redis.ts";

/** The flags of the choice, for `parseArgs`. */
export const REDIS_FLAGS = { redis: { type: "string" }, memory: { type: "boolean" } } as const;

export interface RedisWish {
  /** The URL of an existing server. */
  readonly redis?: string | undefined;
  /** Whether to use one in memory although a server is installed. */
  readonly memory?: boolean | undefined;
}

export interface ChosenRedis {
  /** The options of the gateway that say where Redis is. */
  readonly database: { readonly redis: string } | { readonly memory: true };
  /** Says in one line what was chosen. */
  readonly line: string;
  stop(): Promise<void>;
}

/** Starts a server only if one is installed, and installs none. */
export async function chooseRedis({ redis, memory = false }: RedisWish = {}): Promise<ChosenRedis> {
  const stop = async (): Promise<void> => {};
  if (redis !== undefined && memory) throw new Error("--redis and --memory exclude each other");
  // Its URL may contain a password.
  if (redis !== undefined) return { database: { redis }, line: "Redis: the one that --redis names", stop };
  const binary = installedRedis();
  if (memory || binary === undefined) {
    const why = memory ? "" : ", since there is no redis-server or valkey-server on the PATH";
    return { database: { memory: true }, line: `Redis: in memory${why}`, stop };
  }
  const server = await startRedis();
  return { database: { redis: server.url }, line: `Redis: a private ${binary}`, stop: server.stop };
}
