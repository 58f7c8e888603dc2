import { createGateway, type Gateway, serveGateway } from "../../gateway/src/index.ts";
import { type RedisServer, startRedis } from "../../tools/redis.ts";
import { scripts } from "./scripts.ts";

/** A gateway, and what a client needs to reach it. */
export interface Front {
  readonly url: string;
  readonly token: string;
  /**
   * Asks a gateway in this process, without a network in between: a third of the cost for tests that ask a lot, and
   * whose subject is not the transport.
   */
  readonly fetch: typeof globalThis.fetch;
  /** Stops the gateway, then what is behind it. */
  stop(): Promise<void>;
}

/** A private Redis with the gateway in front of it. */
export interface Stack extends Front {
  readonly redis: RedisServer;
  /** Whether the gateway holds the requests of waiters. */
  readonly holds?: boolean;
  /** Redis commands that an operation makes, those inside its scripts included, and each `EVALSHA` itself. */
  commandsOf(operation: () => Promise<unknown>): Promise<number>;
  /** Calls of each Redis command since the last `CONFIG RESETSTAT`, those inside scripts included. */
  commandCalls(): Promise<Record<string, number>>;
}

export interface StackOptions {
  /** Arguments of the Redis server. */
  readonly args?: readonly string[];
  /** Makes Redis know every script, so that one request is one answer. */
  readonly warm?: boolean;
  /** Puts the ready Worker and its Durable Objects, in workerd, in the place of the gateway and Redis. */
  readonly objects?: boolean;
  /** Whether the gateway holds the requests of waiters. By default clients poll, as they do on Upstash. */
  readonly holds?: boolean;
}

/** Puts a gateway in front of a server, a cluster or a pair that was started before. */
export async function startFront(
  behind: { readonly url: string; stop(): Promise<unknown> },
  { holds = false }: Pick<StackOptions, "holds"> = {},
): Promise<Front> {
  const token = "test-token-0123456789";
  const options = { redis: behind.url, token, ...(holds ? {} : { maxHeldInAll: 0 }) };
  const gateway = await serveGateway({ ...options, port: 0 });
  let inside: Gateway | undefined;
  return {
    url: gateway.url,
    token,
    fetch(input, init) {
      inside ??= createGateway(options);
      return inside.fetch(input, init);
    },
    async stop() {
      inside?.close();
      await gateway.close();
      await behind.stop();
    },
  };
}

/** `TEST_SERVER=objects` runs any tests over objects. Those of what only a Redis process has fail then. */
const OVER_OBJECTS = process.env["TEST_SERVER"] === "objects";

export async function startStack({
  args = [],
  warm = false,
  holds = false,
  objects = OVER_OBJECTS,
}: StackOptions = {}): Promise<Stack> {
  if (objects) {
    const { startObjectStack } = await import("../../durable-object/test/support/stack.ts");
    return startObjectStack({ warm });
  }
  const redis = await startRedis(args);
  if (warm) for (const { lua } of Object.values(scripts)) await redis.command("SCRIPT", "LOAD", lua);
  async function commandCalls(): Promise<Record<string, number>> {
    const info = await redis.command("INFO", "commandstats");
    const calls: Record<string, number> = {};
    for (const [, name, count] of info.matchAll(/cmdstat_(\S+?):calls=(\d+)/g)) calls[name as string] = Number(count);
    return calls;
  }
  return {
    ...(await startFront(redis, { holds })),
    redis,
    holds,
    async commandsOf(operation) {
      await redis.command("CONFIG", "RESETSTAT");
      await operation();
      const calls = await commandCalls();
      for (const ours of ["config|resetstat", "info", "quit", "hello", "client|setinfo"]) delete calls[ours];
      return Object.values(calls).reduce((sum, count) => sum + count, 0);
    },
    commandCalls,
  };
}

export { freshName, pause } from "./names.ts";
