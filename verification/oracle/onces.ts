/** Histories of work that is done once: a register that is set once, by attempts of which one runs at a time. */
import type { Operation } from "../histories/history.ts";
import { earliestEnd } from "./durations.ts";
import type { Call, Game } from "./linear.ts";

export interface OnceState {
  /** The earliest time at which all of this can have happened. */
  readonly now: number;
  /** How many attempts have started, without those that were cancelled. */
  readonly attempts: number;
  /** The newest attempt; 0 before the first. */
  readonly newest: number;
  /** `over`: it was failed or cancelled. An attempt that expired may still be completed, until another one starts. */
  readonly stage: "none" | "running" | "expired" | "over";
  /** The earliest end of the lease of the attempt that is running, else 0. */
  readonly end: number;
  /** The last token that anybody saw. */
  readonly last: number;
  /** The attempt that completed, and its result. */
  readonly done: { readonly by: number; readonly value: string } | undefined;
}

type Step = (state: OnceState) => readonly OnceState[];
type OnceCall = Call<OnceState, Operation>;

const START: OnceState = { now: 0, attempts: 0, newest: 0, stage: "none", end: 0, last: 0, done: undefined };
const NOTHING: readonly OnceState[] = [];
/** What is read where the work was done and its result could not be stored, since memory was full. */
const NOT_STORED = "undefined";

/** The start of an attempt. One that nobody saw has no number and no token that are known. */
const beginning =
  ({ id, call, lease, status, token, attempt }: Operation): Step =>
  (state) => {
    if (state.done || state.stage === "running") return NOTHING;
    const isSeen = status === "ok";
    const attempts = state.attempts + 1;
    if (isSeen && (token <= state.last || attempt !== attempts)) return NOTHING;
    const now = Math.max(state.now, call);
    const last = isSeen ? token : state.last;
    return [{ ...state, now, attempts, newest: id, stage: "running", end: earliestEnd(now, lease), last }];
  };

const seeing =
  ({ call }: Operation, isPossible: (state: OnceState) => boolean): Step =>
  (state) =>
    isPossible(state) ? [{ ...state, now: Math.max(state.now, call) }] : NOTHING;

const isDoneBy = ({ done }: OnceState, hold: number): boolean => done?.by === hold;
const mayComplete = ({ done, newest, stage }: OnceState, hold: number): boolean =>
  !done && newest === hold && stage !== "over";
const runs = ({ newest, stage }: OnceState, hold: number): boolean => newest === hold && stage === "running";

const completing =
  ({ hold, call, value }: Operation): Step =>
  (state) => {
    const now = Math.max(state.now, call);
    if (isDoneBy(state, hold)) return [{ ...state, now }];
    if (!mayComplete(state, hold)) return NOTHING;
    const ended = { ...state, now, stage: "over", end: 0 } as const;
    return [value, NOT_STORED].map((stored) => ({ ...ended, done: { by: hold, value: stored } }));
  };

const failing =
  ({ hold, call }: Operation): Step =>
  (state) =>
    runs(state, hold) ? [{ ...state, now: Math.max(state.now, call), stage: "over", end: 0 }] : NOTHING;

/** A cancelled attempt does not count. */
const cancelling = (operation: Operation): Step => {
  const fail = failing(operation);
  return (state) => fail(state).map((ended) => ({ ...ended, attempts: ended.attempts - 1 }));
};

function stepOf(operation: Operation): Step | undefined {
  const { action, status, hold, value } = operation;
  const mayBeDone = status === "ok" || status === "unknown";
  switch (action) {
    case "begin":
      // A request never meets its own attempt: to that it gets the start again.
      if (status === "refused")
        return seeing(operation, ({ stage, newest }) => stage === "running" && newest !== operation.id);
      return mayBeDone ? beginning(operation) : undefined;
    case "result":
      return seeing(operation, ({ done }) => done?.value === value);
    case "complete":
      if (status === "lost") return seeing(operation, (state) => !isDoneBy(state, hold) && !mayComplete(state, hold));
      return mayBeDone ? completing(operation) : undefined;
    case "fail":
      if (status === "lost") return seeing(operation, (state) => !runs(state, hold));
      return mayBeDone ? failing(operation) : undefined;
    default:
      return undefined;
  }
}

/** Attempts that started and were cancelled, of which their clients never learned; as with locks. */
function unseenCalls(operation: Operation): readonly OnceCall[] {
  const { action, status, call, ret, id } = operation;
  if (action !== "begin" || status === "ok") return [];
  const times = { operation, call, ret };
  const cancel: OnceCall = { ...times, mayBeSkipped: (state) => !runs(state, id), step: cancelling(operation) };
  const begin: OnceCall = { ...times, mayBeSkipped: () => true, step: beginning(operation) };
  return status === "unknown" ? [cancel] : [begin, cancel];
}

/** Makes the history of a once a game for the linearization. */
export function onceGame(history: readonly Operation[], hasUnseen: boolean): Game<OnceState, Operation> {
  const calls = history.flatMap((operation): readonly OnceCall[] => {
    const step = stepOf(operation);
    const { call, ret } = operation;
    const seen = step ? [{ operation, call, ret, mayBeSkipped: () => false, step }] : [];
    return [...seen, ...(hasUnseen ? unseenCalls(operation) : [])];
  });
  return {
    initial: START,
    calls,
    keyOf: ({ attempts, newest, stage, last, done }) =>
      `${attempts} ${newest} ${stage} ${last} ${done?.by} ${done?.value}`,
    timesOf: ({ now, end }) => [now, end],
    drift: (state, latest) =>
      state.stage === "running" && state.end <= latest
        ? [{ ...state, now: Math.max(state.now, state.end), stage: "expired", end: 0 }]
        : [],
  };
}
