import { createServer, type RequestListener, type Server } from "node:http";
import type { Socket } from "node:net";
import { wholeNumber } from "./limits.ts";

const SWEEP_MS = 20;

/** How patient the HTTP server is with those who ask. */
export interface HttpOptions {
  /** How long the headers of a request may take to arrive, else 408. Milliseconds, 10 000 by default, at least 1. */
  readonly headersTimeoutMs?: number;
  /** How long a request may take to arrive as a whole, else 408. Milliseconds, 30 000 by default, at least `headersTimeoutMs`. */
  readonly requestTimeoutMs?: number;
  /** How long a connection stays open between requests. Milliseconds, 65 000 by default (more than load balancers', which is 60 s). */
  readonly keepAliveTimeoutMs?: number;
  /** The largest headers, request line included, else 431. Bytes, 16 KiB by default. */
  readonly maxHeaderBytes?: number;
  /** How long {@link GatewayServer.close} waits for requests in flight. Milliseconds, 9 000 by default. */
  readonly drainTimeoutMs?: number;
}

export const HTTP: Readonly<Record<keyof HttpOptions, number>> = Object.freeze({
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 65_000,
  maxHeaderBytes: 16 * 1024,
  drainTimeoutMs: 9_000,
});

/** A server that listens. */
export interface Listening {
  /** Where, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** Takes no more connections, lets requests in flight end, then ends all connections. */
  close(): Promise<void>;
}

/** The options with their defaults filled in. */
export function httpOf(options: HttpOptions): Readonly<Record<keyof HttpOptions, number>> {
  const value = (name: keyof HttpOptions): number => wholeNumber(name, options[name] ?? HTTP[name], 1, 2 ** 31 - 1);
  const http = {
    headersTimeoutMs: value("headersTimeoutMs"),
    requestTimeoutMs: value("requestTimeoutMs"),
    keepAliveTimeoutMs: value("keepAliveTimeoutMs"),
    maxHeaderBytes: value("maxHeaderBytes"),
    drainTimeoutMs: value("drainTimeoutMs"),
  };
  if (http.headersTimeoutMs > http.requestTimeoutMs)
    throw new RangeError("headersTimeoutMs must not be more than requestTimeoutMs");
  return http;
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

function drain(server: Server, sockets: ReadonlySet<Socket>, withinMs: number): Promise<void> {
  /** Node takes a connection without a first byte for busy; clients open some to have them at hand. */
  const closeSilent = (): void => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), withinMs);
    // `close` ends connections that are idle now, and not those that clients keep open after their last answer.
    const sweep = setInterval(() => {
      server.closeIdleConnections();
      closeSilent();
    }, SWEEP_MS);
    server.close(() => {
      clearTimeout(timer);
      clearInterval(sweep);
      resolve();
    });
  });
}

/** Throws Node's own error (`EADDRINUSE`, `EACCES`) when it cannot listen. */
export async function listen(
  listener: RequestListener,
  port: number,
  host: string,
  http: Readonly<Record<keyof HttpOptions, number>>,
): Promise<Listening> {
  const server = createServer(
    {
      headersTimeout: http.headersTimeoutMs,
      requestTimeout: http.requestTimeoutMs,
      keepAliveTimeout: http.keepAliveTimeoutMs,
      maxHeaderSize: http.maxHeaderBytes,
      // Node looks for those that are late only so often: 30 s by default.
      connectionsCheckingInterval: Math.max(Math.ceil(Math.min(http.headersTimeoutMs / 4, 1_000)), 10),
    },
    listener,
  );
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  const at = await opened(server, port, host);
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${at}`,
    port: at,
    close: () => drain(server, sockets, http.drainTimeoutMs),
  };
}
