import type { Connection } from "../redis/connect.ts";
import { readCommand } from "../redis/read.ts";
import { LeaseholdError } from "../shared/errors.ts";
import type { Happening } from "../shared/events.ts";

/** One page of a scan. */
export interface ScanPage {
  /** The cursor of the next page; `0` after the last one. */
  readonly cursor: string;
  readonly keys: readonly string[];
}

export interface ScanOptions {
  /** The keys, as a pattern of SCAN. */
  readonly match: string;
  /** The approximate number of keys that the server scans. */
  readonly pageSize: number;
  readonly signal: AbortSignal | undefined;
}

/** Escapes a text for the patterns of SCAN. */
export const literally = (text: string): string => text.replace(/[[\]*?\\^]/g, "\\$&");

/** Sends one SCAN, and retries it a few times. It changes nothing, so it may arrive twice. */
export async function scan(
  connection: Connection,
  cursor: string,
  { match, pageSize, signal }: ScanOptions,
): Promise<ScanPage> {
  // Errors name the prefix, not the pattern made from it.
  const { prefix: name, emit } = connection;
  const target = { connection, name, emit: emit && ((event: Happening) => emit({ kind: "list", name, ...event })) };
  const command = ["SCAN", cursor, "MATCH", match, "COUNT", pageSize];
  const result = await readCommand(target, command, { operation: "list", signal });
  const [next, keys] = Array.isArray(result) ? result : [];
  if (Array.isArray(keys)) return { cursor: `${next}`, keys: keys.map(String) };
  throw new LeaseholdError("malformed_answer", "the server returned an answer that SCAN cannot return: check the url");
}
