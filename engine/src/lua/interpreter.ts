import { asLuaError, baseLibrary } from "./base-library.ts";
import { bitLibrary } from "./bit-library.ts";
import { compile } from "./compile.ts";
import { jsonLibrary } from "./json-library.ts";
import { mathLibrary } from "./math-library.ts";
import { parse } from "./parser.ts";
import { stringLibrary } from "./string-library.ts";
import { LuaTable } from "./table.ts";
import { tableLibrary } from "./table-library.ts";
import { first, type LuaFunction, MAX_STEPS, type Machine, type Value } from "./value.ts";

/** Lua 5.1 as Redis offers it to scripts, without coroutines, `cmsgpack` and `struct`. */
export interface Interpreter {
  readonly machine: Machine;
  /**
   * Compiles a script, given as one character for each byte.
   *
   * @throws SyntaxFailure
   */
  load(text: string): LuaFunction;
  /**
   * Runs a script, and returns its only or first value.
   *
   * @throws LuaError
   * @throws OutOfSteps
   */
  run(script: LuaFunction): Value;
}

/** @param libraries more tables of functions, by name */
export function createInterpreter(libraries: (machine: Machine) => Readonly<Record<string, LuaTable>>): Interpreter {
  const globals = new LuaTable();
  const machine: Machine = {
    line: 0,
    lines: [],
    depth: 0,
    steps: MAX_STEPS,
    isMethod: false,
    globals,
    strings: new LuaTable(),
  };
  const interpreter: Interpreter = {
    machine,
    load: (text) => compile(parse(text), machine),
    run(script) {
      machine.depth = 0;
      machine.line = 0;
      machine.steps = MAX_STEPS;
      math.reset();
      try {
        return first(script([]));
      } catch (error) {
        throw asLuaError(error, machine);
      }
    },
  };
  const math = mathLibrary(machine);
  copy(stringLibrary(machine), machine.strings);
  copy(baseLibrary(machine, interpreter.load), globals);
  const named = {
    string: machine.strings,
    table: tableLibrary(machine),
    math: math.table,
    bit: bitLibrary(machine),
    cjson: jsonLibrary(machine),
    ...libraries(machine),
  };
  for (const [name, table] of Object.entries(named)) {
    table.readonly = true;
    globals.set(name, table);
  }
  globals.set("_G", globals);
  globals.set("_VERSION", "Lua 5.1");
  globals.readonly = true;
  return interpreter;
}

function copy(from: LuaTable, to: LuaTable): void {
  for (let entry = from.next(undefined); entry; entry = from.next(entry[0])) to.set(entry[0], entry[1]);
}
