import { DEFAULTS } from "../shared/settings.ts";
import type { Config } from "./config.ts";
import { ConfigError } from "./sources.ts";

const ASK_MS = 3_000;
const UNAUTHORIZED = 401;

/** The wildcard addresses of a machine, each with the one to send a request to instead. */
const EVERYWHERE: ReadonlyMap<string, string> = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "::1"],
]);

/**
 * Asks the gateway with these settings on this machine for `/health`. An answer that demands another token counts as
 * alive.
 *
 * @throws when the gateway does not answer within 3 s
 */
export async function askHealth({ server }: Config): Promise<void> {
  const port = server.adminPort ?? server.port ?? DEFAULTS.port;
  if (port === 0) throw new ConfigError("health needs a port other than 0");
  const named = (server.adminPort === undefined ? undefined : server.adminHost) ?? server.host ?? DEFAULTS.host;
  const host = EVERYWHERE.get(named) ?? named;
  const [token] = server.adminToken ?? [];
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${port}/health`;
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(ASK_MS) }).catch(() => undefined);
  if (response === undefined) throw new Error("the gateway does not answer");
  if (!response.ok && response.status !== UNAUTHORIZED)
    throw new Error(`the gateway answers ${response.status} and not 200`);
}
