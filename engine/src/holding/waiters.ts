import type { Entry, Line } from "./room.ts";
import type { WaitableCall } from "./waitable.ts";

/**
 * How long a waiter still counts after its hold ended with a refusal or an offer, in ms. Most ask again at once, and are
 * held again a round trip later.
 */
const BETWEEN_HOLDS_MS = 500;
/** The maximum number of waiters described for one key, and of keys listed. */
const MAX_WAITERS = 100;
const MAX_KEYS = 1000;
/** The maximum length of a note and of all listed keys together. */
const MAX_NOTE = 256;
const MAX_LISTED = 256 * 1024;

/** A waiter of a key, without the ID and the other arguments of its request. */
export interface Waiter {
  /** The name of its script, such as `lock-acquire`. */
  readonly script: string;
  /** How long its caller has waited, in ms; undefined for scripts without that argument. */
  readonly waitedMs: number | undefined;
  /** Its label and process, as sent; empty for none. */
  readonly note: string;
}

/** The waiters of a key. */
export interface Waiters {
  readonly count: number;
  /** The first waiters, at most 100. */
  readonly first: readonly Waiter[];
}

/** A key, and the number of its waiters. */
export interface AwaitedKey {
  readonly key: string;
  readonly count: number;
}

/** Whether an entry waits for a name. A holder that watches its own lease is also held, but does not wait. */
const wantsIt = ({ request }: Entry): boolean => request.waitable.zero === undefined;

/** The note in the arguments of a request. An ID is hexadecimal or base64, so it contains no `@`. */
function noteIn({ waitable, args }: WaitableCall): string {
  const { note, id } = waitable;
  if (note !== undefined) return args[note] ?? "";
  return /@(.*)$/s.exec(args[id] ?? "")?.[1] ?? "";
}

function waiterOf({ request, since }: Entry, now: number): Waiter {
  const { waitable, args } = request;
  const beforeMs = waitable.waited === undefined ? Number.NaN : Number(args[waitable.waited]);
  return {
    script: waitable.name,
    waitedMs: Number.isFinite(beforeMs) ? Math.round(beforeMs + now - since) : undefined,
    note: noteIn(request).slice(0, MAX_NOTE),
  };
}

/** The waiters of a room, including those between two of their requests. */
export interface Census {
  /** A hold ended with a refusal. Its waiter may come back. */
  refused(id: string, entry: Entry): void;
  /** A waiter came back. */
  back(id: string): void;
  waiters(key: string): Waiters;
  awaited(): readonly AwaitedKey[];
}

export function createCensus(lines: ReadonlyMap<string, Line>, now: () => number): Census {
  const between = new Map<string, { readonly entry: Entry; readonly until: number }>();

  function forgetOld(): void {
    for (const [id, { until }] of between) {
      if (until > now()) return;
      between.delete(id);
    }
  }

  /** The waiters of a key, in their order. */
  function entriesOf(key: string): readonly Entry[] {
    const held = lines.get(key)?.entries ?? [];
    const others = [...between.values()].map(({ entry }) => entry);
    const coming = others.filter((entry) => entry.lines.some((line) => line.key === key));
    return [...held, ...coming].filter(wantsIt).sort((a, b) => a.order - b.order);
  }

  return {
    refused(id, entry) {
      forgetOld();
      between.delete(id);
      between.set(id, { entry, until: now() + BETWEEN_HOLDS_MS });
    },
    back: (id) => void between.delete(id),
    waiters(key) {
      forgetOld();
      const entries = entriesOf(key);
      return { count: entries.length, first: entries.slice(0, MAX_WAITERS).map((entry) => waiterOf(entry, now())) };
    },
    awaited() {
      forgetOld();
      const counts = new Map<string, number>();
      const add = (key: string, count: number) => counts.set(key, (counts.get(key) ?? 0) + count);
      for (const { key, entries } of lines.values()) add(key, entries.filter(wantsIt).length);
      for (const { entry } of between.values()) if (wantsIt(entry)) for (const { key } of entry.lines) add(key, 1);
      const all = [...counts]
        .map(([key, count]) => ({ key, count }))
        .filter(({ count }) => count > 0)
        .sort((a, b) => b.count - a.count)
        .slice(0, MAX_KEYS);
      let listed = 0;
      return all.filter(({ key }) => {
        listed += key.length;
        return listed <= MAX_LISTED;
      });
    },
  };
}
