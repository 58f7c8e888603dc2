import { type Connection, type ConnectionSource, connectionOf } from "../redis/connect.ts";
import { checkOptions, escapeName, toCount, toFlag, toText } from "../shared/checks.ts";
import { inCall } from "../shared/misuse.ts";
import type { Listed, ListedKind } from "./entry.ts";
import { strangerTo } from "./read.ts";
import { readNames } from "./read-names.ts";
import { literally, scan } from "./scan.ts";

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

async function* pages(
  source: Connection,
  match: string,
  { kind, held, signal }: ListOptions,
  pageSize: number,
): AsyncGenerator<Listed, void, undefined> {
  const connection = strangerTo(source);
  let cursor = "0";
  do {
    const page = await scan(connection, cursor, { match, pageSize, signal });
    const unseen = new Map(page.keys.map((key) => [key, ""]));
    const readings = await readNames(connection, unseen, { operation: "list", signal });
    for (const { entry } of readings)
      if (entry && (kind ?? entry.kind) === entry.kind && (held ?? entry.held) === entry.held) yield entry;
    cursor = page.cursor;
  } while (cursor !== "0");
}

/**
 * Lists the names under the connection's prefix that are in use or remembered, whatever their kind, page by page: for
 * people and their tools, not for programs that decide by it. One page is two requests: a `SCAN`, which blocks nobody,
 * and one script that reads the names. So the list is not of one moment: a name that existed all the time is in it, one
 * that came or went meanwhile may be, and one may come twice.
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
    toFlag(options.held, "held");
    const connection = connectionOf(source);
    const { prefix = "", group, pageSize = 100 } = options;
    const begin = escapeName(toText(prefix, "prefix", 0));
    const key = group === undefined ? `{${begin}` : `{${escapeName(toText(group, "group"))}}/${begin}`;
    const match = `${literally(connection.prefix + key)}*`;
    return pages(connection, match, options, toCount(pageSize, "pageSize", 1, 1000));
  });
}
