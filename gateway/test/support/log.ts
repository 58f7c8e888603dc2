import type { Log } from "../../src/index.ts";

export interface Line {
  readonly level: keyof Log;
  readonly fields: Record<string, unknown>;
  readonly message: string;
}

/** Makes a log that keeps its lines. */
export function keepingLog(): { readonly log: Log; readonly lines: Line[] } {
  const lines: Line[] = [];
  const at =
    (level: keyof Log) =>
    (fields: object, message: string): void =>
      void lines.push({ level, fields: { ...fields }, message });
  return { lines, log: { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") } };
}
