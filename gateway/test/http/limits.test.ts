import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createGateway, type GatewayServer, type ServeOptions, serveGateway } from "../../src/index.ts";
import { call, exchange, pause, stage, TOKEN, until } from "../support/harness.ts";

const it_ = stage({ maxPipeline: 3, maxBodyBytes: 200, maxInFlight: 2 });

describe("a request that is too large", () => {
  it.each(["pipeline", "multi-exec"])("has too many commands for /%s: 413, and none is run", async (path) => {
    const four = Array.from({ length: 4 }, () => ["INCR", "long"]);
    const answer = await it_.post(`/${path}`, four);
    expect(answer).toMatchObject({ status: 413, body: { error: "ERR more than 3 commands in one request" } });
    expect(await it_.redis.command("EXISTS", "long")).toContain(":0");
    expect((await it_.post(`/${path}`, four.slice(1))).status).toBe(200);
    await it_.run("DEL", "long");
  });

  it("has too many commands, of which each would be refused", async () => {
    const answer = await it_.post(
      "/pipeline",
      Array.from({ length: 4 }, () => ["QUIT"]),
    );
    expect(answer.status).toBe(413);
  });

  it("has too large a body: 413, said beforehand or not", async () => {
    const text = JSON.stringify(["SET", "large", "x".repeat(200)]);
    expect((await call(it_.gateway.url, text)).status).toBe(413);
    const body = new ReadableStream({
      start(controller) {
        for (const piece of text.match(/.{1,50}/g) ?? []) controller.enqueue(Buffer.from(piece));
        controller.close();
      },
    });
    const headers = { authorization: `Bearer ${TOKEN}` };
    const init = { method: "POST", headers, body, duplex: "half" } as RequestInit;
    expect((await fetch(it_.gateway.url, init)).status).toBe(413);
    expect(await it_.redis.command("EXISTS", "large")).toContain(":0");
  });
});

it("answers 503 with Retry-After and sends nothing while too much is in flight, and continues afterwards", async () => {
  await it_.redis.command("CLIENT", "PAUSE", "60000", "WRITE");
  const held = [it_.run("INCR", "held"), it_.run("INCR", "held")];
  await until(
    () => it_.redis.command("INFO", "clients"),
    (text) => /blocked_clients:[1-9]/.test(text),
  );
  const refused = await until(
    () => it_.run("GET", "held"),
    ({ status }) => status === 503,
  );
  expect(refused.body).toEqual({ error: "more than 2 requests at once: nothing was sent" });
  expect(refused.headers.get("retry-after")).toBe("1");
  // Those without a token are told so, and count for nothing.
  expect((await fetch(it_.gateway.url)).status).toBe(401);
  expect((await fetch(`${it_.gateway.url}/health`)).status).toBe(200);
  const numbers = await (await fetch(`${it_.gateway.url}/metrics`)).text();
  expect(numbers).toMatch(/errors_total\{kind="overloaded"\} [1-9]/);
  expect(numbers).toContain("requests_in_flight 2");
  await it_.redis.command("CLIENT", "UNPAUSE");
  for (const answer of await Promise.all(held)) expect(answer.status).toBe(200);
  expect((await it_.run("GET", "held")).body).toEqual({ result: "2" });
});

it("refuses limits out of range", () => {
  const names = ["timeoutMs", "maxBodyBytes", "maxPipeline", "maxInFlight", "maxStreams", "streamBufferBytes"];
  for (const name of [...names, "streamKeepAliveMs"])
    for (const bad of [0, -1, 1.5, Number.NaN, 2 ** 31])
      expect(() => createGateway({ redis: "redis://h", token: TOKEN, [name]: bad })).toThrow(RangeError);
});

it.each<Partial<ServeOptions>>([
  { headersTimeoutMs: 0 },
  { headersTimeoutMs: 2_000, requestTimeoutMs: 1_000 },
  { maxHeaderBytes: -1 },
  { drainTimeoutMs: Number.NaN },
  { idleTimeoutMs: 0 },
  { port: 65_536 },
  { adminPort: -1 },
])("refuses to listen with %j", async (options) => {
  await expect(serveGateway({ redis: it_.redis.url, token: TOKEN, port: 0, ...options })).rejects.toThrow(RangeError);
});

