import type { NameInspectReply } from "../redis/scripts.gen.ts";
import { type Note, noteOf } from "../shared/note.ts";

/** A holder of a name. Times are in ms since 1970, by the server's clock. */
export interface ListedHolder extends Note {
  /**
   * When the hold began: for a lock, a writer and an attempt, the tenure's beginning; for permits, and readers with a
   * label or process name, their own. Missing if the server does not know it.
   */
  readonly since?: number;
  /** When its lease ends, unless it is extended. */
  readonly until: number;
  /** The hash of its re-entry key, if it has one. */
  readonly reentryKey?: string;
  /** The number of permits of a semaphore that it holds. */
  readonly permits?: number;
  /** The fencing token of its permits. */
  readonly token?: number;
  /** Its side of a read-write lock. */
  readonly mode?: "read" | "write";
}

type Live = Extract<NameInspectReply, { readonly status: "live" }>;

/** Lists the holds one by one; those that end last are first. `tenure` has the data of the holds in the record. */
export function holdersOf({ type, holders }: Live, tenure: Partial<ListedHolder>): readonly ListedHolder[] {
  return holders
    .slice(1)
    .split(";")
    .filter(Boolean)
    .map((entry): ListedHolder => {
      const [ends, began, permits, what] = entry.split(" ");
      const until = Math.ceil(Number(ends) / 1000);
      const token = Number(began);
      if (what === undefined) return { ...tenure, until, ...(type === "rw" && { mode: "write" as const }) };
      const [, id = "", note] = /^([^@]*)@?(.*)$/.exec(what) ?? [];
      return {
        ...(token > 0 && { since: Math.floor(token / 1000) }),
        until,
        ...noteOf(note),
        ...(type === "rw"
          ? { ...(id && { reentryKey: id }), mode: "read" as const }
          : { permits: Number(permits), token }),
      };
    })
    .sort((a, b) => b.until - a.until);
}
