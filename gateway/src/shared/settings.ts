import { type Bounds, HTTP_LIMITS, LIMITS, type Limit, MAX_LIMIT } from "./limits.ts";

/** Defaults of settings that are not limits. */
export const DEFAULTS = {
  redis: "redis://127.0.0.1:6379",
  port: 8080,
  host: "127.0.0.1",
  logLevel: "info",
  slowRequestMs: 1_000,
} as const;

/** The bounds of a port; 0 chooses a free one. */
export const PORT: Bounds = { min: 0, max: 65_535 };
/** The bounds of `slowRequestMs`; 0 is off. */
export const SLOW: Bounds = { min: 0, max: MAX_LIMIT };

/** A setting: a flag, a variable of the environment or a line of the config file. */
export interface Setting {
  /** The name in the config file. */
  readonly key: string;
  readonly flag: string;
  /** The first variable that is set counts. */
  readonly env: readonly string[];
  /**
   * `tokens` may be repeated; a variable contains one of them, including commas. A `list` has commas between its items.
   */
  readonly kind: "text" | "number" | "boolean" | "tokens" | "list";
  /** The placeholder for the value in the usage. */
  readonly value: string;
  readonly help: string;
  /** The default, described in words if it is not a value. */
  readonly fallback: string;
  /** The bounds of a number. */
  readonly bounds?: Bounds;
  /** Whether each of its values can have a name. */
  readonly isNamed: boolean;
  /** Whether each of several databases has its own value. */
  readonly ofDatabase: boolean;
}

type SettingParts = Pick<Setting, "key" | "help"> & Partial<Setting>;

function setting(parts: SettingParts): Setting {
  const flag = parts.key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const env = [`LEASEHOLD_${flag.replaceAll("-", "_").toUpperCase()}`];
  return { flag, env, kind: "text", value: "<text>", fallback: "none", ofDatabase: false, isNamed: false, ...parts };
}

const database = (parts: SettingParts): Setting => setting({ ofDatabase: true, ...parts });
const file = { value: "<file>" } as const;
const tokens = { kind: "tokens" } as const;
const hashes = { kind: "list", value: "<hex>" } as const;

const port = (parts: SettingParts): Setting => setting({ kind: "number", value: "<n>", bounds: PORT, ...parts });

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
    help: "use a Redis in memory instead of a server; nothing is kept",
    fallback: "false",
  }),
  database({ key: "redisUsername", help: "the ACL user, if the URL has none" }),
  database({ key: "redisPassword", help: "the password, if the URL has none" }),
  database({ key: "redisPasswordFile", ...file, help: "a file with the password, reloaded on SIGHUP" }),
  database({
    key: "redisCaFile",
    ...file,
    help: "the CA certificates to trust for the server",
    fallback: "Node's own",
  }),
  database({ key: "redisCertFile", ...file, help: "the client certificate for the server" }),
  database({ key: "redisKeyFile", ...file, help: "the private key of that certificate" }),
  database({ key: "redisServername", help: "the name in the server's certificate", fallback: "the URL's host" }),
  database({ key: "sentinelUsername", help: "the ACL user for the Sentinels" }),
  database({ key: "sentinelPassword", help: "the password for the Sentinels" }),
  database({
    key: "sentinelPasswordFile",
    ...file,
    help: "a file with the password for the Sentinels, reloaded on SIGHUP",
  }),
  database({
    key: "sentinelTls",
    kind: "boolean",
    help: "use TLS with the Sentinels",
    fallback: "as the URL says",
  }),
  database({
    key: "token",
    ...tokens,
    isNamed: true,
    help: "the bearer token that clients must send",
    fallback: "none, but a token is required",
  }),
  database({ key: "tokenFile", ...file, help: "a file of tokens, one per line" }),
  database({ key: "tokenSha256", ...hashes, isNamed: true, help: "the SHA-256 of a token, instead of the token" }),
  database({ key: "readOnlyToken", ...tokens, isNamed: true, help: "a token for commands that only read" }),
  database({ key: "readOnlyTokenFile", ...file, help: "a file of such tokens, one per line" }),
  database({
    key: "readOnlyTokenSha256",
    ...hashes,
    isNamed: true,
    help: "the SHA-256 of such a token, instead of the token",
  }),
  port({
    key: "port",
    env: ["LEASEHOLD_PORT", "PORT"],
    help: "the port to listen on; 0 takes a free one",
    fallback: String(DEFAULTS.port),
  }),
  setting({ key: "tlsCert", ...file, help: "the certificate for clients; makes the port speak TLS" }),
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
  setting({ key: "adminTokenSha256", ...hashes, help: "the SHA-256 of such a token, instead of the token" }),
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
    help: "requests that take longer are logged at warn; 0: never",
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
