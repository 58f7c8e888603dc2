import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLocks } from "../../../src/index.ts";
import { readConfig } from "../../src/cli/config.ts";
import { createGateway } from "../../src/index.ts";
import { type Answer, call, TOKEN, until } from "../support/client.ts";
import { listen } from "../support/listen.ts";
import { type Run, start, urlIn } from "../support/process.ts";

const folder = mkdtempSync(join(tmpdir(), "leasehold-memory-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(content: object): string {
  const path = join(folder, crypto.randomUUID());
  writeFileSync(path, JSON.stringify(content));
  return path;
}

const READER = "a-token-that-only-reads";

describe("leasehold-gateway --memory", () => {
  let gateway: Run;
  let url: string;
  beforeAll(async () => {
    const tokens = { LEASEHOLD_TOKEN: TOKEN, LEASEHOLD_READ_ONLY_TOKEN: READER };
    gateway = start(["--memory", "--port", "0", "--log-level", "warn"], tokens);
    url = urlIn(await gateway.firstLine);
  });
  afterAll(async () => {
    gateway.child.kill("SIGTERM");
    expect(await gateway.ended).toEqual({ code: 0, out: `${await gateway.firstLine}\n`, err: "" });
  });

  const run = (...command: unknown[]): Promise<Answer> => call(url, command);
  const post = (path: string, body: unknown, headers = {}): Promise<Answer> => call(url + path, body, { headers });

  it("says in one line where it listens, and that nothing is kept", async () => {
    expect(await gateway.firstLine).toMatch(
      /^leasehold-gateway listens on http:\/\/127\.0\.0\.1:\d+ \(in memory: nothing is kept\)$/,
    );
  });

  it("answers commands, pipelines and transactions, byte for byte", async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, at) => at));
    expect((await call(`${url}/set/bytes`, bytes)).body).toEqual({ result: "OK" });
    const encoded = { headers: { "upstash-encoding": "base64" } };
    expect((await call(url, ["GET", "bytes"], encoded)).body).toEqual({ result: bytes.toString("base64") });
    expect((await call(`${url}/set/text/é 漢?EX=100`, "")).body).toEqual({ result: "OK" });
    const piped = [
      ["GET", "text"],
      ["TTL", "text"],
      ["NOPE", "a"],
      ["INCRBY", "n", "9007199254740993"],
      ["GET", "none"],
    ];
    expect((await post("/pipeline", piped)).body).toEqual([
      { result: "é 漢" },
      { result: 100 },
      { error: "ERR unknown command 'NOPE', with args beginning with: 'a' " },
      { result: "9007199254740993" },
      { result: null },
    ]);
    const counted = await post("/multi-exec", [
      ["INCR", "count"],
      ["LPUSH", "count", "x"],
      ["GET", "count"],
    ]);
    expect(counted.body).toMatchObject([
      { result: 1 },
      { error: expect.stringMatching(/^WRONGTYPE /) },
      { result: "1" },
    ]);
    expect((await post("/multi-exec", [["INCR", "count"], ["GET"]])).body).toEqual({
      error: "EXECABORT Transaction discarded because of previous errors.",
    });
    expect((await run("GET", "count")).body).toEqual({ result: "1" });
    expect((await run("WAIT", "1", "10")).body).toEqual({ result: 0 });
  });

  it("takes large requests and replies, and many at once", async () => {
    const large = "x".repeat(3_000_000);
    expect((await run("SET", "large", large)).body).toEqual({ result: "OK" });
    expect((await run("GET", "large")).body).toEqual({ result: large });
    const answers = await Promise.all(Array.from({ length: 300 }, (_, at) => run("ECHO", `text-${at}`)));
    expect(answers.map(({ body }) => body)).toEqual(answers.map((_, at) => ({ result: `text-${at}` })));
  });

  it("runs leasehold's scripts", async () => {
    const lock = createLocks({ url, token: TOKEN }).lock("nightly");
    const token = await lock.run({ lease: "5s" }, async (lease) => {
      expect(await lock.tryAcquire()).toBeNull();
      return lease.token;
    });
    expect(await lock.run({ lease: "5s" }, async (lease) => lease.token)).toBeGreaterThan(token);
    expect((await run("EVALSHA", "0".repeat(40), "0")).body).toEqual({
      error: "NOSCRIPT No matching script. Please use EVAL.",
    });
    // Deeper than the stack: an error, and the gateway lives.
    const deep = await run("EVAL", "local t = {} for n = 1, 100000 do t = {t} end return t", "0");
    expect(deep.body).toEqual({ error: "ERR reached lua stack limit" });
  });

  it("lets in whoever has a token, and a read-only one to read", async () => {
    const reader = { headers: { authorization: `Bearer ${READER}` } };
    const read = async (...command: string[]): Promise<unknown> => (await call(url, command, reader)).body;
    await run("SET", "seen", "1");
    expect(await read("GET", "seen")).toEqual({ result: "1" });
    expect(await read("EVAL_RO", "return redis.call('GET', KEYS[1])", "1", "seen")).toEqual({ result: "1" });
    for (const [name = "", ...args] of [
      ["SET", "seen", "2"],
      ["EVAL", "return 1", "0"],
      ["KEYS", "*"],
      ["PUBLISH", "c", "m"],
    ])
      expect(await read(name, ...args)).toEqual({
        error: `NOPERM this user has no permissions to run the '${name.toLowerCase()}' command`,
      });
    expect((await call(url, ["PING"], { headers: { authorization: "Bearer nobody" } })).status).toBe(401);
  });

  it("sends what is published to channels and patterns, until the reader goes", async () => {
    const [chat, all] = await Promise.all([
      listen(`${url}/subscribe/chat/ch%C3%A4t`),
      listen(`${url}/psubscribe/ch*/x`),
    ]);
    expect(await chat.first(2)).toEqual(["subscribe,chat,1", "subscribe,chät,2"]);
    expect(await all.first(2)).toEqual(["psubscribe,ch*,1", "psubscribe,x,2"]);
    expect((await run("PUBLISH", "chat", "hello")).body).toEqual({ result: 2 });
    expect((await run("EVAL", "return redis.call('PUBLISH', 'chät', 'from a script')", "0")).body).toEqual({
      result: 2,
    });
    expect((await post("/multi-exec", [["PUBLISH", "other", "m"]])).body).toEqual([{ result: 0 }]);
    expect((await chat.first(4)).slice(2)).toEqual(["message,chat,hello", "message,chät,from a script"]);
    expect((await all.first(4)).slice(2)).toEqual(["pmessage,ch*,chat,hello", "pmessage,ch*,chät,from a script"]);
    chat.leave();
    await until(
      () => run("PUBLISH", "chat", "again"),
      ({ body }) => JSON.stringify(body) === '{"result":1}',
    );
    all.leave();
  });

  it("shows commands to a monitor, those of scripts too", async () => {
    const heard = await listen(`${url}/monitor`);
    expect(await heard.first(1)).toEqual(['"OK"']);
    await run("EVAL", "return redis.call('SET', KEYS[1], ARGV[1])", "1", "key", 'a "\n\x01é');
    await run("GET");
    const [eval_, set] = (await heard.first(3)).slice(1);
    expect(eval_).toMatch(/^\d{10}\.\d{6} \[0 memory:\d+\] "EVAL" "return redis/);
    expect(set).toMatch(/^\d{10}\.\d{6} \[0 lua\] "SET" "key" "a \\"\\n\\x01\\xc3\\xa9"$/);
    heard.leave();
  });

  it("is healthy and ready, and has metrics", async () => {
    expect((await fetch(`${url}/health`)).status).toBe(200);
    expect(await (await fetch(`${url}/ready`)).json()).toEqual({ status: "ready" });
    await run("SET", "a", "1");
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toMatch(/^leasehold_gateway_redis_up\{database="default"\} 1$/m);
    expect(metrics).toMatch(/^leasehold_gateway_commands_total\{database="default",command="set"\} [1-9]/m);
  });
});

