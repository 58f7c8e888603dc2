import { HTTP } from "./http-limits.ts";
import { LIMITS } from "./limits.ts";

/** One thing that can be set, by a flag, a variable of the environment or a line of the config file. */
export interface Setting {
  /** Its name in the config file. */
  readonly key: string;
  readonly flag: string;
  /** The first one that is there counts. */
  readonly env: readonly string[];
  /** `tokens` may be several; a variable is one of them, whatever it holds. `list` has commas between. */
  readonly kind: "text" | "number" | "boolean" | "tokens" | "list";
  /** What its value is called in the usage. */
  readonly value: string;
  readonly help: string;
  /** Its default, in words where it is no value. */
  readonly fallback: string;
  readonly least?: number;
  readonly most?: number;
  /** Whether it belongs to one database, so that each of several has its own. */
  readonly ofDatabase: boolean;
}

type Given = Pick<Setting, "key" | "help"> & Partial<Setting>;

function setting(given: Given): Setting {
  const flag = given.key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const env = [`LEASEHOLD_${flag.replaceAll("-", "_").toUpperCase()}`];
  return { flag, env, kind: "text", value: "<text>", fallback: "none", ofDatabase: false, ...given };
}

const database = (given: Given): Setting => setting({ ofDatabase: true, ...given });
const file = { value: "<file>" } as const;
const tokens = { kind: "tokens" } as const;
const hashes = { kind: "list", value: "<hex>" } as const;

function amount(key: keyof typeof LIMITS | keyof typeof HTTP, help: string): Setting {
  const fallback = String({ ...LIMITS, ...HTTP }[key]);
  return setting({ key, help, kind: "number", value: "<n>", fallback, least: 1, most: 2 ** 31 - 1 });
}

const port = (given: Given): Setting => setting({ kind: "number", value: "<n>", least: 0, most: 65_535, ...given });

/** Everything that can be set, in the order of the usage. */
export const SETTINGS: readonly Setting[] = [
  database({
    key: "redis",
    env: ["LEASEHOLD_REDIS_URL"],
    value: "<url>",
    help: "the Redis or Valkey behind",
    fallback: "redis://127.0.0.1:6379",
  }),
  database({ key: "redisUsername", help: "the ACL user to log in as, where the URL has none" }),
  database({ key: "redisPassword", help: "the password, where the URL has none" }),
  database({ key: "redisPasswordFile", ...file, help: "a file that holds the password, read again on SIGHUP" }),
  database({ key: "redisCaFile", ...file, help: "the authority of the server's certificate", fallback: "Node's own" }),
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
    help: "the bearer token to require",
    fallback: "none; one token of some kind is required",
  }),
  database({ key: "tokenFile", ...file, help: "a file of tokens, one in a line" }),
  database({ key: "tokenSha256", ...hashes, help: "the SHA-256 of a token instead of the token" }),
  database({ key: "readOnlyToken", ...tokens, help: "a token that may run commands that only read" }),
  database({ key: "readOnlyTokenFile", ...file, help: "a file of such tokens, one in a line" }),
  database({ key: "readOnlyTokenSha256", ...hashes, help: "the SHA-256 of such a token instead of the token" }),
  port({
    key: "port",
    env: ["LEASEHOLD_PORT", "PORT"],
    help: "the port to listen on; 0 takes a free one",
    fallback: "8080",
  }),
  setting({ key: "host", help: "the address to listen on", fallback: "127.0.0.1" }),
  port({
    key: "adminPort",
    help: "a port of its own for /health, /ready and /metrics",
    fallback: "they are on the port",
  }),
  setting({ key: "adminHost", help: "the address of that port", fallback: "the host" }),
  setting({ key: "adminToken", ...tokens, help: "the token that /health, /ready and /metrics require" }),
  setting({ key: "adminTokenFile", ...file, help: "a file of such tokens, one in a line" }),
  setting({ key: "adminTokenSha256", ...hashes, help: "the SHA-256 of such a token instead of the token" }),
  setting({
    key: "corsOrigin",
    kind: "list",
    value: "<url>",
    help: "an origin whose web pages may ask, or *",
    fallback: "none",
  }),
  amount("timeoutMs", "how long Redis may take to answer: then 504"),
  amount("maxBodyBytes", "the largest request body: then 413"),
  amount("maxPipeline", "the most commands in one request: then 413"),
  amount("maxInFlight", "the most requests at once with one token: then 503"),
  amount("bodyBudgetBytes", "what request bodies may take at once, shared by all tokens: then 503"),
  amount("replyBudgetBytes", "what replies may take at once, shared by all tokens: then 504, or 503 for the next"),
  amount("maxStreams", "the most subscriptions at once with one token: then 503"),
  amount("streamBufferBytes", "what a subscriber may leave unread: then its stream is broken off"),
  amount("streamKeepAliveMs", "how often a stream gets a comment"),
  amount("headersTimeoutMs", "how long the headers of a request may take: then 408"),
  amount("requestTimeoutMs", "how long a whole request may take to arrive: then 408"),
  amount("keepAliveTimeoutMs", "how long a connection stays open between requests"),
  amount("maxHeaderBytes", "the largest headers, request line included: then 431"),
  amount("idleTimeoutMs", "how long a client may take nothing of its answer: then the connection is closed"),
  amount("drainTimeoutMs", "how long the end waits for requests in flight"),
  setting({ key: "logLevel", value: "<level>", help: "silent, error, warn, info or debug", fallback: "info" }),
];

/** What a setting is called wherever it can be set: `--token (LEASEHOLD_TOKEN, token in the config file)`. */
export function namesOf(key: string): string {
  const { flag = key, env = [] } = SETTINGS.find((it) => it.key === key) ?? {};
  return `--${flag} (${[...env, `${key} in the config file`].join(", ")})`;
}

const WIDTH = 34;

/** The part of the usage that says what can be set. */
export function usage(): string {
  return SETTINGS.map(({ flag, value, kind, env, help, fallback }) => {
    const left = `  --${flag}${kind === "boolean" ? "" : ` ${value}`}`;
    return `${left.padEnd(WIDTH)}${help}\n${" ".repeat(WIDTH)}${env.join(" or ")}; ${fallback}`;
  }).join("\n");
}
