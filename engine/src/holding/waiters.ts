import type { Entry, Line } from "./room.ts";
import type { WaitableCall } from "./waitable.ts";

/** The most that are described of one key, and the most keys that are listed. */
const MOST_WAITERS = 100;
const MOST_KEYS = 1000;

/** One of those that wait for a key, without the id and the other arguments of its request. */
export interface Waiter {
  /** The name of its script, such as `lock-acquire`. */
  readonly script: string;
  /** How long its caller has waited, in ms; undefined for scripts that are not told. */
  readonly waitedMs: number | undefined;
  /** Its label and its process, as it sent them; empty for none. */
  readonly note: string;
}

/** Those that wait for a key. */
export interface Waiters {
  readonly count: number;
  /** The first of them, at most 100. */
  readonly first: readonly Waiter[];
}

/** A key, and how many wait for it. */
export interface AwaitedKey {
  readonly key: string;
  readonly count: number;
}

/** Whether an entry is held for a name that it wants. A holder that watches its own lease is held, too. */
const wantsIt = ({ request }: Entry): boolean => request.waitable.zero === undefined;

/** The note in the arguments of a request. An id is hexadecimal or of base64: it has no `@` of its own. */
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
    note: noteIn(request),
  };
}

/** Describes those that wait in a line; undefined stands for a line that nobody is in. */
export function waitersIn(line: Line | undefined, now: number): Waiters {
  const waiting = line?.entries.filter(wantsIt) ?? [];
  return { count: waiting.length, first: waiting.slice(0, MOST_WAITERS).map((entry) => waiterOf(entry, now)) };
}

/** Lists the keys of the lines that somebody waits in, at most 1 000. */
export function awaitedIn(lines: Iterable<Line>): readonly AwaitedKey[] {
  return [...lines]
    .map(({ key, entries }) => ({ key, count: entries.filter(wantsIt).length }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
    .slice(0, MOST_KEYS);
}
