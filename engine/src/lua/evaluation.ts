/**
 * The functions that expressions become. They are made here, apart from the compiler, because a JavaScript function
 * keeps all variables around it that any function there uses: a compiled script must not keep its syntax tree.
 */
import { failAt, getRaw, index, invoke, LONG_TEXT, newTable, put, type Site } from "./operations.ts";
import type { Frame, Get, GetMany } from "./scope.ts";
import { LuaTable } from "./table.ts";
import { type Box, first, isList, type Machine, NOTHING, type Value } from "./value.ts";

/** Returns a new array with the values of several expressions. */
export type GetList = (frame: Frame) => Value[];

export const constant =
  (value: Value): Get =>
  () =>
    value;

export const firstVararg: Get = (frame) => frame.varargs[0];
export const varargs: GetMany = (frame) => frame.varargs;

const registers: Get[] = [];

/** A variable in a register. The functions are shared, since a function has few registers. */
export const register = (at: number): Get => (registers[at] ??= registerAt(at));
const registerAt =
  (at: number): Get =>
  (frame) =>
    frame.registers[at] as Value;

export const boxed =
  (at: number): Get =>
  (frame) =>
    (frame.registers[at] as Box).v;

export const upvalue =
  (at: number): Get =>
  (frame) =>
    (frame.upvalues[at] as Box).v;

export const noGlobal = (name: Value): string =>
  `Script attempted to access nonexistent global variable '${typeof name === "string" ? name : "(null)"}'`;

/** A global that may be set for a run. */
export const global =
  ({ globals }: Machine, name: string, site: Site): Get =>
  () => {
    const value = globals.get(name);
    return value === undefined ? failAt(site, noGlobal(name)) : value;
  };

export const onlyFirst =
  (many: GetMany): Get =>
  (frame) =>
    first(many(frame));

/** The value of the step before, in a chain. */
export const operand: Get = (frame) => frame.operand;

/**
 * Steps of which each begins with the value of the one before: `a + b + c`, `a.b.c`. A step reads this value, its
 * {@link operand}, before it does anything else.
 */
export const chain =
  (begin: Get, steps: readonly Get[]): Get =>
  (frame) => {
    let value = begin(frame);
    for (const step of steps) {
      frame.operand = value;
      value = step(frame);
    }
    return value;
  };

export const member = (base: Get, key: string, site: Site): Get =>
  key.length > LONG_TEXT ? element(base, constant(key), site) : shortMember(base, key, site);

const shortMember =
  (base: Get, key: string, site: Site): Get =>
  (frame) => {
    const table = base(frame);
    if (table instanceof LuaTable) {
      const value = table.get(key);
      if (value !== undefined || table.meta === undefined) return value;
    }
    return index(site, table, key);
  };

export const element =
  (base: Get, at: Get, site: Site): Get =>
  (frame) => {
    const table = base(frame);
    const key = at(frame);
    if (table instanceof LuaTable) {
      const value = getRaw(site.machine.budget, table, key);
      if (value !== undefined || table.meta === undefined) return value;
    }
    return index(site, table, key);
  };

export const call =
  (callee: Get, args: GetList, site: Site): GetMany =>
  (frame) => {
    const called = callee(frame);
    const values = args(frame);
    if (typeof called !== "function") return invoke(site, called, values);
    const { machine } = site;
    machine.budget.spend(1);
    machine.line = site.line;
    machine.isMethod = false;
    return called(values);
  };

/** @param args the values after the object @param owner the position of the object */
export const methodCall =
  (object: Get, name: string, args: GetList, site: Site, owner: Site): GetMany =>
  (frame) => {
    const { machine } = site;
    const self = object(frame);
    const called = typeof self === "string" ? machine.strings.get(name) : index(owner, self, name);
    const values = args(frame);
    values.unshift(self);
    if (typeof called !== "function") return invoke(site, called, values);
    machine.budget.spend(1);
    machine.line = site.line;
    machine.isMethod = true;
    return called(values);
  };

const none: GetList = () => [];
const one =
  (a: Get): GetList =>
  (frame) => [a(frame)];
const two =
  (a: Get, b: Get): GetList =>
  (frame) => [a(frame), b(frame)];
const three =
  (a: Get, b: Get, c: Get): GetList =>
  (frame) => [a(frame), b(frame), c(frame)];
const several =
  (all: readonly Get[]): GetList =>
  (frame) => {
    const made: Value[] = [];
    for (const get of all) made.push(get(frame));
    return made;
  };

/** One value of each expression. */
export function list(all: readonly Get[]): GetList {
  const [a, b, c] = all as [Get, Get, Get];
  switch (all.length) {
    case 0:
      return none;
    case 1:
      return one(a);
    case 2:
      return two(a, b);
    case 3:
      return three(a, b, c);
    default:
      return several(all);
  }
}

/** One value of each expression, and all values of a last one. */
export const openList =
  (machine: Machine, all: readonly Get[], rest: GetMany): GetList =>
  (frame) => {
    const made: Value[] = [];
    for (const get of all) made.push(get(frame));
    const more = rest(frame);
    if (!isList(more)) made.push(more);
    else {
      machine.budget.values(more.length);
      for (const value of more) made.push(value);
    }
    return made;
  };

export const emptyTable =
  (machine: Machine): Get =>
  () =>
    newTable(machine, []);

export const arrayTable =
  (machine: Machine, all: GetList): Get =>
  (frame) =>
    newTable(machine, all(frame));

/** A field of a table constructor: without a key, it is the next of the array. */
export type FieldOf = readonly [key: Get | undefined, value: Get];

/** A table with keys. @param open the last field, which may have several values */
export const table =
  (fields: readonly FieldOf[], open: GetMany | undefined, site: Site): Get =>
  (frame) => {
    const { machine } = site;
    const positional: Value[] = [];
    const named: [Value, Value][] = [];
    for (const [getKey, getValue] of fields) {
      if (!getKey) {
        positional.push(getValue(frame));
        continue;
      }
      const key = getKey(frame);
      if (key === undefined) failAt(site, "table index is nil");
      named.push([key, getValue(frame)]);
    }
    const rest = open ? open(frame) : NOTHING;
    const more = isList(rest) ? rest : [rest];
    machine.budget.values(more.length);
    for (const value of more) positional.push(value);
    const made = newTable(machine, positional);
    // A value without a key takes precedence over one whose key is its index.
    const isTaken = (key: Value): boolean =>
      typeof key === "number" && Number.isInteger(key) && key >= 1 && key <= positional.length;
    for (const [key, value] of named) if (!isTaken(key)) put(machine.budget, made, key, value);
    return made;
  };
