import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { type RedisServer, startRedis } from "../../../tools/redis.ts";
import { type Line, openLine } from "../../src/holding/line.ts";
import { type Command, type Reply, type ServerBackend, textOf } from "../../src/redis/backend.ts";
import { createRedisBackend } from "../../src/redis/server-backend.ts";
import { received } from "../../src/shared/receiver.ts";
import { until } from "../support/client.ts";

let redis: RedisServer;
let backend: ServerBackend;
beforeAll(async () => {
  redis = await startRedis();
  backend = createRedisBackend({ host: "127.0.0.1", port: redis.port, db: 0 }, 1_000);
  await backend.opened;
});
afterAll(async () => {
  backend?.close();
  await redis?.stop();
});

const lines: Line[] = [];
afterEach(() => {
  for (const line of lines.splice(0)) line.close();
});

/** A line, and how often it has ended. */
async function open() {
  let ends = 0;
  const listener = { written() {}, paused() {}, lost: () => void ends++ };
  const line = await openLine(() => backend.dial(), listener, 1_000);
  lines.push(line);
  const send = async (prefixes: readonly string[], ...commands: Command[]): Promise<string[]> => {
    const replies = await received<readonly Reply[]>((to) => line.send(commands, new Set(prefixes), to));
    return replies.map(textOf);
  };
  return { send, ends: () => ends };
}

// Redis refuses prefixes of which one begins with another.
it("answers its commands when the server does not report their names, and ends then", async () => {
  const { send, ends } = await open();
  expect(await send(["app:a"], ["SET", "app:a", "1"])).toEqual(["OK"]);
  expect(await send(["app:a", "app:ab"], ["SET", "app:ab", "2"], ["GET", "app:ab"])).toEqual(["OK", "2"]);
  expect(
    await until(
      async () => ends(),
      (count) => count > 0,
    ),
  ).toBe(1);
});

it("ends when the server does not report names, also without commands", async () => {
  const { send, ends } = await open();
  await send(["app:a"]);
  await send(["app:a", "app:ab"]);
  expect(
    await until(
      async () => ends(),
      (count) => count > 0,
    ),
  ).toBe(1);
});

it("goes on while the server reports its names", async () => {
  const { send, ends } = await open();
  for (const prefixes of [["app:a"], ["app:a", "app:b"], [], ["app:b"]])
    expect(await send(prefixes, ["PING"])).toEqual(["PONG"]);
  expect(ends()).toBe(0);
});
