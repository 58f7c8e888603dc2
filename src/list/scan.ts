import { type Connection, patienceOf } from "../redis/connect.ts";
import { errorOf, mayPass } from "../redis/failure.ts";
import { attempt } from "../redis/port.ts";
import { RETRY_BASE_MS } from "../redis/retry-policy.ts";
import { LeaseholdError } from "../shared/errors.ts";
import { sleep } from "../shared/timers.ts";

/** One page of a scan. */
export interface ScanPage {
  /** Where the next page begins; `0` after the last one. */
  readonly cursor: string;
  readonly keys: readonly string[];
}

export interface ScanOptions {
  /** The keys, as a pattern of SCAN. */
  readonly match: string;
  /** About how many keys the server looks at. */
  readonly pageSize: number;
  readonly signal: AbortSignal | undefined;
}

const MOST_TRIES = 3;

/** Escapes a text for the patterns of SCAN. */
export const literally = (text: string): string => text.replace(/[[\]*?\\^]/g, "\\$&");

/** Sends one SCAN until it is answered, a few times. It changes nothing, so it may arrive twice. */
export async function scan(
  connection: Connection,
  cursor: string,
  { match, pageSize, signal }: ScanOptions,
): Promise<ScanPage> {
  const command = ["SCAN", cursor, "MATCH", match, "COUNT", pageSize];
  const { port, clock, emit, prefix } = connection;
  for (let tries = 1; ; tries++) {
    signal?.throwIfAborted();
    const outcome = await attempt(port, command, patienceOf(connection) / MOST_TRIES, signal, clock);
    signal?.throwIfAborted();
    if (outcome.type === "answered") {
      const [next, keys] = Array.isArray(outcome.result) ? outcome.result : [];
      if (Array.isArray(keys)) return { cursor: `${next}`, keys: keys.map(String) };
      throw new LeaseholdError("malformed_answer", "the server gave an answer that SCAN cannot give: check the url");
    }
    // Errors name the prefix, and not the pattern that was made of it.
    if (!mayPass(outcome) || tries === MOST_TRIES) throw errorOf({ name: prefix, connection }, outcome);
    const delayMs = Math.max(RETRY_BASE_MS * tries, outcome.retryAfterMs ?? 0);
    emit?.({ kind: "list", name: prefix, type: "retried", operation: "list", why: outcome.error, delayMs });
    await sleep(delayMs, signal, clock);
  }
}
