import { createServer, type Server, type Socket } from "node:net";
import { createSecureContext, type Server as SecureServer, createServer as secureServer } from "node:tls";
import type { ServerTls } from "../shared/options.ts";

/** A certificate with its key, as PEM texts. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/**
 * The certificate in the options, if any.
 *
 * @throws {TypeError} for a certificate without its key, a key without its certificate, and two that do not match
 */
export function certificateOf({ tlsCert: cert, tlsKey: key }: ServerTls): Certificate | undefined {
  if (cert === undefined && key === undefined) return undefined;
  if (typeof cert !== "string" || typeof key !== "string")
    throw new TypeError("tlsCert and tlsKey must be given together, as PEM texts");
  try {
    createSecureContext({ cert, key });
  } catch {
    // OpenSSL's own message is not repeated, since it could show a part of the key.
    throw new TypeError("tlsCert and tlsKey must be a certificate and its private key, as PEM texts");
  }
  return { cert, key };
}

/** A server of connections, with TLS or without. */
export interface SocketServer {
  readonly server: Server;
  /** Presents another certificate from the next connection on. Without TLS, it does nothing. */
  renew(certificate: Certificate): void;
}

/**
 * @param handshakeMs how long the TLS handshake may take
 * @param serve receives each connection after its handshake
 */
export function createSocketServer(
  certificate: Certificate | undefined,
  handshakeMs: number,
  serve: (socket: Socket) => void,
): SocketServer {
  // A client that has ended its side still gets the answers to its requests.
  const options = { noDelay: true, allowHalfOpen: true };
  if (certificate === undefined) return { server: createServer(options, serve), renew() {} };
  const server: SecureServer = secureServer(
    { ...options, ...certificate, ALPNProtocols: ["http/1.1"], handshakeTimeout: handshakeMs },
    serve,
  );
  // Node leaves a connection open if its TLS handshake fails or takes too long.
  server.on("tlsClientError", (_error, socket) => socket.destroy());
  return { server, renew: (next) => server.setSecureContext(next) };
}
