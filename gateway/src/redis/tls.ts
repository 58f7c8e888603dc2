import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { createSecureContext, type SecureContext } from "node:tls";
import type { TlsOptions } from "../shared/options.ts";

/** TLS as a connection takes it. The server's certificate is always checked. */
export interface Tls {
  readonly secureContext: SecureContext;
  readonly servername?: string;
}

/** Runs a check of Node's, whose message could repeat what it was given. */
function check<T>(what: string, run: () => T): T {
  try {
    return run();
  } catch {
    throw new TypeError(`tls: ${what}`);
  }
}

/**
 * What all connections share: read once, so that a mistake shows at the start and reconnecting is cheap.
 *
 * @throws {TypeError} which does not repeat a certificate or a key
 */
export function createTls({ ca, cert, key, servername }: TlsOptions): Tls {
  if ((cert === undefined) !== (key === undefined))
    throw new TypeError("tls: cert and key (--redis-cert-file, --redis-key-file) belong together");
  // Node takes anything for a list of authorities, and would then trust nobody.
  if (ca !== undefined) check("ca is no certificate in PEM form", () => new X509Certificate(ca));
  const pems = { ...(ca === undefined ? {} : { ca }), ...(cert === undefined ? {} : { cert }) };
  const secureContext = check("cert and key are no certificate and its key in PEM form", () =>
    createSecureContext({ ...pems, ...(key === undefined ? {} : { key }) }),
  );
  return { secureContext, ...(servername === undefined ? {} : { servername }) };
}

/** The TLS options of a connection to a host: a host name is what to ask for, unless another one was given; an IP cannot be. */
export function tlsFor({ secureContext, servername }: Tls, host: string): Tls {
  const name = servername ?? (isIP(host) === 0 ? host : undefined);
  return { secureContext, ...(name === undefined ? {} : { servername: name }) };
}
