/** Where a gateway says what happens. Never a token, a key, a value, a path or a body. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const nothing = (): void => {};

/** For those who have not asked for a log. */
export const SILENT: Log = Object.freeze({ debug: nothing, info: nothing, warn: nothing, error: nothing });

export type LogLevel = "silent" | "error" | "warn" | "info" | "debug";

const LEVELS: ReadonlySet<string> = new Set<LogLevel>(["silent", "error", "warn", "info", "debug"]);

export const isLogLevel = (text: string): text is LogLevel => LEVELS.has(text);
