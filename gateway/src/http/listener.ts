import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type Server as SecureServer, createServer as secureServer } from "node:https";
import { Server as NetServer, type Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { type HttpLimits, sweepOf } from "../shared/limits.ts";
import type { Certificate } from "./certificate.ts";
import { Connection } from "./connection.ts";
import type { Respond } from "./message.ts";

/** The time after the start of the drain in which requests may still arrive on connections that look unused. */
const LINGER_MS = 500;
/** How often a server that is ending looks for unused connections. */
const SWEEP_MS = 20;
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

/** Where a server listens, and whether it uses TLS. */
export interface Address {
  readonly port: number;
  readonly host: string;
  readonly certificate?: Certificate | undefined;
}

/** Only `chunked` is decoded. A body with another coding would arrive encoded. */
const CHUNKED = /^chunked$/i;

/** The status of a request that Node reads, and the gateway does not. */
function refusalOf({ headers, httpVersionMajor, httpVersionMinor }: IncomingMessage): 400 | 501 | 505 | undefined {
  if (httpVersionMajor !== 1) return 505;
  const coding = headers["transfer-encoding"];
  // HTTP/1.0 has no codings, so the end of the body is uncertain.
  if (httpVersionMinor === 0 && coding !== undefined) return 400;
  if (httpVersionMinor !== 0 && headers.host === undefined) return 400;
  return coding === undefined || CHUNKED.test(coding) ? undefined : 501;
}

/** Node's server with its limits. */
function serverOf({ certificate }: Address, limits: HttpLimits): Server | SecureServer {
  const options = {
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: sweepOf(limits.headersTimeoutMs),
    // Node would refuse a missing host by itself, and then run the next request of the connection.
    requireHostHeader: false,
    insecureHTTPParser: false,
    // Otherwise Node keeps the first of several and drops the rest: a token or a host, for example.
    joinDuplicateHeaders: true,
  };
  if (certificate === undefined) return createServer(options);
  const server = secureServer({
    ...options,
    ...certificate,
    ALPNProtocols: ["http/1.1"],
    handshakeTimeout: limits.headersTimeoutMs,
  });
  // Node leaves a connection open if its TLS handshake fails or takes too long.
  return server.on("tlsClientError", (_error, socket) => socket.destroy());
}

/** Whether Node is too old to refuse a head with too many headers. */
const allowsTooManyHeaders: boolean = Number(process.versions.node.split(".")[0]) < 24;

/** A server with its connections, from its start to its end. */
class Listener implements Listening {
  readonly #server: Server | SecureServer;
  readonly #address: Address;
  readonly #respond: Respond;
  readonly #shared: { readonly limits: HttpLimits; isDraining: boolean; waiting: number };
  readonly #connections = new Map<Socket, Connection>();
  /** The raw sockets, some of which are still in the TLS handshake. */
  readonly #sockets = new Set<Socket>();
  #accepted = 0;
  #refused = 0;
  #drainedAt = 0;
  port = 0;

  constructor(respond: Respond, address: Address, limits: HttpLimits) {
    this.#address = address;
    this.#respond = respond;
    this.#shared = { limits, isDraining: false, waiting: 0 };
    const server = serverOf(address, limits);
    this.#server = server;
    server.maxConnections = limits.maxConnections;
    // HTTP allows a client to end its side after its last request; Node would drop the answers. It has no type.
    Object.assign(server, { httpAllowHalfOpen: true });
    server.timeout = limits.idleTimeoutMs;
    // Node 20 drops the headers after this number in silence, which are more than fit into a head. Later ones refuse.
    if (allowsTooManyHeaders) server.maxHeadersCount = 0;
    server.on("connection", (socket: Socket) => {
      this.#accepted++;
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
    });
    server.on(address.certificate === undefined ? "connection" : "secureConnection", (socket: Socket) => {
      this.#connections.set(socket, new Connection(socket, this.#shared));
      socket.once("close", () => this.#connections.delete(socket));
    });
    server.on("drop", () => this.#refused++);
    server.on("request", (request, response) => this.#serve(request, response, false));
    server.on("checkContinue", (request, response) => this.#serve(request, response, true));
    server.on("checkExpectation", (request, response) => this.#serve(request, response, false, 417));
    // Without a listener, Node would drop the answers that are due.
    server.on("connect", (request) => this.#connections.get(request.socket)?.fail(undefined));
    server.on("clientError", (error: NodeJS.ErrnoException, socket) => this.#fail(error, socket as Socket));
    // A held request has no traffic either. A client that does not read its answer has unsent bytes.
    server.on("timeout", (socket) => {
      if (this.#connections.get(socket)?.isBusy !== true || socket.writableLength > 0) socket.destroy();
    });
  }

  get url(): string {
    const { host, certificate } = this.#address;
    const name = host.includes(":") ? `[${host}]` : host;
    return `${certificate === undefined ? "http" : "https"}://${name}:${this.port}`;
  }

  get connections(): { readonly open: number; readonly refused: number } {
    return { open: this.#sockets.size, refused: this.#refused };
  }

  renew(certificate: Certificate): void {
    if ("setSecureContext" in this.#server) this.#server.setSecureContext(certificate);
  }

  open(): Promise<void> {
    const { port, host } = this.#address;
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, host, () => {
        this.#server.off("error", reject);
        const address = this.#server.address();
        this.port = typeof address === "object" && address !== null ? address.port : port;
        resolve();
      });
    });
  }

  drain(): void {
    if (this.#shared.isDraining) return;
    this.#shared.isDraining = true;
    this.#drainedAt = performance.now();
  }

  async close(withinMs: number): Promise<void> {
    this.drain();
    await this.#acceptWaiting();
    // Not HTTP's own `close`, which also cuts off answers that are still being written.
    const closed = new Promise((resolve) => NetServer.prototype.close.call(this.#server, resolve));
    const sweep = setInterval(() => {
      if (performance.now() - this.#drainedAt < LINGER_MS) return;
      for (const [socket, { isUnused }] of this.#connections) if (isUnused) socket.destroy();
    }, SWEEP_MS);
    const limit = setTimeout(() => {
      for (const socket of [...this.#connections.keys(), ...this.#sockets]) socket.destroy();
    }, withinMs);
    await closed;
    clearInterval(sweep);
    clearTimeout(limit);
    // Ends Node's checks of time-outs.
    this.#server.close();
  }

  /** Accepts the connections that the system has already made, and would reset once the port is closed. */
  async #acceptWaiting(): Promise<void> {
    for (let turns = 0, quiet = 0; turns < MAX_TURNS && quiet < QUIET_TURNS; turns++) {
      const before = this.#accepted;
      await turn();
      quiet = this.#accepted === before ? quiet + 1 : 0;
    }
  }

  /** @param refusal the status of a request that is refused, while its connection stays open */
  #serve(request: IncomingMessage, response: ServerResponse, isExpecting: boolean, refusal?: number): void {
    const connection = this.#connections.get(request.socket);
    const begun = connection?.begin(request, response, isExpecting);
    if (connection === undefined || begun === undefined) return;
    const flaw = refusalOf(request);
    if (flaw !== undefined) response.shouldKeepAlive = false;
    const status = flaw ?? refusal;
    if (status !== undefined) {
      connection.answer(request, response, { status, headers: {}, body: "" });
      return;
    }
    // The requests that arrived together are read before any of them is answered: the last answer must say so.
    this.#respond(begun, (answer) => queueMicrotask(() => connection.answer(request, response, answer)));
  }

  #fail(error: NodeJS.ErrnoException, socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined || error.code === "ECONNRESET") socket.destroy();
    else connection.fail(error.code);
  }
}

/** Starts a server. Throws Node's own error (`EADDRINUSE`, `EACCES`) if it cannot listen. */
export async function listen(respond: Respond, address: Address, limits: HttpLimits): Promise<Listening> {
  const listener = new Listener(respond, address, limits);
  await listener.open();
  return listener;
}
