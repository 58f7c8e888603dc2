#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { SETTINGS, usage } from "../shared/settings.ts";
import { readConfig } from "./config.ts";
import { listenForHangUp } from "./hang-up.ts";
import { ConfigError, type Flags } from "./sources.ts";

const HELP = `Usage: leasehold-gateway [options]            serve
       leasehold-gateway health [options]     check that the gateway with these options is running

Serves the Upstash REST protocol in front of Redis or Valkey: a single server, one behind Sentinels, or a cluster. To try it
without a server, use --memory.

Below each option are its environment variable and its default. In the config file, --max-body-bytes is maxBodyBytes. A flag
overrides a variable, and both override the file. Times are in milliseconds.

Options:
  --config <file>                 a JSON file of settings, the only place for several databases
                                  LEASEHOLD_CONFIG; none
${usage()}
  -h, --help                      show this help
  -v, --version                   show the version

Redis URLs: redis://user:password@host:6379/0, rediss:// for TLS, or unix:///path/of/socket?db=0. For a cluster, name one or
more of its nodes: redis+cluster://user:password@host:6379,host2:6379. For a server behind Sentinels, name the Sentinels and
the primary: redis+sentinel://user:password@host:26379,host2:26379/name/0. In user names and passwords, write @ : / ? # and %
as %40 %3A %2F %3F %23 and %25.

SIGHUP reloads the config file and the files of tokens, passwords and certificates. Tokens and databases change; requests in
flight continue, and unchanged databases keep their connections. SIGTERM and SIGINT end the gateway once requests in flight
have ended.

Other users of the machine can see a token on the command line, but not one in a variable or a file, nor the token of a
SHA-256.`;

/** A mistake in the command line. Its text never repeats a value, which could be a token. */
class UsageError extends Error {}

const OPTIONS = {
  config: { type: "string" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} as const;

function parse(args: readonly string[]): { readonly values: Flags; readonly positionals: readonly string[] } {
  const settings = SETTINGS.map(({ flag, kind }) => {
    const multiple = kind === "tokens" || kind === "list";
    return [flag, { type: kind === "boolean" ? ("boolean" as const) : ("string" as const), multiple }] as const;
  });
  const options: Readonly<Record<string, NonNullable<ParseArgsConfig["options"]>[string]>> = {
    ...Object.fromEntries(settings),
    ...OPTIONS,
  };
  try {
    const parsed = parseArgs({ args: [...args], options, allowPositionals: true, tokens: true });
    const met = new Set<string>();
    for (const token of parsed.tokens) {
      if (token.kind !== "option") continue;
      // The last one would count, and the others would be ignored.
      if (met.has(token.name) && options[token.name]?.multiple !== true)
        throw new UsageError(`--${token.name} is given twice`);
      met.add(token.name);
    }
    return parsed;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    // Only the first sentence; the rest explains how to escape a dash.
    throw new UsageError(error instanceof Error ? error.message.replace(/\. .*$/s, "") : "bad options");
  }
}

function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  return typeof manifest === "object" && manifest !== null && "version" in manifest
    ? String(manifest.version)
    : "unknown";
}

async function main(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { values, positionals } = parse(args);
  if (values["help"]) return console.log(HELP);
  if (values["version"]) return console.log(version());
  const [command, ...others] = positionals;
  if (others.length > 0 || (command !== undefined && command !== "health"))
    throw new UsageError("the only command is `health`; without a command the gateway serves; see --help");
  // Installed before anything is read, so that a change during the start is read again.
  const hangUp = command === undefined ? listenForHangUp() : undefined;
  const read = () => readConfig(values, env);
  const config = read();
  // Loaded only here, so that --help works without the packages that only the gateway needs.
  if (hangUp === undefined) await (await import("./health-check.ts")).askHealth(config);
  else await (await import("./run.ts")).runGateway(config, read, hangUp);
}

try {
  await main(process.argv.slice(2), process.env);
} catch (error) {
  // The gateway rejects options with a TypeError or RangeError; any other error is the machine's (a port in use).
  const isUsage = [UsageError, ConfigError, TypeError, RangeError].some((kind) => error instanceof kind);
  console.error(`leasehold-gateway: ${error instanceof Error ? error.message : "failed"}`);
  process.exitCode = isUsage ? 2 : 1;
}
