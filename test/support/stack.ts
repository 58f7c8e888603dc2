import { serveGateway } from "../../src/gateway/index.ts";
import { type RedisServer, startRedis } from "../../tools/redis.ts";

/** A private Redis with the gateway in front of it. */
export interface Stack {
  readonly redis: RedisServer;
  readonly url: string;
  readonly token: string;
  /** Calls of each Redis command since the last `CONFIG RESETSTAT`, those inside scripts included. */
  commandCalls(): Promise<Record<string, number>>;
  stop(): Promise<void>;
}

export async function startStack(redisArgs: readonly string[] = []): Promise<Stack> {
  const redis = await startRedis(redisArgs);
  const token = "test-token-0123456789";
  const gateway = await serveGateway({ redis: redis.url, token, port: 0 });
  return {
    redis,
    url: gateway.url,
    token,
    async commandCalls() {
      const info = await redis.command("INFO", "commandstats");
      const calls: Record<string, number> = {};
      for (const [, name, count] of info.matchAll(/cmdstat_(\S+?):calls=(\d+)/g)) calls[name as string] = Number(count);
      return calls;
    },
    async stop() {
      await gateway.close();
      await redis.stop();
    },
  };
}

export { freshName, pause } from "./names.ts";
