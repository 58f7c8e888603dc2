import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type RedisServer, startRedis } from "../../tools/redis.ts";
import { pause, TOKEN } from "./support/harness.ts";

/** As a body may be by default. */
const SIZE = 8 * 1024 * 1024;
/** On an idle machine it is some 50; in one go these took 1 100 to 5 200. */
const MAX_MS = 600;

let redis: RedisServer;
let gateway: ChildProcess;
let url: string;
const agent = new Agent({ keepAlive: true });

beforeAll(async () => {
  redis = await startRedis();
  // A process of its own, so that nobody waits for what the test does.
  gateway = fork(new URL("../bench/server.ts", import.meta.url).pathname, [redis.url, TOKEN]);
  [{ url }] = (await once(gateway, "message")) as [{ url: string }];
  await redis.command("EVAL", "for i = 1, 500000 do redis.call('RPUSH', 'list', 'an item of it') end", "0");
});
afterAll(async () => {
  agent.destroy();
  const ended = once(gateway, "exit");
  gateway.disconnect();
  await ended;
  await redis.stop();
});

function ask(path: string, body?: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? "GET" : "POST";
    const asked = request(url + path, { agent, method, headers: { authorization: `Bearer ${TOKEN}` } }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode));
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

/** An array of as many as there is room for, without those that come before and after. */
const many = (item: string): string =>
  Array(Math.floor((SIZE - 100) / (item.length + 1)))
    .fill(item)
    .join(",");

const SHAPES: readonly (readonly [what: string, path: string, body: () => string, status: number])[] = [
  ["a command of integers", "/", () => `["DEL",${many("1")}]`, 200],
  ["a command of other numbers", "/", () => `["DEL",${many("1.50")}]`, 200],
  ["a command of strings", "/", () => `["DEL",${many('"a"')}]`, 200],
  ["a command whose options have to be found", "/", () => `["XREAD",${many('"a"')}]`, 400],
  [
    "a pipeline of commands of both",
    "/pipeline",
    () => `[${Array(7_000).fill(`["DEL",${"1,".repeat(400)}${"1.5,".repeat(20)}1]`)}]`,
    200,
  ],
  [
    "a transaction of strings",
    "/multi-exec",
    () => `[${Array(7_000).fill(`["SET","k","${"x".repeat(1_100)}"]`)}]`,
    200,
  ],
  ["more commands than may be", "/pipeline", () => `[${many('["PING"]')}]`, 413],
  ["arrays in arrays", "/", () => "[".repeat(SIZE / 2) + "]".repeat(SIZE / 2), 400],
  ["objects", "/pipeline", () => `[${many('{"a":1}')}]`, 400],
  ["a list in a reply", "/", () => '["LRANGE","list","0","-1"]', 200],
];

it.each(SHAPES)(
  "29: 8 MB of one delay no other caller: %s",
  async (_, path, make, status) => {
    const body = make();
    expect(body.length).toBeLessThanOrEqual(SIZE);
    let shortest = Number.POSITIVE_INFINITY;
    // A busy machine may stop for a moment; it does not do so each time.
    for (let round = 0; round < 3 && shortest > MAX_MS; round++) {
      let longest = 0;
      let isOver = false;
      const others = (async () => {
        while (!isOver) {
          const start = performance.now();
          expect(await ask("/health")).toBe(200);
          longest = Math.max(longest, performance.now() - start);
          await pause(2);
        }
      })();
      expect(await ask(path, body)).toBe(status);
      isOver = true;
      await others;
      shortest = Math.min(shortest, longest);
    }
    expect(shortest).toBeLessThan(MAX_MS);
  },
  120_000,
);
