import { placeOf, withCrowd } from "../engine/place.ts";
import { type Connection, type ConnectionSource, connectionOf } from "../redis/connect.ts";
import { attempt, redact } from "../redis/port.ts";
import { judge, patienceOf, type Ran, RETRY_BASE_MS, runScript } from "../redis/run.ts";
import { type NameInspectReply, nameInspect } from "../redis/scripts.gen.ts";
import { togetherVia } from "../redis/together.ts";
import { checkOptions, escapeName, toCount, toText } from "../shared/checks.ts";
import { LeaseholdError } from "../shared/errors.ts";
import { sleep } from "../shared/timers.ts";
import { entryOf, type Listed, type ListedKind } from "./entry.ts";

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
    if (outcome.error === undefined) {
      const [next, keys] = Array.isArray(outcome.value) ? outcome.value : [];
      if (Array.isArray(keys)) return [`${next}`, keys.map(String)];
      throw new LeaseholdError("malformed_answer", "not an answer of SCAN: check the URL");
    }
    const why = redact(outcome.error, command);
    const [error, again] = judge({ name: match, connection }, outcome, why);
    if (!again || tries === MOST_TRIES) throw error;
    const delayMs = Math.max(RETRY_BASE_MS * tries, outcome.retryAfterMs ?? 0);
    emit({ kind: "list", name: match, type: "retried", operation: "list", why, delayMs });
    await sleep(delayMs, signal, clock);
  }
}

/** A key takes escaped names, and suffixes that begin with a bare `%`. */
const KEY = /^\{((?:[^{}%]|%25|%7B|%7D)+)\}(?:\/((?:[^{}%]|%25|%7B|%7D)+))?(%fence)?$/;

/** Takes a key apart; undefined for a crowd, and for what is not ours. */
function parseKey(key: string): { name: string; group?: string; isFence: boolean } | undefined {
  const [, tag, own, fence] = KEY.exec(key) ?? [];
  if (tag === undefined) return undefined;
  const named = own === undefined ? { name: tag } : { name: own, group: tag };
  return {
    ...Object.fromEntries(Object.entries(named).map(([field, text]) => [field, decodeURIComponent(text)])),
    isFence: fence !== undefined,
  } as { name: string; group?: string; isFence: boolean };
}

/** Reads one name. Undefined when it is gone by now, or its key cannot be one of ours. */
async function read(connection: Connection, key: string, more: object): Promise<Listed | undefined> {
  const parsed = parseKey(key.slice(connection.prefix.length));
  if (!parsed) return undefined;
  const { isFence, ...named } = parsed;
  let reply: Ran<NameInspectReply>;
  try {
    const place = withCrowd(placeOf(connection, "list", [named.name], named.group));
    const keys = isFence ? [key, `${place.keys[1]}`] : place.keys;
    reply = await runScript({ ...place, keys }, nameInspect, [], { operation: "list", ...more });
  } catch (error) {
    // No name of ours is that long.
    if (error instanceof RangeError) return undefined;
    if (!(error instanceof LeaseholdError) || error.code !== "wrong_kind") throw error;
    return { ...named, kind: error.kind as "foreign", state: "foreign", held: false, token: 0, holds: 0 };
  }
  return reply.status === "free" && reply.token === 0 ? undefined : entryOf(named, reply);
}

/** Escapes a text for the patterns of SCAN. */
const literally = (text: string): string => text.replace(/[[\]*?\\^]/g, "\\$&");

async function* pages(
  source: Connection,
  match: string,
  { kind, held, signal }: ListOptions,
  pageSize: number,
): AsyncGenerator<Listed, void, undefined> {
  // What is learnt of the clock of so many records is nobody else's concern.
  const connection = { ...source, state: { ...source.state, offsets: new Map<string, number>() } };
  let cursor = "0";
  do {
    const [next, keys] = await scan(connection, cursor, match, pageSize, signal);
    const via = togetherVia();
    const entries = await Promise.all([...new Set(keys)].map((key) => read(connection, key, { via, signal })));
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
  checkOptions(options, "prefix group kind held pageSize signal");
  const connection = connectionOf(source);
  const { prefix = "", group, pageSize = 100 } = options;
  const begin = escapeName(toText(prefix, "prefix", 0));
  const key = group === undefined ? `{${begin}` : `{${escapeName(toText(group, "group"))}}/${begin}`;
  const match = `${literally(connection.prefix + key)}*`;
  return pages(connection, match, options, toCount(pageSize, "pageSize", 1, 1000));
}
