import type { HttpOptions, LimitOptions } from "./options.ts";

/** Defaults of settings that are no limits. */
export const DEFAULTS = {
  redis: "redis://127.0.0.1:6379",
  port: 8080,
  host: "127.0.0.1",
  logLevel: "info",
  slowRequestMs: 1_000,
} as const;

/** The bounds of a number, both included. */
interface Bounds {
  readonly least: number;
  readonly most: number;
}

/** A limit: a whole number with a default. */
export interface Limit extends Bounds {
  readonly unit: "ms" | "bytes" | "count";
  readonly fallback: number;
  readonly help: string;
}

/** The longest time that a timer of Node takes. It bounds the other limits as well. */
export const MAX_LIMIT: number = 2 ** 31 - 1;

const limit = (unit: Limit["unit"], fallback: number, help: string): Limit => ({
  unit,
  fallback,
  help,
  least: 1,
  most: MAX_LIMIT,
});

const KIB = 1024;
const MIB = 1024 * KIB;

/** How much one gateway takes on. */
export const LIMITS: Readonly<Record<keyof LimitOptions, Limit>> = {
  timeoutMs: limit("ms", 5_000, "how long Redis may take to answer; then 504"),
  maxBodyBytes: limit("bytes", 10 * MIB, "the largest request body; a larger one gets 413"),
  maxPipeline: limit("count", 10_000, "the most commands in one request; more get 413"),
  maxRequestsPerSecond: {
    ...limit("count", 0, "the most requests a second per token; one more gets 429; 0: any number"),
    least: 0,
  },
  maxInFlight: limit("count", 1_000, "the most concurrent requests per token; one more gets 503"),
  maxHeld: {
    ...limit("count", 1_000, "the most requests that wait for a turn per token; one more is answered at once; 0: none"),
    least: 0,
  },
  maxHeldInAll: {
    ...limit("count", 1_000, "the most requests that wait for a turn with all tokens together"),
    least: 0,
  },
  bodyBudgetBytes: limit("bytes", 128 * MIB, "memory for request bodies, shared by all tokens; without room 503"),
  replyBudgetBytes: limit("bytes", 256 * MIB, "memory for replies, shared by all tokens; without room 504 or 503"),
  maxStreams: limit("count", 256, "the most concurrent subscriptions per token; one more gets 503"),
  streamBufferBytes: limit("bytes", MIB, "how much a subscriber may leave unread before its stream is broken off"),
  streamKeepAliveMs: limit("ms", 15_000, "how often a stream gets a comment as a sign of life"),
};

/** How patient the HTTP server is. */
export const HTTP_LIMITS: Readonly<Record<keyof HttpOptions, Limit>> = {
  maxConnections: limit("count", 10_000, "the most connections of clients; one more is closed at once"),
  headersTimeoutMs: limit("ms", 10_000, "how long the headers of a request may take to arrive; then 408"),
  requestTimeoutMs: limit("ms", 30_000, "how long a whole request may take to arrive; then 408"),
  keepAliveTimeoutMs: limit("ms", 65_000, "how long a connection stays open between requests"),
  maxHeaderBytes: limit("bytes", 16 * KIB, "the largest headers, request line included; larger ones get 431"),
  idleTimeoutMs: limit("ms", 60_000, "how long a client may read nothing of its answer; then its connection is closed"),
  drainTimeoutMs: limit("ms", 9_000, "how long a shutdown waits for requests in flight"),
};

/** The bounds of a port; 0 takes a free one. */
export const PORT: Bounds = { least: 0, most: 65_535 };
/** The bounds of `slowRequestMs`; 0 is off. */
export const SLOW: Bounds = { least: 0, most: MAX_LIMIT };

/** Says what is wrong with a number called `name`; `undefined` when it is a whole number within the bounds. */
export function flawOf(name: string, value: number, { least, most }: Bounds): string | undefined {
  const isFine = Number.isSafeInteger(value) && value >= least && value <= most;
  return isFine ? undefined : `${name} must be a whole number from ${least} to ${most}`;
}

/** A setting: a flag, a variable of the environment or a line of the config file. */
export interface Setting {
  /** The name in the config file. */
  readonly key: string;
  readonly flag: string;
  /** The first variable that is set counts. */
  readonly env: readonly string[];
  /**
   * `tokens` may be given several times; a variable holds one of them, commas included. A `list` has commas between its
   * items.
   */
  readonly kind: "text" | "number" | "boolean" | "tokens" | "list";
  /** The placeholder for the value in the usage. */
  readonly value: string;
  readonly help: string;
  /** The default, in words if it is not a value. */
  readonly fallback: string;
  /** The bounds of a number. */
  readonly bounds?: Bounds;
  /** Whether each of its values can have a name. */
  readonly isNamed: boolean;
  /** Whether each of several databases has its own. */
  readonly ofDatabase: boolean;
}

type Given = Pick<Setting, "key" | "help"> & Partial<Setting>;

function setting(given: Given): Setting {
  const flag = given.key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const env = [`LEASEHOLD_${flag.replaceAll("-", "_").toUpperCase()}`];
  return { flag, env, kind: "text", value: "<text>", fallback: "none", ofDatabase: false, isNamed: false, ...given };
}

const database = (given: Given): Setting => setting({ ofDatabase: true, ...given });
const file = { value: "<file>" } as const;
const tokens = { kind: "tokens" } as const;
const hashes = { kind: "list", value: "<hex>" } as const;

