import { createServer, type RequestListener, type Server } from "node:http";
import { limitsOf, wholeNumber } from "../shared/limits.ts";
import type { HttpOptions, LimitOptions } from "../shared/options.ts";
import { type Connections, watchConnections } from "./client-connections.ts";
import { closeIdle } from "./idle-limit.ts";

const MAX_MS = 2 ** 31 - 1;

export const HTTP: Readonly<Record<keyof HttpOptions, number>> = Object.freeze({
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 65_000,
  maxHeaderBytes: 16 * 1024,
  idleTimeoutMs: 60_000,
  drainTimeoutMs: 9_000,
});

/** A server that listens. */
export interface Listening extends Pick<Connections, "drain" | "close"> {
  /** Where, without a slash at the end. */
  readonly url: string;
  readonly port: number;
}

/** Node looks for those that are late only so often: 30 s by default. */
const sweepOf = (headersTimeoutMs: number): number => Math.max(Math.ceil(Math.min(headersTimeoutMs / 4, 1_000)), 10);

/** The options with their defaults filled in. */
export function httpOf(options: HttpOptions & LimitOptions): Readonly<Record<keyof HttpOptions, number>> {
  const value = (name: keyof HttpOptions): number => wholeNumber(name, options[name] ?? HTTP[name], 1, MAX_MS);
  const http = {
    headersTimeoutMs: value("headersTimeoutMs"),
    requestTimeoutMs: value("requestTimeoutMs"),
    keepAliveTimeoutMs: value("keepAliveTimeoutMs"),
    maxHeaderBytes: value("maxHeaderBytes"),
    idleTimeoutMs: value("idleTimeoutMs"),
    drainTimeoutMs: value("drainTimeoutMs"),
  };
  if (http.headersTimeoutMs > http.requestTimeoutMs)
    throw new RangeError("headersTimeoutMs must not be more than requestTimeoutMs");
  const { timeoutMs, streamKeepAliveMs } = limitsOf(options);
  // Three times: a connection may have to be opened, and what a token may run be asked for, before a command is sent.
  const longest = Math.max(3 * timeoutMs, 2 * streamKeepAliveMs, http.requestTimeoutMs);
  const least = longest + 2 * sweepOf(http.headersTimeoutMs);
  return { ...http, idleTimeoutMs: Math.min(Math.max(http.idleTimeoutMs, least), MAX_MS) };
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

/** Throws Node's own error (`EADDRINUSE`, `EACCES`) when it cannot listen. */
export async function listen(
  listener: RequestListener,
  port: number,
  host: string,
  http: Readonly<Record<keyof HttpOptions, number>>,
): Promise<Listening> {
  const admitted: RequestListener = (incoming, outgoing) => {
    if (connections.admit(incoming, outgoing)) listener(incoming, outgoing);
  };
  const server = createServer(
    {
      // Two are none: a proxy before us might look at another one than we do.
      joinDuplicateHeaders: true,
      headersTimeout: http.headersTimeoutMs,
      requestTimeout: http.requestTimeoutMs,
      keepAliveTimeout: http.keepAliveTimeoutMs,
      maxHeaderSize: http.maxHeaderBytes,
      connectionsCheckingInterval: sweepOf(http.headersTimeoutMs),
    },
    admitted,
  );
  // Whoever reads the body says when the client may send it.
  server.on("checkContinue", admitted);
  closeIdle(server, http.idleTimeoutMs);
  const connections = watchConnections(server);
  const at = await opened(server, port, host);
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${at}`,
    port: at,
    drain: connections.drain,
    close: connections.close,
  };
}
