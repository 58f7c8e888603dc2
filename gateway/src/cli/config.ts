import { resolve } from "node:path";
import { isLogLevel, type LogLevel } from "../shared/log.ts";
import type { DatabaseOptions, ServeOptions, ServerTls } from "../shared/options.ts";
import { DEFAULTS, SETTINGS, type Setting } from "../shared/settings.ts";
import { type ConfigFile, readConfigFile, readText } from "./config-file.ts";
import { sha256Of, tokenOf } from "./named-token.ts";
import {
  CONFIG_VARIABLE,
  ConfigError,
  environmentSource,
  type Flags,
  flagSource,
  type Source,
  type Value,
} from "./sources.ts";

/** All settings, from all sources. */
export interface Config {
  readonly databases: readonly DatabaseOptions[];
  /** TLS with clients, which a running gateway reloads. */
  readonly tls: ServerTls;
  /** The other settings, which a running gateway keeps. */
  readonly server: Omit<ServeOptions, "databases" | keyof DatabaseOptions | keyof ServerTls>;
  readonly logLevel: LogLevel;
}

/** Groups of alternative settings. A group is taken from the first source that has one of its settings. */
const TOGETHER: readonly (readonly string[])[] = [
  ["token", "tokenFile", "tokenSha256"],
  ["readOnlyToken", "readOnlyTokenFile", "readOnlyTokenSha256"],
  ["adminToken", "adminTokenFile", "adminTokenSha256"],
  ["redisPassword", "redisPasswordFile"],
  ["sentinelPassword", "sentinelPasswordFile"],
];

interface Found {
  readonly value: Value;
  /** The name of the setting in errors. */
  readonly name: string;
  readonly folder: string | undefined;
}

type Values = ReadonlyMap<string, Found>;

const settingOf = (key: string): readonly Setting[] => SETTINGS.filter((setting) => setting.key === key);

/** Each setting from the first source that has it. */
function gather(settings: readonly Setting[], sources: readonly Source[]): Values {
  const found = new Map<string, Found>();
  for (const setting of settings) {
    const alike = (TOGETHER.find((keys) => keys.includes(setting.key)) ?? [setting.key]).flatMap(settingOf);
    const source = sources.find((it) => alike.some((one) => it.get(one) !== undefined));
    const value = source?.get(setting);
    if (source === undefined || value === undefined) continue;
    found.set(setting.key, { value, name: source.nameOf(setting), folder: source.folder });
  }
  return found;
}

const textOf = (values: Values, key: string): string | undefined => values.get(key)?.value as string | undefined;

const listOf = (values: Values, key: string): readonly string[] =>
  (values.get(key)?.value as readonly string[] | undefined) ?? [];

/** The content of the file that a setting names. */
function contentOf(values: Values, key: string): string | undefined {
  const found = values.get(key);
  return found === undefined ? undefined : readText(found.name, resolve(found.folder ?? ".", String(found.value)));
}

function tokensOf(values: Values, key: string, fileKey: string): readonly string[] {
  const content = contentOf(values, fileKey);
  const inFile = (content ?? "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  if (content !== undefined && inFile.length === 0)
    throw new ConfigError(`${values.get(fileKey)?.name} has no token in it`);
  return [...listOf(values, key), ...inFile];
}

/** A copy of an object without its undefined properties. */
function defined<T extends object>(object: { readonly [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
}

function secretOf(values: Values, key: string): string | undefined {
  const text = textOf(values, key);
  if (text !== undefined) return text;
  const fileKey = `${key}File`;
  const inFile = contentOf(values, fileKey)?.replace(/\r?\n$/, "");
  // An empty password would log in without one.
  if (inFile === "") throw new ConfigError(`${values.get(fileKey)?.name} has no password in it`);
  return inFile;
}

function databaseOf(values: Values, name: string | undefined): DatabaseOptions {
  const tls = defined({
    ca: contentOf(values, "redisCaFile"),
    cert: contentOf(values, "redisCertFile"),
    key: contentOf(values, "redisKeyFile"),
    servername: textOf(values, "redisServername"),
  });
  const memory = values.get("memory")?.value === true;
  return defined<DatabaseOptions>({
    name,
    redis: textOf(values, "redis") ?? (memory ? undefined : DEFAULTS.redis),
    memory: memory || undefined,
    username: textOf(values, "redisUsername"),
    password: secretOf(values, "redisPassword"),
    tls: Object.keys(tls).length === 0 ? undefined : tls,
    sentinelUsername: textOf(values, "sentinelUsername"),
    sentinelPassword: secretOf(values, "sentinelPassword"),
    sentinelTls: values.get("sentinelTls")?.value as boolean | undefined,
    token: tokensOf(values, "token", "tokenFile").map(tokenOf),
    tokenSha256: listOf(values, "tokenSha256").map(sha256Of),
    readOnlyToken: tokensOf(values, "readOnlyToken", "readOnlyTokenFile").map(tokenOf),
    readOnlyTokenSha256: listOf(values, "readOnlyTokenSha256").map(sha256Of),
  });
}

function databasesOf(file: ConfigFile | undefined, sources: readonly Source[]): readonly DatabaseOptions[] {
  const settings = SETTINGS.filter(({ ofDatabase }) => ofDatabase);
  const alone = gather(settings, sources);
  if (file?.databases === undefined) return [databaseOf(alone, undefined)];
  const [besides] = alone.values();
  if (besides !== undefined)
    throw new ConfigError(`${besides.name} belongs to one of the databases, since the config file has a list of them`);
  return file.databases.map((entry, at) => {
    const values = gather(settings, [entry.settings]);
    if (!values.has("redis") && values.get("memory")?.value !== true)
      throw new ConfigError(`the config file: databases[${at}].redis is missing`);
    return databaseOf(values, entry.name);
  });
}

/**
 * Reads flags, the environment and the config file: a flag takes precedence over a variable, and both over the file.
 *
 * @throws {ConfigError} which repeats no value
 */
export function readConfig(flags: Flags, env: Readonly<Record<string, string | undefined>>): Config {
  const path = flags["config"] || env[CONFIG_VARIABLE];
  const file = typeof path === "string" ? readConfigFile(path) : undefined;
  const sources = [flagSource(flags), environmentSource(env), ...(file === undefined ? [] : [file.settings])];
  const settings = SETTINGS.filter(({ ofDatabase }) => !ofDatabase);
  const values = gather(settings, sources);
  const { logLevel = DEFAULTS.logLevel, ...rest } = Object.fromEntries(
    [...values].map(([key, { value }]) => [key, value]),
  );
  if (typeof logLevel !== "string" || !isLogLevel(logLevel))
    throw new ConfigError(`${values.get("logLevel")?.name} must be silent, error, warn, info or debug`);
  const { adminTokenFile: _, tlsCert: _cert, tlsKey: _key, ...server } = rest;
  const tls = defined<ServerTls>({ tlsCert: contentOf(values, "tlsCert"), tlsKey: contentOf(values, "tlsKey") });
  const adminToken = tokensOf(values, "adminToken", "adminTokenFile");
  return { databases: databasesOf(file, sources), tls, server: { ...server, adminToken }, logLevel };
}
