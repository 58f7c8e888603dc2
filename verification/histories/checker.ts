/**
 * Decides whether a history is linearizable: the search of Wing and Gong, with Lowe's cache of visited configurations,
 * as in Porcupine. Besides the order, it assigns every operation a time, as early as the order allows, so that a model
 * can require "not before this lease has ended".
 */
import { isOptional, type Operation } from "./history.ts";

/** The outcome of an operation in one order: the state, and the earliest time at which it can have taken effect. */
export interface Step<State> {
  readonly state: State;
  readonly at: number;
}

/** A sequential object. */
export interface Model<State> {
  readonly initial: State;
  /** All possible outcomes of the operation in this state, between `at` and `by`. Empty if it is impossible. */
  step(state: State, operation: Operation, at: number, by: number): readonly Step<State>[];
  /** A unique key of the state. */
  keyOf(state: State): string;
}

export interface Verdict {
  /** `undecided`: the search was given up. */
  readonly verdict: "linearizable" | "violated" | "undecided";
  /** The number of configurations visited. */
  readonly configurations: number;
  /** The longest order found, and the operations that could not follow it. */
  readonly longest: readonly Operation[];
  readonly stuck: readonly Operation[];
}

/** Operations in the order of their calls, and those already placed in the order being tried. */
function createOrder(history: readonly Operation[]) {
  const operations = [...history].sort((a, b) => a.call - b.call);
  const isRequired = operations.map((operation) => !isOptional(operation));
  const words = new Uint32Array(Math.ceil(operations.length / 32));
  const isDone = (index: number): boolean => (((words[index >> 5] as number) >>> (index & 31)) & 1) === 1;
  let missing = isRequired.filter(Boolean).length;
  const path: number[] = [];
  return {
    path,
    isWhole: () => missing === 0,
    key: () => words.join(),
    at: (index: number): Operation => operations[index] as Operation,
    /** The operations that can be next, optional ones last, and the time by which one must be. */
    next(): { readonly candidates: readonly number[]; readonly deadline: number } {
      let deadline = Infinity;
      const found: number[] = [];
      for (const [index, { call, ret }] of operations.entries()) {
        if (call > deadline) break;
        if (isDone(index)) continue;
        found.push(index);
        if (isRequired[index] && ret < deadline) deadline = ret;
      }
      const open = found.filter((index) => (operations[index] as Operation).call <= deadline);
      const candidates = [...open.filter((index) => isRequired[index]), ...open.filter((index) => !isRequired[index])];
      return { candidates, deadline };
    },
    push(index: number): void {
      words[index >> 5] = (words[index >> 5] as number) | (1 << (index & 31));
      if (isRequired[index]) missing--;
      path.push(index);
    },
    pop(): void {
      const index = path.pop() as number;
      words[index >> 5] = (words[index >> 5] as number) & ~(1 << (index & 31));
      if (isRequired[index]) missing++;
    },
  };
}

/** Checks the history of one name. The search is abandoned after `max` configurations. */
export function check<State>(model: Model<State>, history: readonly Operation[], max = 200_000): Verdict {
  const order = createOrder(history);
  const seen = new Set<string>();
  let longest: readonly number[] = [];
  let stuck: readonly number[] = [];

  /** Whether the remaining operations can follow. */
  function follows(state: State, at: number): boolean {
    if (order.isWhole()) return true;
    const key = `${order.key()} ${at} ${model.keyOf(state)}`;
    if (seen.has(key) || seen.size >= max) return false;
    seen.add(key);
    const { candidates, deadline } = order.next();
    if (order.path.length >= longest.length) {
      longest = [...order.path];
      stuck = candidates;
    }
    if (at > deadline) return false;
    for (const index of candidates) {
      const operation = order.at(index);
      const earliest = Math.max(at, operation.call);
      const latest = Math.min(deadline, operation.ret);
      if (earliest > latest) continue;
      for (const step of model.step(state, operation, earliest, latest)) {
        if (step.at > latest) continue;
        order.push(index);
        const found = follows(step.state, step.at);
        order.pop();
        if (found) return true;
      }
    }
    return false;
  }

  const found = follows(model.initial, -Infinity);
  const verdict = found ? "linearizable" : seen.size >= max ? "undecided" : "violated";
  return { verdict, configurations: seen.size, longest: longest.map(order.at), stuck: stuck.map(order.at) };
}
