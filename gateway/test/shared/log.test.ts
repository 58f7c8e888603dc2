import { describe, expect, it, onTestFinished, vi } from "vitest";
import { startRedis } from "../../../tools/redis.ts";
import { serveGateway } from "../../src/index.ts";
import { createSampler } from "../../src/shared/log-sampler.ts";
import { type Answer, call, exchange, pause, stage, TOKEN, until } from "../support/harness.ts";
import { keepingLog } from "../support/log.ts";
import { start, urlIn } from "../support/process.ts";

const { log, lines } = keepingLog();
const it_ = stage({ log, readOnlyToken: "reads", timeoutMs: 1_500 });
const last = () => lines.at(-1);
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

describe("the id of a request", () => {
  const ask = (id?: string): Promise<Answer> =>
    call(it_.gateway.url, ["PING"], id === undefined ? {} : { headers: { "x-request-id": id } });

  it.each(["a", "0af7651916cd43dd8448eb211c80319c", "Root=1-67891233-abcdef012345678912345678", "x".repeat(128)])(
    "is the caller's: %s",
    async (id) => {
      expect((await ask(id)).headers.get("x-request-id")).toBe(id);
      expect(last()?.fields["id"]).toBe(id);
    },
  );

  it.each([undefined, "", "two words", 'quote"', "é", "x".repeat(129), "<script>", "a\tb"])(
    "is a new one for %j",
    async (id) => {
      const made = (await ask(id)).headers.get("x-request-id");
      expect(made).toMatch(UUID);
      expect(last()?.fields["id"]).toBe(made);
      expect((await ask(id)).headers.get("x-request-id")).not.toBe(made);
    },
  );

  it("is there whatever the answer", async () => {
    for (const [path, init] of [
      ["/", { method: "POST", body: "[]" }],
      ["/", { method: "DELETE" }],
      ["/get/a", { headers: { authorization: "Bearer wrong" } }],
      ["/health", {}],
      ["/subscribe/x", {}],
    ] as const) {
      const headers = { authorization: `Bearer ${TOKEN}`, ...("headers" in init ? init.headers : {}) };
      const response = await fetch(it_.gateway.url + path, { ...init, headers });
      expect(response.headers.get("x-request-id")).toMatch(UUID);
      await response.body?.cancel();
    }
  });
});

