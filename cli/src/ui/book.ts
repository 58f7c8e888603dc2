import type { Listed } from "../../../src/list/index.ts";
import { type HeldCounts, withHeldCount } from "../operations/waiting.ts";
import { type Observed, observe } from "./history.ts";
import { type History, idOf, type Rows, type Seen } from "./wire.ts";

/** The facts about all names: their last state, and their history while a page was open. */
export interface Book {
  readonly entries: ReadonlyMap<string, Listed>;
  /** Applies the state that was read of a name; undefined if it no longer exists. */
  take(id: string, entry: Seen | undefined, at: number): void;
  /** Applies how many requests the server holds for each name; undefined if it does not report that. */
  takeCounts(counts: HeldCounts | undefined, at: number): void;
  /** Records that a tenure was released here; with `isOne`, tenures of older tokens were not. */
  noteRelease(id: string, released: { readonly token: number; readonly isOne?: boolean }, at: number): void;
  historyOf(id: string, at: number): History;
  /** Returns what changed since the last call. */
  drain(): Rows | undefined;
}

/** How long the history of a removed name is kept. */
const KEPT_MS = 15 * 60_000;

/** The entries as pages list them, and those that changed since the last message. */
function makeSheet() {
  const entries = new Map<string, Listed>();
  let changed = new Map<string, Listed | undefined>();
  return {
    entries,
    put(id: string, listed: Listed): void {
      if (JSON.stringify(entries.get(id)) === JSON.stringify(listed)) return;
      entries.set(id, listed);
      changed.set(id, listed);
    },
    remove(id: string): void {
      if (entries.delete(id)) changed.set(id, undefined);
    },
    drain(): Rows | undefined {
      if (changed.size === 0) return undefined;
      const all = [...changed];
      changed = new Map();
      return {
        rows: all.flatMap(([, entry]) => entry ?? []),
        gone: all.filter(([, entry]) => entry === undefined).map(([id]) => id),
      };
    },
  };
}

export function makeBook(): Book {
  const sheet = makeSheet();
  const { entries } = sheet;
  const observed = new Map<string, Observed>();
  /** The entries as they were read, without held waiters. */
  const read = new Map<string, Seen>();
  let counts: HeldCounts | undefined;
  let startedAt: number | undefined;

  function observedOf(id: string, at: number): Observed {
    startedAt ??= at;
    const found = observed.get(id) ?? observe(startedAt);
    observed.set(id, found);
    return found;
  }

  /** Removes the histories of names that were removed long ago. */
  function forget(at: number): void {
    for (const [id, { history }] of observed) {
      const lastAt = Math.max(0, ...history.tenures.map((tenure) => tenure.endedAt ?? at));
      if (!entries.has(id) && lastAt < at - KEPT_MS) observed.delete(id);
    }
  }

  function take(id: string, seen: Seen | undefined, at: number): void {
    startedAt ??= at;
    if (seen) read.set(id, seen);
    else read.delete(id);
    const entry = seen && withHeldCount(seen, counts);
    // A name without holders so far has no history.
    if (entry?.held || observed.has(id)) observedOf(id, at).note(entry, at);
    if (entry === undefined) {
      forget(at);
      sheet.remove(id);
      return;
    }
    const { holders: _, waiting: __, fence: ___, ...listed } = entry;
    sheet.put(id, listed);
  }

  return {
    entries,
    take,
    takeCounts(next, at) {
      const before = counts;
      counts = next;
      if (!next?.names && !before?.names) return;
      for (const [id, entry] of read) {
        const { holders: _, waiting: __, fence: ___, ...listed } = withHeldCount(entry, counts);
        if (entries.get(id)?.waiters === listed.waiters) continue;
        observed.get(id)?.noteWaiters(listed.waiters ?? 0, at);
        sheet.put(id, listed);
      }
    },
    noteRelease: (id, released, at) => observedOf(id, at).noteRelease(released, at),
    historyOf: (id, at) => observed.get(id)?.history ?? observe(startedAt ?? at).history,
    drain: sheet.drain,
  };
}

/** The ID of a name before it was read. */
export const idOfTarget = ({
  name,
  group,
  isFence = false,
}: {
  name: string;
  group?: string;
  isFence?: boolean;
}): string => idOf({ name, kind: isFence ? "fence" : "none", ...(group !== undefined && { group }) });
