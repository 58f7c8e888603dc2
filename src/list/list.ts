import { type Connection, type ConnectionSource, connectionOf, patienceOf } from "../redis/connect.ts";
import { errorOf, mayPass } from "../redis/failure.ts";
import { attempt } from "../redis/port.ts";
import { RETRY_BASE_MS } from "../redis/retry-policy.ts";
import { sharedRoutes } from "../redis/routes.ts";
import { checkOptions, escapeName, toCount, toText } from "../shared/checks.ts";
import { LeaseholdError } from "../shared/errors.ts";
import { inCall } from "../shared/misuse.ts";
import { sleep } from "../shared/timers.ts";
import type { Listed, ListedKind } from "./entry.ts";
import { readName, strangerTo } from "./read.ts";

/** Options of {@link list}. */
export interface ListOptions {
  /** The beginning of the names; of names in a group, the beginning of the group. Default: all names. */
  readonly prefix?: string | undefined;
  /** Only names in this group, of which `prefix` is then the beginning. */
  readonly group?: string | undefined;
  /** Only names that are in use as this kind. */
  readonly kind?: ListedKind | undefined;
  /** True: only what somebody has right now. False: only the rest. Default: both. */
  readonly held?: boolean | undefined;
  /** About how many keys the server looks at for one page, 1 to 1000. Default 100. */
  readonly pageSize?: number | undefined;
  /** Ends the list, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

const MOST_TRIES = 3;

/** Sends one SCAN until it is answered, a few times. It changes nothing, so it may arrive twice. */
async function scan(
  connection: Connection,
  cursor: string,
  match: string,
  pageSize: number,
  signal: AbortSignal | undefined,
): Promise<readonly [cursor: string, keys: readonly string[]]> {
  const command = ["SCAN", cursor, "MATCH", match, "COUNT", pageSize];
  const { port, clock, emit } = connection;
  for (let tries = 1; ; tries++) {
    signal?.throwIfAborted();
    const outcome = await attempt(port, command, patienceOf(connection) / MOST_TRIES, signal, clock);
    signal?.throwIfAborted();
    if (outcome.type === "answered") {
      const [next, keys] = Array.isArray(outcome.result) ? outcome.result : [];
      if (Array.isArray(keys)) return [`${next}`, keys.map(String)];
      throw new LeaseholdError("malformed_answer", "not an answer of SCAN: check the URL");
    }
    if (!mayPass(outcome) || tries === MOST_TRIES) throw errorOf({ name: connection.prefix, connection }, outcome);
    const delayMs = Math.max(RETRY_BASE_MS * tries, outcome.retryAfterMs ?? 0);
    emit?.({ kind: "list", name: connection.prefix, type: "retried", operation: "list", why: outcome.error, delayMs });
    await sleep(delayMs, signal, clock);
  }
}

/** Escapes a text for the patterns of SCAN. */
const literally = (text: string): string => text.replace(/[[\]*?\\^]/g, "\\$&");

async function* pages(
  source: Connection,
  match: string,
  { kind, held, signal }: ListOptions,
  pageSize: number,
): AsyncGenerator<Listed, void, undefined> {
  const connection = strangerTo(source);
  let cursor = "0";
  do {
    const [next, keys] = await scan(connection, cursor, match, pageSize, signal);
    const routes = sharedRoutes();
    const entries = await Promise.all(
      [...new Set(keys)].map((key) => readName(connection, key, 0, { operation: "list", routes, signal })),
    );
    for (const entry of entries)
      if (entry && (kind ?? entry.kind) === entry.kind && (held ?? entry.held) === entry.held) yield entry;
    cursor = next;
  } while (cursor !== "0");
}

/**
 * Lists the names under the connection's prefix that are in use or remembered, whatever their kind, page by page: for
 * people and their tools, not for programs that decide by it. One page is two requests: a `SCAN`, which blocks nobody,
 * and a pipeline that reads the names. So the list is not of one moment: a name that was there all the time is there,
 * one that came or went meanwhile may be, and one may come twice.
 *
 * A record that cannot be read, since it is damaged, of a newer format or not ours, ends no list: its entry has the
 * state `unreadable`, and `unreadable` says why. It counts as not held.
 *
 * The server goes through all its keys, whatever the prefix is. On a cluster, the list is of one node only.
 *
 * @example
 * ```ts
 * await locks.lock("report").acquire({ label: "nightly" });
 * for await (const { kind, name, label, until } of list(locks, { prefix: "rep", held: true }))
 *   console.log(kind, name, label, until);
 * ```
 *
 * @throws TypeError or RangeError for an option that is not valid. The iteration throws a LeaseholdError when the
 * server does not answer, and the signal's reason.
 */
export function list(source: ConnectionSource, options: ListOptions = {}): AsyncIterable<Listed> {
  return inCall("list", () => {
    checkOptions(options, "prefix group kind held pageSize signal");
    const connection = connectionOf(source);
    const { prefix = "", group, pageSize = 100 } = options;
    const begin = escapeName(toText(prefix, "prefix", 0));
    const key = group === undefined ? `{${begin}` : `{${escapeName(toText(group, "group"))}}/${begin}`;
    const match = `${literally(connection.prefix + key)}*`;
    return pages(connection, match, options, toCount(pageSize, "pageSize", 1, 1000));
  });
}
