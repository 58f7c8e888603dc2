import { connect, type Socket } from "node:net";
import { beforeAll, describe, expect, it } from "vitest";
import { createGateway, serveGateway } from "../../src/index.ts";
import { type Answer, call, stage, TOKEN, until } from "../support/harness.ts";
import { start, urlIn } from "../support/process.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
const budgets = { maxBodyBytes: MIB, bodyBudgetBytes: 4 * MIB, replyBudgetBytes: 64 * MIB };
/** Twice what the kernel takes of an answer that nobody reads. */
const LARGE = 8 * MIB;
const it_ = stage({ ...budgets, readOnlyToken: "reads", timeoutMs: 20_000 });
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

const heldAt = async (url: string, of: "bodies" | "replies"): Promise<number> =>
  Number(new RegExp(`held_bytes\\{of="${of}"\\} (\\d+)`).exec(await (await fetch(`${url}/metrics`)).text())?.[1]);
const held = (of: "bodies" | "replies") => heldAt(it_.gateway.url, of);

/** An upload that does not end: one byte is missing. */
interface Upload {
  readonly socket: Socket;
  readonly answer: Promise<string>;
  /** Resolves when the rest has gone out. */
  readonly sent: Promise<void>;
}

function upload(port: number, token: string, size: number): Upload {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  const answer = new Promise<string>((resolve) => socket.once("data", (bytes) => resolve(bytes.toString())));
  socket.write(`POST / HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${size + 1}\r\n\r\n`);
  const sent = new Promise<void>((resolve) => socket.write(Buffer.alloc(size, "x"), () => resolve()));
  return { socket, answer, sent };
}

/** A client that asks and does not read. */
function lazy(path: string, token = TOKEN): Socket {
  const socket = connect(it_.gateway.port, "127.0.0.1");
  socket.on("error", () => {});
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  return socket;
}

describe("bodies that are being collected", () => {
  it("have a budget: one more is answered with 503, and nothing of it is kept", async () => {
    const all = Array.from({ length: 10 }, () => upload(it_.gateway.port, "reads", MIB - 1));
    const first = await Promise.race(all.map(({ answer }) => answer));
    expect(first).toMatch(/^HTTP\/1\.1 503 /);
    expect(first).toMatch(/retry-after: 1\r\n/);
    expect(first).toContain('{"error":"too many bytes of request bodies at once: nothing was sent"}');
    expect(await held("bodies")).toBeLessThanOrEqual(2 * MIB);
    expect(await held("bodies")).toBeGreaterThan(0);
    // What is small is no reason to refuse anybody, and what others have is theirs.
    expect((await call(it_.gateway.url, ["GET", "a"], bearer("reads"))).status).toBe(200);
    expect((await it_.run("SET", "a", "x".repeat(MIB - 100))).status).toBe(200);
    for (const { socket } of all) socket.destroy();
    await until(
      () => held("bodies"),
      (bytes) => bytes === 0,
    );
    expect((await call(it_.gateway.url, ["GET", "x".repeat(MIB - 100)], bearer("reads"))).status).toBe(200);
  });

  it("count until their answer is there", async () => {
    it_.redis.freeze();
    const sent = Array.from({ length: 8 }, () => it_.run("SET", "paused", "x".repeat(MIB - 100)));
    const refused = await Promise.race(sent);
    expect(refused.status).toBe(503);
    it_.redis.thaw();
    const done = (await Promise.all(sent)).map(({ status }) => status);
    expect(done.filter((status) => status === 200).length).toBeGreaterThanOrEqual(1);
    expect(new Set(done)).toEqual(new Set([200, 503]));
    expect(await held("bodies")).toBe(0);
  });
});

