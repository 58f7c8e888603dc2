import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort, type RedisServer, startRedis } from "../../../tools/redis.ts";
import { type Answer, call, pause, TOKEN, until } from "../support/harness.ts";
import { start, urlIn } from "../support/process.ts";

const folder = mkdtempSync(join(tmpdir(), "leasehold-signals-"));
const config = join(folder, "config.json");
let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(async () => {
  await redis.stop();
  rmSync(folder, { recursive: true, force: true });
});

const write = (content: object | string): void =>
  writeFileSync(config, typeof content === "string" ? content : JSON.stringify(content));
const isHeld = () =>
  until(
    () => redis.command("INFO", "clients"),
    (text) => /blocked_clients:[1-9]/.test(text),
  );

describe("SIGHUP", () => {
  it("reads tokens again without a pause, and stays with what it has when they cannot be read", async () => {
    const tokens = join(folder, "tokens");
    const database = { name: "main", redis: redis.url, tokenFile: "tokens" };
    writeFileSync(tokens, "one\n");
    write({ databases: [database] });
    const { child, firstLine, ended } = start(["--config", config, "--port", "0"]);
    let err = "";
    child.stderr?.on("data", (chunk) => (err += chunk));
    const url = urlIn(await firstLine);
    const ask = (token: string, ...command: string[]): Promise<Answer> =>
      call(url, command, { headers: { authorization: `Bearer ${token}` } });
    const hangUp = async (said: string): Promise<void> => {
      const before = err.length;
      child.kill("SIGHUP");
      await until(
        async () => err.slice(before),
        (text) => text.includes(said),
      );
    };
    const connection = (await ask("one", "CLIENT", "ID")).text;
    expect((await ask("two", "PING")).status).toBe(401);

    // Both are good for a while.
    writeFileSync(tokens, "one\ntwo\n");
    await hangUp("read the settings again");
    expect((await ask("one", "CLIENT", "ID")).text).toBe(connection);
    expect((await ask("two", "CLIENT", "ID")).text).toBe(connection);

    // A request that was let in is answered, a stream ends with its token.
    const stream = await fetch(`${url}/subscribe/c`, { headers: { authorization: "Bearer one" } });
    const other = await fetch(`${url}/subscribe/c`, { headers: { authorization: "Bearer two" } });
    await redis.command("CLIENT", "PAUSE", "60000", "WRITE");
    const asked = ask("one", "INCR", "hup");
    await isHeld();
    writeFileSync(tokens, "two\n");
    await hangUp("read the settings again");
    expect(await stream.text()).toContain("data: subscribe,c,1");
    expect((await ask("one", "PING")).status).toBe(401);
    await redis.command("CLIENT", "UNPAUSE");
    expect((await asked).body).toEqual({ result: 1 });
    expect((await ask("two", "CLIENT", "ID")).text).toBe(connection);
    await redis.command("PUBLISH", "c", "still");
    const reader = other.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes("message,c,still"))
      text += (await reader?.read())?.value ?? "the stream has ended, message,c,still";
    expect(text).not.toContain("ended");
    await reader?.cancel();

    for (const broken of [
      '{"databases": [{"token": "hunter2"',
      { databases: [{ ...database, token: 7 }] },
      { tokn: 1 },
    ]) {
      write(broken);
      await hangUp("the settings stay as they were");
      expect((await ask("two", "CLIENT", "ID")).text).toBe(connection);
    }
    // A token that opens two databases is known only when all is read.
    write({ databases: [database, { ...database, name: "second" }] });
    await hangUp("two databases have the same token");
    write({ databases: [database], maxBodyBytes: 10 });
    await hangUp('"settings":["maxBodyBytes"]');
    expect((await ask("two", "CLIENT", "ID")).text).toBe(connection);

    child.kill("SIGTERM");
    expect((await ended).code).toBe(0);
    expect(err).not.toMatch(/hunter2|"one"|"two"|\bhup\b/);
  });
});

it("a SIGHUP that comes while it starts is not lost, and does not end it", async () => {
  // Takes connections and says nothing, so that the start takes as long as it may.
  const mute = createServer();
  await new Promise<void>((resolve) => mute.listen(0, "127.0.0.1", resolve));
  const asked = new Promise<Socket>((resolve) => mute.once("connection", resolve));
  const { port } = mute.address() as AddressInfo;
  const { child, firstLine, ended } = start(["--redis", `redis://127.0.0.1:${port}`, "--port", "0"], {
    LEASEHOLD_TOKEN: TOKEN,
  });
  const socket = await asked;
  child.kill("SIGHUP");
  expect(await firstLine).toContain("listens on");
  child.kill("SIGTERM");
  const { code, err } = await ended;
  expect([code, err]).toEqual([0, expect.stringContaining("read the settings again")]);
  socket.destroy();
  mute.close();
});

