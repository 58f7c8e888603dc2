/** The functions that statements become. Like those of expressions, they must not keep the syntax tree. */

import type { GetList } from "./evaluation.ts";
import { BREAK, NEXT, RETURN, type Run } from "./flow.ts";
import { call, enter, failAt, type Site, setIndex, toNumber } from "./operations.ts";
import { Frame, type Get, type GetMany, type Place } from "./scope.ts";
import { Box, fail, isList, isTrue, type LuaFunction, type Machine, NOTHING, type Value } from "./value.ts";

/** Sets a variable, or an element of a table. */
export type Setter = (frame: Frame, value: Value) => void;

/** Evaluates the parts of an assignment's left side, before any value is assigned. */
export type Prepare = (frame: Frame) => Setter;

type At = Place & { readonly at: number };

const nothing: Run = () => NEXT;
export const breaking: Run = () => BREAK;

const both =
  (one: Run, other: Run): Run =>
  (frame) => {
    const end = one(frame);
    return end === NEXT ? other(frame) : end;
  };

const all =
  (runs: readonly Run[]): Run =>
  (frame) => {
    for (let at = 0; at < runs.length; at++) {
      const end = (runs[at] as Run)(frame);
      if (end !== NEXT) return end;
    }
    return NEXT;
  };

/** Statements one after the other. */
export function sequence(runs: readonly Run[]): Run {
  const [one = nothing, other = nothing] = runs;
  return runs.length < 2 ? one : runs.length === 2 ? both(one, other) : all(runs);
}

export const callOnly =
  (run: GetMany): Run =>
  (frame) => {
    run(frame);
    return NEXT;
  };

export const returning =
  (get: GetMany): Run =>
  (frame) => {
    frame.result = get(frame);
    return RETURN;
  };

/** Conditions with their blocks; the last one may be always true. */
export const branches =
  (clauses: readonly (readonly [condition: Get, run: Run])[]): Run =>
  (frame) => {
    for (const [condition, run] of clauses) if (isTrue(condition(frame))) return run(frame);
    return NEXT;
  };

/** @param steps what an iteration costs, also below */
export const whileLoop =
  (machine: Machine, steps: number, condition: Get, run: Run): Run =>
  (frame) => {
    while (isTrue(condition(frame))) {
      machine.budget.spend(steps);
      const end = run(frame);
      if (end === BREAK) break;
      if (end === RETURN) return end;
    }
    return NEXT;
  };

export const repeatLoop =
  (machine: Machine, steps: number, run: Run, condition: Get): Run =>
  (frame) => {
    do {
      machine.budget.spend(steps);
      const end = run(frame);
      if (end === BREAK) break;
      if (end === RETURN) return end;
    } while (!isTrue(condition(frame)));
    return NEXT;
  };

const NAMES = ["initial value", "limit", "step"];

function numberOf(value: Value, at: number, site: Site): number {
  const number = toNumber(site.machine, value);
  return number ?? failAt(site, `'for' ${NAMES[at]} must be a number`);
}

/** @param bounds the initial value, the limit, and the step if there is one */
export const numericLoop =
  (bounds: GetList, set: Setter, steps: number, run: Run, site: Site): Run =>
  (frame) => {
    const { machine } = site;
    const [from = 0, to = 0, by = 1] = bounds(frame).map((value, at) => numberOf(value, at, site));
    for (let value = from; by > 0 ? value <= to : value >= to; value += by) {
      machine.budget.spend(steps);
      set(frame, value);
      const ended = run(frame);
      if (ended === BREAK) break;
      if (ended === RETURN) return ended;
    }
    return NEXT;
  };

/** @param begin the iterator, its state and the first control value */
export const genericLoop =
  (begin: GetList, sets: readonly Setter[], steps: number, run: Run, site: Site): Run =>
  (frame) => {
    const { machine } = site;
    const [iterator, state, initial] = begin(frame);
    for (let control = initial; ; ) {
      const result = call(site, iterator, [state, control]);
      const values: readonly Value[] = isList(result) ? result : [result];
      control = values[0];
      if (control === undefined) return NEXT;
      machine.budget.spend(steps);
      for (let at = 0; at < sets.length; at++) (sets[at] as Setter)(frame, values[at]);
      const ended = run(frame);
      if (ended === BREAK) return NEXT;
      if (ended === RETURN) return ended;
    }
  };

const intoRegister =
  (at: number): Setter =>
  (frame, value) => {
    frame.registers[at] = value;
  };

const intoNewBox =
  (at: number): Setter =>
  (frame, value) => {
    frame.registers[at] = new Box(value);
  };

const intoBox =
  (at: number): Setter =>
  (frame, value) => {
    (frame.registers[at] as Box).v = value;
  };

const intoUpvalue =
  (at: number): Setter =>
  (frame, value) => {
    (frame.upvalues[at] as Box).v = value;
  };

