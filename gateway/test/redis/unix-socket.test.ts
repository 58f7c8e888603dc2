import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { type RedisServer, startRedis } from "../../../tools/redis.ts";
import { createGateway, type GatewayServer, serveGateway } from "../../src/index.ts";
import { type Answer, call, TOKEN, until } from "../support/harness.ts";

let folder: string;
let path: string;
let redis: RedisServer;
let gateway: GatewayServer | undefined;

async function serve(url: string, options: object = {}): Promise<(...command: unknown[]) => Promise<Answer>> {
  const server = await serveGateway({ redis: url, token: TOKEN, port: 0, ...options });
  gateway = server;
  return (...command) => call(server.url, command);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "leasehold-socket-"));
  // A name that a URL must escape.
  path = join(folder, "a b?.sock");
  redis = await startRedis(["--unixsocket", path]);
});
afterAll(async () => {
  await redis?.stop();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => gateway?.close());

const escaped = (): string => path.replace(" ", "%20").replace("?", "%3F");

it.each(["unix", "redis+unix", "UNIX"])(
  "a server behind a Unix socket is reached by %s://, and comes back by itself",
  async (scheme) => {
    const run = await serve(`${scheme}://${escaped()}`);
    expect((await run("SET", "k", scheme)).body).toEqual({ result: "OK" });
    expect((await run("CLIENT", "INFO")).text).toContain("flags=U");
    await redis.restart(100);
    await until(
      () => run("PING"),
      ({ status }) => status === 200,
    );
  },
);

it("with a database and a login", async () => {
  await redis.command("ACL", "SETUSER", "an@user", "on", ">p@ss/w", "~*", "&*", "+@all");
  const run = await serve(`unix://an%40user:p%40ss%2Fw@${escaped()}?db=5`);
  expect((await run("ACL", "WHOAMI")).body).toEqual({ result: "an@user" });
  expect((await run("CLIENT", "INFO")).text).toContain("db=5");
});

it("with a WAIT, on a connection of its own", async () => {
  const run = await serve(`unix://${escaped()}`);
  expect((await run("WAIT", "0", "10")).body).toEqual({ result: 0 });
});

it("it is 503 while there is no such socket", async () => {
  const run = await serve(`unix://${escaped()}-not`);
  expect(await run("PING")).toMatchObject({ status: 503 });
});

it.each([
  "unix://",
  "unix://h",
  "unix:///",
  "unix:///s?db=x",
  "unix:///s?db=1&password=hunter2",
  "unix:///s#1",
  "unix:///%zz",
])("%j is no URL, and is not repeated", (redis) => {
  const text = redis.replace("://", "://user:hunter2@");
  for (const url of [redis, text]) {
    expect(() => createGateway({ redis: url, token: TOKEN })).toThrow(TypeError);
    expect(() => createGateway({ redis: url, token: TOKEN })).not.toThrow(/hunter2|zz/);
  }
});
