import type { Beside, Ending, HoldRequest } from "./entry.ts";

/** What happens in the room. It contains no ids and no arguments. */
export type RoomEvent =
  /** A key got its first waiter, or lost its last one: what has to be watched. */
  | { readonly type: "watch" | "unwatch"; readonly key: string }
  /** A request is held, or is not for lack of room. */
  | { readonly type: "held" | "full"; readonly script: string; readonly owner: string | undefined }
  /** A held request was run again. */
  | { readonly type: "tried"; readonly script: string; readonly isRefused: boolean }
  | { readonly type: "ended"; readonly script: string; readonly ending: Ending; readonly heldMs: number };

/** The clock and the timers of a room, and its listeners. */
export interface Surroundings {
  /** A clock in ms that is never set. */
  readonly now: () => number;
  /** Calls back after so many ms. The function that it returns takes that back. */
  readonly after: (ms: number, callback: () => void) => () => void;
  /** How often the first waiter is tried although nothing happens, in ms. */
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
  /** Its place in the order: the place in a queue, otherwise the number of its arrival. */
  order: number;
  /** See {@link classOf}. */
  kind: string;
  reply: unknown;
  /** How long it had been held when the run began that the reply is of. */
  heldMs: number;
  /** The run that is under way. */
  running: Promise<Outcome> | undefined;
  isEnded: boolean;
  /** When it has to be run again to keep its place; Infinity for never. */
  refreshAt: number;
  /** Cancels its timer. */
  forget: () => void;
}

/** The waiters of one key, in their order. */
export interface Line {
  readonly key: string;
  readonly entries: Entry[];
  /** When the classes are to be tried although nothing was written. */
  readonly due: Map<string, number>;
  /** When to try again after a try that failed; Infinity if none did. */
  retryAt: number;
  /** Whether something may have changed since the last try. */
  isDirty: boolean;
  trying: Promise<void> | undefined;
  triedAt: number;
  /** Cancels its timer. */
  forget: () => void;
  /** Removes it from the room, once its last entry has left. */
  readonly close: () => void;
}

/** What came of one more run of a held request. */
export type Outcome =
  /** Still refused. */
  | { readonly type: "refused" }
  /** It has its answer, which may leave room for others. */
  | ({ readonly type: "answered" } & Beside)
  /** It could not be run. Another one could not either. */
  | { readonly type: "failed" }
  /** Nobody waited for it any more. */
  | { readonly type: "gone" };

export const nothing = (): void => {};

/** Puts an entry into its lines, behind those before it in the order. */
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
