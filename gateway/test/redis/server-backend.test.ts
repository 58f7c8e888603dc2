import { once } from "node:events";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freePort, type RedisServer, startRedis } from "../../../tools/redis.ts";
import { repliesOf, type ServerBackend } from "../../src/redis/backend.ts";
import { createRedisBackend } from "../../src/redis/server-backend.ts";
import { NoAnswer, NotSent } from "../../src/shared/error-answers.ts";
import { pause } from "../support/client.ts";

let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

interface Connected {
  readonly backend: ServerBackend;
  readonly troubles: readonly string[];
}

/** A backend that is connected, and the troubles that it reports. */
async function connected(timeoutMs = 1_000): Promise<Connected> {
  const troubles: string[] = [];
  const onTrouble = (reason: string): void => void troubles.push(reason);
  const backend = createRedisBackend({ host: "127.0.0.1", port: redis.port, db: 0, onTrouble }, timeoutMs);
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
  const connection = backend.dial();
  await connection.opened;
  const ended = once(connection.socket, "close");
  backend.close();
  await ended;
  expect(connection.isReady).toBe(false);
});

it("a connection for one caller is not opened while the shared one is down", async () => {
  const backend = createRedisBackend({ host: "127.0.0.1", port: await freePort(), db: 0 }, 1_000);
  await backend.opened;
  expect(() => backend.dial()).toThrow(NotSent);
  backend.close();
});

it("keeps a connection on which replies are always due, as long as some arrive", async () => {
  const timeoutMs = 600;
  const { backend, troubles } = await connected(timeoutMs);
  const busy = `local function ms() local now = redis.call("TIME"); return now[1] * 1000 + now[2] / 1000 end
    local start = ms()
    while ms() - start < 100 do end
    return 1`;
  /** Sends the next command as soon as a reply arrives, while the other caller's command still runs. */
  async function caller(): Promise<void> {
    for (let n = 0; n < 8; n++) expect(await repliesOf(backend, [["EVAL", busy, "0"]])).toEqual(["1"]);
  }
  const start = performance.now();
  const first = caller();
  // Redis answers commands together if they arrive together.
  await pause(50);
  await Promise.all([first, caller()]);
  expect(performance.now() - start).toBeGreaterThan(2 * timeoutMs);
  expect(troubles).toEqual([]);
  backend.close();
});
