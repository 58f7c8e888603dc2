import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RedisServer, startRedis } from "../../../tools/redis.ts";
import { type GatewayServer, serveGateway } from "../../src/index.ts";
import { type Answer, call, until } from "../support/harness.ts";
import { listen } from "../support/listen.ts";

const MOST = 5;
let shop: RedisServer;
let stats: RedisServer;
let server: GatewayServer;
const databases = () => [
  { name: "shop", redis: shop.url, token: ["shop-one", "shop-two"], readOnlyToken: "shop-reads" },
  { name: "stats", redis: stats.url, token: "stats-one" },
];

beforeAll(async () => {
  [shop, stats] = await Promise.all([startRedis(), startRedis()]);
  server = await serveGateway({ databases: databases(), port: 0, maxInFlight: MOST, maxStreams: 2, timeoutMs: 20_000 });
});
afterAll(async () => {
  await server.close();
  await Promise.all([shop.stop(), stats.stop()]);
});

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const ask = (token: string, ...command: string[]): Promise<Answer> => call(server.url, command, bearer(token));
const statuses = async (asked: readonly Promise<Answer>[]) => (await Promise.all(asked)).map(({ status }) => status);
const inFlight = async (): Promise<number> =>
  Number(/requests_in_flight (\d+)/.exec(await (await fetch(`${server.url}/metrics`)).text())?.[1]);

/** Uploads that have begun, and do not go on. */
function stall(token: string, count: number): readonly Socket[] {
  return Array.from({ length: count }, () => {
    const socket = connect(server.port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write(`POST / HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${token}\r\nContent-Length: 100\r\n\r\n["SET",`);
    return socket;
  });
}

describe("what one has in flight", () => {
  it("of a frozen Redis takes nothing from the requests to another one", async () => {
    shop.freeze();
    const held = Array.from({ length: 4 * MOST }, () => ask("shop-one", "GET", "a"));
    await until(inFlight, (count) => count >= MOST);
    const others = Array.from({ length: MOST }, () => ask("stats-one", "GET", "a"));
    expect(await statuses(others)).toEqual(others.map(() => 200));
    shop.thaw();
    expect((await statuses(held)).filter((status) => status === 200)).toHaveLength(MOST);
  });

  it("of stalled uploads of one tenant takes nothing from another tenant, nor from another database", async () => {
    const stalled = stall("shop-one", 3 * MOST);
    await until(inFlight, (count) => count >= MOST);
    const refused = await ask("shop-one", "PING");
    expect(refused).toMatchObject({ status: 503, body: { error: "more than 5 requests at once: nothing was sent" } });
    for (const token of ["shop-two", "shop-reads", "stats-one"]) {
      const others = Array.from({ length: MOST }, () => ask(token, "GET", "a"));
      expect(await statuses(others)).toEqual(others.map(() => 200));
    }
    for (const socket of stalled) socket.destroy();
    await until(inFlight, (count) => count === 0);
    expect((await ask("shop-one", "PING")).status).toBe(200);
  });

  it("with a token that only reads takes nothing from one that may write", async () => {
    shop.freeze();
    const held = Array.from({ length: 2 * MOST }, () => ask("shop-reads", "GET", "a"));
    await until(inFlight, (count) => count >= MOST);
    const writes = Array.from({ length: MOST }, () => ask("shop-two", "SET", "a", "1"));
    await until(inFlight, (count) => count === 2 * MOST);
    shop.thaw();
    expect(await statuses(writes)).toEqual(writes.map(() => 200));
    await Promise.all(held);
  });

  it("is not forgotten when the settings are read again", async () => {
    const stalled = stall("shop-one", MOST);
    await until(inFlight, (count) => count === MOST);
    server.reload({ databases: databases() });
    expect((await ask("shop-one", "PING")).status).toBe(503);
    for (const socket of stalled) socket.destroy();
    await until(inFlight, (count) => count === 0);
    expect((await ask("shop-one", "PING")).status).toBe(200);
  });

  it("as streams takes nothing from the streams of another tenant", async () => {
    const url = `${server.url}/subscribe/c`;
    const first = await Promise.all([1, 2].map(() => listen(url, bearer("shop-one"))));
    expect(await call(url, undefined, bearer("shop-one"))).toMatchObject({
      status: 503,
      body: { error: "more than 2 subscriptions and monitors at once: nothing was sent" },
    });
    const other = await listen(url, bearer("shop-two"));
    expect(await other.first(1)).toEqual(["subscribe,c,1"]);
    for (const heard of [...first, other]) heard.leave();
    await until(
      () => listen(url, bearer("shop-one")),
      ({ response }) => response.status === 200,
    ).then((heard) => heard.leave());
  });
});
