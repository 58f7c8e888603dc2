import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RedisServer, startRedis } from "../../tools/redis.ts";
import { call, exchange, TOKEN } from "./support/harness.ts";
import { connections, gone } from "./support/listen.ts";
import { urlIn } from "./support/process.ts";

const root = new URL("../../", import.meta.url);
const NODE = fileURLToPath(new URL("node_modules/node-20/bin/node", root));
/** Where its packages are found. */
const BUNDLE = fileURLToPath(new URL("node_modules/.leasehold-oldest-node.mjs", root));

let redis: RedisServer;
let gateway: ChildProcess;
let url: string;
beforeAll(async () => {
  const entry = fileURLToPath(new URL("gateway/src/cli/main.ts", root));
  const target = { platform: "node", format: "esm", packages: "external", target: "node20" } as const;
  await build({ entryPoints: [entry], outfile: BUNDLE, bundle: true, ...target });
  redis = await startRedis();
  const flags = ["--redis", redis.url, "--token", TOKEN, "--port", "0", "--log-level", "error"];
  gateway = spawn(NODE, [BUNDLE, ...flags], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = gateway.stdout === null ? [] : await once(gateway.stdout, "data");
  url = urlIn(String(line));
});
afterAll(async () => {
  const ended = once(gateway, "exit");
  gateway.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
  await redis.stop();
  rmSync(BUNDLE);
});

describe("on Node 20", () => {
  it("answers as on others", async () => {
    expect((await call(url, ["SET", "a", "é"])).body).toEqual({ result: "OK" });
    expect((await call(`${url}/pipeline`, [["GET", "a"], ["NOPE"]])).text).toMatch(/^\[\{"result":"é"\},\{"error":/);
    expect((await call(`${url}/get/a`)).body).toEqual({ result: "é" });
  });

  it("refuses what is not well-formed, and says nothing before the token is known", async () => {
    for (const body of ['["SET","\\ud800","1"]', Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d])])
      expect((await call(url, body)).status).toBe(400);
    const { port } = new URL(url);
    const ask = (headers: string, target = "/ping") =>
      exchange(
        Number(port),
        Buffer.from(`GET ${target} HTTP/1.1\r\n${headers}Authorization: Bearer ${TOKEN}\r\n\r\n`, "latin1"),
      );
    expect(await ask("Host: h\r\n")).toMatch(/^HTTP\/1\.1 200 /);
    expect(await ask("Host: h\r\nHost: g\r\n")).toMatch(/^HTTP\/1\.1 400 /);
    expect(await ask("Host: h\r\n", "/echo/\xff")).toMatch(/^HTTP\/1\.1 400 /);
    const expecting = "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 8\r\n";
    expect(await exchange(Number(port), `${expecting}\r\n`)).toMatch(/^HTTP\/1\.1 401 /);
    const allowed = await exchange(Number(port), `${expecting}Authorization: Bearer ${TOKEN}\r\n\r\n["PING"]`);
    expect(allowed).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
  });

  it("forgets replies that wait behind a stream when their client goes", async () => {
    const held = async () => /held_bytes\{of="replies"\} (\d+)/.exec(await (await fetch(`${url}/metrics`)).text())?.[1];
    await call(url, ["SET", "long", "x".repeat(100_000)]);
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    const ask = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`;
    socket.write(ask("/subscribe/a") + ask("/get/long").repeat(3));
    await expect.poll(held).toMatch(/^3\d{5}$/);
    socket.destroy();
    await expect.poll(held).toBe("0");
  });

  it("takes numbers in JSON, exactly, in a command, a pipeline and a transaction", async () => {
    expect((await call(url, ["ZADD", "z", 1.5, "a"])).body).toEqual({ result: 1 });
    expect((await call(url, ["INCRBYFLOAT", "f", 1.5])).body).toEqual({ result: "1.5" });
    expect((await call(url, ["GEOADD", "g", 13.361389, 38.115556, "Palermo"])).body).toEqual({ result: 1 });
    const written = "9007199254740993,-9223372036854775808,12345678901234567890,1e400,-0,1.10,-1.5,7";
    expect((await call(url, `["RPUSH","l",${written}]`)).body).toEqual({ result: 8 });
    expect((await call(url, ["LRANGE", "l", 0, -1])).body).toEqual({ result: written.split(",") });
    for (const path of ["/pipeline", "/multi-exec"]) {
      const several = `[["SET","n",9007199254740993],["INCRBY","n",-1],["ECHO",-0],["ECHO",1e400]]`;
      expect((await call(url + path, several)).text).toBe(
        '[{"result":"OK"},{"result":"9007199254740992"},{"result":"-0"},{"result":"1e400"}]',
      );
    }
    for (const wrong of ['["SET","k",01]', '["SET","k",1.]', '["SET","k",.5]'])
      expect((await call(url, wrong)).text).toMatch(/the body is not valid JSON/);
  });

  it("ends streams that wait behind another one when their client goes", async () => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    const ask = `GET /subscribe/a HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`;
    socket.write(ask.repeat(3));
    await once(socket, "data");
    await expect.poll(() => connections(redis, "P")).toBe(3);
    socket.destroy();
    expect(await gone(redis, "P")).toBe(0);
  });
});
