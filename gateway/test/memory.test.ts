import { type ChildProcess, fork } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type RedisServer, startRedis } from "../../tools/redis.ts";
import { pause, TOKEN } from "./support/harness.ts";

/** The long form is MEMORY_REQUESTS=200000. */
const REQUESTS = Number(process.env["MEMORY_REQUESTS"] ?? 20_000);
const WORKERS = 32;
/**
 * For code that is compiled meanwhile and room that is kept: 157 bytes for each of 20 000 requests, less than a promise
 * and its answer.
 */
const SLACK_BYTES = 3 * 2 ** 20;

const SCRIPT = "return redis.call('GET', KEYS[1])";
const SHA = createHash("sha1").update(SCRIPT).digest("hex");

let redis: RedisServer;
let gateway: ChildProcess;
let url: string;
const agent = new Agent({ keepAlive: true, maxSockets: WORKERS });

beforeAll(async () => {
  redis = await startRedis();
  const file = new URL("../bench/server.ts", import.meta.url).pathname;
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

async function memory(): Promise<NodeJS.MemoryUsage> {
  const answer = once(gateway, "message") as Promise<[NodeJS.MemoryUsage]>;
  gateway.send("collect");
  return (await answer)[0];
}

const heap = async (): Promise<number> => (await memory()).heapUsed;

/** What it holds, bytes outside of the heap included. */
async function held(): Promise<number> {
  const { heapUsed, external } = await memory();
  return heapUsed + external;
}

const MIB = 2 ** 20;

/** An upload that has begun, and does not end before it is told to. */
function upload(): { readonly socket: Socket; readonly answer: Promise<string> } {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.write(`POST / HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${TOKEN}\r\nTransfer-Encoding: chunked\r\n\r\n`);
  const answer = new Promise<string>((resolve) => socket.once("data", (bytes) => resolve(bytes.toString())));
  return { socket, answer };
}

it("takes no more room for a body of many pieces than for one of few", async () => {
  await ask("/ping");
  const before = await held();
  const { socket, answer } = upload();
  const pieces = 100_000;
  socket.write(`a\r\n["PING"   \r\n${"1\r\n \r\n".repeat(pieces)}`);
  // Bytes are read in their order: when this has gone out, nearly all of it is there.
  await new Promise((resolve) => socket.write("1\r\n \r\n", resolve));
  await pause(300);
  expect((await held()) - before).toBeLessThan(5 * MIB);
  // Not closed meanwhile: Node answers nobody who has ended the connection.
  socket.write("1\r\n]\r\n0\r\n\r\n");
  expect(await answer).toContain('{"result":"PONG"}');
  socket.destroy();
});

it("keeps nothing of a body that is too large, whatever still comes of it", async () => {
  const before = await held();
  const piece = `${MIB.toString(16)}\r\n${"x".repeat(MIB)}\r\n`;
  const all = Array.from({ length: 5 }, upload);
  for (const { socket } of all) for (let at = 0; at < 11; at++) socket.write(piece);
  for (const { answer } of all) expect(await answer).toContain(" 413 ");
  await pause(300);
  // One of them is 10 MiB.
  expect((await held()) - before).toBeLessThan(5 * MIB);
  for (const { socket } of all) socket.destroy();
});

it("keeps nothing of requests that have ended", async () => {
  expect(await ask("/", ["SCRIPT", "LOAD", SCRIPT])).toMatchObject({ text: `{"result":"${SHA}"}` });
  expect(await load(REQUESTS / 4)).toBe(REQUESTS / 4);
  const before = await heap();
  expect(await load(REQUESTS)).toBe(REQUESTS);
  expect((await heap()) - before).toBeLessThan(SLACK_BYTES);
}, 300_000);
