import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { lockAcquire, sha } from "../../../src/redis/scripts/lock-acquire.gen.ts";
import { type RedisServer, startRedis } from "../../../tools/redis.ts";
import { Holding, type Needs } from "../../src/holding/holding.ts";
import { type Command, repliesOf, type ServerBackend } from "../../src/redis/backend.ts";
import { createRedisBackend } from "../../src/redis/server-backend.ts";
import { holdOf } from "../../src/shared/budget.ts";
import { until } from "../support/client.ts";

/** How often the waiters of an unreported key are tried, and the time after which a key without waiters is forgotten. */
const POLL_MS = 250;
const FORGOTTEN_MS = 11_000;
const NAME = "leasehold:{a}";
const NEEDS: Needs = {
  request: { whenUnwanted: () => () => {} },
  held: { park: () => true, replies: holdOf(1_000_000) },
};

let redis: RedisServer;
let backend: ServerBackend;
beforeEach(async () => {
  redis = await startRedis();
  backend = createRedisBackend({ host: "127.0.0.1", port: redis.port, db: 0 }, 10_000);
  await backend.opened;
});
afterEach(async () => {
  vi.useRealTimers();
  backend.close();
  await redis.stop();
});

/** The command by which one more client asks for the lock, valid for a minute. */
function acquire(id: string): Command {
  const notAfter = String((Date.now() + 60_000) * 1_000);
  return ["EVALSHA", sha[0], "1", NAME, notAfter, id.padStart(36, "0"), "30000", "60000", "", "", "1", "0", "", "0"];
}

it("polls while a request waits for a key whose writes are not reported, and has no timer afterwards", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  let tries = 0;
  const holding = new Holding(backend, {
    timeoutMs: 10_000,
    isReported: false,
    counted: (counted) => counted,
    onEvent: ({ type }) => (tries += type === "tried" ? 1 : 0),
    onRefused: () => {},
  });
  await redis.command("SCRIPT", "LOAD", lockAcquire.lua);
  await repliesOf(backend, [acquire("1")]);
  const waiting = holding.asked("wait=30", acquire("2"));
  if (waiting === undefined) throw new Error("the request is not recognised");
  const answer = holding.run(waiting, NEEDS);
  const triedMore = async (): Promise<void> => {
    const before = tries;
    vi.advanceTimersByTime(POLL_MS);
    await until(
      async () => tries,
      (now) => now > before,
    );
  };
  for (let polls = 0; polls < 4; polls++) await triedMore();
  await redis.command("DEL", NAME);
  await triedMore();
  expect((await answer).reply).toEqual(expect.arrayContaining([Buffer.from("granted")]));
  vi.advanceTimersByTime(FORGOTTEN_MS);
  expect(vi.getTimerCount()).toBe(0);
  holding.close();
});
