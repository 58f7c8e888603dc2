import { beforeAll, describe, expect, it } from "vitest";
import { startRedis } from "../../../tools/redis.ts";
import { createGateway } from "../../src/index.ts";
import { type Answer, call, stage, TOKEN } from "../support/harness.ts";

const READER = "a-token-that-only-reads";
const it_ = stage({ readOnlyToken: READER });
const reader = { headers: { authorization: `Bearer ${READER}` } };
const read = (...command: unknown[]): Promise<Answer> => call(it_.gateway.url, command, reader);
const denied = (name: string) => ({ error: `NOPERM this user has no permissions to run the '${name}' command` });

beforeAll(async () => {
  for (const command of [
    ["SET", "s", "1"],
    ["RPUSH", "l", "1", "2"],
    ["HSET", "h", "f", "v"],
    [
      "FUNCTION",
      "LOAD",
      "#!lua name=f\nredis.register_function{function_name='r', callback=function() return 1 end, flags={'no-writes'}}",
    ],
  ])
    expect((await it_.run(...command)).status).toBe(200);
});

describe("the read-only token", () => {
  it.each([
    [["GET", "s"], "1"],
    [["get", "s"], "1"],
    [
      ["MGET", "s", "none"],
      ["1", null],
    ],
    [
      ["LRANGE", "l", "0", "-1"],
      ["1", "2"],
    ],
    [
      ["HGETALL", "h"],
      ["f", "v"],
    ],
    [
      ["HSCAN", "h", "0"],
      ["0", ["f", "v"]],
    ],
    [["OBJECT", "ENCODING", "s"], "int"],
    [["memory", "usage", "none"], null],
    [["EVAL_RO", "return redis.call('GET', KEYS[1])", "1", "s"], "1"],
    [["FCALL_RO", "r", "0"], 1],
    [["PING"], "PONG"],
    [["ECHO", "x"], "x"],
  ])("runs %j", async (command, result) => {
    expect((await read(...command)).body).toEqual({ result });
  });

  it.each([
    ["SET", "s", "2"],
    ["sEt", "s", "2"],
    ["DEL", "s"],
    ["GETDEL", "s"],
    ["GETEX", "s"],
    ["SORT", "l"],
    ["BITFIELD", "s"],
    ["EVAL", "return 1", "0"],
    ["EVALSHA", "0".repeat(40), "0"],
    ["FCALL", "r", "0"],
    ["SCRIPT", "LOAD", "return 1"],
    ["FUNCTION", "LIST"],
    ["KEYS", "*"],
    ["SCAN", "0"],
    ["PUBLISH", "c", "m"],
    ["FLUSHALL"],
    ["CONFIG", "GET", "*"],
    ["INFO"],
    ["CLIENT", "LIST"],
    ["ACL", "LIST"],
    ["MEMORY", "PURGE"],
    ["OBJECT", "NOSUCH", "s"],
    ["WAIT", "0", "0"],
    ["NOSUCH"],
  ])("may not run %s", async (...command) => {
    const answer = await read(...command);
    expect(answer).toMatchObject({ status: 400, body: denied(String(command[0]).toLowerCase()) });
    expect((await it_.run("GET", "s")).body).toEqual({ result: "1" });
  });

  it("may not draw a key, since names are not for it (W21)", async () => {
    expect(await read("RANDOMKEY")).toMatchObject({ status: 400, body: denied("randomkey") });
  });

  it("may not write from a script that only reads", async () => {
    expect((await read("EVAL_RO", "return redis.call('SET', KEYS[1], '2')", "1", "s")).body).toEqual({
      error: expect.stringContaining("Write commands are not allowed from read-only scripts"),
    });
  });

  it("is held to it in the path form, in a pipeline, each in its place, and in a transaction as a whole", async () => {
    expect(
      (await call(`${it_.gateway.url}/set/s/2?_token=${READER}`, undefined, { headers: { authorization: "" } })).status,
    ).toBe(401);
    const response = await fetch(`${it_.gateway.url}/set/s/2?_token=${READER}`);
    expect([response.status, await response.json()]).toEqual([400, denied("set")]);
    expect((await call(`${it_.gateway.url}/get/s`, undefined, reader)).body).toEqual({ result: "1" });
    const mixed = [
      ["GET", "s"],
      ["SET", "s", "2"],
      ["STRLEN", "s"],
      ["SUBSCRIBE", "c"],
      ["TTL", "s"],
    ];
    expect((await call(`${it_.gateway.url}/pipeline`, mixed, reader)).body).toEqual([
      { result: "1" },
      denied("set"),
      { result: 1 },
      { error: expect.stringMatching(/SUBSCRIBE/) },
      { result: -1 },
    ]);
    expect(
      (
        await call(
          `${it_.gateway.url}/multi-exec`,
          [
            ["GET", "s"],
            ["STRLEN", "s"],
          ],
          reader,
        )
      ).body,
    ).toEqual([{ result: "1" }, { result: 1 }]);
    const answer = await call(
      `${it_.gateway.url}/multi-exec`,
      [
        ["GET", "s"],
        ["SET", "s", "2"],
      ],
      reader,
    );
    expect(answer).toMatchObject({ status: 400, body: denied("set") });
    expect((await it_.run("GET", "s")).body).toEqual({ result: "1" });
  });

  it.each(["subscribe/c", "psubscribe/c", "monitor", "SUBSCRIBE/c", "%73ubscribe/c"])(
    "opens no stream: /%s",
    async (path) => {
      const answer = await call(`${it_.gateway.url}/${path}`, undefined, reader);
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual(
        denied(path.includes("monitor") ? "monitor" : path.startsWith("p") ? "psubscribe" : "subscribe"),
      );
    },
  );

  it("may run nothing by a name or an option with a NUL", async () => {
    for (const name of ["GET\0", "SET\0", "KEYS\0"])
      expect(await read(name, "s", "2")).toMatchObject({ status: 400, body: { error: "ERR unknown command" } });
    expect((await read("OBJECT", "ENCODING\0", "s")).body).toEqual(denied("object"));
    expect((await read("XREAD", "BLOCK\0", "0", "STREAMS", "x", "$")).text).toContain("XREAD is not supported");
    expect((await read("GET", "s")).body).toEqual({ result: "1" });
  });

  it("cannot make the gateway repeat a long text", async () => {
    expect((await read("x".repeat(10_000))).text.length).toBeLessThan(300);
  });
});

