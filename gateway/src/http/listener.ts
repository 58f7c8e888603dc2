import type { Server, Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { type HttpLimits, sweepOf } from "../shared/limits.ts";
import { type ClientConnection, type Shared, serveConnection } from "./client-connection.ts";
import { createIdleLimit } from "./idle-limit.ts";
import type { Respond } from "./message.ts";
import { createHeadText, inBatches } from "./response-queue.ts";
import { type Certificate, createSocketServer } from "./server-socket.ts";

const SWEEP_MS = 20;
/** The time after the start of the drain in which requests may still arrive on connections that look idle. */
const LINGER_MS = 500;
/** The search for new connections ends after this many turns of the event loop without one, or this many in all. */
const QUIET_TURNS = 3;
const MAX_TURNS = 200;

/** A server that listens. Its connections can be ended without losing a request. */
export interface Listening {
  /** The URL of the server, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** Presents another certificate from the next connection on. */
  renew(certificate: Certificate): void;
  /** How many connections are open, and how many were closed immediately because there were too many. */
  readonly connections: { readonly open: number; readonly refused: number };
  /** Makes the next answer on each connection its last; the answer says so. */
  drain(): void;
  /**
   * Accepts no more connections. Connections without an outstanding answer are ended a moment after {@link
   * Listening.drain}, others with their last answer, and all after `withinMs`.
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

/** Where a server listens, and whether it uses TLS. */
export interface Address {
  readonly port: number;
  readonly host: string;
  readonly certificate?: Certificate | undefined;
}

/** A server with its connections, from its start to its end. */
class Listener implements Listening {
  readonly #server: Server;
  readonly renew: (certificate: Certificate) => void;
  readonly #shared: { -readonly [K in keyof Shared]: Shared[K] };
  readonly #connections = new Map<Socket, ClientConnection>();
  /** The raw sockets, some of which are still in the TLS handshake. */
  readonly #sockets = new Set<Socket>();
  readonly #address: Address;
  readonly #limits: HttpLimits;
  #sweep: NodeJS.Timeout | undefined;
  #taken = 0;
  #refused = 0;
  #drainedAt = 0;
  port = 0;

  constructor(respond: Respond, address: Address, limits: HttpLimits) {
    this.#address = address;
    this.#limits = limits;
    this.#shared = {
      limits,
      respond: inBatches(respond),
      headText: createHeadText(limits.keepAliveTimeoutMs),
      idle: createIdleLimit(limits.idleTimeoutMs),
      isDraining: false,
    };
    const { server, renew } = createSocketServer(address.certificate, limits.headersTimeoutMs, (socket) => {
      this.#connections.set(socket, serveConnection(socket, this.#shared));
      socket.once("close", () => this.#connections.delete(socket));
    });
    this.#server = server;
    this.renew = renew;
    server.on("connection", (socket: Socket) => {
      this.#taken++;
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
    });
    server.maxConnections = limits.maxConnections;
    server.on("drop", () => this.#refused++);
  }

  get url(): string {
    const { host, certificate } = this.#address;
    const name = host.includes(":") ? `[${host}]` : host;
    return `${certificate === undefined ? "http" : "https"}://${name}:${this.port}`;
  }

  get connections(): { readonly open: number; readonly refused: number } {
    return { open: this.#sockets.size, refused: this.#refused };
  }

  async open(): Promise<void> {
    this.port = await opened(this.#server, this.#address.port, this.#address.host);
    this.#sweep = setInterval(() => {
      const now = performance.now();
      for (const connection of this.#connections.values()) connection.check(now);
    }, sweepOf(this.#limits.headersTimeoutMs));
  }

  drain(): void {
    if (this.#shared.isDraining) return;
    this.#shared.isDraining = true;
    this.#drainedAt = performance.now();
  }

  async close(withinMs: number): Promise<void> {
    this.drain();
    await this.#takeWaiting();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        for (const socket of [...this.#connections.keys(), ...this.#sockets]) socket.destroy();
      }, withinMs);
      const idle = setInterval(() => this.#closeIdle(), SWEEP_MS);
      this.#server.close(() => {
        for (const it of [timer, idle, this.#sweep]) clearTimeout(it);
        resolve();
      });
    });
  }

  #closeIdle(): void {
    if (performance.now() - this.#drainedAt < LINGER_MS) return;
    for (const [socket, { isBusy }] of this.#connections) if (!isBusy && socket.writableLength === 0) socket.destroy();
  }

  /** Accepts the connections that the system has already made, and would reset once the port is closed. */
  async #takeWaiting(): Promise<void> {
    for (let turns = 0, quiet = 0; turns < MAX_TURNS && quiet < QUIET_TURNS; turns++) {
      const before = this.#taken;
      await turn();
      quiet = this.#taken === before ? quiet + 1 : 0;
    }
  }
}

/** Starts a server. Throws Node's own error (`EADDRINUSE`, `EACCES`) if it cannot listen. */
export async function listen(respond: Respond, address: Address, limits: HttpLimits): Promise<Listening> {
  const listener = new Listener(respond, address, limits);
  await listener.open();
  return listener;
}
