import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { describe, expect, it } from "vitest";
import { startRedis } from "../../../tools/redis.ts";
import { serveGateway } from "../../src/index.ts";
import { call, stage, TOKEN, until } from "../support/harness.ts";
import { connections, gone, listen } from "../support/listen.ts";

const it_ = stage({ maxStreams: 12, streamBufferBytes: 1_000_000 });
const { run } = it_;
const url = (path: string): string => it_.gateway.url + path;

interface Filter {
  /** Is told what the gateway sends on one connection. */
  sent(bytes: Buffer): void;
  /** Whether these bytes of Redis may pass. */
  passes(bytes: Buffer): boolean;
}

/** A TCP relay in front of Redis that loses what it is told to. */
async function startFilter(redisPort: number, filter: () => Filter): Promise<Server> {
  const relay = createServer((near) => {
    const far = connect(redisPort, "127.0.0.1");
    const { sent, passes } = filter();
    near.on("data", (bytes) => {
      sent(bytes);
      far.write(bytes);
    });
    far.on("data", (bytes) => passes(bytes) && near.write(bytes));
    for (const socket of [near, far]) {
      socket.on("error", () => {});
      socket.on("close", () => [near, far].map((it) => it.destroy()));
    }
  });
  await new Promise<void>((resolve) => relay.listen(0, "127.0.0.1", resolve));
  return relay;
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

describe("a connection of its own", () => {
  it("is closed when the client goes, whoever it is", async () => {
    await gone(it_.redis, "P");
    const before = await connections(it_.redis, "N");
    for (let round = 0; round < 3; round++) {
      const heard = await Promise.all(Array.from({ length: 12 }, (_, i) => listen(url(`/subscribe/${i}/x`))));
      await Promise.all(heard.map((one) => one.first(2)));
      expect(await connections(it_.redis, "P")).toBe(12);
      for (const one of heard) one.leave();
      await gone(it_.redis, "P");
    }
    expect(await connections(it_.redis, "N")).toBe(before);
  });

  it("is closed when the client goes before it is open", async () => {
    for (let i = 0; i < 30; i++) {
      const early = connect(it_.gateway.port, "127.0.0.1");
      early.write(`GET /subscribe/early HTTP/1.1\r\nhost: h\r\nauthorization: Bearer ${TOKEN}\r\n\r\n`);
      setTimeout(() => early.destroy(), i % 6);
    }
    const heard = await until(
      () => listen(url("/subscribe/late")),
      ({ response }) => response.status === 200,
    );
    await until(
      () => connections(it_.redis, "P"),
      (count) => count === 1,
    );
    heard.leave();
    await gone(it_.redis, "P");
  });

  it("is not to be had beyond the limit, and then is again", async () => {
    const all = await Promise.all(Array.from({ length: 12 }, (_, i) => listen(url(`/subscribe/${i}`))));
    const refused = await call(url("/subscribe/one-more"));
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(refused.body).toEqual({ error: "more than 12 subscriptions and monitors at once: nothing was sent" });
    expect((await call(url("/monitor"))).status).toBe(503);
    expect((await run("PING")).status).toBe(200);
    for (const one of all) one.leave();
    await gone(it_.redis, "P");
    const heard = await listen(url("/subscribe/one-more"));
    expect(await heard.first(1)).toEqual(["subscribe,one-more,1"]);
    heard.leave();
  });

  it("is given up for a client that does not read, after as much as the buffer holds", async () => {
    await gone(it_.redis, "P");
    const idle = connect(it_.gateway.port, "127.0.0.1");
    idle.on("error", () => {});
    idle.pause();
    idle.write(`GET /subscribe/flood HTTP/1.1\r\nhost: h\r\nauthorization: Bearer ${TOKEN}\r\n\r\n`);
    await until(
      () => connections(it_.redis, "P"),
      (count) => count === 1,
    );
    const reading = await listen(url("/subscribe/flood"));
    const message = "x".repeat(10_000);
    let sent = 0;
    // The kernel takes some MB on each side; without a limit here all of the rest would be held as well.
    for (; sent < 64_000_000; sent += 20 * message.length) {
      const { body } = await it_.post(
        "/pipeline",
        Array.from({ length: 20 }, () => ["PUBLISH", "flood", message]),
      );
      if ((body as { result: number }[]).at(-1)?.result === 1) break;
    }
    expect(sent).toBeLessThan(64_000_000);
    // Whoever reads gets all of it, meanwhile and afterwards.
    await run("PUBLISH", "flood", "last");
    await until(
      async () => reading.events.at(-1),
      (event) => event === "message,flood,last",
    );
    reading.leave();
    idle.destroy();
  });

  it("is given up when one message is more than the buffer holds", async () => {
    const heard = await listen(url("/subscribe/huge"));
    await heard.first(1);
    await call(url("/publish/huge"), "x".repeat(1_100_000));
    expect(await heard.ended()).toBe("broken");
    await gone(it_.redis, "P");
  });

  it("is given up before such a message is there as a whole", async () => {
    let passed = 0;
    const relay = await startFilter(it_.redis.port, () => ({
      sent: () => {},
      passes: (bytes) => {
        passed += bytes.length;
        return passed < 500_000;
      },
    }));
    const redis = `redis://127.0.0.1:${portOf(relay)}`;
    const gateway = await serveGateway({ redis, token: TOKEN, port: 0, streamBufferBytes: 200_000 });
    const heard = await listen(`${gateway.url}/subscribe/huge`);
    await heard.first(1);
    await it_.redis.command("PUBLISH", "huge", "x".repeat(1_000_000));
    expect(await heard.ended()).toBe("broken");
    await gateway.close();
    relay.close();
  });
});

describe("when Redis", () => {
  it("goes, the stream ends; without Redis there is none, and with it there is again", async () => {
    const redis = await startRedis();
    const gateway = await serveGateway({ redis: redis.url, token: TOKEN, port: 0 });
    const heard = await Promise.all(["/subscribe/c", "/monitor"].map((path) => listen(gateway.url + path)));
    await Promise.all(heard.map((one) => one.first(1)));
    await redis.kill();
    for (const one of heard) expect(await one.ended()).toBe("done");
    const refused = await call(`${gateway.url}/subscribe/c`);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, null]);
    await redis.start();
    const again = await until(
      () => listen(`${gateway.url}/subscribe/c`),
      ({ response }) => response.status === 200,
    );
    expect(await again.first(1)).toEqual(["subscribe,c,1"]);
    await gateway.close();
    expect(await again.ended()).toBe("done");
    await redis.stop();
  });

  it("is silent, comments keep the stream alive; when it is frozen, the stream ends", async () => {
    const redis = await startRedis();
    const gateway = await serveGateway({ redis: redis.url, token: TOKEN, port: 0, streamKeepAliveMs: 60 });
    const heard = await Promise.all(["/subscribe/c", "/monitor"].map((path) => listen(gateway.url + path)));
    await until(
      async () => Math.min(...heard.map(({ comments }) => comments)),
      (comments) => comments >= 5,
    );
    expect(heard.map(({ end }) => end)).toEqual([undefined, undefined]);
    // The answers to what is asked to see whether Redis lives are no events.
    expect(heard[0]?.events).toEqual(["subscribe,c,1"]);
    redis.freeze();
    expect(await heard[0]?.ended()).toBe("done");
    redis.thaw();
    await gateway.close();
    await redis.stop();
  });

  it("is not there, it is 503 and nothing was sent; when it does not answer the subscription, 504", async () => {
    const redis = await startRedis();
    // Lets a login through, and loses the answers of whoever subscribes.
    const relay = await startFilter(redis.port, () => {
      let isLost = false;
      return {
        sent: (bytes) => {
          isLost ||= bytes.includes("SUBSCRIBE");
        },
        passes: () => !isLost,
      };
    });
    const port = portOf(relay);
    const gateway = await serveGateway({ redis: `redis://127.0.0.1:${port}`, token: TOKEN, port: 0, timeoutMs: 1_500 });
    expect((await call(`${gateway.url}/SUBSCRIBE/c`)).status).toBe(504);
    expect((await call(`${gateway.url}/ping`)).status).toBe(200);
    await until(
      () => redis.command("PUBSUB", "NUMSUB", "c"),
      (answer) => answer.endsWith(":0\r\n"),
    );
    redis.freeze();
    expect((await call(`${gateway.url}/SUBSCRIBE/c`)).status).toBe(503);
    redis.thaw();
    await gateway.close();
    relay.close();
    await redis.stop();
  });
});
