import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type RedisServer, startRedis } from "../../../tools/redis.ts";
import { createGateway, type GatewayServer, serveGateway } from "../../src/index.ts";
import { createRedisBackend } from "../../src/redis/server-backend.ts";
import { type Answer, call, pause, TOKEN, until } from "../support/harness.ts";

const NOT_SENT = { status: 503, body: { error: "Redis is not reachable: nothing was sent" } };

let redis: RedisServer;
const open: GatewayServer[] = [];

async function serve(
  login: string,
  path = "",
  options: object = {},
): Promise<(...command: unknown[]) => Promise<Answer>> {
  const url = `redis://${login}127.0.0.1:${redis.port}${path}`;
  const gateway = await serveGateway({ redis: url, token: TOKEN, port: 0, timeoutMs: 700, ...options });
  open.push(gateway);
  return (...command) => call(gateway.url, command);
}

const setUser = async (name: string, ...rules: string[]): Promise<void> => {
  expect(await redis.command("ACL", "SETUSER", name, "reset", "on", ...rules)).toBe("+OK\r\n");
};

beforeEach(async () => {
  redis = await startRedis(["--databases", "4"]);
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((gateway) => gateway.close()));
  await redis.stop();
});

describe("logins", () => {
  it.each([
    ["in the URL", "app:p%40ss@", {}],
    ["apart", "", { username: "app", password: "p@ss" }],
    ["the user in the URL and the password apart", "app@", { password: "p@ss" }],
  ])("%s", async (_, login, options) => {
    await setUser("app", ">p@ss", "~app:*", "+@all");
    const run = await serve(login, "", options);
    expect((await run("ACL", "WHOAMI")).body).toEqual({ result: "app" });
    expect((await run("SET", "app:k", "v")).body).toEqual({ result: "OK" });
    const denied = await run("SET", "k", "v");
    expect(denied.status).toBe(400);
    expect(denied.text).toContain("NOPERM");
  });

  it("of a user without a password, and a password of the default user", async () => {
    await setUser("open", "nopass", "~*", "+@all");
    expect((await (await serve("open@"))("ACL", "WHOAMI")).body).toEqual({ result: "open" });
    await redis.command("CONFIG", "SET", "requirepass", "secret");
    expect((await (await serve(":secret@"))("ACL", "WHOAMI")).body).toEqual({ result: "default" });
    expect(await (await serve(""))("PING")).toMatchObject(NOT_SENT);
    expect(await (await serve(":wrong@"))("PING")).toMatchObject(NOT_SENT);
    expect(await (await serve("nobody:secret@"))("PING")).toMatchObject(NOT_SENT);
  });

  it("a password that Redis does not ask for does no harm", async () => {
    expect((await (await serve(":secret@"))("PING")).status).toBe(200);
  });

  it("of a user with next to no rights: enough to be served, WAIT included", async () => {
    await setUser("small", ">p", "~*", "+get", "+wait");
    const run = await serve("small:p@");
    expect((await run("GET", "k")).body).toEqual({ result: null });
    expect((await run("WAIT", "0", "1")).body).toEqual({ result: 0 });
    expect((await run("PING")).status).toBe(400);
  });

  it("of a user who may not run ROLE: its server counts as the primary that Sentinels have named", async () => {
    await setUser("small", ">p", "~*", "+get");
    const login = { username: "small", password: "p", mustBePrimary: true };
    const backend = createRedisBackend({ host: "127.0.0.1", port: redis.port, db: 0, ...login }, 1_000);
    await backend.opened;
    expect(backend.isReady).toBe(true);
    backend.close();
  });

  it("that Redis revokes: 503, and requests work when they are granted again", async () => {
    await setUser("app", ">p", "~*", "+@all");
    const run = await serve("app:p@");
    expect((await run("PING")).status).toBe(200);
    await redis.command("ACL", "DELUSER", "app");
    expect(
      await until(
        () => run("PING"),
        ({ status }) => status === 503,
      ),
    ).toMatchObject(NOT_SENT);
    await setUser("app", ">p", "~*", "+@all");
    await until(
      () => run("PING"),
      ({ status }) => status === 200,
    );
  });

  it("given twice are refused, without a word of them", () => {
    for (const options of [{ username: "hunter2" }, { password: "hunter2" }]) {
      const refused = () => createGateway({ redis: "redis://u:hunter2@h", token: TOKEN, ...options });
      expect(refused).toThrow(/not both/);
      expect(refused).not.toThrow(/hunter2/);
    }
  });
});

describe("the database of the URL", () => {
  it("is where commands go, after a reconnect and with WAIT too", async () => {
    const run = await serve("", "/3");
    expect((await run("SET", "k", "three")).body).toEqual({ result: "OK" });
    await redis.command("CLIENT", "KILL", "TYPE", "normal");
    await until(
      () => run("PING"),
      ({ status }) => status === 200,
    );
    expect((await run("GET", "k")).body).toEqual({ result: "three" });
    expect(await redis.commands(["SELECT", "3"], ["GET", "k"])).toContain("three");
    const [gateway] = open;
    const piped = await call(`${gateway?.url}/pipeline`, [
      ["GET", "k"],
      ["WAIT", "0", "1"],
    ]);
    expect(piped.body).toEqual([{ result: "three" }, { result: 0 }]);
  });

  it("that there is not, or that the user may not select: 503, and nothing goes to another one", async () => {
    await setUser("app", ">p", "~*", "+@all", "-select");
    for (const run of [await serve("", "/4"), await serve("app:p@", "/1")]) {
      expect(await run("SET", "k", "v")).toMatchObject(NOT_SENT);
      await pause(100);
      expect(await run("SET", "k", "v")).toMatchObject(NOT_SENT);
    }
    expect(await redis.command("DBSIZE")).toBe(":0\r\n");
  });
});
