import { HTTP_LIMITS, LIMITS } from "./limits.ts";
import { nearest } from "./nearest-name.ts";
import type { DatabaseOptions, GatewayOptions, ServeOptions, TlsOptions } from "./options.ts";

/** The names of an object's options, as keys; the compiler ensures that none is missing. */
type Known<Options> = Readonly<Record<keyof Options, unknown>>;

const TLS: Known<TlsOptions> = { ca: 0, cert: 0, key: 0, servername: 0 };

const DATABASE: Known<DatabaseOptions> = {
  name: 0,
  redis: 0,
  memory: 0,
  username: 0,
  password: 0,
  tls: 0,
  sentinelUsername: 0,
  sentinelPassword: 0,
  sentinelTls: 0,
  token: 0,
  tokenSha256: 0,
  readOnlyToken: 0,
  readOnlyTokenSha256: 0,
};

const GATEWAY: Known<GatewayOptions> = { ...DATABASE, ...LIMITS, databases: 0, corsOrigin: 0 };

const SERVE: Known<ServeOptions> = {
  ...GATEWAY,
  ...HTTP_LIMITS,
  tlsCert: 0,
  tlsKey: 0,
  port: 0,
  host: 0,
  adminPort: 0,
  adminHost: 0,
  adminToken: 0,
  adminTokenSha256: 0,
  processMetrics: 0,
  slowRequestMs: 0,
  log: 0,
};

/**
 * Creates a check that rejects unknown options, even undefined ones, and names the nearest known one. It repeats no
 * value.
 */
function refuser<Options>(known: Known<Options>): (options: Options) => void {
  const names = Object.keys(known);
  return (options) => {
    if (typeof options !== "object" || options === null) throw new TypeError("options must be an object");
    for (const key of Object.keys(options)) {
      if (names.includes(key)) continue;
      const suggestion = nearest(key, names);
      throw new TypeError(
        `there is no option "${key}"${suggestion === undefined ? "" : `; the nearest is "${suggestion}"`}`,
      );
    }
  };
}

export const checkTlsOptions: (options: TlsOptions) => void = refuser(TLS);
export const checkDatabaseOptions: (options: DatabaseOptions) => void = refuser(DATABASE);
export const checkGatewayOptions: (options: GatewayOptions) => void = refuser(GATEWAY);
export const checkServeOptions: (options: ServeOptions) => void = refuser(SERVE);
