import { checkOptions } from "../shared/checks.ts";
import { readVariable, whyDenied } from "../shared/environment.ts";
import { inCall, misuse, shown } from "../shared/misuse.ts";
import { toToken, toUrl } from "./address.ts";
import { type Connection, type ConnectionSettings, open, SETTINGS } from "./connect.ts";
import type { Fetch } from "./fetch.ts";

/** The prefixes of the variables that name a server, in order of precedence. */
const PREFIXES = ["UPSTASH_REDIS_REST", "KV_REST_API"];

/** A variable, and its value in the environment. */
interface Found {
  readonly name: string;
  readonly value: string;
  readonly isDenied: boolean;
}

function find(name: string, env: object | undefined): Found {
  const reading = readVariable(name, env);
  const value = "value" in reading ? reading.value : undefined;
  return { name, value: value ?? "", isDenied: "isDenied" in reading };
}

/** Says which of the variables are missing. */
function whyMissing(pairs: readonly (readonly [Found, Found])[], env: object | undefined): string {
  for (const [url, token] of pairs) {
    const [missing, other] = url.value ? [token, url] : [url, token];
    if (other.value && !missing.isDenied) return `${missing.name} is missing, and ${other.name} is set: set both`;
  }
  const denied = pairs.flat().filter(({ isDenied }) => isDenied);
  if (denied.length > 0) return whyDenied(denied.map(({ name }) => name));
  const needed = pairs.map(([url, token]) => `${url.name} and ${token.name}`).join(", or ");
  const where = env ? "the object passed" : "the environment (on Workers pass the env of the request)";
  return `${where} has no URL and token: set ${needed}`;
}

/**
 * Finds the URL and token of the server. @throws TypeError if neither pair is complete; the message does not name the
 * call.
 */
function credentialsOf(env: object | undefined): readonly [url: Found, token: Found] {
  const pairs = PREFIXES.map((prefix) => [find(`${prefix}_URL`, env), find(`${prefix}_TOKEN`, env)] as const);
  const complete = pairs.find(([url, token]) => url.value && token.value);
  if (complete) return complete;
  throw misuse(TypeError, whyMissing(pairs, env));
}

function checkEnvironment(env: unknown): void {
  if (env !== undefined && (typeof env !== "object" || env === null))
    throw misuse(TypeError, `env must be an object of variables, not ${shown(env)}`);
}

/**
 * Makes a connection to the server named by environment variables: `UPSTASH_REDIS_REST_URL` and
 * `UPSTASH_REDIS_REST_TOKEN`, otherwise `KV_REST_API_URL` and `KV_REST_API_TOKEN`, which Vercel's marketplace sets. It
 * reads `process.env` or `Deno.env`, or the object that you pass; on Workers, pass the `env` of the request. Nothing is
 * read before the first request, so a build without these variables does not fail.
 *
 * @example
 * ```ts
 * const kinds = createLocks(fromEnv(env, { lease: "10s" }));
 * await kinds.lock("invoice 17").run(() => build());
 * ```
 *
 * @throws TypeError or RangeError for an invalid setting, like {@link connect}. The first request throws a TypeError if
 * neither pair is complete.
 */
export function fromEnv(
  env?: object,
  settings: ConnectionSettings & { readonly fetch?: Fetch | undefined } = {},
): Connection {
  // Checks the settings now. Nothing is ever sent to this address.
  const { state, ...connection } = inCall("fromEnv", () => {
    checkEnvironment(env);
    checkOptions(settings, SETTINGS);
    return open({ ...settings, url: "http://unknown", token: "unknown" });
  });
  let found: Connection | undefined;
  function ofServer(): Connection {
    if (!found) {
      found = inCall("fromEnv", () => {
        const [url, token] = credentialsOf(env);
        return open({ ...settings, url: toUrl(url.value, url.name), token: toToken(token.value, token.name) });
      });
      state.dialect = found.state.dialect;
    }
    return found;
  }
  return {
    ...connection,
    state,
    get port() {
      return ofServer().port;
    },
    get wakeUps() {
      return connection.wakeUps && ofServer().wakeUps;
    },
    get server() {
      try {
        return ofServer().server;
      } catch {
        // The first request reports what is missing. Locks on several servers are made without an address.
        return "";
      }
    },
  };
}
