/** The model of a once: attempts under leases, of which one stores the result. */
import type { Model, Step } from "../checker.ts";
import { NOT_STORED, type Operation } from "../history.ts";
import { type Hold, holdOf, keyOfHold, mayBeThere, whenOver } from "./holds.ts";

export interface OnceState {
  /** The attempt that runs, or ran last and may still complete. */
  readonly attempt: Hold | undefined;
  /** The highest token that was granted; that of the attempt, unless its start was not reported. */
  readonly last: number;
  readonly attempts: number;
  /** How many attempts may have been counted beyond that: starts that were not reported, and may have been undone. */
  readonly doubted: number;
  /** The token under which the result was stored; 0 before. */
  readonly done: number;
  readonly value: string;
}

function begin(state: OnceState, operation: Operation, at: number): readonly Step<OnceState>[] {
  const { attempt, last, attempts, doubted, done, value } = state;
  const { status, token } = operation;
  if (status === "refused") return !done && attempt && mayBeThere(attempt, at) ? [{ state, at }] : [];
  if (done) return [];
  const when = attempt && mayBeThere(attempt, at) ? whenOver([attempt], at) : at;
  const started = { attempt: holdOf(operation, when), done, value };
  if (status !== "ok") return [{ state: { ...started, last, attempts, doubted: doubted + 1 }, at: when }];
  const counted = operation.attempt - attempts;
  if (token <= last || counted < 1 || counted > 1 + doubted) return [];
  return [{ state: { ...started, last: token, attempts: operation.attempt, doubted: 0 }, at: when }];
}

function complete(state: OnceState, operation: Operation, at: number): readonly Step<OnceState>[] {
  const { attempt, done } = state;
  const { hold, token, status, value } = operation;
  const isOurs = attempt?.id === hold;
  if (status === "lost") return isOurs || done === token ? [] : [{ state, at }];
  if (done) return done === token ? [{ state, at }] : [];
  if (!isOurs) return [];
  const stored = status === "ok" ? [value] : [value, NOT_STORED];
  return stored.map((kept) => ({ state: { ...state, attempt: undefined, done: token, value: kept }, at }));
}

function fail(state: OnceState, { hold, status }: Operation, at: number): readonly Step<OnceState>[] {
  const { attempt } = state;
  if (attempt?.id !== hold) return status === "ok" ? [] : [{ state, at }];
  // An attempt whose lease is over may still complete.
  if (status === "lost")
    return [{ state: { ...state, attempt: { ...attempt, last: at } }, at: whenOver([attempt], at) }];
  return [{ state: { ...state, attempt: undefined }, at }];
}

export function onceModel(): Model<OnceState> {
  return {
    initial: { attempt: undefined, last: 0, attempts: 0, doubted: 0, done: 0, value: "" },
    keyOf: ({ attempt, last, attempts, doubted, done, value }) =>
      `${attempt ? keyOfHold(attempt) : ""}, ${last} ${attempts} ${doubted} ${done} ${value}`,
    step(state, operation, at) {
      switch (operation.action) {
        case "begin":
          return begin(state, operation, at);
        case "result":
          return state.done === operation.token && state.value === operation.value ? [{ state, at }] : [];
        case "complete":
          return complete(state, operation, at);
        case "fail":
          return fail(state, operation, at);
        default:
          throw new TypeError(`no ${operation.action} of a once`);
      }
    },
  };
}