describe("replies", () => {
  beforeAll(async () => {
    await it_.redis.command("SETRANGE", "big", String(LARGE - 1), "x");
    await it_.redis.command("EVAL", `return redis.call('SET', 'text', string.rep('x', ${LARGE}))`, "0");
    await it_.redis.command("EVAL", "for i = 1, 600000 do redis.call('RPUSH', 'list', 'x') end", "0");
  });

  const TOO_LARGE = { error: "the reply is larger than there is room for: what was sent has run" };

  it("of a pipeline have a budget, and the answer says that it ran", async () => {
    const commands = [["INCR", "ran"], ...Array.from({ length: 50 }, () => ["GET", "text"])];
    expect(await it_.post("/pipeline", commands)).toMatchObject({ status: 504, body: TOO_LARGE });
    expect((await it_.run("GET", "ran")).body).toEqual({ result: "1" });
    expect(await held("replies")).toBe(0);
    expect((await it_.run("STRLEN", "text")).status).toBe(200);
  });

  it("of a transaction, of one command and as raw bytes, too", async () => {
    const five = Array.from({ length: 5 }, () => ["GET", "text"]);
    expect(await it_.post("/multi-exec", five)).toMatchObject({ status: 504, body: TOO_LARGE });
    const raw = await it_.post("/pipeline", five, { "upstash-response-format": "resp2" });
    expect(raw).toMatchObject({ status: 504, body: TOO_LARGE });
    // A list of many small ones takes far more room than its bytes.
    expect(await it_.run("LRANGE", "list", "0", "-1")).toMatchObject({ status: 504, body: TOO_LARGE });
    expect(await it_.run("LRANGE", "list", "0", "9")).toMatchObject({ status: 200 });
    // A byte that is six in JSON.
    expect(await it_.run("GET", "big")).toMatchObject({ status: 504, body: TOO_LARGE });
    expect(await it_.post("/", ["GET", "big"], { "upstash-encoding": "base64" })).toMatchObject({ status: 200 });
    expect(await held("replies")).toBe(0);
  });

  it("count until the client has taken them, and then nothing is sent for that token, while others are answered", async () => {
    const all = Array.from({ length: 10 }, () => lazy("/get/text", "reads"));
    await until(
      () => held("replies"),
      (bytes) => bytes >= 2 * LARGE,
    );
    // What the kernel has taken of an answer no longer counts, so it takes more clients that do not read.
    const refused = await until(
      () => {
        all.push(lazy("/get/text", "reads"));
        return call(`${it_.gateway.url}/get/text`, undefined, bearer("reads"));
      },
      ({ status }) => status !== 200,
    );
    expect([503, 504]).toContain(refused.status);
    expect(await held("replies")).toBeLessThanOrEqual(32 * MIB);
    expect((await it_.run("GET", "text")).status).toBe(200);
    for (const socket of all) socket.destroy();
    await until(
      () => held("replies"),
      (bytes) => bytes === 0,
    );
    expect((await call(`${it_.gateway.url}/get/text`, undefined, bearer("reads"))).status).toBe(200);
  });
});

it("one request has room for maxReplyBytes of replies, whatever others leave", async () => {
  const server = await serveGateway({ redis: it_.redis.url, token: TOKEN, port: 0, maxReplyBytes: MIB });
  try {
    await it_.redis.command("EVAL", `return redis.call('SET', 'two', string.rep('x', ${2 * MIB}))`, "0");
    const answer = await call(server.url, ["GET", "two"]);
    expect(answer).toMatchObject({ status: 504, body: { error: expect.stringContaining("what was sent has run") } });
    expect((await call(server.url, ["GETRANGE", "two", "0", "200000"])).status).toBe(200);
  } finally {
    await server.close();
  }
});

