import { type ConnectionSettings, connect } from "../../src/redis/connect.ts";
import { fromEnv } from "../../src/redis/from-env.ts";
import type { Duration } from "../../src/shared/checks.ts";
import { variable } from "../../src/shared/environment.ts";
import { type Arguments, type Flag, textOf, UsageError } from "./command.ts";
import type { OpenTarget } from "./operations/target.ts";

/** The flags that say which server is meant. Every command has them. */
export const TARGET_FLAGS: Readonly<Record<string, Flag>> = {
  url: { type: "string", value: "URL", help: "the REST endpoint, with --token" },
  token: {
    type: "string",
    multiple: true,
    value: "TOKEN",
    help: "its API token; other users of the machine can see it here",
  },
  "api-token": { type: "string", value: "TOKEN", help: "the same; `release --token` can also be a fencing token" },
  redis: {
    type: "string",
    value: "URL",
    help: "a Redis over TCP: redis://, rediss://, redis+cluster:// or redis+sentinel://",
  },
  "key-prefix": { type: "string", value: "TEXT", help: "the `prefix` of your connection; default leasehold:" },
  timeout: { type: "string", value: "TIME", help: "how long one request may take; default 5s" },
};

/** Finds URL and token as `fromEnv` does. */
function fromEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  settings: ConnectionSettings,
): { readonly url: string; readonly token: string } {
  try {
    // Reads the environment, and says what is missing.
    void fromEnv(env, settings).port;
  } catch {
    throw new UsageError(
      "no server: give --url and --token, or --redis, or set UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN, " +
        "or KV_REST_API_URL and KV_REST_API_TOKEN",
    );
  }
  const pairs = ["UPSTASH_REDIS_REST", "KV_REST_API"].map((name) => ({
    url: variable(`${name}_URL`, env) ?? "",
    token: variable(`${name}_TOKEN`, env) ?? "",
  }));
  return pairs.find(({ url, token }) => url && token) ?? { url: "", token: "" };
}

/** A fencing token, as `release --token` takes it. */
export const isFencingToken = (text: string): boolean => /^\d{1,16}$/.test(text);

/** The API token among the flags. Behind `release` a number is a fencing token. */
function apiTokenOf(given: Arguments, command: string): string | undefined {
  const tokens = [given.values["token"] ?? []].flat().filter((token) => typeof token === "string");
  const [token, ...others] = tokens.filter((text) => text !== "" && !(command === "release" && isFencingToken(text)));
  if (others.length > 0) throw new UsageError("--token is given twice");
  return textOf(given, "api-token") ?? token;
}

/**
 * Makes the connection that the flags name, or else the environment.
 *
 * @throws UsageError when none is named; TypeError or RangeError for a value
 * that is not valid.
 */
export async function openTarget(
  given: Arguments,
  command: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<OpenTarget> {
  const settings: ConnectionSettings = {
    prefix: textOf(given, "key-prefix"),
    requestTimeout: textOf(given, "timeout") as Duration | undefined,
    // Longer than clients' own, so that nothing that we write is forgotten too early for them.
    retention: "10m",
  };
  const [url, token, redis] = [textOf(given, "url"), apiTokenOf(given, command), textOf(given, "redis")];
  if (redis !== undefined) {
    if (url !== undefined) throw new UsageError("give --url or --redis, not both");
    // Only a server over TCP needs ioredis, which takes a while to load.
    return (await import("./tcp-client.ts")).openTcp(redis, settings);
  }
  if ((url === undefined) !== (token === undefined)) throw new UsageError("--url and --token go together");
  const found = url && token ? { url, token } : fromEnvironment(env, settings);
  const connection = connect({ ...settings, ...found });
  const address = found.url.replace(/[?#].*$/s, "");
  return {
    target: { connection, address, rest: { url: found.url, token: found.token } },
    secrets: [found.token],
    close() {},
  };
}
