import { afterAll, beforeAll } from "vitest";
import { type RedisServer, startRedis } from "../../../tools/redis.ts";
import { type GatewayServer, type ServeOptions, serveGateway } from "../../src/index.ts";
import { type Answer, call, TOKEN } from "./client.ts";

export { type Answer, base64, call, exchange, pause, TOKEN, until } from "./client.ts";

export interface Stage {
  redis: RedisServer;
  gateway: GatewayServer;
  /** One command by `POST /`. */
  run(...command: unknown[]): Promise<Answer>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
}

/** A Redis and a gateway in front of it, for all tests of a file. */
export function stage(options: Partial<ServeOptions> = {}, extra: readonly string[] = []): Stage {
  const parts: Partial<Stage> = {};
  beforeAll(async () => {
    parts.redis = await startRedis(extra);
    parts.gateway = await serveGateway({ redis: parts.redis.url, token: TOKEN, port: 0, ...options });
  });
  afterAll(async () => {
    await parts.gateway?.close();
    await parts.redis?.stop();
  });
  const part = <K extends "redis" | "gateway">(name: K): Stage[K] => {
    const value = parts[name];
    if (value === undefined) throw new Error(`${name} has not started`);
    return value as Stage[K];
  };
  return {
    get redis() {
      return part("redis");
    },
    get gateway() {
      return part("gateway");
    },
    run: (...command) => call(part("gateway").url, command),
    post: (path, body, headers = {}) => call(part("gateway").url + path, body, { headers }),
  };
}
