import { createSecureContext } from "node:tls";
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
