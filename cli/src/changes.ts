import type { Listed } from "../../src/list/index.ts";
import { titleOf } from "./entry.ts";
import { duration, harmless } from "./text.ts";

/** A change of a name between two reads. */
export interface Change {
  /** When it was seen, in ms since 1970 by the server's clock. */
  readonly at: number;
  readonly name: string;
  readonly group?: string;
  readonly kind: Listed["kind"];
  readonly change:
    | "held"
    | "taken"
    | "changed hands"
    | "overtaken"
    | "released"
    | "extended"
    | "waiting"
    | "state"
    | "unreadable"
    | "gone";
  readonly token: number;
  readonly says: string;
}

/** Names by a unique key. */
export type Snapshot = ReadonlyMap<string, Listed>;

/** A unique key of a name. A fence, readable or not, may have the name of a lock. */
export const keyOf = ({ name, group, kind }: Listed): string => JSON.stringify([group, name, kind.startsWith("fence")]);

const byWhom = ({ label, holder, token }: Listed): string =>
  [
    `token ${token}`,
    label === undefined ? "" : `“${harmless(label)}”`,
    holder === undefined ? "" : `by ${harmless(holder)}`,
  ]
    .filter((part) => part !== "")
    .join(", ");

/** A smaller change of the end is ignored, since ends are rounded to ms. */
const SAME_MS = 2;

/**
 * Returns how the next holder got a name. If the previous lease had time left, it was released: the name changed hands.
 * If it had expired, its holder was overtaken.
 */
function successionOf(before: Listed, after: Listed, at: number): "changed hands" | "overtaken" {
  const began = after.since ?? at;
  return (before.until ?? 0) > began ? "changed hands" : "overtaken";
}

type Difference = Pick<Change, "change" | "says">;

/** Returns the changes of one name. */
function differences(before: Listed | undefined, after: Listed, at: number): Difference[] {
  const changes: Difference[] = [];
  // Then it is unknown whether the name is held.
  if (after.unreadable !== undefined)
    return before?.unreadable === after.unreadable ? [] : [{ change: "unreadable", says: harmless(after.unreadable) }];
  const extended = (after.until ?? 0) - (before?.until ?? 0);
  if (after.held && !before?.held) changes.push({ change: "taken", says: byWhom(after) });
  else if (after.held && before && before.token !== after.token)
    changes.push({ change: successionOf(before, after, at), says: `${byWhom(after)}, before ${before.token}` });
  else if (after.held && extended > SAME_MS)
    changes.push({ change: "extended", says: `${duration((after.until ?? at) - at)} left` });
  else if (before?.held && !after.held)
    changes.push({ change: "released", says: `token ${before.token}: ${after.state}` });
  else if (before?.state !== after.state) changes.push({ change: "state", says: after.state });
  if ((before?.waiters ?? 0) !== (after.waiters ?? 0))
    changes.push({ change: "waiting", says: `${after.waiters ?? 0} waiting` });
  return changes;
}

/** Returns the differences between two reads. Changes that were undone in between are not seen. */
export function changesBetween(before: Snapshot, after: Snapshot, at: number): Change[] {
  const changes: Change[] = [];
  const add = ({ name, group, kind, token }: Listed, difference: Difference): void => {
    changes.push({ at, name, ...(group !== undefined && { group }), kind, token, ...difference });
  };
  for (const [key, entry] of after)
    for (const difference of differences(before.get(key), entry, at)) add(entry, difference);
  for (const [key, entry] of before)
    if (!after.has(key))
      add(
        entry,
        entry.held ? { change: "released", says: `token ${entry.token}` } : { change: "gone", says: "forgotten" },
      );
  return changes;
}

/** One change as a line. */
export const changeLine = (change: Change): readonly string[] => [titleOf(change), change.change, change.says];
