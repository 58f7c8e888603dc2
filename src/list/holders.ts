import type { NameInspectReply } from "../redis/scripts.gen.ts";
import { type Note, noteOf } from "../shared/note.ts";

/** One of those that hold a name. Times are in ms since 1970, by the server's clock. */
export interface ListedHolder extends Note {
  /**
   * Since when: of a lock, a writer and an attempt the tenure's begin, of permits and of a reader that gave a label or
   * a process name their own. Left out where the server does not know it.
   */
  readonly since?: number;
  /** When its lease ends, unless it is extended. */
  readonly until: number;
  /** The hash of the reentry key, if it named one. */
  readonly reentryKey?: string;
  /** How many permits of a semaphore it holds. */
  readonly permits?: number;
  /** The fencing token of its permits. */
  readonly token?: number;
  /** Its side of a read-write lock. */
  readonly mode?: "read" | "write";
}

type Live = Extract<NameInspectReply, { readonly status: "live" }>;

/** Tells the holds one by one, those that end last first. `tenure` has what is known of the holds in the record. */
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
