/** The log of a gateway. It never gets a token, a key, a value, a path or a body. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const ignore = (): void => {};

/** The log of a gateway that was given none. */
export const SILENT: Log = Object.freeze({ debug: ignore, info: ignore, warn: ignore, error: ignore });

/** The places in the code that an error came from, without its message. */
export function placesOf(error: unknown): readonly string[] {
  const { message = "", stack = "" } = error instanceof Error ? error : {};
  // The message may have lines that look like places.
  const places = stack.slice(stack.indexOf(message) + message.length).split("\n");
  return places.filter((line) => line.startsWith("    at ")).map((line) => line.trim());
}

export type LogLevel = "silent" | "error" | "warn" | "info" | "debug";

const LEVELS: ReadonlySet<string> = new Set<LogLevel>(["silent", "error", "warn", "info", "debug"]);

export const isLogLevel = (text: string): text is LogLevel => LEVELS.has(text);
