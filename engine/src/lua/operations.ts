import type { Budget } from "../budget.ts";
import { formatNumber, parseNumber } from "./number.ts";
import { ELEMENT_BYTES, LuaTable, ReadOnlyTable, TABLE_BYTES } from "./table.ts";
import {
  fail,
  first,
  HOST_CALL_NEED,
  isTrue,
  LuaError,
  MAX_HOST_CALLS,
  MAX_STACK,
  type Machine,
  positionAt,
  type Result,
  typeOf,
  type Value,
} from "./value.ts";

/**
 * The position of an operation in a script, for its errors. `name` is what the script calls the value, as in "local
 * 'x'".
 */
export interface Site {
  readonly machine: Machine;
  readonly line: number;
  readonly name?: string | undefined;
  /** The name of the second operand. */
  readonly otherName?: string | undefined;
}

const LONGEST_CHAIN = 100;

/** The most values that a function takes and returns. */
export const LARGEST_STACK = 8000;

export function failAt({ machine, line }: Site, message: string): never {
  throw new LuaError(positionAt(line) + message, line || machine.line);
}

/** Fails like Lua for a value of the wrong type. */
function failOn(site: Site, action: string, value: Value, name: string | undefined = site.name): never {
  const type = typeOf(value);
  return failAt(site, `attempt to ${action} ${name === undefined ? `a ${type} value` : `${name} (a ${type} value)`}`);
}

/** Only tables and strings have one. */
export function metatableOf(value: Value, { stringMeta }: Machine): LuaTable | undefined {
  return value instanceof LuaTable ? value.meta : typeof value === "string" ? stringMeta : undefined;
}

const eventOf = (value: Value, event: string, machine: Machine): Value => metatableOf(value, machine)?.get(event);

/** Reserves the host's stack for a call. Who ends the call, or catches its error, gives it back. */
export function enter(machine: Machine, need: number): void {
  machine.stack += need;
  if (machine.stack > MAX_STACK) fail(machine, "stack overflow");
}

/** Calls a value for a library function or a metamethod. Lua allows few of these calls inside each other. */
export function call(site: Site, callee: Value, args: Value[]): Result {
  const { machine } = site;
  const { stack } = machine;
  if (++machine.hostCalls >= MAX_HOST_CALLS) failAt(site, "C stack overflow");
  enter(machine, HOST_CALL_NEED);
  const result = invoke(site, callee, args);
  machine.hostCalls--;
  machine.stack = stack;
  return result;
}

/** Calls a value for a library function, which has no position. */
export function callBack(machine: Machine, callee: Value, args: Value[]): Result {
  const { line } = machine;
  const result = call({ machine, line: 0 }, callee, args);
  machine.line = line;
  return result;
}

/** Calls a value: a function, or a table with `__call`. */
export function invoke(site: Site, callee: Value, args: Value[]): Result {
  const { machine } = site;
  machine.budget.spend(1);
  machine.line = site.line;
  machine.isMethod = false;
  if (typeof callee === "function") return callee(args);
  const event = eventOf(callee, "__call", machine);
  if (typeof event !== "function") return failOn(site, "call", callee);
  return event([callee, ...args]);
}

export function index(site: Site, value: Value, key: Value): Value {
  const { budget } = site.machine;
  let at = value;
  for (let steps = 0; steps < LONGEST_CHAIN; steps++) {
    if (steps > 0) budget.spend(1);
    let event: Value;
    if (at instanceof LuaTable) {
      const found = getRaw(budget, at, key);
      if (found !== undefined || at.meta === undefined) return found;
      event = at.meta.get("__index");
      if (event === undefined) return undefined;
    } else {
      event = eventOf(at, "__index", site.machine);
      if (event === undefined) failOn(site, "index", at);
    }
    if (typeof event === "function") return first(call(site, event, [at, key]));
    at = event;
  }
  return failAt(site, "loop in gettable");
}

export function setIndex(site: Site, value: Value, key: Value, to: Value): void {
  const { budget } = site.machine;
  let at = value;
  for (let steps = 0; steps < LONGEST_CHAIN; steps++) {
    if (steps > 0) budget.spend(1);
    let event: Value;
    if (at instanceof LuaTable) {
      event = at.meta === undefined || getRaw(budget, at, key) !== undefined ? undefined : at.meta.get("__newindex");
      if (event === undefined) {
        setRaw(site, at, key, to);
        return;
      }
    } else {
      event = eventOf(at, "__newindex", site.machine);
      if (event === undefined) failOn(site, "index", at);
    }
    if (typeof event === "function") {
      call(site, event, [at, key, to]);
      return;
    }
    at = event;
  }
  failAt(site, "loop in settable");
}

function setRaw(site: Site, table: LuaTable, key: Value, to: Value): void {
  if (table.isReadOnly) failAt(site, new ReadOnlyTable().message);
  if (key === undefined) failAt(site, "table index is nil");
  if (Number.isNaN(key)) failAt(site, "table index is NaN");
  put(site.machine.budget, table, key, to);
}

/** A text of this length takes more than a step to compare. */
export const LONG_TEXT = 256;

/** The value of a key, without metamethods. */
export function getRaw(budget: Budget, table: LuaTable, key: Value): Value {
  if (typeof key === "string" && key.length > LONG_TEXT) budget.copy(key.length);
  return table.get(key);
}

/** Sets a key, without metamethods. @throws ReadOnlyTable */
export function put(budget: Budget, table: LuaTable, key: Value, to: Value): void {
  if (typeof key === "string" && key.length > LONG_TEXT) budget.copy(key.length);
  const bytes = table.set(key, to);
  if (bytes > 0) budget.allot(bytes);
}

