/** The result of an invocation that did not throw. */
export type Report = Ran | RanUnprotected | AlreadyRan | StillRunning;

interface Occurrence {
  readonly name: string;
  /** The occurrence: an instant in UTC (`"2026-11-21T03:00:00.000Z"`), or the text that was passed. */
  readonly slot: string;
}

/** Token, start and duration of a run, as reported to later invocations of its slot. */
export interface Timed {
  /** The fencing token of the run. */
  readonly token: number;
  /** When it began, in ISO 8601, by the clock of the machine that ran it. */
  readonly startedAt: string;
  /** How long it took, in ms. */
  readonly durationMs: number;
}

/** This invocation ran the slot. */
export interface Ran extends Occurrence, Timed {
  readonly status: "ran";
  /** The number of runs of this slot that have begun, from 1. */
  readonly attempt: number;
}

/**
 * This invocation ran the slot without a lease, since Redis was unavailable; other invocations may have run it as well.
 */
export interface RanUnprotected extends Occurrence {
  readonly status: "ran unprotected";
  /** The code of the error. */
  readonly code: string;
}

/** An earlier invocation ran the slot; token, start and duration are those of its run. */
export interface AlreadyRan extends Occurrence, Timed {
  readonly status: "skipped: already ran";
}

/** Another invocation is running this slot, or the previous occurrence has not ended. */
export interface StillRunning extends Occurrence {
  readonly status: "skipped: still running";
  /** The time in ms until its lease ends, unless it is extended. */
  readonly retryAfterMs: number;
}