describe("clients that take their time", () => {
  let server: GatewayServer;
  let hasty: GatewayServer;
  const HEAD = `Host: h\r\nAuthorization: Bearer ${TOKEN}\r\n`;

  beforeAll(async () => {
    // A whole request may take longer than a test, so that it is the headers' time that is over.
    const patience = {
      headersTimeoutMs: 300,
      requestTimeoutMs: 90_000,
      keepAliveTimeoutMs: 1_000,
      maxHeaderBytes: 2_000,
    };
    const options = { redis: it_.redis.url, token: TOKEN, port: 0, ...patience };
    server = await serveGateway(options);
    hasty = await serveGateway({ ...options, requestTimeoutMs: 600 });
  });
  afterAll(() => Promise.all([server.close(), hasty.close()]));

  /**
   * Writes the first piece, and a bit more every now and then; gives what came until the server closed the connection.
   */
  async function slowly(first: string, bit = "", to: GatewayServer = server): Promise<string> {
    const socket: Socket = connect(to.port, "127.0.0.1");
    socket.on("error", () => {});
    let text = "";
    socket.on("data", (chunk) => (text += chunk));
    socket.write(first);
    const timer = bit === "" ? undefined : setInterval(() => socket.write(bit), 50);
    await new Promise((resolve) => socket.once("close", resolve));
    clearInterval(timer);
    return text;
  }

  it("with their headers get 408 and are disconnected, and delay nobody", async () => {
    const slow = Array.from({ length: 50 }, () => slowly("GET /ping HTTP/1.1\r\nHost: h\r\n", "X-A: b\r\n"));
    for (let i = 0; i < 5; i++) expect((await call(server.url, ["PING"])).status).toBe(200);
    for (const text of await Promise.all(slow)) expect(text).toMatch(/^HTTP\/1\.1 408 /);
  });

  it("with their body get 408 and are disconnected, and nothing runs", async () => {
    const text = await slowly(`POST / HTTP/1.1\r\n${HEAD}Content-Length: 1000\r\n\r\n["SET","slow","`, "x", hasty);
    expect(text).toMatch(/^HTTP\/1\.1 408 /);
    expect(await it_.redis.command("EXISTS", "slow")).toContain(":0");
  });

  it("with their next request find the connection closed", async () => {
    const text = await slowly(`GET /ping HTTP/1.1\r\n${HEAD}\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    expect(text).toMatch(/^Keep-Alive: timeout=1\r$/m);
  });

  it("with empty lines instead of a request are disconnected, before the first one and after it (W18)", async () => {
    expect(await slowly("\r\n", "\r\n")).toMatch(/^(HTTP\/1\.1 408 |$)/);
    expect(await slowly(`GET /ping HTTP/1.1\r\n${HEAD}\r\n`, "\r\n")).toMatch(/^HTTP\/1\.1 200 /);
  });

  it("get 431 if their headers are too large", async () => {
    expect(await slowly(`GET /ping HTTP/1.1\r\n${HEAD}X-Long: ${"x".repeat(3_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431 /,
    );
  });
});

describe("requests that are sent before the first one has its answer", () => {
  const ask = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`;

  let server: GatewayServer;
  beforeAll(async () => {
    server = await serveGateway({ redis: it_.redis.url, token: TOKEN, port: 0 });
  });
  afterAll(() => server.close());

  it("are answered in their order", async () => {
    const sent = Array.from({ length: 60 }, (_, at) => ask(`/echo/number-${at}`)).join("");
    const answers = [...(await exchange(server.port, sent, 500)).matchAll(/number-(\d+)/g)];
    expect(answers.map(([, at]) => Number(at))).toEqual(Array.from({ length: 60 }, (_, at) => at));
  });

  it("are not read while too many answers wait behind another one", async () => {
    const socket = connect(server.port, "127.0.0.1");
    socket.on("error", () => {});
    // A stream is an answer that does not end. The requests are more than the buffers of the system take.
    socket.write(ask("/subscribe/never") + ask("/ping").repeat(300_000));
    socket.resume();
    let unsent = socket.writableLength;
    await until(
      async () => {
        const before = unsent;
        await pause(300);
        unsent = socket.writableLength;
        return unsent === before;
      },
      (isStill) => isStill,
    );
    expect(unsent).toBeGreaterThan(0);
    expect((await call(server.url, ["PING"])).status).toBe(200);
    socket.destroy();
  });
});

describe("a client that does not read", () => {
  /** What an `idleTimeoutMs` of 1 becomes by the other limits. */
  const IDLE_MS = 4_650;
  const KEEP_ALIVE_MS = 1_000;
  let server: GatewayServer;
  beforeAll(async () => {
    // As short as it may be with these. Within `timeoutMs`, a busy machine has to read 8 MB.
    const limits = { timeoutMs: 1_500, streamKeepAliveMs: 800, headersTimeoutMs: 300, requestTimeoutMs: 300 };
    const times = { idleTimeoutMs: 1, keepAliveTimeoutMs: KEEP_ALIVE_MS };
    server = await serveGateway({ redis: it_.redis.url, token: TOKEN, port: 0, ...limits, ...times });
  });
  afterAll(() => server.close());

  function ask(path: string): Socket {
    const socket = connect(server.port, "127.0.0.1");
    socket.on("error", () => {});
    socket.pause();
    socket.write(`GET ${path} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`);
    return socket;
  }

  it("loses its connection, one that reads slowly does not", async () => {
    // Twice what the kernel takes of it, and little enough to be there in time.
    const size = 8_000_000;
    // The server's ends: the client's do not hear of anything while they do not read.
    const ends: Socket[] = [];
    const note = (message: unknown): void => void ends.push((message as { socket: Socket }).socket);
    subscribe("net.server.socket", note);
    await it_.redis.command("EVAL", "return redis.call('SET', 'big', string.rep('x', ARGV[1]))", "0", String(size));
    const slow = ask("/get/big");
    let read = 0;
    let allowed = 0;
    let isSlow = true;
    slow.on("data", (chunk) => {
      read += chunk.length;
      if (isSlow && read > allowed) slow.pause();
    });
    const reading = setInterval(() => {
      allowed += 150_000;
      slow.resume();
    }, 100);
    const idle = ask("/get/big");
    let got = 0;
    idle.on("data", (chunk) => (got += chunk.length)).pause();
    const theirs = await until(
      async () => ends.find(({ remotePort }) => remotePort === idle.localPort),
      (end) => end !== undefined,
    );
    await until(
      async () => theirs?.destroyed,
      (isOver) => isOver === true,
    );
    clearInterval(reading);
    isSlow = false;
    slow.resume();
    idle.resume();
    await until(
      async () => read,
      (bytes) => bytes > size,
    );
    await until(
      async () => idle.destroyed,
      (isOver) => isOver,
    );
    expect(got).toBeLessThan(size);
    unsubscribe("net.server.socket", note);
    slow.destroy();
  });

  it("loses its connection after idleTimeoutMs, and at the latest after about twice as long", async () => {
    await it_.redis.command("EVAL", "return redis.call('SET', 'big', string.rep('x', ARGV[1]))", "0", "8000000");
    const ends: Socket[] = [];
    const note = (message: unknown): void => void ends.push((message as { socket: Socket }).socket);
    subscribe("net.server.socket", note);
    const idle = ask("/get/big");
    const theirs = await until(
      async () => ends.find(({ remotePort }) => remotePort === idle.localPort),
      (end) => end !== undefined,
    );
    const start = performance.now();
    await until(
      async () => theirs?.destroyed,
      (isOver) => isOver === true,
    );
    const took = performance.now() - start;
    unsubscribe("net.server.socket", note);
    idle.destroy();
    expect(took).toBeGreaterThan(0.9 * IDLE_MS);
    // Node first notes how much of an answer was sent, and then whether that was all.
    expect(took).toBeLessThan(3 * IDLE_MS);
  });

  it("has its connection closed between requests after keepAliveTimeoutMs, whatever idleTimeoutMs is", async () => {
    const socket = connect(server.port, "127.0.0.1");
    socket.on("error", () => {});
    const start = performance.now();
    socket.write(`GET /ping HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`);
    socket.resume();
    await new Promise((resolve) => socket.once("close", resolve));
    // Node gives clients a second more than it tells them.
    expect(performance.now() - start).toBeLessThan(KEEP_ALIVE_MS + 3_000);
    expect(performance.now() - start).toBeGreaterThan(0.9 * KEEP_ALIVE_MS);
  });

  it("loses its stream, which counts no more, and a quiet one stays", async () => {
    const quiet = ask("/subscribe/quiet").resume();
    const idle = ask("/subscribe/flood");
    const open = async () => /streams_open (\d+)/.exec(await (await fetch(`${server.url}/metrics`)).text())?.[1];
    await until(open, (count) => count === "2");
    for (let i = 0; i < 200; i++)
      await it_.redis.command("EVAL", "return redis.call('PUBLISH', 'flood', string.rep('x', 200000))", "0");
    await until(open, (count) => count === "1");
    expect(quiet.destroyed).toBe(false);
    for (const socket of [quiet, idle]) socket.destroy();
  });
});

it("closes the stream of a client that disconnects", async () => {
  const away = new AbortController();
  const headers = { authorization: `Bearer ${TOKEN}` };
  const response = await fetch(`${it_.gateway.url}/subscribe/c`, { headers, signal: away.signal });
  expect(response.status).toBe(200);
  const open = async () => /streams_open (\d+)/.exec(await (await fetch(`${it_.gateway.url}/metrics`)).text())?.[1];
  const subscribed = () => it_.redis.command("PUBSUB", "NUMSUB", "c");
  expect([await open(), await subscribed()]).toEqual(["1", expect.stringContaining(":1")]);
  away.abort();
  await until(open, (count) => count === "0");
  await until(subscribed, (text) => text.includes(":0"));
});
