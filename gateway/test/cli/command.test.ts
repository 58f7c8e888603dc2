import { createRequire } from "node:module";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort, type RedisServer, startRedis } from "../../../tools/redis.ts";
import { call, TOKEN } from "../support/harness.ts";
import { start, urlIn } from "../support/process.ts";

const { version } = createRequire(import.meta.url)("../../package.json") as { version: string };

let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

describe("leasehold-gateway", () => {
  it.each(["SIGTERM", "SIGINT"] as const)("listens, says where in one line, and ends on %s", async (signal) => {
    const quiet = ["--log-level", "silent"];
    const { child, firstLine, ended } = start(["--redis", redis.url, "--token", TOKEN, "--port", "0", ...quiet]);
    const line = await firstLine;
    expect(line).toMatch(/^leasehold-gateway listens on http:\/\/127\.0\.0\.1:\d+$/);
    expect((await call(urlIn(line), ["PING"])).body).toEqual({ result: "PONG" });
    child.kill(signal);
    expect(await ended).toEqual({ code: 0, out: `${line}\n`, err: "" });
  });

  it("drains: a request in flight is answered after SIGTERM", async () => {
    const { child, firstLine, ended } = start(["--redis", redis.url, "--token", TOKEN, "--port", "0"]);
    const url = urlIn(await firstLine);
    await call(url, ["SET", "cli", "1"]);
    await redis.command("CLIENT", "PAUSE", "500", "WRITE");
    const asked = call(url, ["INCR", "cli"]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    child.kill("SIGTERM");
    expect((await asked).body).toEqual({ result: 2 });
    expect((await ended).code).toBe(0);
  });

  it("takes everything from the environment, and options before that", async () => {
    const port = String(await freePort());
    const env = { LEASEHOLD_REDIS_URL: redis.url, LEASEHOLD_TOKEN: TOKEN, PORT: port };
    const plain = start([], env);
    expect(urlIn(await plain.firstLine)).toBe(`http://127.0.0.1:${port}`);
    const other = start(["--port", "0", "--token", "other"], env);
    const url = urlIn(await other.firstLine);
    expect((await call(url, ["PING"])).status).toBe(401);
    expect((await call(url, ["PING"], { headers: { authorization: "Bearer other" } })).status).toBe(200);
    for (const { child } of [plain, other]) child.kill("SIGTERM");
    await Promise.all([plain.ended, other.ended]);
  });

  it("starts when Redis is not there, and says nothing of what passes through", async () => {
    const nowhere = `redis://:hunter2@127.0.0.1:${await freePort()}`;
    const { child, firstLine, ended } = start(["--redis", nowhere, "--port", "0"], {
      LEASEHOLD_TOKEN: TOKEN,
    });
    const url = urlIn(await firstLine);
    expect((await call(url, ["SET", "a-key", "a-value"])).status).toBe(503);
    expect((await call(`${url}/set/a-key/a-value?_token=${TOKEN}`)).status).toBe(503);
    child.kill("SIGTERM");
    const { code, out, err } = await ended;
    expect(code).toBe(0);
    expect(out + err).not.toMatch(new RegExp(`${TOKEN}|a-key|a-value`));
  });

  it("says that the port is taken, with exit code 1", async () => {
    const first = start(["--redis", redis.url, "--token", TOKEN, "--port", "0"]);
    const port =
      urlIn(await first.firstLine)
        .split(":")
        .at(-1) ?? "";
    const second = await start(["--redis", redis.url, "--token", TOKEN, "--port", port]).ended;
    first.child.kill("SIGTERM");
    await first.ended;
    expect(second).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringMatching(/^leasehold-gateway: .*EADDRINUSE.*\n$/),
    });
  });
});

describe("bad usage is one line and exit code 2, and repeats no value", () => {
  const cases: [string, string[], RegExp][] = [
    ["another command", ["hunter2"], /the only command is/],
    ["no token", [], /a token is required/],
    ["an empty token (B5)", ["--token", ""], /--token is empty: set it, or leave it out/],
    ["an empty admin token (B5)", ["--token", "x", "--admin-token", ""], /--admin-token is empty/],
    ["two servers (B5)", ["--token", "x", "--redis", "hunter2", "--redis", "redis://h"], /--redis is given twice/],
    ["a stray argument", ["--token", "x", "hunter2"], /the only command is/],
    ["an unknown option", ["--tokn=hunter2"], /Unknown option '--tokn'/],
    ["an option without its value", ["--token"], /'--token <value>' argument missing/],
    ["a bad port", ["--token", "hunter2", "--port", "70000"], /--port must be a whole number from 0 to 65535/],
    [
      "a port that is no number",
      ["--token", "hunter2", "--port", "http"],
      /--port must be a whole number from 0 to 65535/,
    ],
    ["a bad Redis URL", ["--token", "x", "--redis", "http://:hunter2@h"], /redis must be a URL/],
  ];

  it.each(cases)("%s", async (_, args, message) => {
    const { code, out, err } = await start(args).ended;
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/^leasehold-gateway: [^\n]*\n$/);
    expect(err).toMatch(message);
    expect(err).not.toContain("hunter2");
  });
});

it.each(["--help", "-h"])("prints its usage with %s", async (flag) => {
  for (const args of [[flag], [flag]]) {
    expect(await start(args).ended).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Usage: leasehold-gateway/),
      err: "",
    });
  }
});

it.each(["--version", "-v"])("prints its version with %s", async (flag) => {
  expect(await start([flag]).ended).toEqual({ code: 0, out: `${version}\n`, err: "" });
});
