import { type ChildProcess, fork } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type RedisServer, startRedis } from "../../tools/redis.ts";
import { TOKEN } from "./harness.ts";

/** The long form is MEMORY_REQUESTS=200000. */
const REQUESTS = Number(process.env["MEMORY_REQUESTS"] ?? 20_000);
const WORKERS = 32;
/** For code that is compiled meanwhile and room that is kept: 157 bytes for each of 20 000 requests, less than a promise and its answer. */
const SLACK_BYTES = 3 * 2 ** 20;

const SCRIPT = "return redis.call('GET', KEYS[1])";
const SHA = createHash("sha1").update(SCRIPT).digest("hex");

let redis: RedisServer;
let gateway: ChildProcess;
let url: string;
const agent = new Agent({ keepAlive: true, maxSockets: WORKERS });

beforeAll(async () => {
  redis = await startRedis();
  const file = new URL("../../bench/gateway/server.ts", import.meta.url).pathname;
  gateway = fork(file, [redis.url, TOKEN], { execArgv: ["--expose-gc"] });
  [{ url }] = (await once(gateway, "message")) as [{ url: string }];
});

afterAll(async () => {
  agent.destroy();
  const ended = once(gateway, "exit");
  gateway.disconnect();
  await ended;
  await redis.stop();
});

function ask(path: string, body?: unknown): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? "GET" : "POST";
    const asked = request(url + path, { agent, method, headers: { authorization: `Bearer ${TOKEN}` } }, (response) => {
      let text = "";
      response.on("data", (chunk) => (text += chunk));
      response.on("end", () => resolve({ status: response.statusCode, text }));
    });
    asked.on("error", reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const KINDS: readonly ((id: number) => readonly [path: string, body?: unknown])[] = [
  (id) => [`/set/m:${id % 100}/${id}`],
  (id) => ["/", ["GET", `m:${id % 100}`]],
  (id) => ["/pipeline", Array.from({ length: 10 }, () => ["GET", `m:${id % 100}`])],
  (id) => ["/", ["EVALSHA", SHA, "1", `m:${id % 100}`]],
];

async function load(count: number): Promise<number> {
  let next = 0;
  let good = 0;
  const work = async (): Promise<void> => {
    while (next < count) {
      const id = next++;
      const [path, body] = KINDS[id % KINDS.length]?.(id) ?? [""];
      if ((await ask(path, body)).status === 200) good++;
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  return good;
}

async function heap(): Promise<number> {
  const answer = once(gateway, "message") as Promise<[{ heapUsed: number }]>;
  gateway.send("collect");
  return (await answer)[0].heapUsed;
}

it("keeps nothing of requests that have ended", async () => {
  expect(await ask("/", ["SCRIPT", "LOAD", SCRIPT])).toMatchObject({ text: `{"result":"${SHA}"}` });
  expect(await load(REQUESTS / 4)).toBe(REQUESTS / 4);
  const before = await heap();
  expect(await load(REQUESTS)).toBe(REQUESTS);
  expect((await heap()) - before).toBeLessThan(SLACK_BYTES);
}, 300_000);
