import type { NameInspectReply } from "../redis/scripts.gen.ts";
import { type Note, noteOf } from "../shared/note.ts";

/** A waiter of a name. */
export interface ListedWaiter extends Note {
  /** When it joined the queue, in ms since 1970, by the server's clock. Unknown for a read-write lock. */
  readonly since?: number;
  /** The side of a read-write lock that it waits for. */
  readonly mode?: "read" | "write";
}

/** Reads the waiters, in the order of the queue; for a read-write lock, writers before readers. */
export function waitersOf({ queue }: Extract<NameInspectReply, { readonly status: "live" }>): readonly ListedWaiter[] {
  return queue
    .slice(1)
    .split(";")
    .filter(Boolean)
    .map((entry): ListedWaiter => {
      const [joined, side, note] = entry.split(" ");
      const since = Math.floor(Number(joined) / 1000);
      return {
        ...(since > 0 && { since }),
        ...((side === "read" || side === "write") && { mode: side }),
        ...noteOf(note),
      };
    });
}