const intoGlobal =
  ({ globals }: Machine, name: string, site: Site): Setter =>
  (_, value) =>
    setIndex(site, globals, name, value);

/** Sets a variable that is declared here. */
export const initial = ({ where, at }: At): Setter => (where === "box" ? intoNewBox(at) : intoRegister(at));

/** Sets a variable that was declared before. */
export function setterOf(place: Place, name: string, site: Site): Setter {
  switch (place.where) {
    case "global":
      return intoGlobal(site.machine, name, site);
    case "register":
      return intoRegister(place.at);
    case "box":
      return intoBox(place.at);
    case "upvalue":
      return intoUpvalue(place.at);
  }
}

export const prepared =
  (set: Setter): Prepare =>
  () =>
    set;

/** Prepares the setter of an element. */
export const elementOf =
  (base: Get, key: Get, site: Site): Prepare =>
  (frame) => {
    const table = base(frame);
    const at = key(frame);
    return (_, value) => setIndex(site, table, at, value);
  };

export const setVariable =
  (set: Setter, get: Get): Run =>
  (frame) => {
    set(frame, get(frame));
    return NEXT;
  };

export const setElement =
  (base: Get, key: Get, get: Get, site: Site): Run =>
  (frame) => {
    const table = base(frame);
    const at = key(frame);
    setIndex(site, table, at, get(frame));
    return NEXT;
  };

export const setVariables =
  (sets: readonly Setter[], values: GetList): Run =>
  (frame) => {
    const list = values(frame);
    for (let at = 0; at < sets.length; at++) (sets[at] as Setter)(frame, list[at]);
    return NEXT;
  };

/** Assigns from the last to the first, as Lua does. */
export const assignAll =
  (targets: readonly Prepare[], values: GetList): Run =>
  (frame) => {
    const sets = targets.map((prepare) => prepare(frame));
    const list = values(frame);
    for (let at = sets.length - 1; at >= 0; at--) (sets[at] as Setter)(frame, list[at]);
    return NEXT;
  };

/** Sets a local function, which can call itself. */
export const setLocalFunction =
  (declare: Setter, set: Setter, get: Get): Run =>
  (frame) => {
    declare(frame, undefined);
    set(frame, get(frame));
    return NEXT;
  };

/** A compiled function: its body, how many registers and parameters it has, and which parameters are in boxes. */
export interface Code {
  readonly run: Run;
  /** What a run of the body costs, without the loops and calls in it. */
  readonly steps: number;
  readonly size: number;
  readonly count: number;
  readonly isVararg: boolean;
  readonly boxes: readonly number[];
  /** What a call needs of the host's stack. */
  readonly need: number;
  readonly machine: Machine;
}

/** A call with this many arguments costs no more than another one. */
const FEW_VALUES = 16;
/** The maximum number of arguments of all active calls that have many. */
const MAX_VALUES = 1_000_000;

/** Counts the arguments of a call that has many. */
function enterWith(machine: Machine, values: number): void {
  machine.budget.values(values);
  machine.values += values;
  if (machine.values > MAX_VALUES) fail(machine, "stack overflow");
}

/**
 * Makes a function from its code. A call reuses the array of its arguments as its registers: truncated to the
 * parameters, and extended for the other variables.
 */
export function closure(code: Code, upvalues: readonly Box[]): LuaFunction {
  return (args) => {
    const { run, steps, size, count, isVararg, boxes, need, machine } = code;
    const values = args.length > FEW_VALUES ? args.length : 0;
    if (steps > 0) machine.budget.spend(steps);
    if (values > 0) enterWith(machine, values);
    enter(machine, need);
    const varargs = isVararg ? args.slice(count) : NOTHING;
    const registers: (Value | Box)[] = args;
    if (args.length > count) registers.length = count;
    while (registers.length < size) registers.push(undefined);
    for (const at of boxes) registers[at] = new Box(registers[at] as Value);
    const frame = new Frame(registers, upvalues, varargs);
    machine.lines[machine.depth++] = machine.line;
    run(frame);
    // After an error, its catcher sets the depth: `pcall`, or the machine's next run.
    machine.depth--;
    machine.stack -= need;
    machine.values -= values;
    return frame.result;
  };
}

/** The memory of a function that a script makes, and of each variable that it captures. */
const CLOSURE_BYTES = 160;
const UPVALUE_BYTES = 40;

/** A function expression. @param captures where the surrounding call has the boxes that the function uses */
export const newClosure =
  (code: Code, captures: readonly Place[]): Get =>
  (frame) => {
    code.machine.budget.allot(CLOSURE_BYTES + captures.length * UPVALUE_BYTES);
    return closure(
      code,
      captures.map((place) => captured(frame, place)),
    );
  };

function captured(frame: Frame, place: Place): Box {
  const { at } = place as Exclude<Place, { readonly where: "global" }>;
  return (place.where === "upvalue" ? frame.upvalues[at] : frame.registers[at]) as Box;
}
