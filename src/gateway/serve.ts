import { createServer, type Server } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { getRequestListener } from "@hono/node-server";
import { createGateway, type GatewayOptions } from "./gateway.ts";

const DRAIN_MS = 10_000;
const SWEEP_MS = 20;
const OPEN_MS = 1_000;

export interface ServeOptions extends GatewayOptions {
  /** The port to listen on; 0 takes a free one. 8080 by default. */
  readonly port?: number;
  /** The address to listen on. 127.0.0.1 by default. */
  readonly host?: string;
}

export interface GatewayServer {
  /** Where it listens, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** Takes no more requests, waits up to 10 s for those in flight, then ends all connections. */
  close(): Promise<void>;
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

function drain(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    // `close` ends connections that are idle now, and not those that clients keep open after their last answer.
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
    server.close(() => {
      clearTimeout(timer);
      clearInterval(sweep);
      resolve();
    });
  });
}

/**
 * A gateway on a port of its own. It listens whether Redis is there yet or not.
 *
 * @throws as {@link createGateway} does, and with Node's own error (`EADDRINUSE`, `EACCES`) when it cannot listen
 */
export async function serveGateway(options: ServeOptions): Promise<GatewayServer> {
  const gateway = createGateway(options);
  const host = options.host ?? "127.0.0.1";
  const server = createServer(getRequestListener(gateway.fetch));
  try {
    const port = await listen(server, options.port ?? 8080, host);
    // So that the first request after a start finds Redis, where there is one.
    await Promise.race([gateway.opened, pause(OPEN_MS, undefined, { ref: false })]);
    const close = (): Promise<void> => drain(server).then(gateway.close);
    let closing: Promise<void> | undefined;
    return {
      url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
      port,
      close: () => (closing ??= close()),
    };
  } catch (error) {
    gateway.close();
    throw error;
  }
}
