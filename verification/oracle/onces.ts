/** Histories of a once: a register that is set once, by attempts of which one runs at a time. */
import { NOT_STORED, type Operation } from "../histories/history.ts";
import { earliestEnd, latestEnd } from "./durations.ts";
import type { Call, Game } from "./linear.ts";

export interface OnceState {
  /** The earliest time at which all of this can have happened. */
  readonly now: number;
  /** The number of attempts started, without cancelled ones. */
  readonly attempts: number;
  /** The latest attempt; 0 before the first. */
  readonly newest: number;
  /** `over`: it was failed or cancelled. An attempt that expired may still be completed, until another one starts. */
  readonly stage: "none" | "running" | "expired" | "over";
  /** The earliest and the latest end of the running attempt's lease; 0 if none runs. */
  readonly endsFrom: number;
  readonly endsBy: number;
  /** The last token shown by a response. */
  readonly last: number;
  /** The completed attempt, with its result and token. */
  readonly done: { readonly by: number; readonly value: string; readonly token: number } | undefined;
}

type Step = (state: OnceState, latest: number) => readonly OnceState[];
type OnceCall = Call<OnceState, Operation>;

const NO_LEASE = { endsFrom: 0, endsBy: 0 };
const START: OnceState = { now: 0, attempts: 0, newest: 0, stage: "none", ...NO_LEASE, last: 0, done: undefined };
const NOTHING: readonly OnceState[] = [];

/** The state at the time of a call or later: an attempt's lease may have to have ended by then. */
function at(state: OnceState, time: number): OnceState {
  const now = Math.max(state.now, time);
  const isOver = state.stage === "running" && state.endsBy < now;
  return { ...state, now, ...(isOver && { stage: "expired", ...NO_LEASE }) };
}

/** The start of an attempt. The number and the token of an unobserved one are unknown. */
const beginning =
  ({ id, call, lease, status, token, attempt }: Operation): Step =>
  (before, latest) => {
    const state = at(before, call);
    if (state.done || state.stage === "running") return NOTHING;
    const isSeen = status === "ok";
    const attempts = state.attempts + 1;
    if (isSeen && (token <= state.last || attempt !== attempts)) return NOTHING;
    const ends = { endsFrom: earliestEnd(state.now, lease), endsBy: latestEnd(latest, lease) };
    const last = isSeen ? token : state.last;
    return [{ ...state, attempts, newest: id, stage: "running", ...ends, last }];
  };

const seeing =
  ({ call }: Operation, isPossible: (state: OnceState) => boolean): Step =>
  (before) => {
    const state = at(before, call);
    return isPossible(state) ? [state] : NOTHING;
  };

const isDoneBy = ({ done }: OnceState, hold: number): boolean => done?.by === hold;
const mayComplete = ({ done, newest, stage }: OnceState, hold: number): boolean =>
  !done && newest === hold && stage !== "over";
const runs = ({ newest, stage }: OnceState, hold: number): boolean => newest === hold && stage === "running";

const completing =
  ({ hold, call, value, token, status }: Operation): Step =>
  (before) => {
    const state = at(before, call);
    if (isDoneBy(state, hold)) return [state];
    if (!mayComplete(state, hold)) return NOTHING;
    const ended = { ...state, stage: "over", ...NO_LEASE } as const;
    // A client with its response knows whether there was memory for the result.
    const results = status === "ok" ? [value] : [value, NOT_STORED];
    return results.map((stored) => ({ ...ended, done: { by: hold, value: stored, token } }));
  };

const failing =
  ({ hold, call }: Operation): Step =>
  (before) => {
    const state = at(before, call);
    return runs(state, hold) ? [{ ...state, stage: "over", ...NO_LEASE }] : NOTHING;
  };

/** A cancelled attempt does not count. */
const cancelling = (operation: Operation): Step => {
  const fail = failing(operation);
  return (state, latest) => fail(state, latest).map((ended) => ({ ...ended, attempts: ended.attempts - 1 }));
};

function stepOf(operation: Operation): Step | undefined {
  const { action, status, hold, value, token } = operation;
  const mayBeDone = status === "ok" || status === "unknown";
  switch (action) {
    case "begin":
      // A request is never refused because of its own attempt: its start is repeated.
      if (status === "refused")
        return seeing(operation, ({ stage, newest }) => stage === "running" && newest !== operation.id);
      return mayBeDone ? beginning(operation) : undefined;
    case "result":
      return seeing(operation, ({ done }) => done?.value === value && done.token === token);
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

/** Attempts that were started and cancelled without their clients' knowledge, as with locks. */
function unseenCalls(operation: Operation): readonly OnceCall[] {
  const { action, status, call, ret, id } = operation;
  if (action !== "begin" || status === "ok") return [];
  const times = { operation, call, ret };
  const cancel: OnceCall = { ...times, mayBeSkipped: (state) => !runs(state, id), step: cancelling(operation) };
  const begin: OnceCall = { ...times, mayBeSkipped: () => true, step: beginning(operation) };
  return status === "unknown" ? [cancel] : [begin, cancel];
}

/** Translates the history of a once for the linearization. */
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
    timesOf: ({ now, endsFrom, endsBy }) => [now, endsFrom, -endsBy],
    drift: (state, latest) =>
      state.stage === "running" && state.endsFrom <= latest
        ? [{ ...at(state, state.endsFrom), stage: "expired", ...NO_LEASE }]
        : [],
  };
}
