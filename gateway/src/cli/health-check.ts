import { DEFAULTS } from "../shared/settings.ts";
import type { Config } from "./config.ts";
import { ConfigError } from "./sources.ts";

const ASK_MS = 3_000;
const UNAUTHORIZED = 401;

/** Addresses that mean every one of a machine's, and are no place to send a request to. */
const EVERYWHERE: ReadonlyMap<string, string> = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "::1"],
]);

/**
 * Asks the gateway with these settings on this machine for `/health`. One that wants a token that is not known here lives, too.
 *
 * @throws when it does not answer within 3 s
 */
export async function askHealth({ server }: Config): Promise<void> {
  const port = server.adminPort ?? server.port ?? DEFAULTS.port;
  if (port === 0) throw new ConfigError("a port that is not 0 is required, to know whom to ask");
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
