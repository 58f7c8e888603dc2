import type { Listed } from "../../src/list/index.ts";
import { titleOf } from "./entry.ts";
import { duration, harmless } from "./text.ts";

/** A change of a name between two looks at it. */
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

/** Names by a key of their own. */
export type Snapshot = ReadonlyMap<string, Listed>;

/** A key that no two names share. A fence, readable or not, may have the name of a lock. */
export const keyOf = ({ name, group, kind }: Listed): string => JSON.stringify([group, name, kind.startsWith("fence")]);

const byWhom = ({ label, holder, token }: Listed): string =>
  [
    `token ${token}`,
    label === undefined ? "" : `“${harmless(label)}”`,
    holder === undefined ? "" : `by ${harmless(holder)}`,
  ]
    .filter((part) => part !== "")
    .join(", ");

/** An end that moves by less is the same: it is rounded to ms. */
const SAME_MS = 2;

/**
 * Returns how a name came to its next holder. If the lease before had time left, it was released: it changed hands. If
 * it had run out, its holder was overtaken.
 */
function successionOf(before: Listed, after: Listed, at: number): "changed hands" | "overtaken" {
  const began = after.since ?? at;
  return (before.until ?? 0) > began ? "changed hands" : "overtaken";
}

type Told = Pick<Change, "change" | "says">;

/** Returns the changes of one name. */
function differences(before: Listed | undefined, after: Listed, at: number): Told[] {
  const told: Told[] = [];
  // Whether it is held is not known then.
  if (after.unreadable !== undefined)
    return before?.unreadable === after.unreadable ? [] : [{ change: "unreadable", says: harmless(after.unreadable) }];
  const extended = (after.until ?? 0) - (before?.until ?? 0);
  if (after.held && !before?.held) told.push({ change: "taken", says: byWhom(after) });
  else if (after.held && before && before.token !== after.token)
    told.push({ change: successionOf(before, after, at), says: `${byWhom(after)}, before ${before.token}` });
  else if (after.held && extended > SAME_MS)
    told.push({ change: "extended", says: `${duration((after.until ?? at) - at)} left` });
  else if (before?.held && !after.held)
    told.push({ change: "released", says: `token ${before.token}: ${after.state}` });
  else if (before?.state !== after.state) told.push({ change: "state", says: after.state });
  if ((before?.waiters ?? 0) !== (after.waiters ?? 0))
    told.push({ change: "waiting", says: `${after.waiters ?? 0} waiting` });
  return told;
}

/** Tells what is different between two looks. What came and went between them nobody saw. */
export function changesBetween(before: Snapshot, after: Snapshot, at: number): Change[] {
  const changes: Change[] = [];
  const add = ({ name, group, kind, token }: Listed, told: Told): void => {
    changes.push({ at, name, ...(group !== undefined && { group }), kind, token, ...told });
  };
  for (const [key, entry] of after) for (const told of differences(before.get(key), entry, at)) add(entry, told);
  for (const [key, entry] of before)
    if (!after.has(key))
      add(
        entry,
        entry.held ? { change: "released", says: `token ${entry.token}` } : { change: "gone", says: "forgotten" },
      );
  return changes;
}

/** One change in a line. */
export const changeLine = (change: Change): readonly string[] => [titleOf(change), change.change, change.says];
