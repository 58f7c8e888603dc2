import { type Connection, type ConnectionSource, connectionOf } from "../redis/connect.ts";
import { checkOptions, escapeName, toChoice, toCount, toFlag, toSignal, toText } from "../shared/checks.ts";
import { inCall } from "../shared/misuse.ts";
import type { Listed, ListedKind } from "./entry.ts";
import { strangerTo } from "./read.ts";
import { readNames } from "./read-names.ts";
import { literally, scan } from "./scan.ts";

/** Options of {@link list}. */
export interface ListOptions {
  /**
   * The prefix of the names; for a name in a group, of the group. In a group's view, the prefix of its names. Default:
   * all names.
   */
  readonly prefix?: string | undefined;
  /** Only names in use as this kind. */
  readonly kind?: ListedKind | undefined;
  /** True: only names held right now. False: only the others. Default: both. */
  readonly held?: boolean | undefined;
  /** The approximate number of keys that the server scans for one page, 1 to 1000. Default 100. */
  readonly pageSize?: number | undefined;
  /** Aborts the list, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

async function* pages(
  source: Connection,
  match: string,
  { prefix = "", kind, held, signal }: ListOptions,
  pageSize: number,
): AsyncGenerator<Listed, void, undefined> {
  const connection = strangerTo(source);
  let cursor = "0";
  do {
    const page = await scan(connection, cursor, { match, pageSize, signal });
    const unseen = new Map(page.keys.map((key) => [key, ""]));
    const readings = await readNames(connection, unseen, { operation: "list", signal });
    for (const { entry } of readings)
      if (
        entry &&
        (kind ?? entry.kind) === entry.kind &&
        (held ?? entry.held) === entry.held &&
        (source.group === undefined ? (entry.group ?? entry.name) : entry.name).startsWith(prefix)
      )
        yield entry;
    cursor = page.cursor;
  } while (cursor !== "0");
}

const KINDS = "lock or fair or rw or once or semaphore or counter or latch or fence";

/**
 * Lists the names under the connection's prefix that are in use or remembered, of any kind, page by page: also those
 * in groups. In a group's view, it lists the names of the group. It is for people and their tools, not for decisions by programs. One page is two requests: a `SCAN`, which does not block the
 * server, and one script that reads the names. So the list is not a snapshot: it contains every name that existed
 * throughout, may contain names that were created or deleted meanwhile, and may contain a name twice.
 *
 * A record that cannot be read (damaged, of a newer format, or not leasehold's) does not end the list: its entry has
 * the state `unreadable`, and `unreadable` says why. It counts as not held.
 *
 * The server scans all its keys, whatever the prefix. On a cluster, the list covers one node only.
 *
 * @example
 * ```ts
 * await locks.lock("report").acquire({ label: "nightly" });
 * for await (const { kind, name, label, until } of list(locks, { prefix: "rep", held: true }))
 *   console.log(kind, name, label, until);
 * ```
 *
 * @throws TypeError or RangeError for an invalid option. The iteration throws a LeaseholdError if the server does not
 * answer, and the signal's reason.
 */
export function list(source: ConnectionSource, options: ListOptions = {}): AsyncIterable<Listed> {
  return inCall("list", () => {
    checkOptions(options, "prefix kind held pageSize signal");
    toFlag(options.held, "held");
    toSignal(options.signal);
    if (options.kind !== undefined) toChoice(options.kind, "kind", KINDS);
    const connection = connectionOf(source);
    const { prefix = "", pageSize = 100 } = options;
    const begin = escapeName(toText(prefix, "prefix", 0));
    const { group } = connection;
    // The slots and the last run of a cron job are beside its lock, whose key begins otherwise.
    const tag = /^cron-/.test(begin) ? "cron" : begin;
    const key = group === undefined ? `{${tag}` : `{${escapeName(group)}}/${begin}`;
    const match = `${literally(connection.prefix + key)}*`;
    return pages(connection, match, options, toCount(pageSize, "pageSize", 1, 1000));
  });
}
