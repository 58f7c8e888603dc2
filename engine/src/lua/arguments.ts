import { numberText, toNumber } from "./operations.ts";
import { LuaTable } from "./table.ts";
import { fail, type LuaFunction, type Machine, typeOf, type Value } from "./value.ts";

/** Reads the arguments of a library function. `name` is the name of the function, for errors. */
export interface Arguments {
  string(args: readonly Value[], at: number, otherwise?: string): string;
  number(args: readonly Value[], at: number, otherwise?: number): number;
  /** A number, truncated to an integer. */
  integer(args: readonly Value[], at: number, otherwise?: number): number;
  table(args: readonly Value[], at: number): LuaTable;
  /** Anything, but not nothing. */
  any(args: readonly Value[], at: number): Value;
  fail(at: number, why: string): never;
}

function argumentsOf(machine: Machine, name: string): Arguments {
  const bad = (at: number, why: string): never => {
    const place = machine.isMethod ? at : at + 1;
    if (place === 0) fail(machine, `calling '${name}' on bad self (${why})`);
    return fail(machine, `bad argument #${place} to '${name}' (${why})`);
  };
  const wrong = (args: readonly Value[], at: number, type: string): never =>
    bad(at, `${type} expected, got ${at >= args.length ? "no value" : typeOf(args[at])}`);
  const number = (args: readonly Value[], at: number, otherwise?: number): number => {
    const value = args[at];
    if (typeof value === "number") return value;
    if (value === undefined && otherwise !== undefined) return otherwise;
    return toNumber(machine, value) ?? wrong(args, at, "number");
  };
  return {
    string(args, at, otherwise) {
      const value = args[at];
      if (typeof value === "string") return value;
      if (typeof value === "number") return numberText(machine, value);
      return value === undefined && otherwise !== undefined ? otherwise : wrong(args, at, "string");
    },
    number,
    integer: (args, at, otherwise) => {
      const value = Math.trunc(number(args, at, otherwise));
      return Number.isNaN(value) ? -(2 ** 63) : value;
    },
    table(args, at) {
      const value = args[at];
      return value instanceof LuaTable ? value : wrong(args, at, "table");
    },
    any: (args, at) => (at < args.length ? args[at] : bad(at, "value expected")),
    fail: bad,
  };
}

/** A library: a table of functions, each of which receives a reader of its arguments. */
export function library(
  machine: Machine,
  functions: Readonly<Record<string, (read: Arguments) => LuaFunction>>,
): LuaTable {
  const table = new LuaTable();
  for (const [name, make] of Object.entries(functions)) table.set(name, make(argumentsOf(machine, name)));
  return table;
}
