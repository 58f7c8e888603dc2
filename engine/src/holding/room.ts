import type { Ending, HoldRequest, LeftForOthers } from "./entry.ts";

/** An event of the room. It contains no IDs and no arguments. */
export type RoomEvent =
  /** A key got its first waiter or lost its last one, which changes the keys to watch. */
  | { readonly type: "watch" | "unwatch"; readonly key: string }
  /** A request is held, or not held for lack of room. */
  | { readonly type: "held" | "full"; readonly script: string; readonly owner: string | undefined }
  /** A held request was run again. */
  | { readonly type: "tried"; readonly script: string; readonly isRefused: boolean }
  | { readonly type: "ended"; readonly script: string; readonly ending: Ending; readonly heldMs: number };

/** The clock and the timers of a room, and its listeners. */
export interface Surroundings {
  /** A monotonic clock in ms. */
  readonly now: () => number;
  /** Calls back after this many ms. Returns a function that cancels it. */
  readonly after: (ms: number, callback: () => void) => () => void;
  /** How often the first waiter is tried without a write, in ms. */
  readonly checkMs: number;
  readonly emit: (event: RoomEvent) => void;
}

/** A held request. */
export interface Entry {
  readonly request: HoldRequest<unknown>;
  readonly lines: readonly Line[];
  /** When its hold began, and when it ends. */
  readonly since: number;
  readonly until: number;
  readonly end: (ending: Ending, failure?: { readonly error: unknown }) => void;
  /** Its position: the place in a queue, otherwise the number of its arrival. */
  order: number;
  /** See {@link classOf}. */
  kind: string;
  reply: unknown;
  /** How long it had been held when the run of this reply began. */
  heldMs: number;
  /** The run in progress. */
  running: Promise<Outcome> | undefined;
  isEnded: boolean;
  /** When it must be run again to keep its place; Infinity for never. */
  refreshAt: number;
  /** Cancels its timer. */
  forget: () => void;
}

/** The waiters of one key, in order. */
export interface Line {
  readonly key: string;
  readonly entries: Entry[];
  /** When the classes are to be tried without a write. */
  readonly due: Map<string, number>;
  /** When to try again after a failed try; Infinity if none failed. */
  retryAt: number;
  /** Whether something may have changed since the last try. */
  isDirty: boolean;
  trying: Promise<void> | undefined;
  triedAt: number;
  /** How many of the last tries in a row answered nobody. */
  inVain: number;
  /** The classes that were tried since all of them had their turn. */
  readonly tried: Set<string>;
  /** Cancels its timer. */
  forget: () => void;
  /** Removes the line from the room after its last entry has left. */
  readonly close: () => void;
}

/** The result of running a held request again. */
export type Outcome =
  /** Still refused. */
  | { readonly type: "refused" }
  /** It is answered, and the answer may leave room for others. */
  | ({ readonly type: "answered" } & LeftForOthers)
  /** It could not be run, and neither could another one. */
  | { readonly type: "failed" }
  /** The same, but it is still held. */
  | { readonly type: "unsent" }
  /** It was no longer waited for. */
  | { readonly type: "gone" };

export const nothing = (): void => {};

/** Inserts an entry into its lines, after those that precede it. */
export function insert(entry: Entry): void {
  for (const { entries } of entry.lines) {
    const at = entries.findLastIndex((other) => other.order <= entry.order);
    entries.splice(at + 1, 0, entry);
  }
}

export function remove(entry: Entry): void {
  for (const { entries } of entry.lines) {
    const at = entries.indexOf(entry);
    if (at !== -1) entries.splice(at, 1);
  }
}
