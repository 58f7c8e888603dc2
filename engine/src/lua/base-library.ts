import { type Arguments, library } from "./arguments.ts";
import { SyntaxFailure } from "./lexer.ts";
import { parseWhole } from "./number.ts";
import {
  callBack,
  getRaw,
  isSame,
  LARGEST_STACK,
  metatableOf,
  numberText,
  put,
  toNumber,
  toText,
} from "./operations.ts";
import { LuaTable, ReadOnlyTable } from "./table.ts";
import {
  fail,
  isList,
  isTrue,
  LuaError,
  type LuaFunction,
  MAX_HOST_CALLS,
  type Machine,
  NOTHING,
  positionAt,
  type Result,
  typeOf,
  type Value,
} from "./value.ts";

/** The memory of an address. */
const ADDRESS_BYTES = 64;

/** Represents the address of a table or a function. It says nothing about other scripts. */
function addressOf({ addresses, budget }: Machine, value: LuaTable | LuaFunction): string {
  budget.allot(ADDRESS_BYTES);
  const number = addresses.get(value) ?? addresses.size + 1;
  addresses.set(value, number);
  return `0x${number.toString(16).padStart(12, "0")}`;
}

/** The text of a value for people. */
export function textOf(machine: Machine, value: Value): Value {
  const text = toText(machine, value);
  if (text !== undefined) return text;
  switch (typeof value) {
    case "string":
      return value;
    case "number":
      return numberText(machine, value);
    case "object":
    case "function":
      return `${typeOf(value)}: ${addressOf(machine, value)}`;
    default:
      return value === undefined ? "nil" : String(value);
  }
}

/** Errors of the host that a script can also catch: a change of a read-only table, and a stack overflow. */
export function asLuaError(error: unknown, machine: Machine): LuaError {
  if (error instanceof LuaError) return error;
  if (error instanceof ReadOnlyTable) return new LuaError(error.message, machine.line);
  if (error instanceof RangeError) return new LuaError(`${positionAt(machine.line)}stack overflow`, machine.line);
  throw error;
}

/** The time of making an error and catching it, and of leaving each call in between. */
const ERROR_STEPS = 50;
const CALL_STEPS = 5;
const HOST_CALL_STEPS = 20;

/** Calls a function, and `caught` with its error. */
function attempt(machine: Machine, callee: Value, args: Value[], caught: (value: Value) => Result): Result {
  const { depth, stack, hostCalls, values } = machine;
  let value: Value;
  try {
    const result = callBack(machine, callee, args);
    return [true, ...(isList(result) ? result : [result])];
  } catch (error) {
    ({ value } = asLuaError(error, machine));
    const left = CALL_STEPS * (machine.depth - depth) + HOST_CALL_STEPS * (machine.hostCalls - hostCalls);
    machine.budget.spend(ERROR_STEPS + left);
    // The calls that the function was in have ended.
    machine.depth = depth;
    machine.stack = stack;
    machine.hostCalls = hostCalls;
    machine.values = values;
  }
  const result = caught(value);
  return [false, ...(isList(result) ? result : [result])];
}

/** Calls the handler of `xpcall` with an error, then with its own error, and so on: fewer times than Lua has calls. */
function handled(machine: Machine, handler: Value, error: Value): Result {
  let left = error;
  for (let calls = 1; calls < MAX_HOST_CALLS; calls++) {
    let isDone = true;
    const result = attempt(machine, handler, [left], (value) => {
      isDone = false;
      left = value;
    });
    if (isDone) return isList(result) ? result.slice(1) : NOTHING;
  }
  return "error in error handling";
}

/** A script that catches an error of a command gets only its text from Redis. */
const message = (value: Value): Value => {
  const text = value instanceof LuaTable ? value.get("err") : undefined;
  return typeof text === "string" || typeof text === "number" ? text : value;
};

function toNumberBy(machine: Machine, read: Arguments): LuaFunction {
  return (args) => {
    const base = read.integer(args, 1, 10);
    if (base === 10) return toNumber(machine, read.any(args, 0));
    if (base < 2 || base > 36) read.fail(1, "base out of range");
    const text = read.string(args, 0);
    machine.budget.read(text.length);
    return parseWhole(text, base);
  };
}

