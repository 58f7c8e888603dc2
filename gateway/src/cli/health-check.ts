import { get as getPlain } from "node:http";
import { get as getSecure } from "node:https";
import { DEFAULTS } from "../shared/settings.ts";
import type { Config } from "./config.ts";
import { ConfigError } from "./sources.ts";

const ASK_MS = 3_000;
const OK = 200;
const UNAUTHORIZED = 401;

/** The wildcard addresses of a machine, each with the address to send a request to instead. */
const EVERYWHERE: ReadonlyMap<string, string> = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "::1"],
]);

interface Question {
  readonly host: string;
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly isSecure: boolean;
}

/** The status of `/health`; `undefined` without an answer. */
function statusOf({ isSecure, ...where }: Question): Promise<number | undefined> {
  const options = { ...where, path: "/health", signal: AbortSignal.timeout(ASK_MS) };
  return new Promise((resolve) => {
    const take = ({ statusCode }: { statusCode?: number | undefined }): void => resolve(statusCode);
    // The certificate is for another name than this machine's address, and its validity is not checked here.
    const request = isSecure ? getSecure({ ...options, rejectUnauthorized: false }, take) : getPlain(options, take);
    request.on("error", () => resolve(undefined));
    request.on("response", (response) => response.resume());
  });
}

/**
 * Requests `/health` from the gateway with these settings on this machine. An answer that demands another token counts
 * as alive.
 *
 * @throws if the gateway does not answer within 3 s
 */
export async function askHealth({ server, tls }: Config): Promise<void> {
  const port = server.adminPort ?? server.port ?? DEFAULTS.port;
  if (port === 0) throw new ConfigError("health needs a port other than 0");
  const named = (server.adminPort === undefined ? undefined : server.adminHost) ?? server.host ?? DEFAULTS.host;
  const host = EVERYWHERE.get(named) ?? named;
  const [token] = server.adminToken ?? [];
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const isSecure = tls.tlsCert !== undefined && server.adminPort === undefined;
  const status = await statusOf({ host, port, headers, isSecure });
  if (status === undefined) throw new Error("the gateway does not answer");
  if (status !== OK && status !== UNAUTHORIZED) throw new Error(`the gateway answers ${status} and not 200`);
}