describe("the log", () => {
  it("has a line for each request, at debug where the gateway is well", async () => {
    lines.length = 0;
    await it_.run("GET", "a");
    await call(`${it_.gateway.url}/pipeline`, [["SET", "a", "1"]], { headers: { authorization: "Bearer reads" } });
    await fetch(it_.gateway.url);
    const fields = { id: expect.stringMatching(UUID), ms: expect.any(Number) };
    const known = { ...fields, database: "default" };
    expect(lines).toEqual([
      {
        level: "debug",
        message: "request",
        fields: { ...known, route: "command", token: "token-1", access: "full", status: 200 },
      },
      {
        level: "debug",
        message: "request",
        fields: { ...known, route: "pipeline", token: "read-only-token-1", access: "read-only", status: 200 },
      },
      { level: "debug", message: "request", fields: { ...fields, route: "command", status: 401 } },
    ]);
  });

  it("warns of what Redis does not answer, and says when it does again", async () => {
    lines.length = 0;
    // That it was there a moment ago is no reason to believe so: an answer of now, and not one that is kept for 500 ms.
    await pause(600);
    expect((await fetch(`${it_.gateway.url}/ready`)).status).toBe(200);
    it_.redis.freeze();
    expect((await it_.run("GET", "a")).status).toBe(504);
    expect(lines).toContainEqual({
      level: "warn",
      message: "request",
      fields: expect.objectContaining({ status: 504 }),
    });
    await until(
      async () => lines,
      () => lines.some(({ message }) => message === "Redis does not answer"),
    );
    it_.redis.thaw();
    await until(
      () => it_.run("PING"),
      ({ status }) => status === 200,
    );
    const changes = lines.filter(({ message }) => /answers? ?/.test(message));
    expect(changes).toEqual([
      { level: "warn", message: "Redis does not answer", fields: { database: "default" } },
      { level: "info", message: "Redis answers again", fields: { database: "default" } },
    ]);
  });

  it.each([
    ["a wrong password", () => it_.redis.url, { password: "secret-wrong" }, "AUTH: WRONGPASS"],
    ["no password where one is needed", () => it_.redis.url, {}, "PING: NOAUTH"],
    ["a database that is not there", () => `${it_.redis.url}/4711`, { password: "secret" }, "SELECT: ERR"],
    ["nobody there", () => "redis://127.0.0.1:1", {}, "ECONNREFUSED"],
  ])("says once why Redis cannot be used: %s", async (_, redis, login, reason) => {
    await it_.redis.command("CONFIG", "SET", "requirepass", "secret");
    lines.length = 0;
    const server = await serveGateway({ redis: redis(), ...login, token: TOKEN, port: 0, log });
    // It is tried several times meanwhile.
    await pause(700);
    expect((await call(server.url, ["PING"])).status).toBe(503);
    await server.close();
    await it_.redis.commands(["AUTH", "secret"], ["CONFIG", "SET", "requirepass", ""]);
    const said = lines.filter(({ message }) => message === "Redis cannot be used");
    expect(said).toEqual([{ level: "warn", message: "Redis cannot be used", fields: { database: "default", reason } }]);
    expect(JSON.stringify(lines)).not.toContain("secret");
  });

  it("never holds a token, a key, a value, a path or a body", async () => {
    lines.length = 0;
    const { url } = it_.gateway;
    await it_.run("SET", "secret-key", "secret-value");
    await it_.run("LPUSH", "secret-key", "secret-value");
    await call(`${url}/set/secret-key/secret-value?EX=9&_token=${TOKEN}`);
    await fetch(`${url}/set/secret-key/secret-value?_token=secret-token`);
    await call(`${url}/secret-key`, "secret-value");
    await call(url, '["secret-key"');
    await it_.post("/multi-exec", [["secret-key", "secret-value"]]);
    expect(lines.length).toBe(7);
    expect(JSON.stringify(lines)).not.toMatch(new RegExp(`secret|${TOKEN}|EX`));
  });
});

it("does not take a client that breaks off its upload for an error of the gateway", async () => {
  const metrics = async () => (await fetch(`${it_.gateway.url}/metrics`)).text();
  for (const [path, length] of [
    ["/", "Content-Length: 80"],
    ["/set/upload", "Content-Length: 80"],
    ["/pipeline", "Transfer-Encoding: chunked"],
  ]) {
    lines.length = 0;
    const head = `POST ${path} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${TOKEN}\r\n${length}\r\n\r\n2\r\n["\r\n`;
    await exchange(it_.gateway.port, head, 100, 100);
    await until(
      async () => lines,
      () => lines.length > 0,
    );
    expect(lines).toEqual([{ level: "debug", message: "request", fields: expect.objectContaining({ status: 400 }) }]);
  }
  expect(await metrics()).toContain('{kind="internal"} 0');
  expect((await it_.run("EXISTS", "upload")).body).toEqual({ result: 0 });
});

it("is JSON on standard error, from its level on", async () => {
  const args = ["--redis", it_.redis.url, "--port", "0"];
  const run = async (level: string) => {
    const { child, firstLine, ended } = start([...args, "--log-level", level], { LEASEHOLD_TOKEN: TOKEN });
    const url = urlIn(await firstLine);
    await call(url, ["GET", "secret-key"], { headers: { "x-request-id": "mine" } });
    child.kill("SIGTERM");
    return (await ended).err;
  };
  const [debug, info, silent] = await Promise.all([run("debug"), run("info"), run("silent")]);
  const parsed = debug
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(parsed).toContainEqual(expect.objectContaining({ level: "debug", id: "mine", status: 200, msg: "request" }));
  for (const line of parsed) expect(line["time"]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  expect(debug).not.toMatch(new RegExp(`secret|${TOKEN}`));
  expect(
    info
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { msg: string }).msg),
  ).toEqual(["listening", "closing", "closed"]);
  expect(silent).toBe("");
});