function unpack(machine: Machine, read: Arguments): LuaFunction {
  return (args) => {
    const passed = args.length;
    const table = read.table(args, 0);
    const from = read.integer(args, 1, 1);
    const to = args[2] === undefined ? table.length() : read.integer(args, 2);
    if (to < from) return NOTHING;
    const count = to - from + 1;
    if (passed + count > LARGEST_STACK) fail(machine, "too many results to unpack");
    machine.budget.values(count);
    // Counted, since beyond 2^53 adding 1 changes nothing.
    return Array.from({ length: count }, (_, n) => table.get(from + n));
  };
}

function tables(machine: Machine): Readonly<Record<string, (read: Arguments) => LuaFunction>> {
  const nextOf: LuaFunction = (args) => {
    const entry = (args[0] as LuaTable).next(args[1], machine.budget);
    return entry === null ? raise(machine, "invalid key to 'next'") : (entry ?? undefined);
  };
  const each: LuaFunction = (args) => {
    const at = (args[1] as number) + 1;
    const value = (args[0] as LuaTable).get(at);
    return value === undefined ? undefined : [at, value];
  };
  return {
    next: (read) => (args) => nextOf([read.table(args, 0), args[1]]),
    pairs: (read) => (args) => [nextOf, read.table(args, 0), undefined],
    ipairs: (read) => (args) => [each, read.table(args, 0), 0],
    rawget: (read) => (args) => getRaw(machine.budget, read.table(args, 0), args[1]),
    rawset: (read) => (args) => {
      const table = read.table(args, 0);
      if (args[1] === undefined && !table.isReadOnly) fail(machine, "table index is nil");
      put(machine.budget, table, args[1], args[2]);
      return table;
    },
    rawequal: (read) => (args) => isSame(machine, read.any(args, 0), read.any(args, 1)),
    getmetatable: (read) => (args) => {
      const meta = metatableOf(read.any(args, 0), machine);
      return meta?.get("__metatable") ?? meta;
    },
    setmetatable: (read) => (args) => {
      const table = read.table(args, 0);
      const meta = args[1];
      if (meta !== undefined && !(meta instanceof LuaTable)) return read.fail(1, "nil or table expected");
      if (table.meta?.get("__metatable") !== undefined) fail(machine, "cannot change a protected metatable");
      table.setMeta(meta);
      return table;
    },
    unpack: (read) => unpack(machine, read),
  };
}

/** The global functions. `load` compiles a text. */
export function baseLibrary(machine: Machine, load: (text: string) => LuaFunction): LuaTable {
  return library(machine, {
    ...tables(machine),
    assert: (read) => (args) => {
      if (isTrue(read.any(args, 0))) return args;
      return fail(machine, read.string(args, 1, "assertion failed!"));
    },
    error: (read) => (args) => {
      const level = read.integer(args, 1, 1);
      const value = args[0];
      const line = level === 1 ? machine.line : level === 2 ? (machine.lines[machine.depth - 1] ?? 0) : 0;
      throw new LuaError(typeof value === "string" && line > 0 ? positionAt(line) + value : value, machine.line);
    },
    pcall: (read) => (args) => {
      read.any(args, 0);
      const [work, ...rest] = args;
      return attempt(machine, work, rest, message);
    },
    xpcall: (read) => (args) => {
      read.any(args, 1);
      return attempt(machine, args[0], [], (value) => handled(machine, args[1], value));
    },
    select: (read) => (args) => {
      if (args[0] === "#") return args.length - 1;
      const at = read.integer(args, 0);
      const from = at < 0 ? args.length + at : at;
      if (from < 1) read.fail(0, "index out of range");
      machine.budget.values(args.length - from);
      return args.slice(from);
    },
    tonumber: (read) => toNumberBy(machine, read),
    tostring: (read) => (args) => textOf(machine, read.any(args, 0)),
    type: (read) => (args) => typeOf(read.any(args, 0)),
    collectgarbage: () => () => 0,
    gcinfo: () => () => 0,
    loadstring: (read) => (args) => {
      try {
        return load(read.string(args, 0));
      } catch (error) {
        if (!(error instanceof SyntaxFailure)) throw error;
        machine.budget.spend(ERROR_STEPS);
        return [undefined, error.message];
      }
    },
  });
}

/** Throws a value without a position. */
function raise(machine: Machine, value: Value): never {
  throw new LuaError(value, machine.line);
}
