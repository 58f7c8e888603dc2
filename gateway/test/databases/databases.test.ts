import { hash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RedisServer, startRedis } from "../../../tools/redis.ts";
import { createGateway, type DatabaseOptions, type Gateway } from "../../src/index.ts";
import { pause } from "../support/harness.ts";

const sha256 = (text: string): string => hash("sha256", text, "hex");
let first: RedisServer;
let second: RedisServer;
let gateway: Gateway;
let databases: readonly [DatabaseOptions, DatabaseOptions];

beforeAll(async () => {
  [first, second] = await Promise.all([startRedis(), startRedis()]);
  databases = [
    { name: "first", redis: first.url, token: ["one", "one-new"], readOnlyTokenSha256: sha256("one-reads") },
    { name: "second", redis: `${second.url}/2`, tokenSha256: [sha256("two").toUpperCase()] },
  ];
  gateway = createGateway({ databases });
  await gateway.opened;
});
afterAll(async () => {
  gateway.close();
  await Promise.all([first.stop(), second.stop()]);
});

async function ask(token: string, ...command: string[]): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await gateway.fetch(
    new Request("http://h/", { method: "POST", headers, body: JSON.stringify(command) }),
  );
  return response.status === 401 ? 401 : response.json();
}
const idOf = async (token: string): Promise<unknown> =>
  ((await ask(token, "CLIENT", "ID")) as { result: unknown }).result;

describe("several databases", () => {
  it("are distinguished by the token", async () => {
    await ask("one", "SET", "name", "first");
    await ask("two", "SET", "name", "second");
    for (const token of ["one", "one-new", "one-reads"])
      expect(await ask(token, "GET", "name")).toEqual({ result: "first" });
    expect(await ask("two", "GET", "name")).toEqual({ result: "second" });
    expect(await second.command("DBSIZE")).toContain(":0");
    expect(await ask("one-reads", "SET", "name", "x")).toMatchObject({ error: expect.stringMatching(/^NOPERM/) });
    for (const token of ["", "three", sha256("two"), "ONE"]) expect(await ask(token, "GET", "name")).toBe(401);
  });

  it("fail one by one", async () => {
    await second.kill();
    for (let tries = 0; ; tries++) {
      const answer = await ask("two", "PING");
      if (JSON.stringify(answer).includes("nothing was sent")) break;
      expect(tries).toBeLessThan(500);
      await pause(10);
    }
    expect(await ask("one", "PING")).toEqual({ result: "PONG" });
    expect(await gateway.isReady()).toBe(false);
    await second.start();
    for (let tries = 0; !(await gateway.isReady()); tries++) {
      expect(tries).toBeLessThan(100);
      await pause(100);
    }
    expect(await ask("two", "PING")).toEqual({ result: "PONG" });
  });
});

describe("reload", () => {
  it("changes tokens, with an overlap, and keeps the connections", async () => {
    const [one, two] = [await idOf("one"), await idOf("two")];
    gateway.reload({ databases: [{ ...databases[0], token: ["one-new", "one-newest"] }, databases[1]] });
    expect(await ask("one", "PING")).toBe(401);
    expect(await idOf("one-new")).toBe(one);
    expect(await idOf("one-newest")).toBe(one);
    expect(await idOf("two")).toBe(two);
    gateway.reload({ databases });
    expect(await ask("one-newest", "PING")).toBe(401);
    expect(await idOf("one")).toBe(one);
  });

  it("lets requests in flight end, then closes what is gone", async () => {
    const clients = async () =>
      (await first.command("CLIENT", "LIST")).split("\n").filter((line) => line.includes("cmd=")).length;
    const before = await clients();
    await first.command("CLIENT", "PAUSE", "400", "WRITE");
    const asked = ask("one", "INCR", "in-flight");
    await pause(50);
    gateway.reload({ databases: [databases[1]] });
    expect(await ask("one", "PING")).toBe(401);
    expect(await asked).toEqual({ result: 1 });
    for (let tries = 0; (await clients()) >= before; tries++) {
      expect(tries).toBeLessThan(200);
      await pause(10);
    }
    gateway.reload({ databases });
    for (let tries = 0; JSON.stringify(await ask("one", "PING")) !== '{"result":"PONG"}'; tries++) {
      expect(tries).toBeLessThan(200);
      await pause(10);
    }
  });

  it("leaves all as it was when the options cannot be", async () => {
    const bad: Record<string, unknown>[] = [
      { databases: [] },
      { databases: [{ ...databases[0], redis: "http://hunter2" }] },
      { databases: [{ ...databases[0], token: "" }] },
      { databases: [{ name: "first", redis: first.url }] },
    ];
    for (const options of bad) {
      expect(() => gateway.reload(options)).toThrow(TypeError);
      expect(await ask("one", "PING")).toEqual({ result: "PONG" });
      expect(await ask("two", "PING")).toEqual({ result: "PONG" });
    }
  });
});

describe("options that cannot be", () => {
  const redis = "redis://127.0.0.1:1";
  const one = { name: "a", redis, token: "hunter2" };
  it.each<[string, Record<string, unknown>]>([
    ["no token", { redis }],
    ["no database", { databases: [] }],
    ["a name twice", { databases: [one, { ...one, token: "other" }] }],
    ["a token twice", { databases: [one, { ...one, name: "b" }] }],
    ["a token and its SHA-256 in two", { databases: [one, { name: "b", redis, tokenSha256: sha256("hunter2") }] }],
    ["a token that is full and read-only", { redis, token: "hunter2", readOnlyToken: "hunter2" }],
    ["a SHA-256 that is none", { redis, tokenSha256: "hunter2" }],
    ["a name with a space", { databases: [{ ...one, name: "hunter2 hunter2" }] }],
    ["both forms", { databases: [one], token: "hunter2" }],
    ["an origin with a path", { redis, token: "hunter2", corsOrigin: "https://hunter2/x" }],
  ])("%s", (_, options) => {
    expect(() => createGateway(options)).toThrow(TypeError);
    expect(() => createGateway(options)).not.toThrow(/hunter2/);
  });
});
