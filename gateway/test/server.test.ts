import { type AddressInfo, connect, createServer } from "node:net";
import { routeOf } from "leasehold-engine/rest";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { HttpResponse } from "../src/http/message.ts";
import { fromWeb } from "../src/http/web.ts";
import { createGateway, serveGateway } from "../src/index.ts";
import type { Backend } from "../src/redis/backend.ts";
import { createApp } from "../src/rest/app.ts";
import { fail } from "../src/rest/response.ts";
import { limitsOf } from "../src/shared/limits.ts";
import { placesOf } from "../src/shared/log.ts";
import { received } from "../src/shared/receiver.ts";
import { createShares } from "../src/shared/token-shares.ts";
import { call, pause, stage, TOKEN } from "./support/harness.ts";

const it_ = stage();

describe("serveGateway", () => {
  it("listens on a free port with port 0 and says which", async () => {
    const { url, port } = it_.gateway;
    expect(port).toBeGreaterThan(0);
    expect(url).toBe(`http://127.0.0.1:${port}`);
  });

  it("has found Redis when it resolves, where there is one", async () => {
    const slow = createServer((near) => {
      setTimeout(() => near.pipe(connect(it_.redis.port, "127.0.0.1")).pipe(near), 200);
    });
    await new Promise<void>((resolve) => slow.listen(0, "127.0.0.1", resolve));
    const { port } = slow.address() as AddressInfo;
    const server = await serveGateway({ redis: `redis://127.0.0.1:${port}`, token: TOKEN, port: 0 });
    expect((await call(server.url, ["PING"])).status).toBe(200);
    await server.close();
    slow.close();
  });

  it("rejects when the port is taken", async () => {
    const taken = serveGateway({ redis: it_.redis.url, token: TOKEN, port: it_.gateway.port });
    await expect(taken).rejects.toMatchObject({ code: "EADDRINUSE" });
  });

  it("writes an IPv6 address as a URL does", async () => {
    const server = await serveGateway({ redis: it_.redis.url, token: TOKEN, port: 0, host: "::1" });
    expect((await call(server.url, ["PING"])).status).toBe(200);
    expect(server.url).toBe(`http://[::1]:${server.port}`);
    await server.close();
  });

  it("lets requests in flight end when it closes, and then takes none", async () => {
    const server = await serveGateway({ redis: it_.redis.url, token: TOKEN, port: 0 });
    await call(server.url, ["SET", "drain", "1"]);
    await it_.redis.command("CLIENT", "PAUSE", "300", "WRITE");
    const asked = call(server.url, ["INCR", "drain"]);
    await pause(50);
    const closed = server.close();
    expect(server.close()).toBe(closed);
    expect((await asked).body).toEqual({ result: 2 });
    await closed;
    await expect(call(server.url, ["PING"])).rejects.toThrow();
  });

  it("does not wait for clients that keep their connection open", async () => {
    const server = await serveGateway({ redis: it_.redis.url, token: TOKEN, port: 0 });
    await it_.redis.command("CLIENT", "PAUSE", "200", "WRITE");
    const client = connect(server.port, "127.0.0.1");
    client.write(`GET /incr/kept HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`);
    const answered = new Promise((resolve) => client.once("data", (bytes) => resolve(bytes.toString())));
    await pause(50);
    const closed = server.close();
    expect(await answered).toContain("200 OK");
    const start = performance.now();
    await closed;
    // Node would wait for 5 s.
    expect(performance.now() - start).toBeLessThan(2_500);
  });

  it("has one time for both of its ports when it closes", async () => {
    const patience = { port: 0, adminPort: 0, drainTimeoutMs: 2_000 };
    const server = await serveGateway({ redis: it_.redis.url, token: TOKEN, ...patience });
    const lazy = [server.url, server.adminUrl].map((url) => {
      const socket = connect(Number(new URL(url).port), "127.0.0.1");
      socket.on("error", () => {});
      socket.write("GET /ready HTTP/1.1\r\nHost: h\r\n");
      return socket;
    });
    await pause(100);
    const start = performance.now();
    await server.close();
    expect(performance.now() - start).toBeLessThan(2 * patience.drainTimeoutMs);
    for (const socket of lazy) socket.destroy();
  });

  it("logs in and selects the database of its URL", async () => {
    await it_.redis.command("ACL", "SETUSER", "an@user", "on", ">p@ss%w", "~*", "&*", "+@all");
    const url = `redis://an%40user:p%40ss%25w@127.0.0.1:${it_.redis.port}/3`;
    const server = await serveGateway({ redis: url, token: TOKEN, port: 0 });
    expect((await call(server.url, ["ACL", "WHOAMI"])).body).toEqual({ result: "an@user" });
    expect((await call(server.url, ["CLIENT", "INFO"])).text).toContain(" db=3 ");
    await server.close();
  });
});

