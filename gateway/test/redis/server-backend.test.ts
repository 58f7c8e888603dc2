import { once } from "node:events";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type RedisServer, startRedis } from "../../../tools/redis.ts";
import { repliesOf, type ServerBackend } from "../../src/redis/backend.ts";
import { createRedisBackend } from "../../src/redis/server-backend.ts";
import { NoAnswer } from "../../src/shared/error-answers.ts";

let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

/** A backend that is connected, and the troubles that it reports. */
async function connected(): Promise<{ readonly backend: ServerBackend; readonly troubles: readonly string[] }> {
  const troubles: string[] = [];
  const onTrouble = (reason: string): void => void troubles.push(reason);
  const backend = createRedisBackend({ host: "127.0.0.1", port: redis.port, db: 0, onTrouble }, 1_000);
  await backend.opened;
  return { backend, troubles };
}

it("a command that waits to be written when the backend closes fails, and is not reported as a trouble with Redis", async () => {
  const { backend, troubles } = await connected();
  const replies = repliesOf(backend, [["PING"]]);
  backend.close();
  await expect(replies).rejects.toThrow(NoAnswer);
  expect(troubles).toEqual([]);
});

it("a connection for one caller ends with the backend", async () => {
  const { backend } = await connected();
  const connection = backend.dial(["SUBSCRIBE"]);
  if (connection instanceof Error) throw connection;
  await connection.opened;
  const ended = once(connection.socket, "close");
  backend.close();
  await ended;
  expect(connection.isReady).toBe(false);
});
