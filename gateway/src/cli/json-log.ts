import { destination, pino, stdTimeFunctions } from "pino";
import type { Log, LogLevel } from "../shared/log.ts";

const STDERR = 2;

/** A log of JSON lines on standard error, written before the call returns, so that none is lost when the process ends. */
export function createJsonLog(level: LogLevel): Log {
  const formatters = { level: (label: string) => ({ level: label }) };
  return pino(
    { level, base: null, timestamp: stdTimeFunctions.isoTime, formatters },
    destination({ dest: STDERR, sync: true }),
  );
}