describe("createGateway", () => {
  it("answers requests without a server", async () => {
    const gateway = createGateway({ redis: it_.redis.url, token: TOKEN });
    const request = () => new Request("https://any.host/ping", { headers: { authorization: `Bearer ${TOKEN}` } });
    expect((await gateway.fetch(request())).status).toBe(503);
    await gateway.opened;
    expect(await (await gateway.fetch(request())).json()).toEqual({ result: "PONG" });
    gateway.close();
    expect((await gateway.fetch(request())).status).toBe(503);
  });

  it.each([
    "",
    "nonsense",
    "http://127.0.0.1:6379",
    "redis://",
    "redis://h/x",
    "redis://:%zz@h",
    "redis://h?enableOfflineQueue=true",
  ])("refuses the Redis URL %j and does not repeat it", (redis) => {
    const text = redis.replace("redis://", "redis://user:hunter2@");
    expect(() => createGateway({ redis: text, token: TOKEN })).toThrow(TypeError);
    expect(() => createGateway({ redis: text, token: TOKEN })).not.toThrow(/hunter2|zz|nonsense|Queue/);
  });

  it("refuses an empty token and limits out of range", () => {
    const redis = it_.redis.url;
    expect(() => createGateway({ redis, token: "" })).toThrow(TypeError);
    for (const bad of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31]) {
      expect(() => createGateway({ redis, token: TOKEN, timeoutMs: bad })).toThrow(RangeError);
      expect(() => createGateway({ redis, token: TOKEN, maxBodyBytes: bad })).toThrow(RangeError);
    }
  });
});

describe("an error that nobody expected", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it("is a bare 500, and nothing is logged", async () => {
    const broken = (): never => {
      throw new Error("GET secret-key secret-value");
    };
    const backend: Backend = {
      opened: Promise.resolve(),
      isReady: true,
      ...{ send: broken, transact: broken, feed: broken, at: broken },
      close: () => {},
    };
    const app = createApp(backend, limitsOf({}), { answer: broken });
    const shares = createShares(limitsOf({}), () => {});
    const printed = (["log", "info", "warn", "error", "debug"] as const).map((name) => vi.spyOn(console, name));
    for (const [path, body] of [
      ["/", '["PING"]'],
      ["/", JSON.stringify(["SET", "a", "x".repeat(70_000)])],
      ["/pipeline", '[["PING"]]'],
      ["/multi-exec", '[["PING"]]'],
      ["/ping", ""],
      ["/subscribe/a", ""],
    ] as const) {
      const request = fromWeb(new Request(`http://h${path}`, { method: "POST", body }));
      const answered = received<HttpResponse>((to) => app(request, routeOf(path), shares.of("a").enter(), {}, to));
      const response = await answered.catch(fail);
      expect([response.status, response.body]).toEqual([500, '{"error":"internal error"}']);
    }
    for (const spy of printed) expect(spy).not.toHaveBeenCalled();
  });

  it("is logged by where it came from, and by nothing of its text", () => {
    const error = new Error("secret\n    at secret-place (secret.ts:1:1)\nsecret");
    const places = placesOf(error);
    expect(places[0]).toMatch(/^at .*server\.test\.ts/);
    expect(places.join()).not.toContain("secret");
    expect(placesOf("secret")).toEqual([]);
  });
});