const port = (given: Given): Setting => setting({ kind: "number", value: "<n>", bounds: PORT, ...given });

const limitSettings = (limits: Readonly<Record<string, Limit>>): Setting[] =>
  Object.entries(limits).map(([key, { unit, fallback, help, ...bounds }]) => {
    const value = unit === "count" ? "<n>" : `<${unit}>`;
    return setting({ key, help, kind: "number", value, fallback: String(fallback), bounds });
  });

/** All settings, in the order of the usage. */
export const SETTINGS: readonly Setting[] = [
  database({
    key: "redis",
    env: ["LEASEHOLD_REDIS_URL"],
    value: "<url>",
    help: "the URL of the Redis or Valkey server",
    fallback: DEFAULTS.redis,
  }),
  database({
    key: "memory",
    kind: "boolean",
    help: "take a Redis in memory instead of a server; nothing is kept",
    fallback: "false",
  }),
  database({ key: "redisUsername", help: "the ACL user to log in as, if the URL names none" }),
  database({ key: "redisPassword", help: "the password, if the URL has none" }),
  database({ key: "redisPasswordFile", ...file, help: "a file that holds the password, read again on SIGHUP" }),
  database({
    key: "redisCaFile",
    ...file,
    help: "the authority that signed the server's certificate",
    fallback: "Node's own",
  }),
  database({ key: "redisCertFile", ...file, help: "the certificate to show to the server" }),
  database({ key: "redisKeyFile", ...file, help: "the private key of that certificate" }),
  database({ key: "redisServername", help: "the name in the server's certificate", fallback: "the URL's host" }),
  database({ key: "sentinelUsername", help: "the ACL user to log in as at the Sentinels" }),
  database({ key: "sentinelPassword", help: "the password for the Sentinels" }),
  database({
    key: "sentinelPasswordFile",
    ...file,
    help: "a file that holds the password for the Sentinels, read again on SIGHUP",
  }),
  database({
    key: "sentinelTls",
    kind: "boolean",
    help: "whether the Sentinels speak TLS",
    fallback: "as the URL says",
  }),
  database({
    key: "token",
    ...tokens,
    isNamed: true,
    help: "the bearer token to require",
    fallback: "none; one token of some kind is required",
  }),
  database({ key: "tokenFile", ...file, help: "a file of tokens, one per line" }),
  database({ key: "tokenSha256", ...hashes, isNamed: true, help: "the SHA-256 of a token instead of the token" }),
  database({ key: "readOnlyToken", ...tokens, isNamed: true, help: "a token for commands that only read" }),
  database({ key: "readOnlyTokenFile", ...file, help: "a file of such tokens, one per line" }),
  database({
    key: "readOnlyTokenSha256",
    ...hashes,
    isNamed: true,
    help: "the SHA-256 of such a token instead of the token",
  }),
  port({
    key: "port",
    env: ["LEASEHOLD_PORT", "PORT"],
    help: "the port to listen on; 0 takes a free one",
    fallback: String(DEFAULTS.port),
  }),
  setting({ key: "tlsCert", ...file, help: "the certificate to show to clients; then the port speaks TLS" }),
  setting({ key: "tlsKey", ...file, help: "the private key of that certificate" }),
  setting({ key: "host", help: "the address to listen on", fallback: DEFAULTS.host }),
  port({
    key: "adminPort",
    help: "a separate port for /health, /ready and /metrics",
    fallback: "the same port",
  }),
  setting({ key: "adminHost", help: "the address of that port", fallback: "the same host" }),
  setting({ key: "adminToken", ...tokens, help: "the token that /health, /ready and /metrics require" }),
  setting({ key: "adminTokenFile", ...file, help: "a file of such tokens, one per line" }),
  setting({ key: "adminTokenSha256", ...hashes, help: "the SHA-256 of such a token instead of the token" }),
  setting({
    key: "corsOrigin",
    kind: "list",
    value: "<url>",
    help: "an origin whose web pages may call the gateway, or *",
  }),
  ...limitSettings(LIMITS),
  ...limitSettings(HTTP_LIMITS),
  setting({
    key: "logLevel",
    value: "<level>",
    help: "silent, error, warn, info or debug",
    fallback: DEFAULTS.logLevel,
  }),
  setting({
    key: "slowRequestMs",
    kind: "number",
    value: "<ms>",
    bounds: SLOW,
    help: "how long a request may take before it is logged at warn; 0: for ever",
    fallback: String(DEFAULTS.slowRequestMs),
  }),
];

/** All names of a setting: `--token (LEASEHOLD_TOKEN, token in the config file)`. */
export function namesOf(key: string): string {
  const { flag = key, env = [] } = SETTINGS.find((it) => it.key === key) ?? {};
  return `--${flag} (${[...env, `${key} in the config file`].join(", ")})`;
}

const WIDTH = 34;

/** The part of the usage that lists the settings. */
export function usage(): string {
  return SETTINGS.map(({ flag, value, kind, env, help, fallback }) => {
    const left = `  --${flag}${kind === "boolean" ? "" : ` ${value}`}`;
    return `${left.padEnd(WIDTH)}${help}\n${" ".repeat(WIDTH)}${env.join(" or ")}; ${fallback}`;
  }).join("\n");
}
