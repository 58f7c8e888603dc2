/** What came of an invocation that did not throw. */
export type Report = Ran | AlreadyRan | StillRunning;

interface Occurrence {
  readonly name: string;
  /** The occurrence: an instant in UTC (`"2026-11-21T03:00:00.000Z"`), or the text that was given. */
  readonly slot: string;
}

/** How a run went, as far as the others are told. */
export interface Timed {
  /** The fencing token of the run. */
  readonly token: number;
  /** In ISO 8601, by the clock of the machine that ran it. */
  readonly startedAt: string;
  readonly durationMs: number;
}

/** This invocation ran it. */
export interface Ran extends Occurrence, Timed {
  readonly status: "ran";
  /** How many invocations have begun this slot, those that found the previous occurrence still running included. */
  readonly attempt: number;
}

/** An earlier invocation did, as said here. */
export interface AlreadyRan extends Occurrence, Timed {
  readonly status: "skipped: already ran";
}

/** An earlier invocation is at it, or the previous occurrence has not ended; in `retryAfterMs` its lease ends, unless it is extended. */
export interface StillRunning extends Occurrence {
  readonly status: "skipped: still running";
  readonly retryAfterMs: number;
}
