import type { Server, Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { type HttpLimits, sweepOf } from "../shared/limits.ts";
import { inBatches } from "./answer-batches.ts";
import { type ClientConnection, serveConnection } from "./client-connection.ts";
import { createIdleLimit } from "./idle-limit.ts";
import type { Respond } from "./message.ts";
import { createHeadText } from "./response-text.ts";
import { type Certificate, createSocketServer } from "./server-socket.ts";

const SWEEP_MS = 20;
/** The time after the start of the drain in which requests under way may still arrive on connections that look idle. */
const LINGER_MS = 500;
/** The search for new connections ends after so many turns of the event loop without one, or after so many in all. */
const QUIET_TURNS = 3;
const MAX_TURNS = 200;

/** A server that listens. Its connections can be ended without losing a request. */
export interface Listening {
  /** The URL of the server, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** Shows another certificate from the next connection on. */
  renew(certificate: Certificate): void;
  /** How many connections are open, and how many were closed at once because there were too many. */
  readonly connections: { readonly open: number; readonly refused: number };
  /** Makes the next answer on each connection its last, which says so. */
  drain(): void;
  /**
   * Takes no more connections. Connections without an outstanding answer are ended a moment after
   * {@link Listening.drain}, others with their last answer, and all when `withinMs` are over.
   */
  close(withinMs: number): Promise<void>;
}

function opened(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

/** Where a server listens, and whether it speaks TLS. */
export interface Address {
  readonly port: number;
  readonly host: string;
  readonly certificate?: Certificate | undefined;
}

/** Starts a server. Throws Node's own error (`EADDRINUSE`, `EACCES`) when it cannot listen. */
export async function listen(
  respond: Respond,
  { port, host, certificate }: Address,
  limits: HttpLimits,
): Promise<Listening> {
  const connections = new Map<Socket, ClientConnection>();
  const headText = createHeadText(limits.keepAliveTimeoutMs);
  const shared = {
    limits,
    respond: inBatches(respond),
    headText,
    idle: createIdleLimit(limits.idleTimeoutMs),
    isDraining: false,
  };
  let drainedAt = 0;
  let taken = 0;
  const { server, renew } = createSocketServer(certificate, limits.headersTimeoutMs, (socket) => {
    connections.set(socket, serveConnection(socket, shared));
    socket.once("close", () => connections.delete(socket));
  });
  /** The sockets of the system, of which some are still agreeing on TLS. */
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    taken++;
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  let refused = 0;
  server.maxConnections = limits.maxConnections;
  server.on("drop", () => refused++);
  const at = await opened(server, port, host);
  const sweep = setInterval(() => {
    const now = performance.now();
    for (const connection of connections.values()) connection.check(now);
  }, sweepOf(limits.headersTimeoutMs));

  function drain(): void {
    if (shared.isDraining) return;
    shared.isDraining = true;
    drainedAt = performance.now();
  }

  function closeIdle(): void {
    if (performance.now() - drainedAt < LINGER_MS) return;
    for (const [socket, { isBusy }] of connections) if (!isBusy && socket.writableLength === 0) socket.destroy();
  }

  /** Takes the connections that the system has made already, and would reset once nobody listens. */
  async function takeWaiting(): Promise<void> {
    for (let turns = 0, quiet = 0; turns < MAX_TURNS && quiet < QUIET_TURNS; turns++) {
      const before = taken;
      await turn();
      quiet = taken === before ? quiet + 1 : 0;
    }
  }

  return {
    url: `${certificate === undefined ? "http" : "https"}://${host.includes(":") ? `[${host}]` : host}:${at}`,
    port: at,
    renew,
    get connections() {
      return { open: sockets.size, refused };
    },
    drain,
    async close(withinMs) {
      drain();
      await takeWaiting();
      await new Promise<void>((resolve) => {
        const timer = setTimeout(() => {
          for (const socket of [...connections.keys(), ...sockets]) socket.destroy();
        }, withinMs);
        const idle = setInterval(closeIdle, SWEEP_MS);
        server.close(() => {
          for (const it of [timer, idle, sweep]) clearTimeout(it);
          resolve();
        });
      });
    },
  };
}
