import { UsageError } from "./command.ts";

const MAX_PORT = 65_535;

/** The port in a flag. @throws UsageError */
export function portOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,5}$/.test(text) || Number(text) > MAX_PORT) throw new UsageError("--port must be a number up to 65535");
  return Number(text);
}
