import type { Listed } from "../../../src/list/index.ts";
import { strangerTo } from "../../../src/list/read.ts";
import { type Reading, readNames } from "../../../src/list/read-names.ts";
import { literally, scan } from "../../../src/list/scan.ts";
import type { Connection } from "../../../src/redis/connect.ts";
import type { Book } from "./book.ts";
import { idOf, type Round } from "./wire.ts";

/** The maximum number of keys that one script reads, and the approximate number that one SCAN visits. */
const PAGE_SIZE = 1000;

/** The last state of a key. */
interface Known {
  readonly digest: string;
  readonly entry: Listed | undefined;
}

/** The context of a round. */
export interface Surroundings {
  readonly connection: Connection;
  readonly book: Book;
  /** The server's time. */
  now(): number;
}

/** Reads all names repeatedly. */
export interface RoundReader {
  /** Reads them once, and reports its progress. */
  readRound(signal: AbortSignal, report: (round: Round) => void): Promise<void>;
  /** Reads some keys immediately, known or not. */
  readKeys(keys: readonly string[], signal: AbortSignal): Promise<void>;
}

/** Whether time alone has changed the state of a key: a lease that has expired since. */
const isStale = ({ entry }: Known, now: number): boolean => entry?.until !== undefined && entry.until <= now;

/** Removes this many keys from a set. */
function takeSome(keys: Set<string>, count: number): readonly string[] {
  const taken: string[] = [];
  for (const key of keys) {
    if (taken.length === count) break;
    taken.push(key);
    keys.delete(key);
  }
  return taken;
}

/**
 * Makes a reader of rounds. In each request, a SCAN searches for new names, and one script reads a page of the known
 * ones and returns those that have changed.
 */
export function makeRoundReader({ connection: source, book, now }: Surroundings): RoundReader {
  const connection = strangerTo(source);
  const known = new Map<string, Known>();
  const match = `${literally(connection.prefix)}{*`;

  function take({ key, digest, entry }: Reading): void {
    const before = known.get(key);
    const named = entry ?? before?.entry;
    if (named) book.take(idOf(named), entry, now());
    // A value of another type has an entry that says so, and is read again when it is a string.
    if (entry) known.set(key, { digest, entry });
    else known.delete(key);
  }

  async function readKeys(keys: readonly string[], signal: AbortSignal): Promise<void> {
    const at = now();
    const digests = keys.map((key): [string, string] => {
      const last = known.get(key);
      return [key, last === undefined || isStale(last, at) ? "" : last.digest];
    });
    const readings = await readNames(connection, new Map(digests), { operation: "list", signal });
    for (const reading of readings) take(reading);
  }

  return {
    readKeys,
    async readRound(signal, report) {
      const startedAt = now();
      const left = new Set(known.keys());
      const met = new Set(left);
      let cursor: string | undefined;
      report({ startedAt, names: 0 });
      do {
        const some = takeSome(left, PAGE_SIZE);
        const [page] = await Promise.all([
          cursor === "0" ? undefined : scan(connection, cursor ?? "0", { match, pageSize: PAGE_SIZE, signal }),
          readKeys(some, signal),
        ]);
        for (const key of page?.keys ?? []) {
          if (!met.has(key)) left.add(key);
          met.add(key);
        }
        cursor = page?.cursor ?? cursor;
        report({ startedAt, names: known.size });
      } while (cursor !== "0" || left.size > 0);
      report({ startedAt, endedAt: now(), names: known.size });
    },
  };
}
