import type { Entry, Line } from "./room.ts";
import type { WaitableCall } from "./waitable.ts";

/** The maximum number of waiters described for one key, and of keys listed. */
const MOST_WAITERS = 100;
const MOST_KEYS = 1000;

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
    note: noteIn(request),
  };
}

/** Describes the waiters of a line; undefined is an empty line. */
export function waitersIn(line: Line | undefined, now: number): Waiters {
  const waiting = line?.entries.filter(wantsIt) ?? [];
  return { count: waiting.length, first: waiting.slice(0, MOST_WAITERS).map((entry) => waiterOf(entry, now)) };
}

/** Lists the keys of lines with waiters, at most 1 000. */
export function awaitedIn(lines: Iterable<Line>): readonly AwaitedKey[] {
  return [...lines]
    .map(({ key, entries }) => ({ key, count: entries.filter(wantsIt).length }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
    .slice(0, MOST_KEYS);
}