it("is of no use where Redis does not tell which commands read, and says so", async () => {
  const redis = await startRedis();
  await redis.command("ACL", "SETUSER", "short", "on", ">pw", "~*", "+get", "+ping");
  const gateway = createGateway({
    redis: `redis://short:pw@127.0.0.1:${redis.port}`,
    token: TOKEN,
    readOnlyToken: READER,
  });
  await gateway.opened;
  const ask = (token: string) =>
    gateway.fetch(new Request("http://h/get/a", { headers: { authorization: `Bearer ${token}` } }));
  expect((await ask(TOKEN)).status).toBe(200);
  const refused = await ask(READER);
  expect([refused.status, await refused.text()]).toEqual([503, expect.stringContaining("nothing was sent")]);
  await redis.stop();
  expect((await ask(READER)).status).toBe(503);
  gateway.close();
});

it("asks Redis once which commands read, and not for each request", async () => {
  const asked = async (): Promise<number> =>
    Number(/cmdstat_command:calls=(\d+)/.exec(await it_.redis.command("INFO", "commandstats"))?.[1] ?? 0);
  await read("GET", "s");
  const before = await asked();
  expect(before).toBeGreaterThan(0);
  for (let n = 0; n < 3; n++) await read("GET", "s");
  expect(await asked()).toBe(before);
});

it("nothing was sent where Redis does not answer which commands read: 503, not 504", async () => {
  const redis = await startRedis();
  const gateway = createGateway({ redis: redis.url, token: TOKEN, readOnlyToken: READER, timeoutMs: 200 });
  await gateway.opened;
  redis.freeze();
  const request = new Request("http://h/get/a", { headers: { authorization: `Bearer ${READER}` } });
  expect((await gateway.fetch(request)).status).toBe(503);
  redis.thaw();
  gateway.close();
  await redis.stop();
});
