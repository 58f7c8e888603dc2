/** The model of a once: attempts under leases, one of which stores the result. */
import type { Model, Step } from "../checker.ts";
import { NOT_STORED, type Operation } from "../history.ts";
import { driftOf, type Hold, holdOf, keyOfHold, mayBeThere, whenOver } from "./holds.ts";

export interface OnceState {
  /** The running attempt, or the last one, which may still complete. */
  readonly attempt: Hold | undefined;
  /** The highest token granted; the attempt's, unless its start was not reported. */
  readonly last: number;
  readonly attempts: number;
  /** The number of further attempts that may have been counted: unreported starts, which may have been cancelled. */
  readonly doubted: number;
  /**
   * The earliest expiry of an attempt whose start was not reported: Infinity if it was cancelled before, 0 without one.
   * A cancelled attempt does not count.
   */
  readonly expires: number;
  /** The token under which the result was stored; 0 without a result. */
  readonly done: number;
  readonly value: string;
}

/** When an attempt can start, and how many others can have been counted by then. */
function starts({ attempt, doubted, expires }: OnceState, at: number): { when: number; doubted: number }[] {
  const when = attempt && mayBeThere(attempt, at) ? whenOver([attempt], at) : at;
  if (expires === 0) return [{ when, doubted }];
  const cancelled = { when, doubted: doubted - 1 };
  return expires === Infinity ? [cancelled] : [cancelled, { when: Math.max(when, expires), doubted }];
}

function begin(state: OnceState, operation: Operation, at: number, by: number): readonly Step<OnceState>[] {
  const { attempt, last, attempts, done, value } = state;
  const { status, token, lease } = operation;
  if (status === "refused") {
    // An unobserved start of the same call has its id, negated. The server would have repeated that start.
    const isOther = attempt && attempt.id !== -operation.id;
    return !done && isOther && mayBeThere(attempt, at) ? [{ state, at }] : [];
  }
  if (done) return [];
  return starts(state, at).flatMap(({ when, doubted }) => {
    const started = { attempt: holdOf(operation, when, by), done, value };
    const end = when + lease - driftOf(lease);
    // A call that failed or was later refused cancelled its attempt before it returned.
    const expires = end <= operation.ret ? end : Infinity;
    if (status !== "ok") return [{ state: { ...started, last, attempts, doubted: doubted + 1, expires }, at: when }];
    const counted = operation.attempt - attempts;
    if (token <= last || counted < 1 || counted > 1 + doubted) return [];
    return [{ state: { ...started, last: token, attempts: operation.attempt, doubted: 0, expires: 0 }, at: when }];
  });
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
  // An attempt whose lease has ended may still complete.
  if (status === "lost")
    return [{ state: { ...state, attempt: { ...attempt, last: at } }, at: whenOver([attempt], at) }];
  if (!mayBeThere(attempt, at)) return status === "ok" ? [] : [{ state, at }];
  return [{ state: { ...state, attempt: undefined }, at }];
}

export function onceModel(): Model<OnceState> {
  return {
    initial: { attempt: undefined, last: 0, attempts: 0, doubted: 0, expires: 0, done: 0, value: "" },
    keyOf: ({ attempt, last, attempts, doubted, expires, done, value }) =>
      `${attempt ? keyOfHold(attempt) : ""}, ${last} ${attempts} ${doubted} ${expires} ${done} ${value}`,
    step(state, operation, at, by) {
      switch (operation.action) {
        case "begin":
          return begin(state, operation, at, by);
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
