/** The log of a gateway. It never receives a token, a key, a value, a path or a body. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const ignore = (): void => {};

/** The log of a gateway without one. */
export const SILENT: Log = Object.freeze({ debug: ignore, info: ignore, warn: ignore, error: ignore });

/**
 * Wraps a log so that it never throws: no request may fail because a line cannot be written. The first failure is a
 * process warning.
 */
export function neverThrowing(log: Log): Log {
  if (log === SILENT) return SILENT;
  let hasFailed = false;
  const safe =
    (level: keyof Log) =>
    (fields: object, message: string): void => {
      try {
        log[level](fields, message);
      } catch {
        if (!hasFailed) process.emitWarning("the log that was given to the gateway has thrown, and lines are missing");
        hasFailed = true;
      }
    };
  return { debug: safe("debug"), info: safe("info"), warn: safe("warn"), error: safe("error") };
}

/** The stack positions of an error, without its message. */
export function placesOf(error: unknown): readonly string[] {
  const { message = "", stack = "" } = error instanceof Error ? error : {};
  // The message may contain lines that look like stack positions.
  const places = stack.slice(stack.indexOf(message) + message.length).split("\n");
  return places.filter((line) => line.startsWith("    at ")).map((line) => line.trim());
}

export type LogLevel = "silent" | "error" | "warn" | "info" | "debug";

const LEVELS: ReadonlySet<string> = new Set<LogLevel>(["silent", "error", "warn", "info", "debug"]);

export const isLogLevel = (text: string): text is LogLevel => LEVELS.has(text);
