import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Target } from "../operations/target.ts";
import { type ConnectionSettings, connect } from "../redis/connect.ts";
import { fromEnv } from "../redis/from-env.ts";
import type { Duration } from "../shared/checks.ts";
import { variable } from "../shared/environment.ts";
import { type Arguments, type Flag, textOf, UsageError } from "./command.ts";

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
  redis: { type: "string", value: "URL", help: "a Redis over TCP, redis:// or rediss://; needs leasehold-gateway" },
  "key-prefix": { type: "string", value: "TEXT", help: "the `prefix` of your connection; default leasehold:" },
  timeout: { type: "string", value: "TIME", help: "how long one request may take; default 5s" },
};

/** The part of leasehold-gateway that is needed. */
interface GatewayPackage {
  createGateway(options: { readonly redis: string; readonly token: string }): {
    readonly fetch: typeof fetch;
    readonly opened: Promise<void>;
    close(): void;
  };
}

const GATEWAY: string = "leasehold-gateway";

/** Loads the gateway's package from beside this one, or from the working directory. */
async function loadGateway(): Promise<GatewayPackage> {
  try {
    return (await import(GATEWAY)) as GatewayPackage;
  } catch {
    try {
      const found = createRequire(join(process.cwd(), "package.json")).resolve(GATEWAY);
      return (await import(pathToFileURL(found).href)) as GatewayPackage;
    } catch {
      throw new UsageError("--redis needs the package leasehold-gateway: npm install leasehold-gateway");
    }
  }
}

/** The address in a Redis URL, without user and password. */
function addressOf(redis: string): string {
  const [, scheme = "redis", rest = ""] = /^([\w+]+):\/\/(.*)$/s.exec(redis) ?? [];
  const bare = rest.slice(rest.lastIndexOf("@") + 1).replace(/[?#].*$/s, "");
  return `${scheme}://${bare}`;
}

/** A target, and what ends with it. */
export interface OpenTarget {
  readonly target: Target;
  /** The texts that must never be printed. */
  readonly secrets: readonly string[];
  close(): void;
}

async function overTcp(redis: string, settings: ConnectionSettings): Promise<OpenTarget> {
  const { createGateway } = await loadGateway();
  const token = crypto.randomUUID();
  const gateway = createGateway({ redis, token });
  await gateway.opened;
  const address = addressOf(redis);
  // Errors name the host of the connection's URL.
  const [, host = "redis"] = /^[\w+]+:\/\/([\w.:-]+)/.exec(address) ?? [];
  const url = `http://${host.replace(/[^\w.-].*$/, "")}`;
  const send = gateway.fetch as typeof fetch;
  const connection = connect({ ...settings, url, token, fetch: send });
  const password = /:\/\/([^/]*)@/.exec(redis)?.[1] ?? "";
  return {
    target: { connection, address, url, token, fetch: send },
    secrets: [redis, password, ...password.split(":"), decodeURIComponent(password.split(":")[1] ?? "")],
    close: () => gateway.close(),
  };
}

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
 * @throws UsageError when none is named, or the package that is needed is missing; TypeError or RangeError for a value
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
    return overTcp(redis, settings);
  }
  if ((url === undefined) !== (token === undefined)) throw new UsageError("--url and --token go together");
  const found = url && token ? { url, token } : fromEnvironment(env, settings);
  const connection = connect({ ...settings, ...found });
  const address = found.url.replace(/[?#].*$/s, "");
  return {
    target: { connection, address, url: found.url, token: found.token, fetch: globalThis.fetch },
    secrets: [found.token],
    close() {},
  };
}
