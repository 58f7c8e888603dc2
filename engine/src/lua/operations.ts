import { formatNumber, parseNumber } from "./number.ts";
import { LuaTable } from "./table.ts";
import { first, isTrue, LuaError, type Machine, positionAt, type Result, typeOf, type Value } from "./value.ts";

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

export function failAt({ machine, line }: Site, message: string): never {
  throw new LuaError(positionAt(line) + message, line || machine.line);
}

/** Fails like Lua for a value of the wrong type. */
function failOn(site: Site, action: string, value: Value, name: string | undefined = site.name): never {
  const type = typeOf(value);
  return failAt(site, `attempt to ${action} ${name === undefined ? `a ${type} value` : `${name} (a ${type} value)`}`);
}

function metatableOf(value: Value, { strings }: Machine): LuaTable | undefined {
  return value instanceof LuaTable ? value.meta : typeof value === "string" ? stringMeta(strings) : undefined;
}

const stringMetas = new WeakMap<LuaTable, LuaTable>();
export function stringMeta(strings: LuaTable): LuaTable {
  let meta = stringMetas.get(strings);
  if (!meta) {
    meta = new LuaTable();
    meta.set("__index", strings);
    stringMetas.set(strings, meta);
  }
  return meta;
}

const eventOf = (value: Value, event: string, machine: Machine): Value => metatableOf(value, machine)?.get(event);

/** Calls a value; only functions, and tables with `__call`. */
export function call(site: Site, callee: Value, args: Value[]): Result {
  const { machine } = site;
  machine.line = site.line;
  machine.isMethod = false;
  if (typeof callee === "function") return callee(args);
  const event = eventOf(callee, "__call", machine);
  if (typeof event !== "function") return failOn(site, "call", callee);
  return event([callee, ...args]);
}

export function index(site: Site, value: Value, key: Value): Value {
  let at = value;
  for (let steps = 0; steps < LONGEST_CHAIN; steps++) {
    let event: Value;
    if (at instanceof LuaTable) {
      const found = at.get(key);
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
  let at = value;
  for (let steps = 0; steps < LONGEST_CHAIN; steps++) {
    let event: Value;
    if (at instanceof LuaTable) {
      event = at.meta === undefined || at.get(key) !== undefined ? undefined : at.meta.get("__newindex");
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
  if (table.readonly) failAt(site, "Attempt to modify a readonly table");
  if (key === undefined) failAt(site, "table index is nil");
  if (Number.isNaN(key)) failAt(site, "table index is NaN");
  table.set(key, to);
}

const toNumber = (value: Value): number | undefined =>
  typeof value === "number" ? value : typeof value === "string" ? parseNumber(value) : undefined;

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
  const left = toNumber(a);
  const right = toNumber(b);
  if (left !== undefined && right !== undefined) return compute(operator, left, right);
  const { machine } = site;
  const event = eventOf(a, EVENTS[operator], machine) ?? eventOf(b, EVENTS[operator], machine);
  if (event !== undefined) return first(call(site, event, [a, b]));
  return left === undefined
    ? failOn(site, "perform arithmetic on", a)
    : failOn(site, "perform arithmetic on", b, site.otherName);
}

export function negate(site: Site, value: Value): Value {
  const number = toNumber(value);
  if (number !== undefined) return -number;
  const event = eventOf(value, "__unm", site.machine);
  return event === undefined ? failOn(site, "perform arithmetic on", value) : first(call(site, event, [value, value]));
}

export function lengthOf(site: Site, value: Value): number {
  if (typeof value === "string") return value.length;
  return value instanceof LuaTable ? value.length() : failOn(site, "get length of", value);
}

const textOf = (value: Value): string | undefined =>
  typeof value === "string" ? value : typeof value === "number" ? formatNumber(value) : undefined;

export function concat(site: Site, a: Value, b: Value): Value {
  const left = textOf(a);
  const right = textOf(b);
  if (left !== undefined && right !== undefined) return left + right;
  const event = eventOf(a, "__concat", site.machine) ?? eventOf(b, "__concat", site.machine);
  if (event !== undefined) return first(call(site, event, [a, b]));
  return left === undefined ? failOn(site, "concatenate", a) : failOn(site, "concatenate", b, site.otherName);
}

export function equals(site: Site, a: Value, b: Value): boolean {
  if (a === b) return true;
  if (!(a instanceof LuaTable && b instanceof LuaTable)) return false;
  const event = a.meta?.get("__eq");
  return event !== undefined && event === b.meta?.get("__eq") && isTrue(first(call(site, event, [a, b])));
}

/** `a < b`, or `a <= b`. */
export function isLess(site: Site, a: Value, b: Value, orEqual: boolean): boolean {
  if (typeof a === "number" && typeof b === "number") return orEqual ? a <= b : a < b;
  if (typeof a === "string" && typeof b === "string") return orEqual ? a <= b : a < b;
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
export function toText(site: Site, value: Value): Value {
  const event = eventOf(value, "__tostring", site.machine);
  return event !== undefined && typeof value === "object" ? first(call(site, event, [value])) : undefined;
}