/** Makes a table from the array itself, without a copy. */
export function newTable({ budget }: Machine, array: Value[]): LuaTable {
  budget.allot(TABLE_BYTES + array.length * ELEMENT_BYTES);
  return LuaTable.of(array);
}

/** The entries of a table, each of which is counted. */
export function* entriesOf({ budget }: Machine, table: LuaTable): Generator<readonly [Value, Value]> {
  for (let entry = table.next(undefined, budget); entry; entry = table.next(entry[0], budget)) {
    budget.spend(1);
    yield entry;
  }
}

/** The number that a value is, or that a text is when it is read as one. */
export function toNumber({ budget }: Machine, value: Value): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "string") return undefined;
  if (value.length > LONG_TEXT) budget.read(value.length);
  return parseNumber(value);
}

/** The time of writing a number that is no integer of at most 14 digits. */
const ROUNDED_STEPS = 8;
const LARGEST_EXACT = 1e14;

/** The text of a number. */
export function numberText({ budget }: Machine, value: number): string {
  if (!Number.isInteger(value) || Math.abs(value) >= LARGEST_EXACT) budget.spend(ROUNDED_STEPS);
  return formatNumber(value);
}

/** Counts the comparison of two texts. It ends at the first difference, and texts of other lengths are never equal. */
function countComparison({ budget }: Machine, a: string, b: string): void {
  if (a.length > LONG_TEXT && b.length > LONG_TEXT) budget.copy(Math.min(a.length, b.length));
}

export type Arithmetic = "+" | "-" | "*" | "/" | "%" | "^";
const EVENTS: Readonly<Record<Arithmetic, string>> = {
  "+": "__add",
  "-": "__sub",
  "*": "__mul",
  "/": "__div",
  "%": "__mod",
  "^": "__pow",
};

const modulo = (a: number, b: number): number => a - Math.floor(a / b) * b;

export function compute(operator: Arithmetic, a: number, b: number): number {
  switch (operator) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return a / b;
    case "%":
      return modulo(a, b);
    case "^":
      return a ** b;
  }
}

/** Arithmetic on values that are not both numbers: strings that look like numbers are numbers. */
export function arithmetic(site: Site, operator: Arithmetic, a: Value, b: Value): Value {
  const { machine } = site;
  const left = toNumber(machine, a);
  const right = toNumber(machine, b);
  if (left !== undefined && right !== undefined) return compute(operator, left, right);
  const event = eventOf(a, EVENTS[operator], machine) ?? eventOf(b, EVENTS[operator], machine);
  if (event !== undefined) return first(call(site, event, [a, b]));
  return left === undefined
    ? failOn(site, "perform arithmetic on", a)
    : failOn(site, "perform arithmetic on", b, site.otherName);
}

export function negate(site: Site, value: Value): Value {
  const number = toNumber(site.machine, value);
  if (number !== undefined) return -number;
  const event = eventOf(value, "__unm", site.machine);
  return event === undefined ? failOn(site, "perform arithmetic on", value) : first(call(site, event, [value, value]));
}

export function lengthOf(site: Site, value: Value): number {
  if (typeof value === "string") return value.length;
  return value instanceof LuaTable ? value.length() : failOn(site, "get length of", value);
}

/** The text that a string or a number is. */
export const textIn = (machine: Machine, value: Value): string | undefined =>
  typeof value === "string" ? value : typeof value === "number" ? numberText(machine, value) : undefined;

export function concat(site: Site, a: Value, b: Value): Value {
  const { machine } = site;
  const left = textIn(machine, a);
  const right = textIn(machine, b);
  if (left !== undefined && right !== undefined) {
    machine.budget.text(left.length + right.length);
    return left + right;
  }
  const event = eventOf(a, "__concat", site.machine) ?? eventOf(b, "__concat", site.machine);
  if (event !== undefined) return first(call(site, event, [a, b]));
  return left === undefined ? failOn(site, "concatenate", a) : failOn(site, "concatenate", b, site.otherName);
}

/** Whether two values are the same, without metamethods. */
export function isSame(machine: Machine, a: Value, b: Value): boolean {
  if (typeof a === "string" && typeof b === "string" && a.length === b.length) countComparison(machine, a, b);
  return a === b;
}

export function equals(site: Site, a: Value, b: Value): boolean {
  if (isSame(site.machine, a, b)) return true;
  if (!(a instanceof LuaTable && b instanceof LuaTable)) return false;
  const event = a.meta?.get("__eq");
  return event !== undefined && event === b.meta?.get("__eq") && isTrue(first(call(site, event, [a, b])));
}

/** `a < b`, or `a <= b`. */
export function isLess(site: Site, a: Value, b: Value, orEqual: boolean): boolean {
  if (typeof a === "number" && typeof b === "number") return orEqual ? a <= b : a < b;
  if (typeof a === "string" && typeof b === "string") {
    countComparison(site.machine, a, b);
    return orEqual ? a <= b : a < b;
  }
  const common = (name: string): Value => {
    const event = eventOf(a, name, site.machine);
    return typeof a === typeof b && event === eventOf(b, name, site.machine) ? event : undefined;
  };
  const event = common(orEqual ? "__le" : "__lt");
  if (event !== undefined) return isTrue(first(call(site, event, [a, b])));
  const turned = orEqual ? common("__lt") : undefined;
  if (turned !== undefined) return !isTrue(first(call(site, turned, [b, a])));
  const types = [typeOf(a), typeOf(b)];
  return failAt(
    site,
    `attempt to compare ${types[0] === types[1] ? `two ${types[0]} values` : `${types[0]} with ${types[1]}`}`,
  );
}

/** Text for people, like that of `tostring`. */
export function toText(machine: Machine, value: Value): Value {
  const event = eventOf(value, "__tostring", machine);
  return event !== undefined && typeof value === "object" ? first(callBack(machine, event, [value])) : undefined;
}
