#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

const HELP = `Usage: leasehold gateway [options]

Serves the Upstash REST protocol in front of a Redis or Valkey server, or of a Redis Cluster.

Options:
  --redis <url>   the server behind           (LEASEHOLD_REDIS_URL, redis://127.0.0.1:6379)
  --token <text>  the bearer token to require (LEASEHOLD_TOKEN; required)
  --port <n>      the port to listen on       (PORT, 8080; 0 takes a free one)
  --host <name>   the address to listen on    (127.0.0.1)
  -h, --help      this text
  -v, --version   the version

Redis URLs: redis://user:password@host:6379/0, or rediss:// for TLS. A cluster is redis+cluster:// or rediss+cluster://,
with one of its nodes or several: redis+cluster://user:password@host:6379,host2:6379

A token on the command line can be seen by other users of the machine; the environment variable cannot.`;

/** A mistake in how the command was called. Its text never repeats a value: that could be the token. */
class UsageError extends Error {}

const OPTIONS = {
  redis: { type: "string" },
  token: { type: "string" },
  port: { type: "string" },
  host: { type: "string" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} as const;

type Values = ReturnType<typeof parse>["values"];

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    // Only the first sentence: what follows is advice on how to escape a dash.
    throw new UsageError(error instanceof Error ? error.message.replace(/\. .*$/s, "") : "bad options");
  }
}

function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return typeof manifest === "object" && manifest !== null && "version" in manifest
    ? String(manifest.version)
    : "unknown";
}

function portOf(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  throw new UsageError("the port must be a number from 0 to 65535");
}

async function gateway(values: Values, env: NodeJS.ProcessEnv): Promise<void> {
  const { LEASEHOLD_TOKEN, LEASEHOLD_REDIS_URL, PORT } = env;
  const token = values.token || LEASEHOLD_TOKEN;
  if (!token) throw new UsageError("a token is required: --token or LEASEHOLD_TOKEN");
  const redis = values.redis || LEASEHOLD_REDIS_URL || "redis://127.0.0.1:6379";
  const port = portOf(values.port || PORT || "8080");
  const { serveGateway } = await import("./gateway/index.ts");
  const server = await serveGateway({ redis, token, port, host: values.host || "127.0.0.1" });
  console.log(`leasehold gateway listens on ${server.url}`);
  // Once each: a second signal ends the process at once, as usual.
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void server.close());
}

async function main(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { values, positionals } = parse(args);
  if (values.help) return console.log(HELP);
  if (values.version) return console.log(version());
  if (positionals.length !== 1 || positionals[0] !== "gateway")
    throw new UsageError("the only command is `gateway`; see --help");
  await gateway(values, env);
}

try {
  await main(process.argv.slice(2), process.env);
} catch (error) {
  // A TypeError is how the gateway refuses its options; anything else is the machine's doing (a port in use).
  const isUsage = error instanceof UsageError || error instanceof TypeError;
  console.error(`leasehold: ${error instanceof Error ? error.message : "failed"}`);
  process.exitCode = isUsage ? 2 : 1;
}