it("is silent where nobody asked for one", async () => {
  const server = await serveGateway({ redis: it_.redis.url, token: TOKEN, port: 0 });
  const before = lines.length;
  expect((await call(server.url, ["PING"])).status).toBe(200);
  await server.close();
  expect(lines.length).toBe(before);
});

it("warns once of requests that end alike, with a count of the others", async () => {
  const gone = await startRedis();
  const databases = [{ name: "gone", redis: gone.url, token: "g" }];
  const server = await serveGateway({ databases, port: 0, log });
  await gone.stop();
  // The sampler's interval must not end in the middle, however slow the machine is.
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const ask = () => call(server.url, ["PING"], { headers: { authorization: "Bearer g" } });
  const reason = "Redis is not reachable: nothing was sent";
  await until(ask, ({ text }) => text.includes(reason));
  lines.length = 0;
  await Promise.all(Array.from({ length: 100 }, ask));
  vi.useRealTimers();
  await server.close();
  const alike = { database: "gone", status: 503, reason };
  // The gateway of the other tests may still count requests of theirs, up to an interval later.
  const own = lines.filter(({ fields }) => fields["database"] === "gone");
  const warned = own.filter(({ level, fields }) => level === "warn" && fields["status"] === 503);
  // The first one was before.
  expect(warned).toEqual([
    { level: "warn", message: "more such requests", fields: { ...alike, count: expect.any(Number) } },
  ]);
  expect(Number(warned[0]?.fields["count"])).toBeGreaterThanOrEqual(100);
  // Whoever wants all of them has them at `debug`.
  expect(own.filter(({ level, message }) => level === "debug" && message === "request")).toHaveLength(100);
});

it("warns once per interval and kind of an ongoing problem, and again after it has stopped", () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const kept = keepingLog();
  const sampler = createSampler(kept.log, 100);
  const warn = (status: number): void => sampler.warn({ status }, { id: "i" }, "request");
  const warned = () => kept.lines.splice(0).flatMap(({ level, fields }) => (level === "warn" ? [fields] : []));
  for (const status of [503, 503, 504, 503]) warn(status);
  expect(warned()).toEqual([
    { status: 503, id: "i" },
    { status: 504, id: "i" },
  ]);
  vi.advanceTimersByTime(100);
  expect(warned()).toEqual([{ status: 503, count: 2 }]);
  warn(503);
  expect(warned()).toEqual([]);
  vi.advanceTimersByTime(100);
  expect(warned()).toEqual([{ status: 503, count: 1 }]);
  vi.advanceTimersByTime(100);
  warn(503);
  expect(warned()).toEqual([{ status: 503, id: "i" }]);
  warn(503);
  sampler.flush();
  expect(warned()).toEqual([{ status: 503, count: 1 }]);
});

it("costs nobody an answer where it throws, and says so once", async () => {
  const warned: string[] = [];
  const warn = vi.spyOn(process, "emitWarning").mockImplementation((text) => void warned.push(String(text)));
  onTestFinished(() => warn.mockRestore());
  const broken = (): never => {
    throw new Error("the disk is full of secrets");
  };
  const log = { debug: broken, info: broken, warn: broken, error: broken };
  const gateway = await serveGateway({ redis: it_.redis.url, token: TOKEN, port: 0, log });
  onTestFinished(() => gateway.close());
  const answers = await Promise.all(
    [["PING"], ["SUBSCRIBE", "refused"], ["PING"]].map((command) => call(gateway.url, command)),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 400, 200]);
  expect(
    await (await fetch(`${gateway.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })).text(),
  ).toMatch(/requests_in_flight 0$/m);
  expect(warned).toHaveLength(1);
  expect(warned[0]).not.toContain("secrets");
});
