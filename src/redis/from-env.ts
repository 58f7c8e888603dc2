import { variable } from "../shared/environment.ts";
import { type Connection, type ConnectionSettings, connect } from "./connect.ts";
import type { Fetch } from "./fetch.ts";

/** Finds URL and token of the server. @throws TypeError when neither pair is complete. */
function credentialsOf(env: object | undefined): { readonly url: string; readonly token: string } {
  const pairs = ["UPSTASH_REDIS_REST", "KV_REST_API"].map((name) => [`${name}_URL`, `${name}_TOKEN`] as const);
  for (const pair of pairs) {
    const [url, token] = pair.map((name) => variable(name, env));
    if (url && token) return { url, token };
  }
  throw new TypeError(`the environment needs ${pairs.map((pair) => pair.join(" and ")).join(", or ")}`);
}

/**
 * Makes a connection to the server that the environment names: by `UPSTASH_REDIS_REST_URL` and
 * `UPSTASH_REDIS_REST_TOKEN`, else by `KV_REST_API_URL` and `KV_REST_API_TOKEN`, which Vercel's marketplace sets. It
 * reads `process.env` or `Deno.env` unless it is given an object; on Workers that is the `env` of the request. Nothing
 * is read before the first request, so a build without these variables does not fail.
 *
 * @example
 * ```ts
 * const kinds = createLocks(fromEnv(env, { lease: "10s" }));
 * await kinds.lock("invoice 17").run(() => build());
 * ```
 *
 * @throws TypeError or RangeError as {@link connect} for a setting. The first request throws a TypeError when neither
 * pair is complete.
 */
export function fromEnv(
  env?: object,
  settings: ConnectionSettings & { readonly fetch?: Fetch | undefined } = {},
): Connection {
  // Checks the settings now. Nothing is ever sent to this address.
  const { state, ...connection } = connect({ ...settings, url: "http://unknown", token: "unknown" });
  let found: Connection | undefined;
  function find(): Connection {
    if (!found) {
      found = connect({ ...settings, ...credentialsOf(env) });
      state.dialect = found.state.dialect;
    }
    return found;
  }
  return {
    ...connection,
    state,
    get port() {
      return find().port;
    },
    get server() {
      try {
        return find().server;
      } catch {
        // The first request will say what is missing. Locks of several servers are made without one.
        return "";
      }
    },
  };
}