describe("SIGTERM", () => {
  const launch = async (...more: string[]) => {
    const adminPort = String(await freePort());
    const server = more.includes("--redis") ? [] : ["--redis", redis.url];
    const args = [...server, "--token", TOKEN, "--port", "0", "--admin-port", adminPort, ...more];
    const run = start(args);
    return { ...run, url: urlIn(await run.firstLine), adminUrl: `http://127.0.0.1:${adminPort}` };
  };

  it("ends streams, is not ready, takes no one else, and answers what is in flight", async () => {
    const { child, ended, url, adminUrl } = await launch();
    const stream = await fetch(`${url}/subscribe/c`, { headers: { authorization: `Bearer ${TOKEN}` } });
    expect((await fetch(`${adminUrl}/ready`)).status).toBe(200);
    await redis.command("CLIENT", "PAUSE", "60000", "WRITE");
    const asked = call(url, ["INCR", "term"]);
    await isHeld();
    child.kill("SIGTERM");
    expect(await stream.text()).toContain("data: subscribe,c,1");
    const ready = await until(
      () => fetch(`${adminUrl}/ready`),
      ({ status }) => status === 503,
    );
    expect(await ready.json()).toEqual({ status: "closing" });
    expect((await fetch(`${adminUrl}/health`)).status).toBe(200);
    const late = connect(Number(new URL(url).port), "127.0.0.1");
    expect(await new Promise((resolve) => late.once("error", resolve).once("connect", resolve))).toMatchObject({
      code: "ECONNREFUSED",
    });
    await redis.command("CLIENT", "UNPAUSE");
    expect((await asked).body).toEqual({ result: 1 });
    expect((await ended).code).toBe(0);
  });

  it("ends in time whatever its clients and its Redis do", async () => {
    const own = await startRedis();
    const { child, ended, url } = await launch(
      "--redis",
      own.url,
      "--drain-timeout-ms",
      "500",
      "--timeout-ms",
      "60000",
    );
    own.freeze();
    const asked = call(url, ["INCR", "never"]).catch(() => "cut");
    const lazy = connect(Number(new URL(url).port), "127.0.0.1");
    lazy.on("error", () => {});
    lazy.write("POST / HTTP/1.1\r\nHost: h\r\n");
    await pause(100);
    const begun = performance.now();
    child.kill("SIGTERM");
    expect((await ended).code).toBe(0);
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect(await asked).toBe("cut");
    lazy.destroy();
    own.thaw();
    await own.stop();
  });

  it("twice ends it at once", async () => {
    const { child, ended, url } = await launch();
    await redis.command("CLIENT", "PAUSE", "60000", "WRITE");
    const asked = call(url, ["INCR", "twice"]).catch(() => "cut");
    await isHeld();
    child.kill("SIGTERM");
    await pause(200);
    expect(child.exitCode).toBeNull();
    child.kill("SIGTERM");
    expect((await ended).code).toBe(1);
    expect(await asked).toBe("cut");
    await redis.command("CLIENT", "UNPAUSE");
  });
});

describe("leasehold-gateway health", () => {
  it("asks the gateway that the same settings would start", async () => {
    const port = await freePort();
    const env = {
      LEASEHOLD_PORT: String(port),
      LEASEHOLD_HOST: "0.0.0.0",
      LEASEHOLD_TOKEN: TOKEN,
      LEASEHOLD_REDIS_URL: redis.url,
    };
    expect(await start(["health"], env).ended).toEqual({
      code: 1,
      out: "",
      err: "leasehold-gateway: the gateway does not answer\n",
    });
    const { child, firstLine, ended } = start([], { ...env, LEASEHOLD_ADMIN_TOKEN: "sees" });
    await firstLine;
    const asked = [{}, { LEASEHOLD_ADMIN_TOKEN: "sees" }, { LEASEHOLD_ADMIN_TOKEN_SHA256: "a".repeat(64) }];
    for (const more of asked)
      expect(await start(["health"], { ...env, ...more }).ended).toEqual({ code: 0, out: "", err: "" });
    expect((await start(["health", "--port", "0"], env).ended).code).toBe(2);
    child.kill("SIGTERM");
    await ended;
  });
});