it("replies behind a stream, on its connection, release their memory when the client disconnects", async () => {
  await it_.redis.command("EVAL", `return redis.call('SET', 'text', string.rep('x', ${LARGE}))`, "0");
  const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`;
  const socket = connect(it_.gateway.port, "127.0.0.1");
  socket.on("error", () => {}).resume();
  socket.write(get("/subscribe/never") + get("/get/text"));
  await until(
    () => held("replies"),
    (bytes) => bytes >= LARGE,
  );
  socket.destroy();
  await until(
    () => held("replies"),
    (bytes) => bytes === 0,
  );
});

it("a budget must have room for a body", () => {
  const options = { redis: "redis://h", token: TOKEN };
  expect(() => createGateway({ ...options, maxBodyBytes: 100, bodyBudgetBytes: 199 })).toThrow(
    new RangeError("bodyBudgetBytes must be at least twice maxBodyBytes"),
  );
  for (const bad of [0, 1.5, Number.NaN])
    for (const name of ["bodyBudgetBytes", "replyBudgetBytes"])
      expect(() => createGateway({ ...options, [name]: bad })).toThrow(RangeError);
});

describe("with the settings it has by default", () => {
  const MAX_RSS = 900 * MIB;

  it("150 unfinished uploads with a read-only token, then 50 × GET of 10 MB, take a bounded part of memory", async () => {
    const args = ["--redis", it_.redis.url, "--port", "0", "--read-only-token", "reads", "--token", TOKEN];
    const { child, firstLine, ended } = start(args);
    const url = urlIn(await firstLine);
    const rss = async (): Promise<number> =>
      Number(/process_resident_memory_bytes (\d+)/.exec(await (await fetch(`${url}/metrics`)).text())?.[1]);
    const uploads = Array.from({ length: 150 }, () => upload(Number(new URL(url).port), "reads", 10 * MIB - 1));
    await Promise.all(uploads.map(({ sent }) => sent));
    const afterUploads = await rss();
    for (const { socket } of uploads) socket.destroy();

    await it_.redis.command("SETRANGE", "ten", String(10_000_000 - 1), "x");
    let max = 0;
    const timer = setInterval(
      () =>
        void rss().then(
          (bytes) => (max = Math.max(max, bytes)),
          () => {},
        ),
      100,
    );
    const answer: Answer = await call(
      `${url}/pipeline`,
      Array.from({ length: 50 }, () => ["GET", "ten"]),
      bearer(TOKEN),
    );
    clearInterval(timer);
    const afterReplies = Math.max(max, await rss());
    child.kill("SIGTERM");
    await ended;
    expect(answer.status).toBe(504);
    expect(afterUploads).toBeLessThan(MAX_RSS);
    expect(afterReplies).toBeLessThan(MAX_RSS);
  }, 120_000);
});

it("a reply that is longer than a text can be is a clear error, one command or several, and the next request is answered", async () => {
  const args = ["--redis", it_.redis.url, "--port", "0", "--token", TOKEN];
  const max = String(2 ** 31 - 1);
  const { child, firstLine, ended } = start([
    ...args,
    "--reply-budget-bytes",
    max,
    "--max-reply-bytes",
    max,
    "--timeout-ms",
    "60000",
  ]);
  const url = urlIn(await firstLine);
  // Bytes that are six in JSON: 100 MB of them are more than the 512 MiB that a text can be, 10 MB ten times as well.
  await it_.redis.command("SETRANGE", "hundred", String(100_000_000 - 1), "x");
  await it_.redis.command("SETRANGE", "ten", String(10_000_000 - 1), "x");
  const error = "the reply is longer than a text can be: what was sent has run";
  expect(await call(url, ["GET", "hundred"])).toMatchObject({ status: 504, body: { error } });
  const ten = Array.from({ length: 10 }, () => ["GET", "ten"]);
  const answer = await call(`${url}/pipeline`, [["INCR", "counted"], ...ten]);
  expect(answer).toMatchObject({ status: 504, body: { error } });
  expect((await call(url, ["GET", "counted"])).body).toEqual({ result: "1" });
  expect(await heldAt(url, "replies")).toBe(0);
  await it_.redis.command("DEL", "hundred", "ten");
  child.kill("SIGTERM");
  await ended;
}, 120_000);
