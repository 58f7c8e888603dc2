import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { createSecureContext, type SecureContext } from "node:tls";
import type { TlsOptions } from "../shared/options.ts";

/** The TLS options of a connection. The server's certificate is always checked. */
export interface Tls {
  readonly secureContext: SecureContext;
  readonly servername?: string;
}

/** Runs one of Node's checks, and replaces its error, which could repeat a secret. */
function check<T>(what: string, run: () => T): T {
  try {
    return run();
  } catch {
    throw new TypeError(`tls: ${what}`);
  }
}

/**
 * Prepares the TLS options that all connections share, so that mistakes show at the start and reconnecting is cheap.
 *
 * @throws {TypeError} which does not repeat a certificate or a key
 */
export function createTls({ ca, cert, key, servername }: TlsOptions): Tls {
  if ((cert === undefined) !== (key === undefined))
    throw new TypeError("tls: cert and key (--redis-cert-file, --redis-key-file) belong together");
  // Node accepts anything as a list of authorities, and would then trust none.
  if (ca !== undefined) check("ca is not a certificate in PEM form", () => new X509Certificate(ca));
  const pems = { ...(ca === undefined ? {} : { ca }), ...(cert === undefined ? {} : { cert }) };
  const secureContext = check("cert and key are not a certificate and its key in PEM form", () =>
    createSecureContext({ ...pems, ...(key === undefined ? {} : { key }) }),
  );
  return { secureContext, ...(servername === undefined ? {} : { servername }) };
}

/**
 * The TLS options of a connection to a host. SNI has the host's name unless another one is set; it cannot have an IP
 * address.
 */
export function tlsFor({ secureContext, servername }: Tls, host: string): Tls {
  const name = servername ?? (isIP(host) === 0 ? host : undefined);
  return { secureContext, ...(name === undefined ? {} : { servername: name }) };
}
