import { afterAll, beforeAll } from "vitest";
import { type RedisServer, startRedis } from "../../../tools/redis.ts";
import { type RespClient, respClient } from "./resp.ts";

/** A real Redis, and a client that shows its replies as they are. Both can be used once the tests of the file run. */
export interface RealRedis {
  readonly client: RespClient;
  /** Whether its errors have the words that the engine repeats. Other versions word some of them in another way. */
  readonly isExact: boolean;
}

/** Starts a Redis before the tests of the file, and stops it after them. */
export function useRedis(): RealRedis {
  let redis: RedisServer | undefined;
  let client: RespClient | undefined;
  let isExact = false;
  beforeAll(async () => {
    redis = await startRedis();
    client = await respClient(redis.port);
    isExact = /redis_version:7\.0\./.test(await redis.command("INFO", "server"));
  });
  afterAll(async () => {
    client?.close();
    await redis?.stop();
  });
  return {
    get client() {
      if (!client) throw new Error("Redis has not started yet: use the client inside a test");
      return client;
    },
    get isExact() {
      return isExact;
    },
  };
}
