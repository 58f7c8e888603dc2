import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import { createRedisBackend } from "../../src/redis/server-backend.ts";
import { type KeptSocket, keepSocket } from "../../src/redis/socket.ts";
import { createTls } from "../../src/redis/tls.ts";
import type { ServerAddress } from "../../src/redis/url.ts";
import { until } from "../support/client.ts";

const servers: Server[] = [];
const clients: Socket[] = [];
const kept: KeptSocket[] = [];

/**
 * A server that accepts connections and says nothing.
 *
 * @param allowHalfOpen whether it leaves its side open when a client ends its own
 */
async function silentServer(
  allowHalfOpen = false,
): Promise<{ port: number; connections: () => number; open: () => number }> {
  let connections = 0;
  const server = createServer({ allowHalfOpen }, (socket) => {
    connections++;
    clients.push(socket);
    socket.on("error", () => {});
    socket.resume();
    socket.once("close", () => clients.splice(clients.indexOf(socket), 1));
  });
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { port: address.port, connections: () => connections, open: () => clients.length };
}

const eventually = (holds: () => boolean): Promise<boolean> => until(async () => holds(), Boolean);

interface Seen {
  readonly socket: KeptSocket;
  readonly reasons: string[];
  readonly pauses: number[];
  opened: number;
  gone: number;
  /** The newest stream. */
  stream: Duplex | undefined;
}

const plain = (port: number): ServerAddress => ({ host: "127.0.0.1", port, db: 0 });
const overTls = (port: number): ServerAddress => ({ host: "127.0.0.1", port, db: 0, tls: createTls({}) });

function keep(address: ServerAddress, pauseMs: number | null = 10): Seen {
  const seen = {
    reasons: [] as string[],
    pauses: [] as number[],
    opened: 0,
    gone: 0,
    stream: undefined as Duplex | undefined,
  };
  const socket = keepSocket(address, {
    delayAfter(failures) {
      seen.pauses.push(failures);
      return pauseMs;
    },
    opened(stream) {
      seen.opened++;
      seen.stream = stream;
    },
    failed: (reason) => void seen.reasons.push(reason),
    gone: () => void seen.gone++,
  });
  kept.push(socket);
  return Object.assign(seen, { socket });
}

afterEach(() => {
  for (const socket of kept.splice(0)) socket.close();
  for (const client of clients.splice(0)) client.destroy();
  for (const server of servers.splice(0)) server.close();
});

describe("a socket to Redis", () => {
  it("gives a handshake up that gets no answer, with its reason, and tries again", async () => {
    const server = await silentServer();
    const seen = keep(overTls(server.port));
    await eventually(() => server.connections() > 1);
    expect(seen.reasons).toContain("ETIMEDOUT");
    expect(seen.opened).toBe(0);
    expect(server.open()).toBeLessThan(3);
  });

  it("that is closed while it opens leaves no connection behind, and no further attempt", async () => {
    const server = await silentServer();
    const seen = keep(overTls(server.port));
    await eventually(() => server.connections() === 1);
    seen.socket.close();
    await eventually(() => server.open() === 0 && seen.gone > 0);
    expect([seen.gone, seen.reasons, seen.pauses]).toEqual([1, [], []]);
    expect(server.connections()).toBe(1);
  });

  it("that is ended is gone soon, although the server does not end its side, and another one follows", async () => {
    const server = await silentServer(true);
    const seen = keep(plain(server.port));
    await eventually(() => seen.opened === 1);
    seen.socket.end();
    await eventually(() => seen.opened === 2);
    expect(seen.gone).toBe(1);
    seen.socket.close();
    await eventually(() => seen.gone === 2);
    expect(seen.opened).toBe(2);
  });

  it("counts failures in a row, until the server has been usable", async () => {
    const server = await silentServer();
    const seen = keep(plain(server.port));
    for (let round = 1; round <= 3; round++) {
      await eventually(() => seen.opened === round);
      if (round === 2) seen.socket.succeed();
      seen.stream?.destroy();
    }
    await eventually(() => seen.pauses.length === 3);
    expect(seen.pauses).toEqual([1, 1, 2]);
  });

  it("is not opened again when no further attempt is wanted", async () => {
    const server = await silentServer();
    const seen = keep(plain(server.port), null);
    await eventually(() => seen.opened === 1);
    seen.stream?.destroy();
    await eventually(() => seen.gone === 1);
    expect(server.connections()).toBe(1);
    expect(seen.stream?.writable).toBe(false);
  });
});

it("a server that resets each connection during the login is reported once", async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.once("data", () => socket.resetAndDestroy());
    socket.on("error", () => {});
  });
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const reasons: string[] = [];
  const onTrouble = (reason: string): void => void reasons.push(reason);
  const backend = createRedisBackend({ host: "127.0.0.1", port, db: 0, onTrouble }, 1_000);
  await eventually(() => connections >= 4);
  backend.close();
  expect(reasons).toEqual(["ECONNRESET"]);
});
