/** Attacks on the server on `node:http`, one test each. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GatewayServer, serveGateway } from "../../src/index.ts";
import { call, exchange, pause, TOKEN, until } from "../support/harness.ts";

let server: GatewayServer;
beforeAll(async () => {
  server = await serveGateway({ memory: true, token: TOKEN, port: 0 });
});
afterAll(() => server.close());

const AUTH = `Authorization: Bearer ${TOKEN}\r\n`;
const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: h\r\n${AUTH}\r\n`;
const statuses = (text: string): string[] => [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status ?? "");
const value = async (key: string): Promise<unknown> => (await call(server.url, ["GET", key])).body;

/** A client that reads nothing. */
async function deaf(): Promise<Socket> {
  const socket = connect(server.port, "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket.pause();
}

/** Sends until the server disconnects the client, or `pieces` were sent. Returns whether it did. */
async function flood(socket: Socket, piece: string, pieces: number): Promise<boolean> {
  for (let sent = 0; sent < pieces && !socket.destroyed; sent++) {
    socket.write(piece);
    await pause(5);
  }
  return socket.destroyed;
}

describe("requests that nobody waits for (47.1)", () => {
  const TINY = "GET / HTTP/1.1\r\nHost:\r\n\r\n".repeat(2_000);

  it("after an answer that announced the end, they end the connection", async () => {
    const socket = await deaf();
    socket.write(`GET /subscribe/x HTTP/1.1\r\nHost: h\r\n${AUTH}\r\n`);
    await pause(100);
    socket.write("POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 0\r\n\r\n");
    expect(await flood(socket, TINY, 100)).toBe(true);
    // Others are served again as soon as the connection's requests are gone.
    const ping = () => call(server.url, ["PING"]);
    expect((await until(ping, ({ status }) => status === 200)).body).toEqual({ result: "PONG" });
  });

  it("are read only so far, and of some hundreds none is lost", async () => {
    const socket = await deaf();
    const isEnded = await flood(socket, TINY, 100);
    expect(isEnded || socket.writableLength > 0).toBe(true);
    socket.destroy();
    const answers = await exchange(server.port, get("/ping").repeat(300), 3_000);
    expect(statuses(answers)).toEqual(Array(300).fill("200"));
  });

  it("of all connections together, they are limited", async () => {
    const sockets = await Promise.all(Array.from({ length: 40 }, deaf));
    // The first one of each waits, so all others wait behind it.
    for (const socket of sockets) socket.write(`GET /subscribe/x HTTP/1.1\r\nHost: h\r\n${AUTH}\r\n`);
    await pause(100);
    for (const socket of sockets) socket.write(get("/ping").repeat(500));
    await pause(500);
    // A client that reads nothing notices the end by writing.
    const writeToAll = async (): Promise<number> => {
      for (const socket of sockets) if (!socket.destroyed) socket.write(get("/ping"));
      await pause(100);
      return sockets.filter(({ destroyed }) => !destroyed).length;
    };
    expect(await until(writeToAll, (open) => open < sockets.length)).toBeGreaterThan(0);
    for (const socket of sockets) socket.destroy();
    // A client that does not send one request after the other has its answer.
    expect((await call(server.url, ["PING"])).body).toEqual({ result: "PONG" });
  });
});

describe("what Node answers by itself (47.1)", () => {
  it("a request without a host is refused, and the one after it does not run", async () => {
    const text = await exchange(server.port, `GET /ping HTTP/1.1\r\n${AUTH}\r\n${get("/set/no-host/1")}`);
    expect(statuses(text)).toEqual(["400"]);
    expect(await value("no-host")).toEqual({ result: null });
  });

  it("CONNECT is refused after the answers to the requests before it", async () => {
    const text = await exchange(server.port, `${get("/set/before/1")}CONNECT h:1 HTTP/1.1\r\nHost: h\r\n\r\n`);
    expect(statuses(text)).toEqual(["200", "400"]);
    expect(await value("before")).toEqual({ result: "1" });
  });

  it("another expectation than 100-continue is refused, and the connection goes on", async () => {
    const text = await exchange(
      server.port,
      `GET /ping HTTP/1.1\r\nHost: h\r\nExpect: foo\r\n${AUTH}\r\n${get("/ping")}`,
    );
    expect(statuses(text)).toEqual(["417", "200"]);
    const flawed = `GET /ping HTTP/1.1\r\nExpect: foo\r\n${AUTH}\r\n${get("/set/flawed/1")}`;
    expect(statuses(await exchange(server.port, flawed))).toEqual(["400"]);
    expect(await value("flawed")).toEqual({ result: null });
  });

  it("HTTP/1.0 has no codings: the request is refused, and the one after it does not run", async () => {
    const body = '8\r\n["PING"]\r\n0\r\n\r\n';
    const head = `POST / HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n${AUTH}\r\n`;
    const text = await exchange(server.port, head + body + get("/set/old-coding/1"));
    expect(statuses(text)).toEqual(["400"]);
    expect(await value("old-coding")).toEqual({ result: null });
  });

  it("a stream of a client that has ended its side ends", async () => {
    const other = await serveGateway({ memory: true, token: TOKEN, port: 0 });
    const socket = connect({ port: other.port, host: "127.0.0.1", allowHalfOpen: true });
    socket.on("error", () => {});
    const closed = once(socket.resume(), "close");
    socket.end(`GET /subscribe/x HTTP/1.1\r\nHost: h\r\n${AUTH}\r\n`);
    await closed;
    const numbers = await until(
      async () => (await fetch(`${other.url}/metrics`)).text(),
      (text) => /streams_open 0\n/.test(text),
    );
    expect(numbers).toContain("streams_open 0\n");
    await other.close();
  });
});

it("a connection whose body arrived after its answer does not hold up the end (47.1)", async () => {
  const draining = await serveGateway({ memory: true, token: TOKEN, port: 0, drainTimeoutMs: 60_000 });
  const socket = connect(draining.port, "127.0.0.1");
  await once(socket, "connect");
  const answered = once(socket, "data");
  socket.write("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 8\r\n\r\n");
  expect(String((await answered)[0])).toContain(" 401 ");
  socket.write('["PING"]');
  await pause(100);
  const start = performance.now();
  await draining.close();
  expect(performance.now() - start).toBeLessThan(30_000);
});
