import { toToken, toUrl } from "../../src/redis/address.ts";
import { type ConnectionSettings, connect } from "../../src/redis/connect.ts";
import type { Duration } from "../../src/shared/checks.ts";
import { readVariable, whyDenied } from "../../src/shared/environment.ts";
import { type Arguments, type Flag, textOf, UsageError } from "./command.ts";
import { toDurationMs } from "./duration.ts";
import type { OpenTarget } from "./operations/target.ts";

/** The flags that select the server, which every command has. */
export const TARGET_FLAGS: Readonly<Record<string, Flag>> = {
  url: { type: "string", value: "URL", help: "the REST endpoint, with --token" },
  token: { type: "string", value: "TOKEN", help: "its API token; other users of the machine can see it" },
  redis: {
    type: "string",
    value: "URL",
    help: "a Redis over TCP: redis://, rediss://, redis+cluster:// or redis+sentinel://",
  },
  "key-prefix": { type: "string", value: "TEXT", help: "the `prefix` of your connection; default leasehold:" },
  timeout: { type: "string", value: "TIME", help: "the time limit of one request; default 5s" },
};

/** The pairs of variables that name a server, as in the library's `fromEnv`. */
const VARIABLES = ["UPSTASH_REDIS_REST", "KV_REST_API"].map((name) => [`${name}_URL`, `${name}_TOKEN`] as const);

/** A URL and a token, and the flags or variables they were read from. */
interface Server {
  readonly url: string;
  readonly token: string;
  readonly names: readonly [url: string, token: string];
}

/** Finds the URL and token in the environment. @throws UsageError that says what is missing. */
function fromEnvironment(env: Readonly<Record<string, string | undefined>>): Server {
  const readings = VARIABLES.flat().map((name) => ({ name, reading: readVariable(name, env) }));
  const values = new Map(readings.map(({ name, reading }) => [name, "value" in reading ? reading.value : undefined]));
  for (const names of VARIABLES) {
    const [url, token] = names.map((name) => values.get(name));
    if (url && token) return { url, token, names };
  }
  const denied = readings.flatMap(({ name, reading }) => ("isDenied" in reading ? [name] : []));
  for (const [urlName, tokenName] of VARIABLES) {
    const [present, missing] = values.get(urlName) ? [urlName, tokenName] : [tokenName, urlName];
    if (values.get(present) && !denied.includes(missing))
      throw new UsageError(`no server: ${present} is set and ${missing} is not`);
  }
  if (denied.length > 0) throw new UsageError(`no server: ${whyDenied(denied)}`);
  const pairs = VARIABLES.map((pair) => pair.join(" and "));
  throw new UsageError(`no server: give --url and --token, or --redis, or set ${pairs.join(", or ")}`);
}

/** @throws UsageError that names the flag or variable of an invalid URL or token. */
function checkServer({ url, token, names: [urlName, tokenName] }: Server): void {
  try {
    toUrl(url, urlName, "use --redis");
    toToken(token, tokenName);
  } catch (error) {
    throw new UsageError((error as TypeError).message);
  }
}

const LONGEST_TIMEOUT_MS = 5 * 60_000;
/** Longer than the clients' own, so that no record written here is forgotten too early for them. */
const RETENTION_MS = 2 * LONGEST_TIMEOUT_MS;

/** The settings of a connection from the flags. @throws UsageError that names the flag. */
function settingsOf(args: Arguments): ConnectionSettings {
  const [prefix, timeout] = [textOf(args, "key-prefix"), textOf(args, "timeout")];
  if (timeout !== undefined && toDurationMs(timeout, "--timeout") > LONGEST_TIMEOUT_MS)
    throw new UsageError("--timeout must be 5m or less");
  if (prefix !== undefined && /[{}]/.test(prefix)) throw new UsageError("--key-prefix must not contain braces");
  return { prefix, requestTimeout: timeout as Duration | undefined, retention: RETENTION_MS };
}

/**
 * Makes a Redis in memory, which ends with the process.
 *
 * @throws UsageError if a server is named as well.
 */
export async function openMemory(args: Arguments): Promise<OpenTarget> {
  for (const flag of ["url", "token", "redis"])
    if (textOf(args, flag) !== undefined)
      throw new UsageError(`--memory is instead of a server, and excludes --${flag}`);
  const { createMemoryRedis } = await import("../../testing/src/memory-redis.ts");
  const { url, token, fetch } = createMemoryRedis();
  const connection = connect({ ...settingsOf(args), url, token, fetch });
  return { target: { connection, address: "memory", rest: undefined }, secrets: [], close() {} };
}

/**
 * Makes the connection from the flags, otherwise from the environment.
 *
 * @throws UsageError if none is named; TypeError or RangeError for an invalid value.
 */
export async function openTarget(
  args: Arguments,
  env: Readonly<Record<string, string | undefined>>,
): Promise<OpenTarget> {
  const settings = settingsOf(args);
  const [url, token, redis] = [textOf(args, "url"), textOf(args, "token"), textOf(args, "redis")];
  if (redis !== undefined) {
    if (url !== undefined) throw new UsageError("give --url or --redis, not both");
    // Only a TCP server needs ioredis, which is slow to load.
    return (await import("./tcp-client.ts")).openTcp(redis, settings);
  }
  if (url === undefined && /^\d{1,16}$/.test(token ?? ""))
    throw new UsageError("--token is the server's API token, with --url; a fencing token is --fencing-token");
  if ((url === undefined) !== (token === undefined)) throw new UsageError("--url and --token go together");
  const names = ["--url", "--token"] as const;
  const found = url !== undefined && token !== undefined ? { url, token, names } : fromEnvironment(env);
  checkServer(found);
  const connection = connect({ ...settings, url: found.url, token: found.token });
  const address = found.url.replace(/[?#].*$/s, "");
  return {
    target: { connection, address, rest: { url: found.url, token: found.token } },
    secrets: [found.token],
    close() {},
  };
}
