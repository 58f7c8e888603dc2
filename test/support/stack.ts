import { serveGateway } from "../../gateway/src/index.ts";
import { type RedisServer, startRedis } from "../../tools/redis.ts";

/** A private Redis with the gateway in front of it. */
export interface Stack {
  readonly redis: RedisServer;
  readonly url: string;
  readonly token: string;
  /** Redis commands that an operation makes, those inside its scripts included, and each `EVALSHA` itself. */
  commandsOf(operation: () => Promise<unknown>): Promise<number>;
  /** Calls of each Redis command since the last `CONFIG RESETSTAT`, those inside scripts included. */
  commandCalls(): Promise<Record<string, number>>;
  stop(): Promise<void>;
}

export async function startStack(redisArgs: readonly string[] = []): Promise<Stack> {
  const redis = await startRedis(redisArgs);
  const token = "test-token-0123456789";
  const gateway = await serveGateway({ redis: redis.url, token, port: 0 });
  async function commandCalls(): Promise<Record<string, number>> {
    const info = await redis.command("INFO", "commandstats");
    const calls: Record<string, number> = {};
    for (const [, name, count] of info.matchAll(/cmdstat_(\S+?):calls=(\d+)/g)) calls[name as string] = Number(count);
    return calls;
  }
  return {
    redis,
    url: gateway.url,
    token,
    async commandsOf(operation) {
      await redis.command("CONFIG", "RESETSTAT");
      await operation();
      const calls = await commandCalls();
      for (const ours of ["config|resetstat", "info", "quit", "hello", "client|setinfo"]) delete calls[ours];
      return Object.values(calls).reduce((sum, count) => sum + count, 0);
    },
    commandCalls,
    async stop() {
      await gateway.close();
      await redis.stop();
    },
  };
}

export { freshName, pause } from "./names.ts";
