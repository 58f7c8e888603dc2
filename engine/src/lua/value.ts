import type { Budget } from "../budget.ts";
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
 * The maximum need of the active calls, in units of some 60 bytes: about 70 % of V8's stack. So what a call at this
 * depth does, such as a command, cannot exceed the stack and end half done.
 */
export const MAX_STACK = 11_000;

/** What any call of a function needs of the host's stack. */
export const CALL_NEED = 4;

/** What any call by a library function needs in addition. */
export const HOST_CALL_NEED = 12;

/** The maximum of `hostCalls`, as in Lua. */
export const MAX_HOST_CALLS = 200;

/** A command that a script called has failed in the host, perhaps half done. No script can catch it. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";

  constructor(cause: unknown) {
    super("a command failed", { cause });
  }
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
  /** What the active calls need of the host's stack, at most `MAX_STACK`. */
  stack: number;
  /** The number of active calls by library functions and metamethods, and of the script itself. */
  hostCalls: number;
  /** The number of arguments of the active calls that have many. */
  values: number;
  /** What the request that compiles or runs a script may still use. */
  budget: Budget;
  readonly globals: LuaTable;
  /** The methods of strings. */
  readonly strings: LuaTable;
  /** The metatable of strings. */
  readonly stringMeta: LuaTable;
  /** What represents the addresses of tables and functions that this script has asked for. */
  addresses: Map<LuaTable | LuaFunction, number>;
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
