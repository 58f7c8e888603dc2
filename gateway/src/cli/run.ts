import { destination, pino, stdTimeFunctions } from "pino";
import { type GatewayServer, serveGateway } from "../serving/server.ts";
import type { Log, LogLevel } from "../shared/log.ts";
import type { Config } from "./config.ts";
import type { HangUp } from "./hang-up.ts";
import { ConfigError } from "./sources.ts";

const STDERR = 2;

/**
 * A log of JSON lines on standard error, each written before the call returns, so that none is lost when the process
 * ends.
 */
function createJsonLog(level: LogLevel): Log {
  const formatters = { level: (label: string) => ({ level: label }) };
  return pino(
    { level, base: null, timestamp: stdTimeFunctions.isoTime, formatters },
    destination({ dest: STDERR, sync: true }),
  );
}

/** The changed settings that a running gateway does not reload. */
function unchangeable(before: Config, now: Config): string[] {
  const flat = ({ server, logLevel }: Config): Record<string, unknown> => ({ ...server, logLevel });
  const [old, fresh] = [flat(before), flat(now)];
  const keys = new Set([...Object.keys(old), ...Object.keys(fresh)]);
  return [...keys].filter((key) => JSON.stringify(old[key]) !== JSON.stringify(fresh[key]));
}

function reload(server: GatewayServer, before: Config, read: () => Config, log: Log): void {
  try {
    const now = read();
    const hasTls = (config: Config): boolean => config.tls.tlsCert !== undefined;
    const isSwitched = hasTls(before) !== hasTls(now);
    server.reload({ databases: now.databases, ...(isSwitched ? {} : now.tls) });
    const settings = [...unchangeable(before, now), ...(isSwitched ? ["tlsCert"] : [])];
    if (settings.length > 0) log.warn({ settings }, "these settings need a restart to change");
    log.info({ databases: now.databases.length }, "read the settings again");
  } catch (error) {
    // Only these errors are known to repeat no value.
    const isKnown = error instanceof ConfigError || error instanceof TypeError || error instanceof RangeError;
    log.error({ reason: isKnown ? error.message : "unexpected" }, "the settings stay as they were");
  }
}

/**
 * Runs a gateway until the process ends. SIGHUP reloads its settings, SIGTERM and SIGINT end it.
 *
 * @param read reloads the settings; it throws like `readConfig`
 * @param hangUp has listened to SIGHUP since before `config` was read
 */
export async function runGateway(config: Config, read: () => Config, hangUp: HangUp): Promise<void> {
  const log = createJsonLog(config.logLevel);
  const isInMemory = config.databases.some((database) => database.memory);
  // Loaded now, so that the first requests do not wait for it.
  if (isInMemory) await import("../memory/server.ts");
  const server = await serveGateway({
    ...config.server,
    ...config.tls,
    databases: config.databases,
    log,
    processMetrics: true,
  });
  let ending = false;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    // A second signal ends the process immediately.
    if (ending) process.exit(1);
    ending = true;
    log.info({ signal }, "closing");
    await server.close();
    log.info({}, "closed");
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void end(signal));
  const memory = isInMemory ? " (in memory: nothing is kept)" : "";
  // Printed only once the signal handlers are installed.
  console.log(`leasehold-gateway listens on ${server.url}${memory}`);
  const hasAdmin = server.adminUrl !== server.url;
  log.info({ url: server.url, ...(hasAdmin ? { adminUrl: server.adminUrl } : {}) }, "listening");
  hangUp.take(() => reload(server, config, read, log));
}
