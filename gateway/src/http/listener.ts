import { createServer, type RequestListener, type Server } from "node:http";
import { type HttpLimits, sweepOf } from "../shared/limits.ts";
import { type Connections, watchConnections } from "./client-connections.ts";
import { closeIdle } from "./idle-limit.ts";

/** A server that listens. */
export interface Listening extends Pick<Connections, "drain" | "close"> {
  /** The URL of the server, without a slash at the end. */
  readonly url: string;
  readonly port: number;
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

/** Starts a server. Throws Node's own error (`EADDRINUSE`, `EACCES`) when it cannot listen. */
export async function listen(
  listener: RequestListener,
  port: number,
  host: string,
  http: HttpLimits,
): Promise<Listening> {
  const admitted: RequestListener = (incoming, outgoing) => {
    if (connections.admit(incoming, outgoing)) listener(incoming, outgoing);
  };
  const server = createServer(
    {
      // Duplicates are joined, and so not valid: a proxy in front of us might look at another one than we do.
      joinDuplicateHeaders: true,
      headersTimeout: http.headersTimeoutMs,
      requestTimeout: http.requestTimeoutMs,
      keepAliveTimeout: http.keepAliveTimeoutMs,
      maxHeaderSize: http.maxHeaderBytes,
      connectionsCheckingInterval: sweepOf(http.headersTimeoutMs),
    },
    admitted,
  );
  // The reader of the body tells the client when to send it.
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
