import { Budget } from "../budget.ts";
import { asLuaError, baseLibrary } from "./base-library.ts";
import { bitLibrary } from "./bit-library.ts";
import { compile } from "./compile.ts";
import { VARIABLES, type Variable } from "./context.ts";
import { noGlobal } from "./evaluation.ts";
import { jsonLibrary } from "./json-library.ts";
import { SyntaxFailure } from "./lexer.ts";
import { mathLibrary } from "./math-library.ts";
import { formatNumber } from "./number.ts";
import { parse } from "./parser.ts";
import { stringLibrary } from "./string-library.ts";
import { LuaTable } from "./table.ts";
import { tableLibrary } from "./table-library.ts";
import { fail, first, type LuaFunction, type Machine, type Value } from "./value.ts";

/** Lua 5.1 as Redis offers it to scripts, without coroutines, `cmsgpack` and `struct`. */
export interface Interpreter {
  readonly machine: Machine;
  /**
   * Compiles a script, given as one character for each byte.
   *
   * @throws SyntaxFailure
   * @throws OutOfBudget
   */
  load(text: string, budget: Budget): LuaFunction;
  /**
   * Runs a script, and returns its only or first value. Nothing that a script can reach outlives it, except the
   * libraries, which are read-only.
   *
   * @param variables globals of this run
   * @throws LuaError
   * @throws OutOfBudget
   */
  run(script: LuaFunction, variables: Readonly<Record<Variable, LuaTable>>, budget: Budget): Value;
}

/** @param libraries more tables of functions, by name */
export function createInterpreter(libraries: (machine: Machine) => Readonly<Record<string, LuaTable>>): Interpreter {
  const globals = new LuaTable();
  const strings = new LuaTable();
  const stringMeta = new LuaTable();
  stringMeta.set("__index", strings);
  const machine: Machine = {
    line: 0,
    lines: [],
    depth: 0,
    values: 0,
    budget: new Budget(),
    isMethod: false,
    globals,
    strings,
    stringMeta,
    stack: 0,
    hostCalls: 0,
    addresses: new Map(),
  };
  const interpreter: Interpreter = {
    machine,
    load(text, budget) {
      try {
        return compile(parse(text, budget, machine.hostCalls), machine);
      } catch (error) {
        // The caller uses so much of the stack that too little is left for a nested text.
        if (error instanceof RangeError) throw new SyntaxFailure("user_script:1: chunk has too many syntax levels");
        throw error;
      }
    },
    run(script, variables, budget) {
      machine.depth = 0;
      machine.stack = 0;
      machine.hostCalls = 1;
      machine.line = 0;
      machine.values = 0;
      machine.budget = budget;
      math.reset();
      for (const name of VARIABLES) globals.put(name, variables[name]);
      try {
        return first(script([]));
      } catch (error) {
        throw asLuaError(error, machine);
      } finally {
        for (const name of VARIABLES) globals.put(name, undefined);
        machine.hostCalls = 0;
        if (machine.addresses.size > 0) machine.addresses = new Map();
      }
    },
  };
  const math = mathLibrary(machine);
  copy(stringLibrary(machine), machine.strings);
  copy(
    baseLibrary(machine, (text) => interpreter.load(text, machine.budget)),
    globals,
  );
  const named = {
    string: machine.strings,
    table: tableLibrary(machine),
    math: math.table,
    bit: bitLibrary(machine),
    cjson: jsonLibrary(machine),
    ...libraries(machine),
  };
  for (const [name, table] of Object.entries(named)) {
    table.freeze();
    globals.set(name, table);
  }
  stringMeta.freeze();
  globals.set("_G", globals);
  globals.setMeta(globalMeta(machine));
  globals.set("_VERSION", "Lua 5.1");
  globals.freeze();
  return interpreter;
}

/** The metatable of the globals: one that does not exist is an error. */
function globalMeta(machine: Machine): LuaTable {
  const meta = new LuaTable();
  meta.set("__index", ([, key]) => fail(machine, noGlobal(typeof key === "number" ? formatNumber(key) : key)));
  meta.freeze();
  return meta;
}

function copy(from: LuaTable, to: LuaTable): void {
  for (let entry = from.next(undefined); entry; entry = from.next(entry[0])) to.set(entry[0], entry[1]);
}
