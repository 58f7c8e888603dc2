import { type Duration, toMs } from "../../src/shared/checks.ts";
import { UsageError } from "./command.ts";

/**
 * Reads the duration of a flag. An invalid text may be a misplaced secret, so errors do not contain it. @throws
 * UsageError, RangeError.
 */
export function toDurationMs(text: string, flag: string, leastMs?: number): number {
  if (!/^\d{1,12}(\.\d{1,3})?\s?[a-z]{0,2}$/.test(text))
    throw new UsageError(`${flag} must be milliseconds, or text such as "500ms", "30s" or "2m"`);
  return toMs(text as Duration, flag, leastMs);
}