describe("the setting memory", () => {
  it("comes from a flag, a variable or the file", () => {
    const of = (flags: Record<string, boolean | string>, env: Record<string, string> = {}) =>
      readConfig(flags, env).databases[0];
    for (const given of [
      of({ memory: true }),
      of({}, { LEASEHOLD_MEMORY: "1" }),
      of({ config: file({ memory: true }) }),
    ]) {
      expect(given?.memory).toBe(true);
      expect(given).not.toHaveProperty("redis");
    }
    expect(of({}, { LEASEHOLD_MEMORY: "false" })).not.toHaveProperty("memory");
    expect(of({}, { LEASEHOLD_MEMORY: "false" })?.redis).toBe("redis://127.0.0.1:6379");
  });

  it("is for each of several databases, whose contents outlive a SIGHUP", async () => {
    const shop = { name: "shop", memory: true, token: TOKEN };
    const stats = { name: "stats", memory: true, token: "other" };
    const config = file({ databases: [shop, stats] });
    const listed = start(["--config", config, "--port", "0"]);
    const url = urlIn(await listed.firstLine);
    expect((await call(url, ["SET", "a", "1"])).body).toEqual({ result: "OK" });
    const other = { headers: { authorization: "Bearer other" } };
    expect((await call(url, ["GET", "a"], other)).body).toEqual({ result: null });

    let err = "";
    listed.child.stderr?.on("data", (chunk) => (err += chunk));
    writeFileSync(config, JSON.stringify({ databases: [shop, { ...stats, token: "new" }] }));
    listed.child.kill("SIGHUP");
    await until(
      async () => err,
      (text) => text.includes("read the settings again"),
    );
    expect((await call(url, ["GET", "a"])).body).toEqual({ result: "1" });
    expect((await call(url, ["PING"], other)).status).toBe(401);
    listed.child.kill("SIGTERM");
    expect((await listed.ended).code).toBe(0);
  });

  it.each<[string, Record<string, string | boolean>, Record<string, string>, RegExp]>([
    ["--redis", { redis: "redis://:hunter2@h" }, {}, /excludes --redis \(LEASEHOLD_REDIS_URL, redis in the config/],
    ["a URL in a variable", {}, { LEASEHOLD_REDIS_URL: "redis://:hunter2@h" }, /excludes --redis \(LEASEHOLD_REDIS/],
    ["a password", { "redis-password": "hunter2" }, {}, /excludes --redis-password \(/],
    ["a user", { "redis-username": "hunter2" }, {}, /excludes --redis-username \(/],
    ["TLS", { "redis-servername": "hunter2" }, {}, /excludes --redis-servername \(/],
    ["Sentinels", { "sentinel-tls": true }, {}, /excludes --sentinel-tls \(/],
    ["no token", {}, { LEASEHOLD_TOKEN: "" }, /LEASEHOLD_TOKEN is empty/],
    [
      "a value that is not one",
      { memory: "" },
      { LEASEHOLD_MEMORY: "hunter2" },
      /^LEASEHOLD_MEMORY must be true or false/,
    ],
  ])("does not go with %s", (_, flags, env, message) => {
    const create = () => {
      const { databases } = readConfig({ memory: true, ...flags }, { LEASEHOLD_TOKEN: TOKEN, ...env });
      createGateway({ databases }).close();
    };
    expect(create).toThrow(message);
    expect(create).not.toThrow(/hunter2/);
  });

  it("beside a server is one line and exit code 2", async () => {
    const { code, out, err } = await start(["--memory", "--redis", "redis://h", "--token", TOKEN]).ended;
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/^leasehold-gateway: --memory \([^\n]* is instead of a server, and excludes --redis [^\n]*\n$/);
  });
});
