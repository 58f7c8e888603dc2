import type { LuaFunction, LuaTable, Result, Value } from "./table.ts";

export const NOTHING: readonly Value[] = [];

export const isList = (result: Result): result is readonly Value[] => Array.isArray(result);

export const first = (result: Result): Value => (isList(result) ? result[0] : result);

/** A variable that an inner function also uses. */
export class Box {
  v: Value;
  constructor(v: Value) {
    this.v = v;
  }
}

/** A thrown Lua value, and the line where it was thrown. */
export class LuaError extends Error {
  readonly value: Value;
  readonly line: number;
  constructor(value: Value, line: number) {
    super(typeof value === "string" ? value : "a Lua error");
    this.value = value;
    this.line = line;
  }
}

/**
 * The maximum steps of one script: loop iterations, calls, and comparisons of patterns. On Redis, others can stop a
 * script that has run for five seconds. Here nothing could stop it, so it fails after about a second.
 */
export const MAX_STEPS = 10_000_000;

/** A script has taken too many steps. No script can catch it. */
export class OutOfSteps extends Error {
  override readonly name = "OutOfSteps";

  constructor() {
    super("the script takes too many steps");
  }
}

/** Counts steps of a script. @throws {OutOfSteps} after too many */
export function countStep(machine: Machine, steps = 1): void {
  machine.steps -= steps;
  if (machine.steps < 0) throw new OutOfSteps();
}

/** The state that all functions of an interpreter share. */
export interface Machine {
  /** The line of the newest call, which errors of library functions name. */
  line: number;
  /** The lines of the active calls, outermost first, and their number. */
  readonly lines: number[];
  /** Whether the newest call is that of a method, whose object is not counted as an argument. */
  isMethod: boolean;
  depth: number;
  /** The number of steps that the script may still take. */
  steps: number;
  readonly globals: LuaTable;
  /** The methods of strings. */
  readonly strings: LuaTable;
}

/** Throws a message that begins with the position of the newest call. */
export function fail(machine: Machine, message: string): never {
  throw new LuaError(`${positionAt(machine.line)}${message}`, machine.line);
}

/** Every script has the same name in Redis. A function that a library function calls has no position. */
export const positionAt = (line: number): string => (line === 0 ? "" : `user_script:${line}: `);

export function typeOf(value: Value): string {
  switch (typeof value) {
    case "undefined":
      return "nil";
    case "object":
      return "table";
    default:
      return typeof value;
  }
}

/** Everything except nil and false. */
export const isTrue = (value: Value): boolean => value !== undefined && value !== false;

export type { LuaFunction, Result, Value };
